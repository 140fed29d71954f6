//! Texts of the page of figures.

use std::collections::BTreeMap;

use domain::figures::{Exclusion, Figure, FigureStatus, Outcome, Summary};
use jiff::civil::ISOWeekDate;

pub(crate) const INCIDENT_FIGURES: &str = "Incident figures";
pub(crate) const DAY_EXPECTED: &str = "must be a day from 0001-01-01 to 9999-12-29, such as 2026-07-25";
pub(crate) const TIME_TO_RESPOND: &str = "Median time to respond";
pub(crate) const TIME_TO_CONTAIN: &str = "Median time to contain";

/// From which date to which a figure measures.
pub(crate) fn dates_of(figure: Figure) -> &'static str {
    match figure {
        Figure::TimeToDetect => "occurred → detected",
        Figure::TimeToRespond => "detected → responded",
        Figure::TimeToContain => "detected → first contained",
        Figure::TimeToFirstResolve => "detected → first resolved",
        Figure::TimeToResolve => "detected → resolved",
        Figure::TimeToClose => "resolved → closed",
        Figure::ReportLag => "detected → declared",
    }
}

/// How far a figure can be relied on.
pub(crate) fn figure_status(it: &Summary) -> String {
    match it.status() {
        FigureStatus::NoData => "no data".to_owned(),
        FigureStatus::InsufficientData => "fewer than 5".to_owned(),
        FigureStatus::Incomplete => format!("incomplete: {} still open", it.n_open),
        FigureStatus::Ok if it.n_missing > 0 => format!("{} with a missing date", it.n_missing),
        FigureStatus::Ok => "complete".to_owned(),
    }
}

/// Which incidents of a figure a list has.
pub(crate) fn found_by(outcome: Outcome, figure: &str) -> String {
    match outcome {
        Outcome::Measured => format!("{figure}: measured"),
        Outcome::Missing => format!("{figure}: a date is missing"),
        Outcome::Invalid => format!("{figure}: invalid dates"),
        Outcome::Open => format!("{figure}: still open"),
    }
}

pub(crate) const CREATED: &str = "Created";
pub(crate) const DETECTED: &str = "Detected";
pub(crate) const EVALUATED: &str = "Evaluated";
pub(crate) const RESOLVED: &str = "Resolved";

/// The days of a filter by a date: `Detected 1 Feb 2026 – 3 Feb 2026`.
pub(crate) fn days_of(date: &str, first: Option<&str>, last: Option<&str>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first == last => format!("{date} {first}"),
        (Some(first), Some(last)) => format!("{date} {first} – {last}"),
        (Some(first), None) => format!("{date} since {first}"),
        (None, Some(last)) => format!("{date} until {last}"),
        (None, None) => String::new(),
    }
}

/// An end of a filter by a date that is a time within a day.
pub(crate) fn from_or_before(date: &str, is_end: bool, at: &str) -> String {
    format!("{date} {} {at}", if is_end { "before" } else { "from" })
}

/// A week of ISO 8601.
pub(crate) fn week(week: ISOWeekDate) -> String {
    format!("Week {}, {}", week.week(), week.year())
}

/// What a chart shows: the medians of the periods with some, the oldest first.
pub(crate) fn figure_chart(medians: &[(String, String)]) -> String {
    match medians {
        [] => "No data.".to_owned(),
        [(period, median)] => format!("The median is {median} in {period}."),
        [(first, before), .., (last, after)] => {
            format!(
                "The median goes from {before} in {first} to {after} in {last}. The scale is logarithmic."
            )
        }
    }
}

/// How many incidents are in no figure, and why.
pub(crate) fn left_out(counts: &BTreeMap<Exclusion, i64>) -> String {
    let count = |(exclusion, count): (&Exclusion, &i64)| {
        let name = exclusion.as_str().replace('_', " ");
        match (exclusion, count) {
            (Exclusion::Deleted | Exclusion::Dismissed | Exclusion::Retrospective, _) | (_, 1) => {
                format!("{count} {name}")
            }
            (Exclusion::NearMiss, _) => format!("{count} near misses"),
            (Exclusion::Drill | Exclusion::Test, _) => format!("{count} {name}s"),
        }
    };
    let counts: Vec<String> = counts.iter().map(count).collect();
    if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}
