//! Incidents of a file: what becomes of each, and the writes that do it. The number of statements does not grow with them.

mod duplicates;
mod known;

use std::collections::HashSet;

use db::Tx;
use domain::import::{Import, ImportRow, ImportedIncident, PreparedRow, RowContent};
use domain::incident::Incident;
use domain::{Author, IncidentNumber, OrgId, Scope};

pub(super) use duplicates::{duplicates, link as link_duplicates};

use self::known::{Change, Known};
use super::parts::{add_all, create_all, distinct, replace_all};
use super::step::{self, Step};
use crate::incidents::{TAGS, change_kind};
use crate::ledger::error::Result;
use crate::{Counter, tags};

/// The kind of the entry for a change of the past.
const OVERRIDDEN: &str = "incident.imported";

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
        let names = distinct(imported.iter().flat_map(|it| &it.new.tags));
        let found = tags::find(tx, organization, &names).await?;
        let unknown = found.unknown(author);
        let (at, mut met) = (tx.at(), HashSet::new());
        let step = |row, imported| match known.change(imported, (&found, &unknown), at) {
            Ok(Change { before: Some(before), .. }) if !met.insert(before.number) => {
                let wrong = format!("A row before is about the same incident, {}.", before.number);
                Step::wrong(row, vec![wrong])
            }
            Ok(change) => {
                let before = change.before.as_ref().map(|incident| incident.number);
                Step::changing(row, before, change.is_any(), change)
            }
            Err(wrong) => Step::wrong(row, wrong),
        };
        Ok(Self { steps: step::steps(rows, incident, step) })
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
        let added = self.changes().map(|(number, it)| (number, it.tasks.as_slice(), it.tags.as_slice()));
        add_all(tx, organization, author, &TAGS, &added.collect::<Vec<_>>()).await?;
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
        let new = create_all(tx, organization, author, "incident.created", new).await?;
        for (change, incident) in made.into_iter().zip(new) {
            change.before = Some(incident);
        }
        Ok(())
    }

    /// Writes those that change.
    async fn replace(&self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let changed = self.changes().filter_map(|(_, change)| {
            let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
            let kind = if change.is_overridden { OVERRIDDEN } else { change_kind(before, after) };
            Some((before, after, kind))
        });
        save(tx, organization, author, &changed.collect::<Vec<_>>()).await
    }
}

/// Writes changed states, each after the one before and with the kind of its entry. A change of the past needs an override.
async fn save(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changed: &[(&Incident, &Incident, &'static str)],
) -> Result<()> {
    if changed.iter().any(|(.., kind)| *kind == OVERRIDDEN) {
        author.permissions.note_required(Scope::IncidentsOverride.into());
    }
    replace_all(tx, organization, author, changed).await
}

fn incident(row: &PreparedRow) -> Option<&ImportedIncident> {
    match &row.content {
        RowContent::Incident(incident) => Some(incident),
        _ => None,
    }
}
