//! Reading risks, as they are and as they were.

use std::collections::{HashMap, HashSet};

use db::{FromRow, Row, Tx};
use domain::decision::DecisionState;
use domain::risk::{Current, Rating, Risk};
use domain::{Error, Line, OrgId, ProseOrEmpty, ResourceKind, RiskNumber};
use macros::boxed;

use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Columns as _, Reader, Stored};
use crate::ledger::view::View;
use crate::{acceptances, scales};

/// One risk.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, number: RiskNumber, view: View) -> Result<Risk> {
    let mut risk = [get_without_tags(tx, organization, number, view).await?];
    add_parts(tx, organization, view, &mut risk).await?;
    let [risk] = risk;
    Ok(risk.graded(&scales::known(tx, organization, view).await?))
}

/// Those of these risks that there are, deleted ones too, without their evaluations and tags.
#[boxed]
pub async fn get_many(tx: &mut Tx, organization: OrgId, numbers: &[RiskNumber]) -> Result<Vec<Risk>> {
    let numbers: Vec<i64> = numbers.iter().map(|number| number.number()).collect();
    record::present(tx, organization, &numbers).await
}

/// One risk, with an empty list of tags.
pub(crate) async fn get_without_tags(
    tx: &mut Tx,
    organization: OrgId,
    number: RiskNumber,
    view: View,
) -> Result<Risk> {
    let by_number = Filter::is("number", number.number().into());
    let found = select(organization, view).filter(by_number).one(tx).await?;
    let RiskRow(risk) = found.ok_or(Error::NotFound(ResourceKind::Risk))?;
    Ok(risk)
}

/// So many risks are read at once, because each has a long description.
const AT_ONCE: usize = 1_000;

/// Those of these risks that are there and not deleted, without their descriptions and tags.
pub(crate) async fn by_number(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &HashSet<RiskNumber>,
) -> Result<HashMap<RiskNumber, Risk>> {
    let numbers: Vec<i64> = numbers.iter().map(|number| number.number()).collect();
    let mut all = HashMap::with_capacity(numbers.len());
    for part in numbers.chunks(AT_ONCE) {
        let among = Filter::among(tx.engine(), part.iter().copied());
        let found: Vec<RiskRow> = select(organization, View::now()).filter(among).all(tx).await?;
        let short = |RiskRow(risk)| (risk.number, Risk { description: ProseOrEmpty::default(), ..risk });
        all.extend(found.into_iter().map(short));
    }
    Ok(all)
}

/// The titles and references of those of these risks that a view sees.
pub(crate) async fn names(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    numbers: impl Iterator<Item = RiskNumber>,
) -> Result<HashMap<RiskNumber, (Line, Option<Line>)>> {
    let numbers: HashSet<i64> = numbers.map(RiskNumber::number).collect();
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let among = Filter::among(tx.engine(), numbers);
    let found: Vec<Stored<Risk>> = Select::<Risk>::of(organization, view).filter(among).all(tx).await?;
    Ok(found.into_iter().map(|Stored(it)| (it.number, (it.title, it.external_ref))).collect())
}

/// Risks with their latest evaluation.
pub(super) fn select<'q>(organization: OrgId, view: View) -> Select<'q, Risk> {
    let columns =
        ", e.number, e.rating_likelihood, e.rating_impact, e.scale_version, e.evaluated_at, e.evaluated_day,
        CASE WHEN r.target_likelihood IS NOT NULL THEN e.performance_basis_points END";
    Select::of(organization, view).with(columns, latest_evaluation)
}

/// The joins that find the latest evaluation as `e`: today's, or the one that was the latest after a journal entry.
pub(super) fn latest_evaluation(seq: Option<&str>) -> String {
    let Some(seq) = seq else {
        return " LEFT JOIN risk_latest ON risk_latest.organization = r.organization AND risk_latest.risk = r.number
                 LEFT JOIN evaluation AS e ON e.organization = r.organization AND e.risk = r.number
                      AND e.number = risk_latest.evaluation"
            .to_owned();
    };
    format!(
        " LEFT JOIN evaluation AS e ON e.organization = r.organization AND e.risk = r.number AND e.number = {}",
        latest_known("known.number", seq)
    )
}

/// An expression over the evaluation `known` that was the latest after a journal entry.
pub(crate) fn latest_known(expression: &str, seq: &str) -> String {
    format!(
        "(SELECT {expression} FROM evaluation AS known
          WHERE known.organization = r.organization AND known.risk = r.number
            AND known.seq_from <= {seq} AND (known.seq_to IS NULL OR known.seq_to > {seq})
          ORDER BY known.evaluated_at DESC, known.number DESC LIMIT 1)"
    )
}

/// The time that the latest evaluation describes: today's, or the one that was the latest after a journal entry.
pub(super) fn evaluated_at(seq: Option<&str>) -> String {
    match seq {
        Some(seq) => latest_known("known.evaluated_at", seq),
        None => "(SELECT latest.evaluated_at FROM risk_latest AS latest
                  WHERE latest.organization = r.organization AND latest.risk = r.number)"
            .to_owned(),
    }
}

/// An expression over the latest evaluation, which is called `known`: today's, or the one that was the latest after a journal
/// entry.
pub(super) fn of_latest(expression: &str, seq: Option<&str>) -> String {
    match seq {
        Some(seq) => latest_known(expression, seq),
        None => format!(
            "(SELECT {expression} FROM risk_latest AS latest
              JOIN evaluation AS known ON known.organization = latest.organization AND known.risk = latest.risk
                   AND known.number = latest.evaluation
              WHERE latest.organization = r.organization AND latest.risk = r.number)"
        ),
    }
}

/// A risk with its latest evaluation, without its tags.
pub(super) struct RiskRow(pub(super) Risk);

impl FromRow for RiskRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let risk = Risk::read(&mut row)?;
        Ok(Self(Risk { current: current(&mut row)?, ..risk }))
    }
}

/// The latest evaluation from the columns of [`select`].
pub(crate) fn current(row: &mut Reader<'_>) -> db::Result<Option<Current>> {
    let Some(evaluation) = row.next()? else { return Ok(None) };
    Ok(Some(Current {
        evaluation,
        rating: Rating { likelihood: row.next()?, impact: row.next()? },
        scale_version: row.next()?,
        evaluated_at: row.next()?,
        evaluated_day: row.next()?,
        performance_basis_points: row.next()?,
    }))
}

/// Fills in the tags and the acceptances of all these risks.
pub(super) async fn add_parts(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    risks: &mut [Risk],
) -> Result<()> {
    add_tags(tx, organization, view, risks).await?;
    let numbers = risks.iter().map(|risk| risk.number.number());
    let mut found = acceptances::of_risks(tx, organization, view, numbers).await?;
    for risk in risks {
        for it in found.remove(&risk.number.number()).unwrap_or_default() {
            match it.decision.state {
                DecisionState::Requested => risk.acceptance_request = Some(Box::new(it)),
                state if state.is_live() => risk.acceptance = Some(Box::new(it)),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Fills in the tags of all these risks with one statement.
async fn add_tags(tx: &mut Tx, organization: OrgId, view: View, risks: &mut [Risk]) -> Result<()> {
    let numbers = risks.iter().map(|risk| risk.number.number());
    let mut tags = TAGS.labels(tx, organization, numbers, view.as_of_seq).await?;
    for risk in risks {
        risk.tags = tags.remove(&risk.number.number()).unwrap_or_default();
    }
    Ok(())
}
