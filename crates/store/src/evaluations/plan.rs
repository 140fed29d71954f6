//! What becomes of evaluations that are recorded in one write: planned row by row from what was read for all of them, then
//! written together, so the number of statements does not grow with that of the rows.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::{Param, Tx};
use domain::evaluation::{Evaluation, EvaluationOfRisk};
use domain::risk::Risk;
use domain::{Author, Error, OrgId, ResourceKind, RiskNumber};

use super::latest::latest;
use super::{journaled, read};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record::{self, Columns as _};
use crate::ledger::view::View;
use crate::{acceptances, performance, risks, scales};

/// What becomes of some rows.
pub(super) struct Plan {
    /// The evaluation of each row, or why it is refused.
    pub(super) results: Vec<domain::Result<Evaluation>>,
    risks: Risks,
}

/// The risks that the rows name.
struct Risks {
    /// Those that are there, as they were before.
    found: HashMap<RiskNumber, Risk>,
    /// What becomes of them by the evaluations that bring other ratings, by their numbers.
    rerated: BTreeMap<(RiskNumber, i64), Risk>,
}

impl Risks {
    /// The risk as it is before its evaluation with this number.
    fn before(&self, risk: RiskNumber, evaluation: i64) -> Option<&Risk> {
        let rerated = self.rerated.range((risk, 0)..(risk, evaluation)).next_back();
        rerated.map(|(_, risk)| risk).or_else(|| self.found.get(&risk))
    }

    /// What the journal tells of the ratings that an evaluation brings.
    fn changes(&self, risk: RiskNumber, evaluation: i64) -> Payload {
        match (self.before(risk, evaluation), self.rerated.get(&(risk, evaluation))) {
            (Some(before), Some(after)) => record::changes(Some(before), after),
            _ => Payload::new(),
        }
    }
}

impl Plan {
    /// Plans the rows in their order. A row may supersede an evaluation of a row before it, and is measured by the ratings that one
    /// before it has brought.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &[EvaluationOfRisk],
    ) -> Result<Self> {
        let numbers: HashSet<RiskNumber> = rows.iter().map(|row| row.risk).collect();
        let found = risks::by_number(tx, organization, &numbers).await?;
        let scales = scales::known(tx, organization, View::now()).await?;
        let (mut last, zone) = read::last_numbers(tx, organization, found.keys().copied()).await?;
        let mut risks = Risks { found, rerated: BTreeMap::new() };
        let wrong = rows.iter().filter_map(|row| Some((row.risk.number(), row.evaluation.supersedes?)));
        let mut known = read::among(tx, organization, &wrong.collect::<Vec<_>>()).await?;
        let at = tx.at();
        let mut results = Vec::with_capacity(rows.len());
        for EvaluationOfRisk { risk: number, evaluation: new } in rows {
            let next = last.get(number).copied().unwrap_or_default() + 1;
            let Some(risk) = risks.before(*number, next) else {
                results.push(Err(Error::NotFound(ResourceKind::Risk)));
                continue;
            };
            let wrong = new.supersedes.map(|wrong| (*number, wrong));
            let superseded = wrong.and_then(|wrong| known.get(&wrong));
            let made = new.record((risk, &scales), next, superseded, author.actor.clone(), at, &zone);
            results.push(made.map(|(evaluation, rerated)| {
                last.insert(*number, next);
                risks.rerated.extend(rerated.map(|after| ((*number, next), after)));
                if let Some(wrong) = wrong
                    && let Some(superseded) = known.get_mut(&wrong)
                {
                    superseded.superseded_by = Some(next);
                }
                known.insert((*number, next), evaluation.clone());
                evaluation
            }));
        }
        Ok(Self { results, risks })
    }

    /// Writes what was planned in this write: each evaluation with its journal entry, the ratings that it brings, and which ones
    /// are the latest.
    pub(super) async fn write(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let Self { results, risks } = self;
        let mut made: Vec<&mut Evaluation> = results.iter_mut().flatten().collect();
        if made.is_empty() {
            return Ok(());
        }
        let entry = |it: &&mut Evaluation| New {
            kind: "evaluation.recorded",
            subject: risks::subject(it.risk),
            payload: journaled::payload(it, risks.changes(it.risk, it.number)),
        };
        let first = tx.head(organization)?.seq + 1;
        journal::append_all(tx, organization, author, made.iter().map(entry).collect()).await?;
        made.iter_mut().zip(first..).for_each(|(it, seq)| it.seq_from = seq);
        let made: Vec<&Evaluation> = made.into_iter().map(|it| &*it).collect();
        let rows: Vec<_> = made.iter().map(|it| it.values(&record::ALL)).collect();
        record::insert_values::<Evaluation>(tx, organization, &rows).await?;
        supersede(tx, organization, &made).await?;
        for it in &made {
            if let Some(after) = risks.rerated.get_mut(&(it.risk, it.number)) {
                after.seq_from = it.seq_from;
            }
        }
        risks::save_ratings(tx, organization, &risks.rerated.values().collect::<Vec<_>>()).await?;
        let states = |risk| Some((risks.found.get(&risk)?, risks.before(risk, i64::MAX)?));
        let latest = latest(tx, organization, states, &made).await?;
        let latest: Vec<_> =
            latest.iter().filter_map(|(number, latest)| Some((risks.found.get(number)?, *latest))).collect();
        performance::evaluated(tx, organization, &latest).await?;
        let numbers: Vec<i64> = latest.iter().map(|(risk, _)| risk.number.number()).collect();
        acceptances::follow(tx, organization, author, &numbers).await
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
