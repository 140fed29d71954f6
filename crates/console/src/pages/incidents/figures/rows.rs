//! The rows of the tables of figures.

use domain::figures::{Figure, FigureStatus, Outcome, Summaries, Summary, Unit as PeriodUnit};
use domain::severity::Severity;
use store::incidents::Group;

use super::{Lists, SEVERITIES};
use crate::frame::words;
use crate::pages::incidents::unit::Unit;
use crate::texts;

/// A number and the list of the incidents behind it.
pub(crate) struct Count {
    pub(crate) n: usize,
    pub(crate) list: String,
}

/// A figure over all incidents.
pub(crate) struct FigureRow {
    pub(crate) figure: Figure,
    pub(crate) name: String,
    /// From which date to which.
    pub(crate) dates: &'static str,
    pub(crate) n: usize,
    /// The list of those that are measured.
    pub(crate) measured: String,
    pub(crate) missing: Count,
    pub(crate) invalid: Count,
    pub(crate) open: Count,
    pub(crate) p50: String,
    pub(crate) p90: String,
    pub(crate) longest: String,
    pub(crate) geometric_mean: String,
    pub(crate) status: String,
    /// The class of the badge.
    pub(crate) tone: &'static str,
}

impl FigureRow {
    /// The rows of the table of all incidents.
    pub(super) fn all(summaries: &Summaries, lists: &Lists<'_>) -> Vec<Self> {
        let unit = Unit::of(summaries.figures.iter().map(|(_, summary)| summary));
        summaries.figures.iter().map(|(figure, summary)| Self::of(*figure, summary, unit, lists)).collect()
    }

    fn of(figure: Figure, it: &Summary, unit: Unit, lists: &Lists<'_>) -> Self {
        let list = |outcome| lists.of(None, Some((figure, outcome)));
        Self {
            figure,
            name: words::label(&figure),
            dates: texts::dates_of(figure),
            n: it.n,
            measured: list(Outcome::Measured),
            missing: Count { n: it.n_missing, list: list(Outcome::Missing) },
            invalid: Count { n: it.n_invalid, list: list(Outcome::Invalid) },
            open: Count { n: it.n_open, list: list(Outcome::Open) },
            p50: unit.shown(it.p50),
            p90: unit.shown(it.p90),
            longest: unit.shown(it.max),
            geometric_mean: unit.shown(it.geometric_mean),
            status: texts::figure_status(it),
            tone: tone(it),
        }
    }
}

fn tone(it: &Summary) -> &'static str {
    match it.status() {
        FigureStatus::Incomplete => " warn",
        FigureStatus::Ok if it.n_missing == 0 => " good",
        FigureStatus::Ok | FigureStatus::NoData | FigureStatus::InsufficientData => "",
    }
}

/// The incidents of a week or month, by severity.
pub(crate) struct PeriodRow {
    pub(crate) name: String,
    pub(crate) total: Count,
    pub(crate) severities: Vec<SeverityCount>,
}

/// The incidents of a severity, as a part of a bar.
pub(crate) struct SeverityCount {
    pub(crate) severity: Severity,
    pub(crate) count: Count,
    pub(crate) begin: String,
    pub(crate) width: String,
}

impl PeriodRow {
    /// The rows of these periods, the latest first. The bar of the one with the most incidents is the longest.
    pub(super) fn all(periods: &[(Group, Summaries)], lists: &Lists<'_>) -> Vec<Self> {
        let most = periods.iter().map(|(_, summaries)| summaries.total).max().unwrap_or(0).max(1);
        let row = |(group, summaries): &(Group, Summaries)| Self::of(group, summaries, most, lists);
        periods.iter().rev().map(row).collect()
    }

    fn of(group: &Group, summaries: &Summaries, most: usize, lists: &Lists<'_>) -> Self {
        let mut begin = 0;
        let severity = |severity: Severity| {
            let n = summaries.severities.iter().find(|(it, _)| *it == severity).map_or(0, |(_, n)| *n);
            let part = SeverityCount {
                severity,
                count: Count { n, list: lists.of_severity(group, severity) },
                begin: percent(begin, most),
                width: percent(n, most),
            };
            begin += n;
            part
        };
        Self {
            name: name(group),
            total: Count { n: summaries.total, list: lists.of(Some(group), None) },
            severities: SEVERITIES.map(severity).into(),
        }
    }
}

/// A group of incidents with the median of each figure.
pub(crate) struct GroupRow {
    pub(crate) name: String,
    pub(crate) total: Count,
    pub(crate) figures: Vec<GroupFigure>,
}

/// A figure of a group.
pub(crate) struct GroupFigure {
    pub(crate) name: String,
    pub(crate) p50: String,
    pub(crate) p90: String,
    pub(crate) list: String,
    /// How many are measured, if they are too few to rely on.
    pub(crate) few: Option<usize>,
}

impl GroupRow {
    /// The rows of the table of these groups.
    pub(super) fn all(groups: &[&(Group, Summaries)], lists: &Lists<'_>) -> Vec<Self> {
        let summaries = groups.iter().flat_map(|(_, it)| it.figures.iter().map(|(_, summary)| summary));
        let unit = Unit::of(summaries);
        groups.iter().map(|group| Self::of(group, unit, lists)).collect()
    }

    fn of((group, summaries): &(Group, Summaries), unit: Unit, lists: &Lists<'_>) -> Self {
        let figure = |(figure, summary): &(Figure, Summary)| GroupFigure {
            name: words::label(figure),
            p50: unit.shown(summary.p50),
            p90: unit.shown(summary.p90),
            list: lists.of(Some(group), Some((*figure, Outcome::Measured))),
            few: (summary.status() == FigureStatus::InsufficientData).then_some(summary.n),
        };
        Self {
            name: name(group),
            total: Count { n: summaries.total, list: lists.of(Some(group), None) },
            figures: summaries.figures.iter().map(figure).collect(),
        }
    }
}

/// What people call a group.
pub(super) fn name(group: &Group) -> String {
    match group {
        Group::Severity(severity) => words::label(severity),
        Group::Kind(kind) => words::label(kind),
        Group::Tag(_, name) => name.clone(),
        Group::Period(period) => match period.unit() {
            PeriodUnit::Week => texts::week(period.first_day().iso_week_date()),
            PeriodUnit::Month => period.first_day().strftime("%B %Y").to_string(),
        },
    }
}

fn percent(part: usize, whole: usize) -> String {
    let hundredths = part * 10_000 / whole;
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}
