//! Incidents of a file: what becomes of each, and the writes that do it. The number of statements does not grow with them.

mod duplicates;
mod known;

use std::collections::{BTreeSet, HashSet};

use db::Tx;
use domain::import::{Import, ImportRow, ImportedIncident, PreparedRow, RowContent, RowOutcome};
use domain::incident::Incident;
use domain::tag::TagName;
use domain::{Author, IncidentNumber, OrgId, Scope};

pub(super) use duplicates::{duplicates, link as link_duplicates};

use self::known::{Change, Known};
use super::parts::{add_tags, first_of};
use super::step::{self, Step};
use crate::incidents::{TAGS, change_kind, subject};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::{Counter, tags, tasks};

/// What becomes of some rows.
pub(super) struct Plan<'p> {
    steps: Vec<Step<'p, Change<'p>, IncidentNumber>>,
}

impl<'p> Plan<'p> {
    /// Says what becomes of each row now.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &'p [PreparedRow],
    ) -> Result<Self> {
        let imported: Vec<&ImportedIncident> = rows.iter().filter_map(incident).collect();
        let known = Known::read(tx, organization, author, &imported).await?;
        let names: BTreeSet<&TagName> = imported.iter().flat_map(|it| &it.new.tags).collect();
        let names: Vec<TagName> = names.into_iter().cloned().collect();
        let found = tags::find(tx, organization, &names).await?;
        let unknown = found.unknown(author);
        let (at, mut met) = (tx.at(), HashSet::new());
        let step = |row: &'p PreparedRow| match &row.content {
            RowContent::Wrong => Step::without_change(row, RowOutcome::Wrong),
            RowContent::Incident(imported) => match known.change(imported, (&found, &unknown), at) {
                Ok(Change { before: Some(before), .. }) if !met.insert(before.number) => {
                    let wrong = format!("A row before is about the same incident, {}.", before.number);
                    Step::wrong(row, vec![wrong])
                }
                Ok(change) => step_of(row, change),
                Err(wrong) => Step::wrong(row, wrong),
            },
            _ => Step::without_change(row, RowOutcome::Skipped),
        };
        let steps = rows.iter().map(step).collect();
        drop(found);
        Ok(Self { steps })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        step::outcomes(&self.steps, import, first)
    }

    /// Writes it. One with a past is declared, and then gets that.
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        self.create(tx, organization, author).await?;
        self.replace(tx, organization, author).await?;
        let new =
            self.changes().flat_map(|(number, change)| change.tasks.iter().map(move |new| (number, *new)));
        tasks::create_all(tx, organization, author, &new.collect::<Vec<_>>()).await?;
        let added = self.changes().map(|(number, change)| (number.number(), change.tags.as_slice()));
        let added: Vec<_> = added.collect();
        add_tags(tx, organization, author, &TAGS, &added).await?;
        Ok(self.outcomes(import, first))
    }

    fn changes(&self) -> impl Iterator<Item = (IncidentNumber, &Change<'p>)> {
        self.steps.iter().filter_map(|step| Some((step.record?, step.change.as_ref()?)))
    }

    /// Declares the new ones.
    async fn create(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let (at, mut made, mut new) = (tx.at(), Vec::new(), Vec::new());
        for step in &mut self.steps {
            let Some(change) = step.change.as_mut().filter(|change| change.before.is_none()) else {
                continue;
            };
            let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
            step.record = Some(number);
            let (declared, after) = change.imported.declare(number, &change.facts, at)?;
            change.after = after;
            new.push(declared);
            made.push(change);
        }
        if new.is_empty() {
            return Ok(());
        }
        let entry = |incident: &Incident| New {
            kind: "incident.created",
            subject: subject(incident.number),
            payload: record::changes(None, incident),
        };
        let entries: Vec<New> = new.iter().map(entry).collect();
        let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
        for (incident, seq) in new.iter_mut().zip(first..) {
            incident.seq_from = seq;
        }
        record::insert_all(tx, organization, &new).await?;
        for (change, incident) in made.into_iter().zip(new) {
            change.before = Some(incident);
        }
        Ok(())
    }

    /// Writes those that change.
    async fn replace(&self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let changed = self.changes().filter_map(|(_, change)| {
            Some((change.before.as_ref()?, change.after.as_ref()?, change.is_overridden))
        });
        let changed: Vec<(&Incident, &Incident, bool)> = changed.collect();
        save(tx, organization, author, &changed).await
    }
}

/// Writes changed states, each after the one before and with whether the change needs an override.
async fn save(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changed: &[(&Incident, &Incident, bool)],
) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    if changed.iter().any(|(.., is_overridden)| *is_overridden) {
        author.permissions.note_required(Scope::IncidentsOverride.into());
    }
    let entry = |(before, after, is_overridden): &(&Incident, &Incident, bool)| New {
        kind: if *is_overridden { "incident.imported" } else { change_kind(before, after) },
        subject: subject(after.number),
        payload: record::changes(Some(*before), *after),
    };
    let entries: Vec<New> = changed.iter().map(entry).collect();
    let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
    let begun = |((_, after, _), seq): (&(&Incident, &Incident, bool), i64)| {
        (Incident { seq_from: seq, ..(*after).clone() }, seq)
    };
    let rows: Vec<(Incident, i64)> = changed.iter().zip(first..).map(begun).collect();
    record::replace_all(tx, organization, &rows).await
}

fn incident(row: &PreparedRow) -> Option<&ImportedIncident> {
    match &row.content {
        RowContent::Incident(incident) => Some(incident),
        _ => None,
    }
}

fn step_of<'p>(row: &'p PreparedRow, change: Change<'p>) -> Step<'p, Change<'p>, IncidentNumber> {
    let outcome = match &change.before {
        None => RowOutcome::Created,
        Some(_) if change.is_any() => RowOutcome::Updated,
        Some(_) => RowOutcome::Unchanged,
    };
    let record = change.before.as_ref().map(|incident| incident.number);
    Step::of(row, outcome, record, Some(change))
}
