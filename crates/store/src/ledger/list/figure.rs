//! The incidents of which a figure finds the same, as a condition. [`Figure`] has the rule; both say the same.

use domain::figures::{Figure, Outcome};
use domain::incident::{Kind, Status};

/// The incidents for which a figure has one of these outcomes. Deleted incidents, drills, tests and dismissed ones never pass;
/// retrospective ones and near misses do. Without any it is no filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FigureFilter {
    /// Those that one of these figures measures.
    pub measured: Vec<Figure>,
    /// Those that lack a date of one of these figures.
    pub missing: Vec<Figure>,
    /// Those whose dates are reversed for one of these figures.
    pub invalid: Vec<Figure>,
    /// Those that one of these figures still waits for.
    pub open: Vec<Figure>,
}

impl FigureFilter {
    /// The incidents of which this figure finds this.
    pub fn of(figure: Figure, outcome: Outcome) -> Self {
        let mut filter = Self::default();
        match outcome {
            Outcome::Measured => filter.measured.push(figure),
            Outcome::Missing => filter.missing.push(figure),
            Outcome::Invalid => filter.invalid.push(figure),
            Outcome::Open => filter.open.push(figure),
        }
        filter
    }
}

/// The condition on incidents called `r`: figures count them if all kinds are included that can be, and one of these figures
/// finds this of them.
pub(super) fn condition(outcome: Outcome, figures: &[Figure]) -> String {
    let each: Vec<String> = figures.iter().map(|figure| found(*figure, outcome)).collect();
    format!(
        "(r.deleted_date IS NULL AND r.status <> '{dismissed}' AND (r.kind IS NULL OR r.kind NOT IN ('{drill}', '{test}')) AND ({each}))",
        dismissed = Status::Dismissed,
        drill = Kind::Drill,
        test = Kind::Test,
        each = each.join(" OR ")
    )
}

fn found(figure: Figure, outcome: Outcome) -> String {
    let (begin, end) = dates(figure);
    let statuses: Vec<String> =
        figure.open_statuses().iter().map(|status| format!("'{}'", status.as_str())).collect();
    let is_open = if statuses.is_empty() {
        "1 = 0".to_owned()
    } else {
        format!("r.status IN ({})", statuses.join(", "))
    };
    match outcome {
        Outcome::Measured => format!("{end} >= {begin}"),
        Outcome::Invalid => format!("{end} < {begin}"),
        Outcome::Open => format!("({end} IS NULL AND {is_open})"),
        Outcome::Missing => {
            format!("(({end} IS NULL AND NOT ({is_open})) OR ({end} IS NOT NULL AND {begin} IS NULL))")
        }
    }
}

/// The columns of the two dates.
fn dates(figure: Figure) -> (&'static str, &'static str) {
    match figure {
        Figure::TimeToDetect => ("r.occurred_date", "r.detected_date"),
        Figure::TimeToRespond => ("r.detected_date", "r.responded_date"),
        Figure::TimeToContain => ("r.detected_date", "COALESCE(r.first_contained_date, r.contained_date)"),
        Figure::TimeToFirstResolve => ("r.detected_date", "COALESCE(r.first_resolved_date, r.resolved_date)"),
        Figure::TimeToResolve => ("r.detected_date", "r.resolved_date"),
        Figure::TimeToClose => ("r.resolved_date", "r.closed_date"),
        Figure::ReportLag => ("r.detected_date", "r.created_date"),
    }
}
