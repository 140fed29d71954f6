//! Finding the latest request of an actor by its id.
//!
//! Request ids have no index: it would cost every entry about as much as two per cent of a creation, and a bulk deletion
//! more. A request is undone soon after it was made, so its entries are near the head, where the search begins.

use db::{FromRow, Param, Row, Tx};
use domain::undo::oldest;
use domain::{Actor, Error, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use crate::error::Result;
use crate::journal;

/// Entries that one statement looks at.
const PAGE: i64 = 10_000;

/// A search from the head of the journal back to the oldest request that can be undone. It runs in a read, so that no
/// write waits for it; the write then only looks at the entries that were appended meanwhile.
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

#[derive(Debug, Clone)]
struct FoundRequest {
    at: Timestamp,
    entries: Vec<RequestEntry>,
}

/// An entry of the request.
#[derive(Debug, Clone)]
pub(super) struct RequestEntry {
    pub(super) seq: i64,
    pub(super) kind: String,
    pub(super) subject_kind: String,
    pub(super) subject_id: String,
}

impl FromRow for RequestEntry {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let (subject_kind, subject_id) = (row.get(2)?, row.get(3)?);
        Ok(Self { seq: row.get(0)?, kind: row.get(1)?, subject_kind, subject_id })
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

    /// How many entries the request has that was found so far.
    pub fn entries(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.entries.len())
    }

    /// The entries of the request, in a write: no other request can be the latest one from then on.
    pub(super) async fn finish(&self, tx: &mut Tx) -> Result<Vec<RequestEntry>> {
        let (head, oldest) = (tx.head(self.organization)?.seq, oldest(tx.at()));
        let later = self.latest(tx, self.head.unwrap_or_default(), head, oldest).await?;
        let found = match later.filter(|(_, at)| *at >= oldest) {
            Some((seq, at)) => Some(self.request(tx, seq, at).await?),
            None => self.found.clone().filter(|found| found.at >= oldest),
        };
        Ok(found.ok_or(Error::NotFound(ResourceKind::Request))?.entries)
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

    /// The request whose last entry this is. A write has one time, which no other write of the organization has, and its
    /// entries follow each other.
    async fn request(&self, tx: &mut Tx, last: i64, at: Timestamp) -> Result<FoundRequest> {
        let sql = "SELECT seq, kind, subject_kind, subject_id FROM journal_entry
                   WHERE organization = $1 AND seq <= $2 AND seq > COALESCE(
                       (SELECT seq FROM journal_entry WHERE organization = $1 AND seq < $2 AND at < $3
                        ORDER BY seq DESC LIMIT 1), 0)
                   ORDER BY seq";
        let params: [&dyn Param; 3] = [&self.organization.uuid(), &last, &at];
        Ok(FoundRequest { at, entries: tx.query(sql, &params).await? })
    }
}
