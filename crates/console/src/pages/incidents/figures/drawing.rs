//! A logarithmic scale of lengths, and lines on it.

use std::iter::successors;

use crate::pages::incidents::unit::Unit;

/// The scale takes what lies between these heights.
const TOP: f64 = 16.0;
const BOTTOM: f64 = 122.0;

/// The least length of a scale, in its unit: a length of nothing has no logarithm.
const LEAST: f64 = 0.01;

/// A place in the drawing: thousandths of the width, and the height from above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct At {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A line of the scale.
pub(crate) struct Tick {
    pub(crate) y: String,
    pub(crate) label: String,
}

/// A logarithmic scale: powers of ten of a unit at equal distances.
pub(super) struct Scale {
    unit: Unit,
    low: f64,
    /// The distance of two lines.
    step: f64,
    /// How many lines there are above the lowest.
    steps: f64,
}

/// The most lines of a scale above its lowest one.
const MOST_STEPS: f64 = 4.0;

impl Scale {
    /// The scale from the power below the least value to one above the greatest.
    pub(super) fn of(unit: Unit, values: impl Iterator<Item = f64>) -> Self {
        let powers = values.map(|it| unit.amount(it).max(LEAST).log10());
        let (least, most) =
            powers.fold((f64::MAX, f64::MIN), |(least, most), it| (least.min(it), most.max(it)));
        let low = least.floor();
        let length = (most.ceil() - low).max(1.0);
        let step = (length / MOST_STEPS).ceil();
        Self { unit, low, step, steps: (length / step).ceil() }
    }

    /// The height of a length.
    pub(super) fn y(&self, seconds: f64) -> f64 {
        self.height(self.unit.amount(seconds).max(LEAST).log10())
    }

    fn height(&self, power: f64) -> f64 {
        let part = (power - self.low) / (self.step * self.steps);
        BOTTOM - part.clamp(0.0, 1.0) * (BOTTOM - TOP)
    }

    /// The lines from the lowest on.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let steps = successors(Some(0.0), |step| Some(step + 1.0)).take_while(|step| *step <= self.steps);
        let tick = |power: f64| Tick {
            y: decimal(self.height(power)),
            label: self.unit.written(10_f64.powf(power)),
        };
        steps.map(|step| tick(self.low + self.step * step)).collect()
    }
}

/// A line through neighbours; periods without a value are gaps.
pub(super) fn path(points: &[Option<At>]) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for point in points {
        if let Some(At { x, y }) = point {
            path.push_str(&format!("{pen}{} {}", decimal(*x), decimal(*y)));
        }
        pen = if point.is_some() { 'L' } else { 'M' };
    }
    path
}

/// The area between two lines, one part for each run of neighbours.
pub(super) fn band(low: &[Option<At>], high: &[Option<At>]) -> String {
    let pairs: Vec<Option<(At, At)>> = low.iter().zip(high).map(|(low, high)| low.zip(*high)).collect();
    let runs = pairs.split(Option::is_none).filter(|run| run.len() > 1);
    let area = |run: &[Option<(At, At)>]| {
        let there = run.iter().flatten().map(|(_, high)| *high);
        let back = run.iter().rev().flatten().map(|(low, _)| *low);
        let corners: Vec<Option<At>> = there.chain(back).map(Some).collect();
        format!("{}Z", path(&corners))
    };
    runs.map(area).collect()
}

/// Thousandths of the width in per cent.
pub(super) fn percent(thousandths: f64) -> String {
    format!("{}%", decimal(thousandths / 10.0))
}

/// A number with one digit after the point.
pub(super) fn decimal(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use domain::figures::Summary;

    use super::*;

    #[test]
    fn the_scale_holds_every_value_in_one_unit() {
        let hours = Unit::of([Summary { p50: Some(3_600.0), ..Summary::default() }].iter());
        for (least, most, labels) in [
            (3_600.0, 3_600.0, &["1 h", "10 h"][..]),
            (1_800.0, 360_000.0, &["0.1 h", "1 h", "10 h", "100 h"]),
            (4_000.0, 4_100.0, &["1 h", "10 h"]),
            (0.0, 1e9, &["0.01 h", "1 h", "100 h", "10000 h", "1000000 h"]),
        ] {
            let scale = Scale::of(hours, [least, most].into_iter());
            let ticks = scale.ticks();
            assert_eq!(ticks.iter().map(|it| &it.label).collect::<Vec<_>>(), labels, "{least} {most}");
            assert!(scale.y(least) >= scale.y(most), "{least} {most}");
            assert!(scale.y(most) >= TOP && scale.y(least) <= BOTTOM, "{least} {most}");
        }
    }

    #[test]
    fn a_period_without_a_value_is_a_gap() {
        let points = [Some((1.0, 2.0)), Some((3.0, 4.0)), None, Some((5.0, 6.0))]
            .map(|it| it.map(|(x, y)| At { x, y }));
        assert_eq!(path(&points), "M1.0 2.0L3.0 4.0M5.0 6.0");
        let high = points.map(|point| point.map(|at| At { y: at.y - 1.0, ..at }));
        assert_eq!(band(&points, &high), "M1.0 1.0L3.0 3.0L3.0 4.0L1.0 2.0Z");
    }
}
