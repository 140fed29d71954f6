//! The line of the risk performance, in a box of 1000 by [`HEIGHT`].

use store::performance::Point;

use super::chart::decimal;
use crate::frame::clock::Clock;
use crate::texts;

/// The height of the drawing, of which 0 to 100 per cent take what lies between the margins.
const HEIGHT: i64 = 170;
const TOP: i64 = 12;
const BOTTOM: i64 = 146;

/// The performance at several moments, as it is drawn.
pub(super) struct Line {
    pub(super) height: i64,
    pub(super) path: String,
    /// The labels of the axis and where they stand.
    pub(super) ticks: [(&'static str, String); 3],
    /// The first day.
    pub(super) begin: String,
    /// The last day.
    pub(super) end: String,
    /// What the line shows, in a sentence.
    pub(super) description: String,
}

impl Line {
    /// The line through these points; none if there are fewer than two, or never a risk counted.
    pub(super) fn of(points: &[Point], clock: &Clock) -> Option<Self> {
        let (first, last) = (points.first()?, points.last()?);
        let is_empty = points.iter().all(|it| it.figure.total_risks_evaluated == 0);
        let steps = i64::try_from(points.len()).ok()? - 1;
        if is_empty || steps < 1 {
            return None;
        }
        let place = |(step, point): (i64, &Point)| {
            let letter = if step == 0 { "M" } else { "L" };
            format!("{letter}{} {}", decimal(step * 10_000 / steps), y(percent(point)))
        };
        let (begin, end) = (clock.day(&first.at), clock.day(&last.at));
        Some(Self {
            height: HEIGHT,
            path: (0..).zip(points).map(place).collect(),
            ticks: [("0", y(0)), ("50", y(50)), ("100 %", y(100))],
            description: texts::performance_line((percent(first), &begin), (percent(last), &end)),
            begin,
            end,
        })
    }
}

fn percent(point: &Point) -> i64 {
    point.figure.average_performance_percentage
}

fn y(percent: i64) -> String {
    decimal(BOTTOM * 10 - percent * (BOTTOM - TOP) / 10)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::tz::TimeZone;
    use store::performance::Performance;

    use super::*;

    #[test]
    fn the_line_goes_through_every_point() {
        let at = |day: i64| Timestamp::from_second(1_767_225_600 + day * 86_400).unwrap();
        let clock = Clock::new(at(9), TimeZone::UTC, "UTC");
        let point = |day, risks, percent| Point {
            at: at(day),
            figure: Performance { total_risks_evaluated: risks, average_performance_percentage: percent },
        };
        let line = Line::of(&[point(0, 0, 0), point(7, 1, 50), point(8, 2, 100)], &clock).unwrap();
        assert_eq!(line.path, "M0.0 146.0L500.0 79.0L1000.0 12.0");
        assert_eq!(line.description, "From 0 % on 1 January 2026 to 100 % on 9 January 2026.");
        assert!(Line::of(&[point(0, 1, 50)], &clock).is_none());
        assert!(Line::of(&[point(0, 0, 0), point(1, 0, 0)], &clock).is_none());
    }
}
