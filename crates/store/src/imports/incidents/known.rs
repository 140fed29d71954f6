//! What the register has of the incidents of a file, and what each of them would change.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::{Param, Tx};
use domain::import::ImportedIncident;
use domain::incident::{Facts, Incident, Status, Surroundings, Viewer};
use domain::person::Person;
use domain::tag::{TagLabel, TagName};
use domain::task::NewTask;
use domain::time::is_same;
use domain::{Author, IncidentNumber, OrgId, Scopes, UserId};
use jiff::Timestamp;
use serde_json::json;

use crate::imports::known::{Wrong, second_after, sentences, tags_to_add};
use crate::incidents::{TAGS, get_many, surroundings_of_all, with_references};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::tags::Named;
use crate::{people, tasks};

/// What is to be written for an incident.
pub(super) struct Change<'p> {
    pub(super) imported: &'p ImportedIncident,
    pub(super) facts: Facts,
    /// As it is; none of a new one.
    pub(super) before: Option<Incident>,
    /// As it becomes, if it is there and changes.
    pub(super) after: Option<Incident>,
    /// Whether the change is one of its past.
    pub(super) is_overridden: bool,
    /// The tasks that it gets.
    pub(super) tasks: Vec<&'p NewTask>,
    /// The tags that it gets.
    pub(super) tags: Vec<&'p TagName>,
}

impl Change<'_> {
    /// Whether it changes anything of an incident that is there.
    pub(super) fn is_any(&self) -> bool {
        self.after.is_some() || !self.tasks.is_empty() || !self.tags.is_empty()
    }
}

/// What the register has of the incidents of a file.
pub(super) struct Known<'a> {
    author: &'a Author,
    referenced: HashMap<(String, String), IncidentNumber>,
    named: HashMap<String, Vec<(IncidentNumber, Timestamp)>>,
    /// Those that the author sees.
    incidents: HashMap<IncidentNumber, Incident>,
    around: HashMap<IncidentNumber, Surroundings>,
    assignees: HashMap<UserId, (Person, Option<Scopes>)>,
    tags: HashMap<i64, Vec<TagLabel>>,
    /// The titles of the tasks of each, deleted ones too.
    tasks: HashMap<IncidentNumber, HashSet<String>>,
}

impl<'a> Known<'a> {
    pub(super) async fn read(
        tx: &mut Tx,
        organization: OrgId,
        author: &'a Author,
        imported: &[&ImportedIncident],
    ) -> Result<Self> {
        let references: Vec<_> = imported.iter().filter_map(|it| it.reference.as_ref()).collect();
        let referenced = with_references(tx, organization, &references).await?;
        let named = with_names(tx, organization, imported).await?;
        let named_numbers = named.values().flatten().map(|(number, _)| *number);
        let numbers: Vec<IncidentNumber> = referenced.values().copied().chain(named_numbers).collect();
        let found = get_many(tx, organization, &Viewer::of(author), &numbers).await?;
        let incidents: HashMap<_, _> = found.into_iter().map(|it| (it.number, it)).collect();
        let ids: BTreeSet<i64> = incidents.keys().map(|number| number.number()).collect();
        let tags = TAGS.labels(tx, organization, ids.iter().copied(), None).await?;
        let has_tasks = imported.iter().any(|it| !it.tasks.is_empty());
        let tasks = if has_tasks { tasks::titles(tx, organization, &ids).await? } else { HashMap::new() };
        let assignees = imported.iter().filter_map(|it| it.new.assigned_to);
        let assignees = people::with_scopes(tx, organization, assignees).await?;
        let around = HashMap::new();
        let mut known = Self { author, referenced, named, incidents, around, assignees, tags, tasks };
        let gated = known.gated(imported);
        if !gated.is_empty() {
            known.around = surroundings_of_all(tx, organization, &gated).await?;
        }
        Ok(known)
    }

    /// Those for which it counts what closing requires.
    fn gated(&self, imported: &[&ImportedIncident]) -> Vec<Incident> {
        let is_gated = |it: &ImportedIncident, before: &Incident| {
            let is_closed = it.past.status == Some(Status::Closed) && before.status != Status::Closed;
            is_closed || it.patch(before).depends_on_surroundings(before.status)
        };
        let found = imported.iter().filter_map(|it| Some((it, self.before(it).ok()??)));
        found.filter(|(it, before)| is_gated(it, before)).map(|(_, before)| before.clone()).collect()
    }

    /// What is to be written for an incident, or what is wrong.
    pub(super) fn change<'p>(
        &self,
        imported: &'p ImportedIncident,
        (found, unknown): (&Named<'_>, &[TagName]),
        at: Timestamp,
    ) -> std::result::Result<Change<'p>, Wrong> {
        let before = self.before(imported)?;
        let facts = self.facts(imported, before);
        // The number of a new one is not known yet.
        let (was, after) = match before {
            Some(before) => {
                (before.clone(), imported.past.apply(&imported.patch(before), before, &facts, at))
            }
            None => {
                let declared = imported.declare(IncidentNumber(0), &facts, at);
                declared.map_or_else(
                    |error| Err(sentences(error)),
                    |(declared, after)| Ok((declared, Ok(after))),
                )?
            }
        };
        let (after, is_overridden) = (after.map_err(sentences)?, imported.past.is_other(&was));
        let number = before.map(|incident| incident.number);
        let on = number.and_then(|number| self.tags.get(&number.number()));
        let on = on.map(Vec::as_slice).unwrap_or_default();
        let tags = tags_to_add(&imported.new.tags, on, found, unknown, "An incident")?;
        let titles = number.and_then(|number| self.tasks.get(&number));
        let is_there = |new: &&NewTask| titles.is_some_and(|titles| titles.contains(&*new.title));
        let tasks = imported.tasks.iter().filter(|new| !is_there(new)).collect();
        let after = after.filter(|_| before.is_some());
        Ok(Change { imported, facts, before: before.cloned(), after, is_overridden, tasks, tags })
    }

    fn facts(&self, imported: &ImportedIncident, before: Option<&Incident>) -> Facts {
        let assignee = imported.new.assigned_to.and_then(|id| self.assignees.get(&id));
        let assignee = assignee.filter(|(_, scopes)| scopes.is_some()).map(|(person, _)| person.clone());
        let around = before.and_then(|before| self.around.get(&before.number));
        Facts {
            assignee,
            members: BTreeSet::new(),
            duplicate: None,
            around: around.copied().unwrap_or_default(),
            author: self.author.actor.clone(),
            scopes: self.author.scopes(),
        }
    }

    /// The incident that a row is about, if it is there: the one with its reference, or else one without a reference that has
    /// its title, and its detection time if the row has one.
    fn before(&self, imported: &ImportedIncident) -> std::result::Result<Option<&Incident>, Wrong> {
        if let Some(reference) = &imported.reference {
            let key = (reference.source.to_string(), reference.reference.to_string());
            let Some(number) = self.referenced.get(&key) else { return Ok(None) };
            let taken = || vec!["Another incident has this reference.".to_owned()];
            return self.incidents.get(number).map(Some).ok_or_else(taken);
        }
        let (title, detected) = imported.name();
        let same = self.named.get(title.as_str()).into_iter().flatten();
        let same = same.filter(|(_, at)| detected.is_none_or(|detected| is_same(detected, *at)));
        Ok(same.filter_map(|(number, _)| self.incidents.get(number)).nth(imported.nth))
    }
}

/// The incidents without a reference that have the titles of these, in the order of their numbers, each with its detection time.
/// If all of these say when they were detected, only the incidents of that time.
async fn with_names(
    tx: &mut Tx,
    organization: OrgId,
    imported: &[&ImportedIncident],
) -> Result<HashMap<String, Vec<(IncidentNumber, Timestamp)>>> {
    let mut found: HashMap<String, Vec<(IncidentNumber, Timestamp)>> = HashMap::new();
    let names: Vec<_> = imported.iter().filter(|it| it.reference.is_none()).map(|it| it.name()).collect();
    if names.is_empty() {
        return Ok(found);
    }
    let first = names.iter().map(|(_, at)| at.unwrap_or(Timestamp::UNIX_EPOCH)).min();
    // A time may stand for each of its second.
    let last = names.iter().map(|(_, at)| second_after(at.unwrap_or(tx.at()))).max();
    let sql = format!(
        "SELECT r.title, r.number, r.detected_date FROM incident AS r
         WHERE r.organization = $1 AND r.title IN (SELECT wanted.item FROM {})
           AND r.detected_date >= $3 AND r.detected_date <= $4
           AND r.external_source IS NULL AND r.deleted_date IS NULL
         ORDER BY r.number",
        wanted_texts(tx.engine(), "$2")
    );
    let titles = json!(names.iter().map(|(title, _)| title).collect::<Vec<_>>()).to_string();
    let params: [&dyn Param; 4] = [&organization.uuid(), &titles, &first, &last];
    for (title, number, at) in tx.query::<(String, i64, Timestamp)>(&sql, &params).await? {
        found.entry(title).or_default().push((IncidentNumber(number), at));
    }
    Ok(found)
}
