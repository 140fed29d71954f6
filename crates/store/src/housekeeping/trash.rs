//! Emptying the trash: purging records that were deleted at least `trash_days` ago.
//!
//! A purged record is gone for good, from the present and from the past. Only its journal entries remain, without
//! payloads (who did what when), and one more entry with its dates.

use db::{Param, Tx};
use domain::organization::purged_before;
use domain::{Author, OrgId};
use jiff::Timestamp;
use uuid::Uuid;

use super::Taken;
use crate::error::Result;
use crate::journal::{self, New, Payload, Subject};
use crate::{incidents, risks};

/// At most so many records are purged in one write.
pub(crate) const MOST_RECORDS: i64 = 20;

/// And only so many that they have at most so many journal entries together, unless it is one alone:
/// what a record leaves behind grows with its entries.
const MOST_ENTRIES: i64 = 100;

/// The nouns whose deleted records are purged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trash {
    /// Incidents.
    Incidents,
    /// Risks, with their evaluations and links.
    Risks,
}

impl Trash {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Incidents, Self::Risks];

    /// The name, as it is measured and logged.
    pub fn name(self) -> &'static str {
        match self {
            Self::Incidents => "deleted_incidents",
            Self::Risks => "deleted_risks",
        }
    }

    fn table(self) -> &'static str {
        match self {
            Self::Incidents => "incident",
            Self::Risks => "risk",
        }
    }

    /// The statement that looks at `$2` organizations after `$1`, also for the test that holds it
    /// against the indexes.
    #[doc(hidden)]
    pub fn statement(self) -> String {
        let table = self.table();
        format!(
            "SELECT id, trash_days,
                    (SELECT deleted_date FROM {table}
                     WHERE {table}.organization = organization.id AND deleted_date IS NOT NULL
                     ORDER BY deleted_date LIMIT 1)
             FROM organization WHERE id > $1 ORDER BY id LIMIT $2"
        )
    }
}

/// Looks at up to `limit` organizations after `after`, in the order of their ids: which of them have
/// something to purge at `now`, and the last one looked at; none when there are no more. Only reads.
pub async fn organizations_with_due(
    tx: &mut Tx,
    trash: Trash,
    now: Timestamp,
    after: OrgId,
    limit: i64,
) -> Result<(Vec<OrgId>, Option<OrgId>)> {
    let looked_at: Vec<(Uuid, i64, Option<Timestamp>)> =
        tx.query(&trash.statement(), &[&after.uuid(), &limit]).await?;
    let last = looked_at.last().map(|(id, ..)| OrgId(*id));
    let due = looked_at.into_iter().filter(|(_, trash_days, oldest)| {
        let before = purged_before(now, *trash_days);
        before.zip(*oldest).is_some_and(|(before, oldest)| oldest <= before)
    });
    Ok((due.map(|(id, ..)| OrgId(id)).collect(), last))
}

/// Purges some of an organization's records that have been in the trash for its `trash_days`, the first
/// deleted first, each with its own journal entry. For [`db::Db::write_alone`].
pub async fn purge(tx: &mut Tx, organization: OrgId, author: &Author, trash: Trash) -> Result<Taken> {
    match trash {
        Trash::Incidents => incidents::purge(tx, organization, author).await,
        Trash::Risks => risks::purge(tx, organization, author).await,
    }
}

/// How records of one kind are purged.
pub(crate) struct PurgePlan {
    /// The kind of the entry that tells of it.
    pub(crate) kind: &'static str,
    /// Deletes what a record has in each table: `$1` is the organization, `$2` the number.
    pub(crate) deletes: &'static [&'static str],
}

/// A record that is to be purged.
pub(crate) struct Purgeable {
    /// Its number.
    pub(crate) number: i64,
    /// Its journal entries, near enough.
    pub(crate) entries: i64,
    /// The record as the journal calls it.
    pub(crate) subject: Subject,
    /// What is to be left of it.
    pub(crate) remains: Payload,
}

/// Purges the first of `records`, as many as one write may. The head is held and they were read in this
/// write, so none can be restored meanwhile.
pub(crate) async fn purge_records(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    plan: &PurgePlan,
    mut records: Vec<Purgeable>,
) -> Result<Taken> {
    let (found, fitting) = (records.len(), fitting(&records));
    records.truncate(fitting);
    if records.is_empty() {
        return Ok(Taken::default());
    }
    let org = organization.uuid();
    let rows: Vec<[&dyn Param; 2]> =
        records.iter().map(|record| -> [&dyn Param; 2] { [&org, &record.number] }).collect();
    for delete in plan.deletes {
        tx.execute_many(delete, &rows).await?;
    }
    let subjects: Vec<_> = records.iter().map(|record| record.subject.clone()).collect();
    journal::erase(tx, organization, &subjects).await?;
    let entry = |Purgeable { subject, remains, .. }| New { kind: plan.kind, subject, payload: remains };
    journal::append_all(tx, organization, author, records.into_iter().map(entry).collect()).await?;
    Ok(Taken { count: u64::try_from(fitting).unwrap_or(u64::MAX), more: fitting < found })
}

/// How many of the first records fit into one write.
fn fitting(records: &[Purgeable]) -> usize {
    let most = usize::try_from(MOST_RECORDS).unwrap_or(usize::MAX);
    let entries = records.iter().scan(0, |sum, record| {
        *sum += record.entries;
        Some(*sum)
    });
    let fitting = entries.take(most).take_while(|sum| *sum <= MOST_ENTRIES).count();
    fitting.max(1).min(records.len())
}
