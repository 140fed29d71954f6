//! Recording evaluations, one or many at once.

use db::Tx;
use domain::evaluation::{Evaluation, EvaluationOfRisk, NewEvaluation, NewEvaluations};
use domain::{Author, Error, OrgId, RiskNumber};
use macros::boxed;

use super::plan::Plan;
use crate::ledger::error::Result;

/// What became of one of many: its number, or why it was refused.
pub type Recorded = (RiskNumber, domain::Result<i64>);

/// Records an evaluation of a risk that is not deleted, and with it the ratings of the risk that are sent. Otherwise the risk's
/// version and dates stay.
#[boxed]
pub async fn record(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    risk: RiskNumber,
    new: &NewEvaluation,
) -> Result<Evaluation> {
    let row = EvaluationOfRisk { risk, evaluation: new.clone() };
    let mut plan = Plan::make(tx, organization, author, &[row]).await?;
    plan.write(tx, organization, author).await?;
    let made = plan.results.pop().unwrap_or_else(|| Err(Error::Internal("no result".to_owned())));
    Ok(made?)
}

/// Records evaluations in their order, by the same rules. One that is refused leaves the others, unless all or nothing was asked
/// for. Belongs into a transaction of its own if they are many.
#[boxed]
pub async fn record_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewEvaluations,
) -> Result<Vec<Recorded>> {
    let mut plan = Plan::make(tx, organization, author, &new.evaluations).await?;
    let recorded = recorded(&plan, new)?;
    plan.write(tx, organization, author).await?;
    Ok(recorded)
}

/// What would become of them now; nothing is written.
#[boxed]
pub async fn plan_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewEvaluations,
) -> Result<Vec<Recorded>> {
    recorded(&Plan::make(tx, organization, author, &new.evaluations).await?, new)
}

/// The results, in which a fault is at its place in the whole request. If all or nothing was asked for and one is refused, the
/// refusal of all.
fn recorded(plan: &Plan, new: &NewEvaluations) -> Result<Vec<Recorded>> {
    let placed = |at: usize, error: &Error| match error {
        Error::Invalid(faults) => Error::from(faults.within(&format!("#/evaluations/{at}"))),
        other => other.clone(),
    };
    let rows = new.evaluations.iter().zip(&plan.results).enumerate();
    let recorded: Vec<Recorded> = rows
        .map(|(at, (row, made))| {
            (row.risk, made.as_ref().map(|it| it.number).map_err(|error| placed(at, error)))
        })
        .collect();
    let refused = recorded.iter().filter_map(|(risk, made)| Some((risk.to_string(), made.clone().err()?)));
    match refused.collect::<Vec<_>>() {
        refused if new.atomic && !refused.is_empty() => Err(Error::BulkFailed(refused).into()),
        _ => Ok(recorded),
    }
}
