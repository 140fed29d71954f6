//! The chart of a risk's history: a line in steps over the bands of the score. Marks and texts stand in per cent, so only
//! the line is stretched.

use domain::evaluation::Evaluation;
use domain::risk::{Rating, Risk};
use domain::scale::{Scale, Scales};
use jiff::Timestamp;

use crate::frame::clock::Clock;
use crate::frame::words;
use crate::texts;

/// The height of the chart, of which the scores from 0 to the highest take what lies between the margins.
const HEIGHT: i64 = 240;
const TOP: i64 = 12;
const BOTTOM: i64 = 216;

/// The most months that the axis names.
const MOST_MONTHS: usize = 6;

/// The history of a risk as it is drawn.
pub(crate) struct Chart {
    pub(crate) height: i64,
    pub(crate) zones: Vec<Zone>,
    pub(crate) inherent_y: String,
    /// The target score and where it is, if the risk has a target.
    pub(crate) target: Option<(i64, String)>,
    /// The line, in a box of 1000 by [`HEIGHT`].
    pub(crate) path: String,
    pub(crate) points: Vec<Point>,
    pub(crate) months: Vec<Month>,
    /// What the chart shows, in a sentence.
    pub(crate) description: String,
}

/// A band of the score.
pub(crate) struct Zone {
    pub(crate) level: &'static str,
    pub(crate) y: String,
    pub(crate) height: String,
}

/// An evaluation in the chart.
pub(crate) struct Point {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) title: String,
}

/// The beginning of a month on the axis of time.
pub(crate) struct Month {
    pub(crate) x: String,
    pub(crate) label: String,
}

impl Chart {
    /// The chart of the evaluations that count, which come with the latest first; none for fewer than two. Those by a scale that
    /// cannot be compared with that of the risk are not drawn.
    pub(crate) fn of(
        risk: &Risk,
        scales: &Scales,
        evaluations: &[Evaluation],
        clock: &Clock,
    ) -> Option<Self> {
        let scale = scales.read_by(risk.scale_version);
        let is_drawn = |it: &&Evaluation| {
            it.superseded_by.is_none() && scales.read_by(it.scale_version).generation == scale.generation
        };
        let counted: Vec<&Evaluation> = evaluations.iter().rev().filter(is_drawn).collect();
        let highest = scale.highest_score();
        let y = |score| y(score, highest);
        let (first, last) = (counted.first()?, counted.last()?);
        if counted.len() < 2 {
            return None;
        }
        let target = risk.target.map(Rating::score);
        let x = |at: Timestamp| thousandths(first.evaluated_at, at, clock.now());
        let mut path = String::new();
        for (index, it) in counted.iter().enumerate() {
            let (x, y) = (x(it.evaluated_at), y(it.rating.score()));
            path.push_str(&if index == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") });
        }
        path.push_str("H1000");
        let points = counted.iter().map(|it| Point {
            x: percent(x(it.evaluated_at)),
            y: y(it.rating.score()),
            title: title(it, clock),
        });
        let zone = |(level, from, to): (&'static str, i64, i64)| {
            let (low, high) = (tenths(from, highest), tenths(to, highest));
            Zone { level, y: decimal(high), height: decimal(low - high) }
        };
        Some(Self {
            height: HEIGHT,
            zones: zones(scale).into_iter().map(zone).collect(),
            inherent_y: y(risk.inherent.score()),
            target: target.map(|score| (score, y(score))),
            path,
            points: points.collect(),
            months: months(first.evaluated_at, clock),
            description: texts::chart(
                (first.rating.score(), clock.day(&first.evaluated_at)),
                (last.rating.score(), clock.day(&last.evaluated_at)),
                risk.inherent.score(),
                target,
            ),
        })
    }
}

/// The months that begin between a time and now; of many every second, third, … one.
fn months(first: Timestamp, clock: &Clock) -> Vec<Month> {
    let begun = clock.months_since(first);
    let step = begun.len().div_ceil(MOST_MONTHS).max(1);
    let shown = begun.iter().rev().step_by(step).rev();
    let month = |(at, label): &(Timestamp, String)| Month {
        x: percent(thousandths(first, *at, clock.now())),
        label: label.clone(),
    };
    shown.map(month).collect()
}

fn title(it: &Evaluation, clock: &Clock) -> String {
    let rating = it.rating;
    let note = it.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
    format!(
        "{}: {} × {} = {}{note}",
        clock.day(&it.evaluated_at),
        rating.likelihood,
        rating.impact,
        rating.score()
    )
}

/// How far a time lies between the first and now, in thousandths.
fn thousandths(first: Timestamp, at: Timestamp, now: Timestamp) -> i64 {
    let whole = now.duration_since(first).as_secs().max(1);
    at.duration_since(first).as_secs().clamp(0, whole) * 1_000 / whole
}

fn percent(thousandths: i64) -> String {
    format!("{}%", decimal(thousandths))
}

/// Each band as it is drawn, with the scores between which it lies; none where bands do not follow the score.
fn zones(scale: &Scale) -> Vec<(&'static str, i64, i64)> {
    let (likelihood, impact) = scale.content.size();
    let cells =
        (1..=likelihood).flat_map(|likelihood| (1..=impact).map(move |impact| Rating { likelihood, impact }));
    let mut cells: Vec<(i64, i64)> = cells.map(|rating| (rating.score(), scale.band_of(rating))).collect();
    cells.sort_unstable();
    if !cells.is_sorted_by_key(|(_, band)| *band) {
        return Vec::new();
    }
    let begins: Vec<(i64, i64)> =
        cells.chunk_by(|a, b| a.1 == b.1).filter_map(|band| band.first().copied()).collect();
    let ends = begins.iter().skip(1).map(|(score, _)| *score).chain([scale.highest_score()]);
    let zone = |(place, ((begin, band), end)): (usize, (&(i64, i64), i64))| {
        let color = scale.band(*band)?.color;
        Some((words::drawn(color), if place == 0 { 0 } else { *begin }, end))
    };
    begins.iter().zip(ends).enumerate().filter_map(zone).collect()
}

/// The height of a score in tenths.
fn tenths(score: i64, highest: i64) -> i64 {
    BOTTOM * 10 - score * (BOTTOM - TOP) * 10 / highest
}

fn y(score: i64, highest: i64) -> String {
    decimal(tenths(score, highest))
}

/// Tenths as a decimal number.
pub(super) fn decimal(tenths: i64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_score_is_at_the_top_and_none_at_the_bottom() {
        let y = |score| y(score, 25);
        assert_eq!((y(25), y(0), y(10)), ("12.0".to_owned(), "216.0".to_owned(), "134.4".to_owned()));
    }

    #[test]
    fn bands_are_drawn_where_they_follow_the_score() {
        let mut scale = Scale::default();
        let expected = [("low", 0, 5), ("medium", 5, 10), ("high", 10, 15), ("critical", 15, 25)];
        assert_eq!(zones(&scale), expected);
        scale.content.matrix[0][4] = 3;
        assert_eq!(zones(&scale), []);
    }

    #[test]
    fn the_line_goes_from_the_first_evaluation_to_now() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (first, now) = (at("2026-01-01T00:00:00Z"), at("2026-01-11T00:00:00Z"));
        assert_eq!(thousandths(first, first, now), 0);
        assert_eq!(thousandths(first, at("2026-01-06T00:00:00Z"), now), 500);
        assert_eq!(thousandths(first, at("2027-01-01T00:00:00Z"), now), 1_000);
        assert_eq!((percent(500), thousandths(now, now, now)), ("50.0%".to_owned(), 0));
    }
}
