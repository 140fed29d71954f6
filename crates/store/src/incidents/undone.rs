//! Undoing changes of incidents, and what stands against it.

use std::collections::{HashMap, HashSet};

use db::{FromRow, Param, Row, Tx};
use domain::incident::{Incident, Requirement, Status, Viewer};
use domain::person::Person;
use domain::{Author, Line, OrgId};
use serde_json::json;

use super::originals;
use super::read::unseen;
use super::tag_links::TAGS;
use super::write::change_kind;
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::tag_links::TagLinks;
use crate::ledger::undo::Undoable;
use crate::tasks;

const TAKEN: &str = "Another incident has its reference of the external system by now.";
const CYCLE: &str = "It would be a duplicate of itself, directly or over other duplicates.";

impl Undoable for Incident {
    const TYPE: &'static str = "incident";
    const MEMBER: &'static str = "assigned_to";
    const TAGS: TagLinks = TAGS;

    fn member(&self) -> Option<&Person> {
        self.assigned_to.as_ref()
    }

    async fn unseen(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        numbers: &[i64],
    ) -> Result<HashSet<i64>> {
        unseen(tx, organization, &Viewer::of(author), numbers).await
    }

    fn change_kind(before: &Self, after: &Self) -> &'static str {
        change_kind(before, after)
    }

    /// A reopening is not undone while a mandatory task is open: the incident would be closed without what closing requires.
    async fn obstacles(
        tx: &mut Tx,
        organization: OrgId,
        pairs: &[(&Self, &Self)],
    ) -> Result<HashMap<i64, &'static str>> {
        let closes = |(now, before): &&(&Self, &Self)| {
            let is_overridden = before.overridden.contains(&Requirement::MandatoryTasksOpen);
            now.status != Status::Closed && before.status == Status::Closed && !is_overridden
        };
        let closed: Vec<i64> = pairs.iter().filter(closes).map(|(now, _)| now.number.number()).collect();
        let mut obstacles = obstacles(tx, organization, pairs).await?;
        if !closed.is_empty() {
            for number in tasks::with_open_mandatory(tx, organization, &closed).await? {
                obstacles.insert(number, "It would be closed again, and a mandatory task is open.");
            }
        }
        Ok(obstacles)
    }
}

/// Why incidents cannot become what they were before a request, by number. Each pair is an incident now and before.
async fn obstacles(
    tx: &mut Tx,
    organization: OrgId,
    pairs: &[(&Incident, &Incident)],
) -> Result<HashMap<i64, &'static str>> {
    let mut found = taken(tx, organization, pairs).await?;
    found.extend(cycles(tx, organization, pairs).await?);
    Ok(found)
}

/// Those that would get back a reference that another incident has by now.
async fn taken(
    tx: &mut Tx,
    organization: OrgId,
    pairs: &[(&Incident, &Incident)],
) -> Result<HashMap<i64, &'static str>> {
    let gets_back = |now: &Incident, before: &Incident| {
        let has_it = now.deleted_date.is_none() && now.external_ref == before.external_ref;
        before.deleted_date.is_none() && before.external_source.is_some() && !has_it
    };
    let back: Vec<&Incident> =
        pairs.iter().filter(|(now, before)| gets_back(now, before)).map(|(_, before)| *before).collect();
    if back.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT r.number, r.external_source, r.external_ref FROM incident AS r
         WHERE r.organization = $1 AND r.deleted_date IS NULL
           AND r.external_source IN (SELECT wanted.item FROM {})
           AND r.external_ref IN (SELECT wanted.item FROM {})",
        wanted_texts(tx.engine(), "$2"),
        wanted_texts(tx.engine(), "$3"),
    );
    let (sources, references) = (texts(&back, |it| &it.external_source), texts(&back, |it| &it.external_ref));
    let params: [&dyn Param; 3] = [&organization.uuid(), &sources, &references];
    let holders: Vec<Holder> = tx.query(&sql, &params).await?;
    let is_taken = |incident: &Incident| {
        holders.iter().any(|holder| {
            holder.number != incident.number.number()
                && (Some(&*holder.source), Some(&*holder.reference))
                    == (incident.external_source.as_deref(), incident.external_ref.as_deref())
        })
    };
    let taken = back.into_iter().filter(|incident| is_taken(incident));
    Ok(taken.map(|incident| (incident.number.number(), TAKEN)).collect())
}

/// A JSON array of the texts of these incidents.
fn texts(incidents: &[&Incident], of: impl Fn(&Incident) -> &Option<Line>) -> String {
    json!(incidents.iter().filter_map(|incident| of(incident).as_deref()).collect::<Vec<_>>()).to_string()
}

struct Holder {
    number: i64,
    source: String,
    reference: String,
}

impl FromRow for Holder {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self { number: row.get(0)?, source: row.get(1)?, reference: row.get(2)? })
    }
}

/// Those that would be duplicates of themselves over other duplicates. Deleted ones count, because they can be restored.
async fn cycles(
    tx: &mut Tx,
    organization: OrgId,
    pairs: &[(&Incident, &Incident)],
) -> Result<HashMap<i64, &'static str>> {
    let regained = pairs.iter().filter(|(now, before)| now.duplicate_of != before.duplicate_of);
    let regained: HashMap<i64, i64> = regained
        .filter_map(|(_, before)| Some((before.number.number(), before.duplicate_of?.number())))
        .collect();
    if regained.is_empty() {
        return Ok(HashMap::new());
    }
    let chains = originals::chains(tx, organization, regained.values().copied()).await?;
    let mut originals: HashMap<i64, i64> =
        chains.into_iter().filter_map(|(number, original)| Some((number, original?))).collect();
    originals.extend(&regained);
    let in_cycle = regained.keys().filter(|number| leads_back(**number, &originals));
    Ok(in_cycle.map(|number| (*number, CYCLE)).collect())
}

/// Whether the originals of an incident lead back to it.
fn leads_back(number: i64, originals: &HashMap<i64, i64>) -> bool {
    let (mut seen, mut next) = (HashSet::new(), originals.get(&number));
    while let Some(original) = next {
        if *original == number {
            return true;
        }
        if !seen.insert(*original) {
            return false;
        }
        next = originals.get(original);
    }
    false
}
