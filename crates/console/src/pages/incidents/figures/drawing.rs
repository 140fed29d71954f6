//! A logarithmic scale of lengths, and lines on it.

/// The scale takes what lies between these heights.
const TOP: f64 = 16.0;
const BOTTOM: f64 = 122.0;

/// The lengths in seconds that the scale can have, with their names.
const LENGTHS: [(f64, &str); 11] = [
    (1.0, "1 s"),
    (10.0, "10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3_600.0, "1 h"),
    (21_600.0, "6 h"),
    (86_400.0, "1 day"),
    (604_800.0, "1 week"),
    (2_592_000.0, "30 days"),
    (31_536_000.0, "1 year"),
    (315_360_000.0, "10 years"),
];

/// A place in the drawing: thousandths of the width, and the height from above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct At {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A line of the scale.
pub(crate) struct Tick {
    pub(crate) y: String,
    pub(crate) label: &'static str,
}

/// A logarithmic scale.
pub(super) struct Scale {
    /// Its lengths, at least two.
    lengths: &'static [(f64, &'static str)],
}

impl Scale {
    /// The scale from the length below the least value to the one above the greatest.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let (least, most) =
            values.fold((f64::MAX, 0.0_f64), |(least, most), it| (least.min(it), most.max(it)));
        let below = LENGTHS.iter().rposition(|(length, _)| *length <= least).unwrap_or(0);
        let lowest = below.min(LENGTHS.len() - 2);
        let above = LENGTHS.iter().position(|(length, _)| *length >= most).unwrap_or(LENGTHS.len() - 1);
        Self { lengths: LENGTHS.get(lowest..=above.max(lowest + 1)).unwrap_or(&LENGTHS) }
    }

    /// The height of a length.
    pub(super) fn y(&self, seconds: f64) -> f64 {
        let [(low, _), .., (high, _)] = self.lengths else { return BOTTOM };
        let part = (seconds.max(1.0).ln() - low.ln()) / (high.ln() - low.ln());
        BOTTOM - part.clamp(0.0, 1.0) * (BOTTOM - TOP)
    }

    /// The lowest and the highest line, and of many every second one between them.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let last = self.lengths.len() - 1;
        let step = last.div_ceil(4);
        let is_shown = |place: &usize| place.is_multiple_of(step) || *place == last;
        let lines = self.lengths.iter().enumerate().filter(|(place, _)| is_shown(place));
        lines.map(|(_, (length, label))| Tick { y: decimal(self.y(*length)), label }).collect()
    }
}

/// A line through neighbours; months without a value are gaps.
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
    use super::*;

    #[test]
    fn the_scale_holds_every_value() {
        for (least, most) in [(0.0, 0.0), (5.0, 5.0), (30.0, 100_000.0), (1e9, 2e9), (60.0, 60.0)] {
            let scale = Scale::of([least, most].into_iter());
            let ticks = scale.ticks();
            assert!(ticks.len() >= 2 && ticks.len() <= 6, "{least} {most}: {}", ticks.len());
            assert!(scale.y(least) >= scale.y(most), "{least} {most}");
            assert!(scale.y(most) >= TOP && scale.y(least) <= BOTTOM, "{least} {most}");
        }
        assert_eq!(Scale::of(std::iter::empty()).lengths.len(), 2);
    }

    #[test]
    fn a_month_without_a_value_is_a_gap() {
        let points = [Some((1.0, 2.0)), Some((3.0, 4.0)), None, Some((5.0, 6.0))]
            .map(|it| it.map(|(x, y)| At { x, y }));
        assert_eq!(path(&points), "M1.0 2.0L3.0 4.0M5.0 6.0");
        let high = points.map(|point| point.map(|at| At { y: at.y - 1.0, ..at }));
        assert_eq!(band(&points, &high), "M1.0 1.0L3.0 3.0L3.0 4.0L1.0 2.0Z");
    }
}
