//! What becomes of evaluations that are recorded in one write: planned row by row from what was read for all of them, then
//! written together, so the number of statements does not grow with that of the rows.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::evaluation::{Evaluation, EvaluationOfRisk};
use domain::risk::Risk;
use domain::{Author, Error, OrgId, ResourceKind, RiskNumber};

use super::latest::latest;
use super::{journaled, read};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record::{self, Columns as _};
use crate::{performance, risks};

/// What becomes of some rows.
pub(super) struct Plan {
    /// The evaluation of each row, or why it is refused.
    pub(super) results: Vec<domain::Result<Evaluation>>,
    /// The risks that are there, as they were before.
    risks: HashMap<RiskNumber, Risk>,
}

impl Plan {
    /// Plans the rows in their order. A row may supersede an evaluation of a row before it.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &[EvaluationOfRisk],
    ) -> Result<Self> {
        let numbers: HashSet<RiskNumber> = rows.iter().map(|row| row.risk).collect();
        let risks = risks::by_number(tx, organization, &numbers).await?;
        let (mut last, zone) = read::last_numbers(tx, organization, risks.keys().copied()).await?;
        let wrong = rows.iter().filter_map(|row| Some((row.risk.number(), row.evaluation.supersedes?)));
        let mut known = read::among(tx, organization, &wrong.collect::<Vec<_>>()).await?;
        let at = tx.at();
        let mut results = Vec::with_capacity(rows.len());
        for EvaluationOfRisk { risk: number, evaluation: new } in rows {
            let Some(risk) = risks.get(number) else {
                results.push(Err(Error::NotFound(ResourceKind::Risk)));
                continue;
            };
            let last = last.entry(*number).or_default();
            let wrong = new.supersedes.map(|wrong| (*number, wrong));
            let superseded = wrong.and_then(|wrong| known.get(&wrong));
            let made = new.record(risk, *last + 1, superseded, author.actor.clone(), at, &zone);
            if let Ok(evaluation) = &made {
                *last = evaluation.number;
                if let Some(wrong) = wrong
                    && let Some(superseded) = known.get_mut(&wrong)
                {
                    superseded.superseded_by = Some(evaluation.number);
                }
                known.insert((*number, evaluation.number), evaluation.clone());
            }
            results.push(made);
        }
        Ok(Self { results, risks })
    }

    /// Writes what was planned in this write: each evaluation with its journal entry, and which ones are the latest.
    pub(super) async fn write(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let mut made: Vec<&mut Evaluation> = self.results.iter_mut().flatten().collect();
        if made.is_empty() {
            return Ok(());
        }
        let entry = |it: &&mut Evaluation| New {
            kind: "evaluation.recorded",
            subject: risks::subject(it.risk),
            payload: journaled::payload(it),
        };
        let first = tx.head(organization)?.seq + 1;
        journal::append_all(tx, organization, author, made.iter().map(entry).collect()).await?;
        made.iter_mut().zip(first..).for_each(|(it, seq)| it.seq_from = seq);
        let made: Vec<&Evaluation> = made.into_iter().map(|it| &*it).collect();
        let rows: Vec<_> = made.iter().map(|it| it.values(&record::ALL)).collect();
        record::insert_values::<Evaluation>(tx, organization, &rows).await?;
        supersede(tx, organization, &made).await?;
        let latest = latest(tx, organization, &self.risks, &made).await?;
        let latest: Vec<_> =
            latest.iter().filter_map(|(number, latest)| Some((self.risks.get(number)?, *latest))).collect();
        performance::evaluated(tx, organization, &latest).await
    }
}

/// Marks those that these take the place of.
async fn supersede(tx: &mut Tx, organization: OrgId, made: &[&Evaluation]) -> Result<()> {
    let organization = organization.uuid();
    let wrong: Vec<(i64, i64, &Evaluation)> =
        made.iter().filter_map(|it| Some((it.risk.number(), it.supersedes?, *it))).collect();
    let rows: Vec<[&dyn Param; 5]> = wrong
        .iter()
        .map(|(risk, wrong, it)| -> [&dyn Param; 5] {
            [&organization, risk, wrong, &it.number, &it.seq_from]
        })
        .collect();
    if !rows.is_empty() {
        let sql = "UPDATE evaluation SET superseded_by = $4, seq_to = $5
                   WHERE organization = $1 AND risk = $2 AND number = $3";
        tx.send_many(sql, &rows).await?;
    }
    Ok(())
}
