//! Risks of a file: what becomes of each, and the writes that do it. The number of statements does not grow with them.

use std::collections::BTreeSet;

use db::Tx;
use domain::evaluation::{EvaluationOfRisk, NewEvaluations};
use domain::import::{Import, ImportRow, ImportedRisk, PreparedRow, RowContent, RowOutcome};
use domain::risk::{Risk, RiskStatus};
use domain::scale::Scales;
use domain::tag::TagName;
use domain::{Author, OrgId, RiskNumber};
use jiff::tz::TimeZone;

use super::known::{Change, Known};
use super::parts::{add_tags, first_of};
use super::step::{self, Step};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::risks::{self, TAGS};
use crate::{Counter, acceptances, evaluations, performance, tags, tasks};

/// What becomes of some rows.
pub(super) struct Plan<'p> {
    steps: Vec<Step<'p, Change<'p>>>,
    zone: TimeZone,
    scales: Scales,
}

impl<'p> Plan<'p> {
    /// Says what becomes of each row now.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &'p [PreparedRow],
    ) -> Result<Self> {
        let imported: Vec<&ImportedRisk> = rows.iter().filter_map(risk).collect();
        let known = Known::read(tx, organization, &imported).await?;
        let names: BTreeSet<&TagName> = imported.iter().flat_map(|risk| &risk.tags).collect();
        let names: Vec<TagName> = names.into_iter().cloned().collect();
        let found = tags::find(tx, organization, &names).await?;
        let unknown = found.unknown(author);
        let at = tx.at();
        let step = |row: &'p PreparedRow| match &row.content {
            RowContent::Wrong => Step::without_change(row, RowOutcome::Wrong),
            RowContent::Risk(imported) => match known.change(imported, &found, &unknown, at) {
                Ok(change) => step_of(row, change),
                Err(wrong) => Step::wrong(row, wrong),
            },
            _ => Step::without_change(row, RowOutcome::Skipped),
        };
        let steps = rows.iter().map(step).collect();
        drop(found);
        Ok(Self { steps, zone: known.zone, scales: known.scales })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        step::outcomes(&self.steps, import, first)
    }

    /// Writes it. A risk that is open afterwards is changed before it is evaluated, one that is closed after that.
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        self.create(tx, organization, author).await?;
        self.replace(tx, organization, author, RiskStatus::Open).await?;
        self.evaluate(tx, organization, author).await?;
        self.replace(tx, organization, author, RiskStatus::Closed).await?;
        let new =
            self.changes().flat_map(|(number, change)| change.tasks.iter().map(move |new| (number, *new)));
        tasks::create_all(tx, organization, author, &new.collect::<Vec<_>>()).await?;
        let added = self.changes().map(|(number, change)| (number.number(), change.tags.as_slice()));
        let added: Vec<_> = added.collect();
        add_tags(tx, organization, author, &TAGS, &added).await?;
        Ok(self.outcomes(import, first))
    }

    fn changes(&self) -> impl Iterator<Item = (RiskNumber, &Change<'p>)> {
        self.steps.iter().filter_map(|step| Some((step.record?, step.change.as_ref()?)))
    }

    /// Records the current ratings that are new.
    async fn evaluate(&self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let new = |(risk, change): (RiskNumber, &Change<'_>)| {
            let evaluation = change.imported.evaluation.clone().filter(|_| change.is_evaluated)?;
            Some(EvaluationOfRisk { risk, evaluation })
        };
        let evaluations: Vec<EvaluationOfRisk> = self.changes().filter_map(new).collect();
        if !evaluations.is_empty() {
            let new = NewEvaluations { evaluations, dry_run: false, atomic: true };
            evaluations::record_all(tx, organization, author, &new).await?;
        }
        Ok(())
    }

    /// Makes the new ones, which are open.
    async fn create(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let mut made = Vec::new();
        for step in &mut self.steps {
            let Some(change) = step.change.as_mut().filter(|change| change.before.is_none()) else {
                continue;
            };
            let number = RiskNumber(Counter::Risk.next(tx, organization)?);
            step.record = Some(number);
            made.push((change, number));
        }
        let (at, version) = (tx.at(), self.scales.present().number);
        let entry = |risk: &Risk| New {
            kind: "risk.created",
            subject: risks::subject(risk.number),
            payload: record::changes(None, risk),
        };
        let opened = made.iter().map(|(change, number)| {
            let risk = change.imported.new.open(*number, change.owner.clone(), version, at);
            change.imported.opened(risk).with_days(&self.zone)
        });
        let mut new: Vec<Risk> = opened.collect();
        if new.is_empty() {
            return Ok(());
        }
        let entries: Vec<New> = new.iter().map(entry).collect();
        let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
        for (risk, seq) in new.iter_mut().zip(first..) {
            risk.seq_from = seq;
        }
        record::insert_all(tx, organization, &new).await?;
        for ((change, _), risk) in made.into_iter().zip(new) {
            change.after = change.imported.closed(&risk, &self.scales, at)?;
            change.before = Some(risk);
        }
        Ok(())
    }

    /// Writes those that change and have this status afterwards.
    async fn replace(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        status: RiskStatus,
    ) -> Result<()> {
        let changed =
            self.changes().filter_map(|(_, change)| Some((change.before.as_ref()?, change.after.as_ref()?)));
        let changed: Vec<(&Risk, &Risk)> = changed.filter(|(_, after)| after.status == status).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let entry = |(before, after): &(&Risk, &Risk)| New {
            kind: "risk.updated",
            subject: risks::subject(after.number),
            payload: record::changes(Some(*before), *after),
        };
        let entries: Vec<New> = changed.iter().map(entry).collect();
        let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
        let begun =
            |((_, after), seq): (&(&Risk, &Risk), i64)| (Risk { seq_from: seq, ..(*after).clone() }, seq);
        let rows: Vec<(Risk, i64)> = changed.iter().zip(first..).map(begun).collect();
        record::replace_all(tx, organization, &rows).await?;
        let numbers: Vec<i64> = rows.iter().map(|(risk, _)| risk.number.number()).collect();
        performance::follow(tx, organization, &numbers).await?;
        acceptances::follow(tx, organization, author, &numbers).await
    }
}

fn risk(row: &PreparedRow) -> Option<&ImportedRisk> {
    match &row.content {
        RowContent::Risk(risk) => Some(risk),
        _ => None,
    }
}

fn step_of<'p>(row: &'p PreparedRow, change: Change<'p>) -> Step<'p, Change<'p>> {
    let outcome = match &change.before {
        None => RowOutcome::Created,
        Some(_) if change.is_any() => RowOutcome::Updated,
        Some(_) => RowOutcome::Unchanged,
    };
    let record = change.before.as_ref().map(|risk| risk.number);
    Step::of(row, outcome, record, Some(change))
}
