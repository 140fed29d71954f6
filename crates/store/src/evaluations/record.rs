//! Recording an evaluation, and with it which evaluation of the risk is the latest.

use db::{Param, Tx};
use domain::evaluation::{Evaluation, NewEvaluation};
use domain::risk::{Current, Risk};
use domain::{Author, OrgId, RiskNumber};
use macros::boxed;

use super::{journaled, read};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::ledger::{journal, record};
use crate::{performance, risks};

/// Records an evaluation of a risk that is not deleted. The risk's version and dates stay.
#[boxed]
pub async fn record(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    risk: RiskNumber,
    new: &NewEvaluation,
) -> Result<Evaluation> {
    let risk = risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let superseded = match new.supersedes {
        Some(number) => read::find(tx, organization, risk.number, number).await?,
        None => None,
    };
    let number = next_number(tx, organization, risk.number).await?;
    let mut evaluation = new.record(&risk, number, superseded.as_ref(), author.actor.clone(), tx.at())?;
    let (subject, payload) = (risks::subject(risk.number), journaled::payload(&evaluation));
    let seq = journal::append(tx, organization, author, "evaluation.recorded", subject, payload).await?;
    evaluation.seq_from = seq;
    record::insert(tx, organization, &evaluation).await?;
    if let Some(wrong) = evaluation.supersedes {
        let sql = "UPDATE evaluation SET superseded_by = $4, seq_to = $5
                   WHERE organization = $1 AND risk = $2 AND number = $3";
        let params: [&dyn Param; 5] = [&organization.uuid(), &risk.number.number(), &wrong, &number, &seq];
        tx.send(sql, &params).await?;
    }
    let latest = latest(tx, organization, &risk, &evaluation).await?;
    performance::evaluated(tx, organization, &risk, &latest).await?;
    Ok(evaluation)
}

/// Evaluations are never deleted and the head is held, so the greatest number is their count.
async fn next_number(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    let sql = "SELECT COALESCE(MAX(number), 0) + 1 FROM evaluation WHERE organization = $1 AND risk = $2";
    let (number,): (i64,) = tx.query_one(sql, &[&organization.uuid(), &risk.number()]).await?;
    Ok(number)
}

/// The latest evaluation of `risk` after `new` was recorded.
async fn latest(tx: &mut Tx, organization: OrgId, risk: &Risk, new: &Evaluation) -> Result<Current> {
    match risk.current {
        // The evaluations before it are only looked at when the latest one no longer counts.
        Some(current) if new.supersedes == Some(current.evaluation) => {
            let latest = read::latest(tx, organization, risk.number).await?;
            Ok(as_current(risk, latest.as_ref().unwrap_or(new)))
        }
        Some(current) if (current.evaluated_at, current.evaluation) > new.order() => Ok(current),
        _ => Ok(as_current(risk, new)),
    }
}

/// A risk without a target has no performance, whatever was recorded before it lost its target.
fn as_current(risk: &Risk, evaluation: &Evaluation) -> Current {
    Current {
        rating: evaluation.rating,
        evaluation: evaluation.number,
        evaluated_at: evaluation.evaluated_at,
        performance_basis_points: evaluation.performance_basis_points.filter(|_| risk.target.is_some()),
    }
}
