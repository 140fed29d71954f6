//! What becomes of acceptances when their risk or the scale changes, in the same transaction.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::acceptance::{Acceptance, Counting, Present};
use domain::document::Day;
use domain::risk::{Rating, RiskStatus};
use domain::scale::Scales;
use domain::{Author, OrgId, Prose};

use super::write::{self, Change, FOLLOWED};
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::record::{Columns as _, Reader, Record as _};
use crate::ledger::view::View;
use crate::scales;

/// The acceptances that have not ended, of risks that are not deleted. What has expired does not follow any more.
const OPEN: &str =
    "r.state IN ('requested', 'accepted', 'stale') AND (r.state = 'requested' OR r.until >= $3)";

/// Brings the acceptances of these risks up to date after a change of the risks or of their evaluations.
pub(crate) async fn follow(tx: &mut Tx, organization: OrgId, author: &Author, risks: &[i64]) -> Result<()> {
    let wanted = among(tx.engine(), "r.risk", "$2");
    let numbers = among_parameter(tx.engine(), risks.iter().copied());
    follow_where(tx, organization, author, (&wanted, &numbers)).await
}

/// The same for every risk, after a change of the scale.
pub(crate) async fn follow_all(tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
    follow_where(tx, organization, author, ("CAST($2 AS TEXT) = '[]'", "[]")).await
}

async fn follow_where(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (wanted, numbers): (&str, &str),
) -> Result<()> {
    let condition = format!("{wanted} AND {OPEN}");
    let today = Day::of(tx.at()).to_string();
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &today];
    let open: Vec<Open> = tx.query(&open(&condition), &params).await?;
    if open.is_empty() {
        return Ok(());
    }
    let rows: Vec<CountingRow> = tx.query(&counting(&condition), &params).await?;
    let mut counted: HashMap<(i64, i64), Vec<Counting>> = HashMap::new();
    for CountingRow { risk, number, counting } in rows {
        counted.entry((risk, number)).or_default().push(counting);
    }
    let scales: Scales = scales::known(tx, organization, View::now()).await?;
    let followed = open.into_iter().filter_map(|Open { acceptance: before, closed }| {
        let counting = counted.remove(&(before.risk.number(), before.number)).unwrap_or_default();
        let closed = closed.as_ref().map(Option::as_ref);
        let present = Present { closed, counting: &counting, scales: &scales };
        let after = before.follow(present, &author.actor, tx.at())?;
        Some(Change { kind: FOLLOWED, before, after })
    });
    let changes = followed.collect();
    write::replace(tx, organization, author, changes).await?;
    Ok(())
}

/// Selects open acceptances with what is known of their risks, in order.
fn open(condition: &str) -> String {
    let statements = Acceptance::statements();
    format!(
        "SELECT {}, whole.status, whole.status_reason FROM risk_acceptance AS r{}
         JOIN risk AS whole ON whole.organization = r.organization AND whole.number = r.risk
              AND whole.deleted_date IS NULL
         WHERE r.organization = $1 AND {condition} ORDER BY r.risk, r.number",
        statements.columns, statements.joins
    )
}

/// Selects the ratings of the evaluations that count for open acceptances: the latest one of the risk, and those that are not
/// earlier than what was accepted. Each rating once, with the first evaluation that has it.
fn counting(condition: &str) -> String {
    format!(
        "SELECT r.risk, r.number, e.rating_likelihood, e.rating_impact, e.scale_version, MIN(e.number)
         FROM risk_acceptance AS r
         JOIN evaluation AS e ON e.organization = r.organization AND e.risk = r.risk AND e.superseded_by IS NULL
         WHERE r.organization = $1 AND {condition}
           AND ((e.evaluated_at, e.number) >= (r.evaluated_at, r.evaluation) OR e.number =
               (SELECT latest.evaluation FROM risk_latest AS latest
                WHERE latest.organization = r.organization AND latest.risk = r.risk))
         GROUP BY r.risk, r.number, e.rating_likelihood, e.rating_impact, e.scale_version"
    )
}

/// An open acceptance, and if its risk is closed the reason that was given.
struct Open {
    acceptance: Acceptance,
    closed: Option<Option<Prose>>,
}

impl FromRow for Open {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let acceptance = Acceptance::read(&mut row)?;
        let (status, reason): (String, Option<String>) = (row.next()?, row.next()?);
        let is_closed = status == RiskStatus::Closed.as_str();
        Ok(Self { acceptance, closed: is_closed.then(|| reason.map(Prose::stored)) })
    }
}

struct CountingRow {
    risk: i64,
    number: i64,
    counting: Counting,
}

impl FromRow for CountingRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (risk, number) = (row.next()?, row.next()?);
        let rating = Rating { likelihood: row.next()?, impact: row.next()? };
        let counting = Counting { rating, scale_version: row.next()?, evaluation: row.next()? };
        Ok(Self { risk, number, counting })
    }
}
