//! Risks by when their next review and their next evaluation are due.

use db::{Tx, Value};
use domain::OrgId;
use domain::document::Day;
use domain::risk::{DUE_SOON_DAYS, EvaluationDue, ReviewDue, RiskStatus};
use domain::scale::Scales;

use super::read::{evaluated_at, latest_known, of_latest};
use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::ledger::list::{Filter, REVIEWED};
use crate::ledger::view::View;
use crate::organizations;

/// Stands for which evaluation a risk lacks.
pub(super) const EVALUATION: &str = "evaluation";

/// What a list asks about the days on which something is due. What is empty lets every risk through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DueFilter {
    /// Open risks whose next review is due in one of these ways.
    pub review: Vec<ReviewDue>,
    /// Risks that lack one of these evaluations.
    pub evaluation: Vec<EvaluationDue>,
}

impl DueFilter {
    /// The filters of a list, as of the view.
    pub(super) async fn filters(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        view: View,
        scales: &Scales,
    ) -> Result<Vec<Filter<'static>>> {
        match self == &Self::default() {
            true => Ok(Vec::new()),
            false => Ok(self.filters_on(&today(tx, organization, view).await?, scales)),
        }
    }

    /// The same on a day.
    pub(super) fn filters_on(&self, today: &Day, scales: &Scales) -> Vec<Filter<'static>> {
        let reviews = (!self.review.is_empty()).then(|| review(&self.review, today));
        let evaluations = (!self.evaluation.is_empty()).then(|| evaluation(&self.evaluation, today, scales));
        reviews.into_iter().chain(evaluations).collect()
    }
}

/// The day of the view in the organization's time zone.
pub(super) async fn today(tx: &mut Tx, organization: OrgId, view: View) -> Result<Day> {
    let zone = organizations::time_zone(tx, organization).await?;
    Ok(Day::in_zone(journal::instant(tx, organization, view).await?, &zone))
}

/// The next review is in one of these states.
pub(super) fn review(states: &[ReviewDue], today: &Day) -> Filter<'static> {
    let end = |day: Option<&Day>| day.map(|day| Value::from(day.as_str().to_owned()));
    let soon = today.later(DUE_SOON_DAYS + 1);
    let within = |state: &ReviewDue| {
        let (from, before) = match state {
            ReviewDue::Overdue => (None, Some(today)),
            ReviewDue::Due30 => (Some(today), soon.as_ref()),
        };
        vec![is_open(), Filter::Within("next_review_date", end(from), end(before))]
    };
    Filter::AnyOf(REVIEWED, states.iter().map(within).collect())
}

/// The risk lacks one of these evaluations.
pub(super) fn evaluation(states: &[EvaluationDue], today: &Day, scales: &Scales) -> Filter<'static> {
    let first = || Some(Value::from(scales.first_comparable()));
    let lacks = |state: &EvaluationDue| match state {
        EvaluationDue::Overdue => {
            vec![vec![is_open(), Filter::WithinOf(evaluation_due, None, Some(today.number().into()))]]
        }
        EvaluationDue::Never => vec![vec![Filter::WithinOf(is_evaluated, None, Some(1_i64.into()))]],
        EvaluationDue::ScaleOutdated => vec![
            vec![Filter::Within("scale_version", None, first())],
            vec![Filter::WithinOf(evaluated_by, None, first())],
        ],
    };
    Filter::AnyOf(EVALUATION, states.iter().flat_map(lacks).collect())
}

fn is_open() -> Filter<'static> {
    Filter::is("status", RiskStatus::Open.as_str().into())
}

/// 1 for a risk with an evaluation that counts, or else 0.
fn is_evaluated(seq: Option<&str>) -> String {
    format!("CAST(CASE WHEN {} IS NULL THEN 0 ELSE 1 END AS BIGINT)", evaluated_at(seq))
}

/// The version of the scale that the latest evaluation was made by.
fn evaluated_by(seq: Option<&str>) -> String {
    of_latest("known.scale_version", seq)
}

/// The day of the next evaluation of an open risk, as `Risk::next_evaluation_date` says.
fn evaluation_due(seq: Option<&str>) -> String {
    let latest = match seq {
        Some(seq) => latest_known("known.number", seq),
        None => "(SELECT latest.evaluation FROM risk_latest AS latest
                  WHERE latest.organization = r.organization AND latest.risk = r.number)"
            .to_owned(),
    };
    format!(
        "(SELECT CASE
             WHEN last.evaluated_at >= COALESCE(r.status_date, last.evaluated_at)
                 THEN last.evaluated_day + r.evaluate_every_days
             WHEN r.status_date IS NOT NULL THEN r.evaluations_from
             ELSE r.evaluations_from + r.evaluate_every_days END
          FROM (SELECT 1 AS one) AS one
          LEFT JOIN evaluation AS last ON last.organization = r.organization AND last.risk = r.number
               AND last.number = {latest})"
    )
}
