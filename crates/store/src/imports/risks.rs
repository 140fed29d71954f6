//! Risks of a file: what becomes of each, and the writes that do it. The number of statements does not grow with them.

use db::Tx;
use domain::evaluation::{EvaluationOfRisk, NewEvaluations};
use domain::import::{Import, ImportRow, ImportedRisk, PreparedRow, RowContent};
use domain::risk::{Risk, RiskStatus};
use domain::scale::Scales;
use domain::{Author, OrgId, RiskNumber};
use jiff::tz::TimeZone;

use super::known::{Change, Known};
use super::parts::{add_all, create_all, distinct, replace_all};
use super::step::{self, Step};
use crate::ledger::error::Result;
use crate::risks::TAGS;
use crate::{Counter, evaluations, tags};

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
        let names = distinct(imported.iter().flat_map(|risk| &risk.tags));
        let found = tags::find(tx, organization, &names).await?;
        let unknown = found.unknown(author);
        let at = tx.at();
        let step = |row, imported| match known.change(imported, &found, &unknown, at) {
            Ok(change) => {
                let before = change.before.as_ref().map(|risk| risk.number);
                Step::changing(row, before, change.is_any(), change)
            }
            Err(wrong) => Step::wrong(row, wrong),
        };
        let steps = step::steps(rows, risk, step);
        Ok(Self { steps, zone: known.zone, scales: known.scales })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        step::outcomes(&self.steps, import, first)
    }

    /// Writes it. A risk is changed before it is evaluated, and closed after that.
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
        let added = self.changes().map(|(number, it)| (number, it.tasks.as_slice(), it.tags.as_slice()));
        add_all(tx, organization, author, &TAGS, &added.collect::<Vec<_>>()).await?;
        Ok(self.outcomes(import, first))
    }

    fn changes(&self) -> impl Iterator<Item = (RiskNumber, &Change<'p>)> {
        self.steps.iter().filter_map(|step| Some((step.record?, step.change.as_ref()?)))
    }

    /// Records the current ratings that are new.
    async fn evaluate(&self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let new = |(risk, change): (RiskNumber, &Change<'_>)| {
            Some(EvaluationOfRisk { risk, evaluation: change.evaluation.clone()? })
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
        let (at, version) = (tx.at(), self.scales.present().number);
        let (mut made, mut new) = (Vec::new(), Vec::new());
        for step in &mut self.steps {
            let Some(change) = step.change.as_mut().filter(|change| change.before.is_none()) else {
                continue;
            };
            let number = RiskNumber(Counter::Risk.next(tx, organization)?);
            step.record = Some(number);
            let risk = change.imported.new.open(number, change.owner.clone(), version, at);
            new.push(change.imported.opened(risk).with_days(&self.zone));
            made.push(change);
        }
        let new = create_all(tx, organization, author, "risk.created", new).await?;
        for (change, risk) in made.into_iter().zip(new) {
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
        let changed = self.changes().flat_map(|(_, Change { before, evaluated, after, .. })| {
            let first = before.as_ref().zip(evaluated.as_ref());
            let then = evaluated.as_ref().or(before.as_ref()).zip(after.as_ref());
            first.into_iter().chain(then)
        });
        let changed = changed.filter(|(_, after)| after.status == status);
        let changed: Vec<(&Risk, &Risk, &str)> =
            changed.map(|(before, after)| (before, after, "risk.updated")).collect();
        replace_all(tx, organization, author, &changed).await
    }
}

fn risk(row: &PreparedRow) -> Option<&ImportedRisk> {
    match &row.content {
        RowContent::Risk(risk) => Some(risk),
        _ => None,
    }
}
