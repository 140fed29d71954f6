//! Reading evaluations.

use std::collections::HashMap;

use db::Tx;
use domain::evaluation::Evaluation;
use domain::organization::named_zone;
use domain::{Error, OrgId, ResourceKind, RiskNumber};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use macros::boxed;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_units};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Record as _, Statements, Stored};
use crate::ledger::view::View;
use crate::risks;

/// The order of evaluations: the greatest of these that is not superseded is the latest.
const ORDER: &[&str] = &["evaluated_at", "number"];

/// One evaluation of a risk that is not deleted.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, risk: RiskNumber, number: i64) -> Result<Evaluation> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let by_number = Filter::is("number", number.into());
    let found = of_risk(organization, risk).filter(by_number).one(tx).await?;
    let Stored(evaluation) = found.ok_or(Error::NotFound(ResourceKind::Evaluation))?;
    Ok(evaluation)
}

/// Up to `limit` evaluations of a risk that is not deleted, superseded ones too, the latest first: those
/// before the evaluation with this time and number.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    before: Option<(Timestamp, i64)>,
    limit: i64,
) -> Result<Page<Evaluation>> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let before = before.map(|(evaluated_at, number)| [evaluated_at.into(), number.into()]);
    let before = before.into_iter().flatten();
    let page =
        of_risk(organization, risk).order(ORDER, Direction::Descending, before).page(tx, limit).await?;
    Ok(page.map(|Stored(evaluation)| evaluation))
}

/// How many evaluations a risk has, deleted or not.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    of_risk(organization, risk).count(tx).await
}

/// Those of these evaluations, by risk and number, that there are, also of deleted risks.
pub(super) async fn among(
    tx: &mut Tx,
    organization: OrgId,
    wanted: &[(i64, i64)],
) -> Result<HashMap<(RiskNumber, i64), Evaluation>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let Statements { columns, joins, .. } = Evaluation::statements();
    // CROSS JOIN, because SQLite keeps its order: each evaluation is looked up.
    let sql = format!(
        "SELECT {columns} FROM {} CROSS JOIN evaluation AS r{joins}
         WHERE r.organization = $1 AND r.risk = wanted.number AND r.number = wanted.part",
        wanted_units(tx.engine())
    );
    let wanted = serde_json::json!(wanted).to_string();
    let found: Vec<Stored<Evaluation>> = tx.query(&sql, &[&organization.uuid(), &wanted]).await?;
    Ok(found.into_iter().map(|Stored(it)| ((it.risk, it.number), it)).collect())
}

/// The latest evaluation of each of these risks that is not superseded.
pub(super) async fn latest(
    tx: &mut Tx,
    organization: OrgId,
    risks: &[RiskNumber],
) -> Result<Vec<Evaluation>> {
    if risks.is_empty() {
        return Ok(Vec::new());
    }
    let latest = "SELECT known.number FROM evaluation AS known
        WHERE known.organization = $1 AND known.risk = wanted.number AND known.superseded_by IS NULL
        ORDER BY known.evaluated_at DESC, known.number DESC LIMIT 1";
    let numbers = of_each(tx, organization, risks.iter().copied(), latest).await?;
    Ok(among(tx, organization, &numbers).await?.into_values().collect())
}

/// The number of the last evaluation of each of these risks, 0 without one, and the organization's time zone. Evaluations are
/// never deleted, so in a write, which holds the head, the next one has the number after it.
pub(super) async fn last_numbers(
    tx: &mut Tx,
    organization: OrgId,
    risks: impl Iterator<Item = RiskNumber>,
) -> Result<(HashMap<RiskNumber, i64>, TimeZone)> {
    let wanted = numbers_parameter(risks.map(RiskNumber::number));
    let sql = format!(
        "SELECT wanted.number, (SELECT time_zone FROM organization WHERE id = $1), COALESCE((
             SELECT MAX(known.number) FROM evaluation AS known
             WHERE known.organization = $1 AND known.risk = wanted.number), 0)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let rows: Vec<(i64, Option<String>, i64)> = tx.query(&sql, &[&organization.uuid(), &wanted]).await?;
    let zone = named_zone(rows.first().and_then(|(_, zone, _)| zone.as_deref()));
    Ok((rows.into_iter().map(|(risk, _, number)| (RiskNumber(risk), number)).collect(), zone))
}

/// Each of these risks with the number that a query finds for the one in `wanted`, or 0.
async fn of_each(
    tx: &mut Tx,
    organization: OrgId,
    risks: impl Iterator<Item = RiskNumber>,
    number: &str,
) -> Result<Vec<(i64, i64)>> {
    let wanted = numbers_parameter(risks.map(RiskNumber::number));
    let sql = format!("SELECT wanted.number, COALESCE(({number}), 0) FROM {}", wanted_numbers(tx.engine()));
    Ok(tx.query(&sql, &[&organization.uuid(), &wanted]).await?)
}

/// The evaluations of a risk.
fn of_risk<'q>(organization: OrgId, risk: RiskNumber) -> Select<'q, Evaluation> {
    let of_risk = Filter::is("risk", risk.number().into());
    Select::of(organization, View::with_deleted()).filter(of_risk)
}
