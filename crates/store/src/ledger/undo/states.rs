//! Records before the request and now.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::UserId;
use domain::undo::{Comparison, UndoResult};
use jiff::Timestamp;

use super::records::Undoable;
use super::tags::TagStates;
use super::{ChangedRecord, Request};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload, number_in};
use crate::ledger::tag_links::TagChange;
use crate::ledger::{members, record};

/// What the register has of some records of one kind.
pub(super) struct States<R> {
    /// The latest entry about each, by id.
    latest: HashMap<String, i64>,
    now: HashMap<i64, R>,
    /// Those whose fields have changed since, as they were before the request.
    before: HashMap<i64, R>,
    tags: HashMap<i64, TagStates>,
    /// The members of the organization among the people that records named before and do not name now.
    members: HashSet<UserId>,
    /// What else stands against the former state of a record, in a sentence.
    obstacles: HashMap<i64, &'static str>,
}

/// What makes a record as it was before.
pub(super) struct Change<R> {
    pub(super) number: i64,
    pub(super) fields: Option<FieldChange<R>>,
    pub(super) tags: Vec<TagChange>,
}

/// The next state of a record, and its journal entry.
pub(super) struct FieldChange<R> {
    pub(super) entry_kind: &'static str,
    pub(super) payload: Payload,
    pub(super) after: R,
}

impl<R: Undoable> States<R> {
    /// Reads the records with these ids.
    pub(super) async fn read(tx: &mut Tx, request: &Request<'_>, ids: &[&str]) -> Result<Self> {
        let (organization, last) = (request.organization, request.before);
        let numbers: Vec<i64> = ids.iter().filter_map(|id| number_in(id)).collect();
        let latest = journal::latest_of_subjects(tx, organization, R::TYPE, ids).await?;
        let now: HashMap<i64, R> = by_number(record::present(tx, organization, &numbers).await?);
        let changed: Vec<i64> = now.values().filter(|now| now.seq_from() > last).map(R::number).collect();
        let before = match changed.is_empty() {
            true => HashMap::new(),
            false => by_number(record::past(tx, organization, &changed, last).await?),
        };
        let tags = R::TAGS.states(tx, organization, &numbers, last).await?;
        let pairs: Vec<(&R, &R)> =
            before.iter().filter_map(|(number, before)| Some((now.get(number)?, before))).collect();
        let obstacles = R::obstacles(tx, organization, &pairs).await?;
        let mut states = Self { latest, now, before, tags, members: HashSet::new(), obstacles };
        let named: Vec<UserId> =
            states.before.iter().filter_map(|it| states.no_longer_named(*it.0)).collect();
        if !named.is_empty() {
            states.members = members::among(tx, organization, &named).await?;
        }
        Ok(states)
    }

    /// The person whom the record named before and does not name now.
    fn no_longer_named(&self, number: i64) -> Option<UserId> {
        let before = self.before.get(&number)?.member()?;
        let now = self.now.get(&number).and_then(R::member);
        now.is_none_or(|now| now.id != before.id).then_some(before.id)
    }

    /// What becomes of a record that is not to be changed; none for one that is.
    pub(super) fn compare(&self, record: &ChangedRecord) -> Option<UndoResult> {
        let number = number_in(&record.id).unwrap_or_default();
        let (now, before) = (self.now.get(&number), self.before.get(&number));
        let fields_differ =
            now.zip(before).is_some_and(|(now, before)| !record::changes(Some(now), before).is_empty());
        let tags = self.tags.get(&number);
        let tags_differ = tags.is_some_and(|tags| !tags.changes().is_empty());
        let former = self.no_longer_named(number).filter(|person| !self.members.contains(person));
        let former = former.and_then(|_| before?.member());
        let obstacle = self.obstacles.get(&number).copied().or_else(|| tags?.obstacle());
        UndoResult::of_record(&Comparison {
            is_latest: self.latest.get(&record.id) == Some(&record.last_seq),
            // A record that is not there was purged.
            is_as_before: now.is_some() && !fields_differ && !tags_differ,
            former_member: former.map(|person| (R::MEMBER, person)),
            obstacle,
        })
    }

    /// What makes the record as it was before.
    pub(super) fn change(&self, record: &ChangedRecord, at: Timestamp) -> Option<Change<R>> {
        let number = number_in(&record.id)?;
        let now = self.now.get(&number)?;
        let fields = self.before.get(&number).map(|before| {
            let after = before.after(now, at);
            let (entry_kind, payload) = (R::entry_kind(now, &after), record::changes(Some(now), &after));
            FieldChange { entry_kind, payload, after }
        });
        let fields = fields.filter(|change| !change.payload.is_empty());
        let tags = self.tags.get(&number).map(TagStates::changes).unwrap_or_default();
        Some(Change { number, fields, tags })
    }
}

fn by_number<R: Undoable>(records: Vec<R>) -> HashMap<i64, R> {
    records.into_iter().map(|record| (record.number(), record)).collect()
}
