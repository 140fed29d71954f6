//! Finding the latest request of an actor by its id.
//!
//! Request ids have no index: it would cost every entry about as much as two per cent of a creation, and a bulk deletion
//! more. A request is undone soon after it was made, so its entries are near the head, where the search begins.

use db::{FromRow, Param, Row, Tx};
use domain::undo::{oldest, required_scope};
use domain::{Actor, Error, OrgId, ResourceKind, Scopes};
use jiff::Timestamp;
use macros::boxed;

use super::{ChangedRecord, changed_records, continued};
use crate::ledger::bulk::cost;
use crate::ledger::error::Result;
use crate::ledger::journal;

/// Entries that one statement looks at.
const PAGE: i64 = 10_000;

/// A search from the head of the journal back to the oldest request that can be undone. It runs in a read, so that no
/// write waits for it; what the same caller does meanwhile under the same id comes after the undo.
#[derive(Debug, Clone)]
pub struct Search {
    organization: OrgId,
    actor: Actor,
    request_id: String,
    /// The head when the search began; none before.
    head: Option<i64>,
    /// The next entry to look at.
    next: i64,
    found: Option<FoundRequest>,
}

/// A request that was found.
#[derive(Debug, Clone)]
pub(super) struct FoundRequest {
    /// When its last write was made.
    at: Timestamp,
    entries: usize,
    /// The scopes that it needed.
    pub(super) scopes: Scopes,
    records: Vec<ChangedRecord>,
}

impl FoundRequest {
    fn of(at: Timestamp, entries: &[RequestEntry]) -> Self {
        let scopes = entries.iter().filter_map(|entry| required_scope(&entry.kind)).collect();
        Self { at, entries: entries.len(), scopes, records: changed_records(entries) }
    }

    /// The records after the first `done` that were changed in one write: as many as one write may undo at most.
    pub(super) fn next(&self, done: usize) -> Vec<ChangedRecord> {
        let rest = self.records.get(done..).unwrap_or_default();
        let before = rest.first().map(|record| record.before);
        let of_one = rest.iter().take_while(|record| Some(record.before) == before);
        of_one.take(cost::most_records(cost::MOST_OF_A_PART)).cloned().collect()
    }
}

/// An entry of the request.
#[derive(Debug, Clone)]
pub(super) struct RequestEntry {
    pub(super) seq: i64,
    pub(super) at: Timestamp,
    pub(super) kind: String,
    pub(super) subject_kind: String,
    pub(super) subject_id: String,
}

impl FromRow for RequestEntry {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let (subject_kind, subject_id) = (row.get(3)?, row.get(4)?);
        Ok(Self { seq: row.get(0)?, at: row.get(1)?, kind: row.get(2)?, subject_kind, subject_id })
    }
}

impl Search {
    /// A search for the latest request with this id by `actor`.
    pub fn new(organization: OrgId, actor: &Actor, request_id: &str) -> Self {
        let (actor, request_id) = (actor.clone(), request_id.to_owned());
        Self { organization, actor, request_id, head: None, next: 0, found: None }
    }

    /// Looks at the next entries in a read. Returns whether there are more to look at.
    #[boxed]
    pub async fn advance(&mut self, tx: &mut Tx) -> Result<bool> {
        if self.head.is_none() {
            let head = journal::head(tx, self.organization).await?.seq;
            (self.head, self.next) = (Some(head), head);
        }
        let (after, oldest) = (self.next - PAGE, oldest(tx.at()));
        let is_finished = match self.latest(tx, after, self.next, oldest).await? {
            None => after <= 0,
            Some((seq, at)) => {
                if at >= oldest {
                    self.found = Some(self.request(tx, seq, at).await?);
                }
                true
            }
        };
        self.next = after;
        Ok(!is_finished)
    }

    /// How many entries the request has that was found.
    pub fn entries(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.entries)
    }

    /// How many records it changed.
    pub fn records(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.records.len())
    }

    /// The last journal entry when the search began.
    pub(super) fn head(&self) -> i64 {
        self.head.unwrap_or_default()
    }

    /// The request that was found, unless it is too old by now when it `begins` to be undone.
    pub(super) fn found(&self, tx: &Tx, begins: bool) -> Result<&FoundRequest> {
        let found = self.found.as_ref().filter(|found| !begins || found.at >= oldest(tx.at()));
        Ok(found.ok_or(Error::NotFound(ResourceKind::Request))?)
    }

    /// The latest entry of such a request with a number above `after` and up to `last`, or an entry that is too old and
    /// comes after it: number and time.
    async fn latest(
        &self,
        tx: &mut Tx,
        after: i64,
        last: i64,
        oldest: Timestamp,
    ) -> Result<Option<(i64, Timestamp)>> {
        // Entries are read from the last one on until one fits: nothing is read beyond the first that is too old.
        let sql = "SELECT seq, at FROM journal_entry
                   WHERE organization = $1 AND seq > $2 AND seq <= $3
                     AND (at < $4 OR (request_id = $5 AND actor_kind = $6 AND actor_id = $7))
                   ORDER BY seq DESC LIMIT 1";
        let (organization, actor_kind) = (self.organization.uuid(), self.actor.kind.as_str());
        let params: [&dyn Param; 7] =
            [&organization, &after, &last, &oldest, &self.request_id, &actor_kind, &self.actor.id];
        Ok(tx.query_opt(sql, &params).await?)
    }

    /// The request whose last entry this is. The entries of a write follow each other; those of a request of several writes
    /// have others between them.
    async fn request(&self, tx: &mut Tx, last: i64, at: Timestamp) -> Result<FoundRequest> {
        let sql = "SELECT seq, at, kind, subject_kind, subject_id FROM journal_entry
                   WHERE organization = $1 AND seq <= $2 AND seq > COALESCE(
                       (SELECT seq FROM journal_entry WHERE organization = $1 AND seq < $2 AND at < $3
                        ORDER BY seq DESC LIMIT 1), 0)
                   ORDER BY seq";
        let params: [&dyn Param; 3] = [&self.organization.uuid(), &last, &at];
        let entries: Vec<RequestEntry> = tx.query(sql, &params).await?;
        let first = entries.first().map_or(last, |entry| entry.seq);
        match continued::after(tx, self.organization, first).await? {
            None => Ok(FoundRequest::of(at, &entries)),
            Some(after) => Ok(FoundRequest::of(at, &self.all_entries(tx, after, last).await?)),
        }
    }

    /// The entries of all writes of the request, between these two.
    async fn all_entries(&self, tx: &mut Tx, after: i64, last: i64) -> Result<Vec<RequestEntry>> {
        let sql = "SELECT seq, at, kind, subject_kind, subject_id FROM journal_entry
                   WHERE organization = $1 AND seq > $2 AND seq <= $3
                     AND request_id = $4 AND actor_kind = $5 AND actor_id = $6
                   ORDER BY seq";
        let (organization, actor_kind) = (self.organization.uuid(), self.actor.kind.as_str());
        let params: [&dyn Param; 6] =
            [&organization, &after, &last, &self.request_id, &actor_kind, &self.actor.id];
        Ok(tx.query(sql, &params).await?)
    }
}
