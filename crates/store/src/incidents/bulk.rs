//! Deleting and restoring many incidents. The number of statements does not depend on how many, but
//! for the journal's rows, which are sent together.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::bulk::{BulkOutcome, distinct};
use domain::time::format;
use domain::{Author, IncidentNumber, OrgId};
use jiff::Timestamp;

use super::fields::subject;
use super::row::STORED;
use crate::dialect::{numbers_parameter, numbers_table};
use crate::error::Result;
use crate::journal::{self, New, Payload};

/// Deletes incidents softly, each with its own journal entry, in the order given. What does not exist
/// or is deleted already is not found. Over 1,000 ids belong into `Db::write_alone`.
pub async fn delete_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
) -> Result<BulkOutcome> {
    mark(tx, organization, author, ids, Mark::Deleted).await
}

/// Restores deleted incidents, each with its own journal entry, in the order given. What does not
/// exist or is not deleted is not found. Over 1,000 ids belong into `Db::write_alone`.
pub async fn restore_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
) -> Result<BulkOutcome> {
    mark(tx, organization, author, ids, Mark::Restored).await
}

#[derive(Clone, Copy)]
enum Mark {
    Deleted,
    Restored,
}

impl Mark {
    /// The condition on the incidents that it applies to.
    fn condition(self) -> &'static str {
        match self {
            Self::Deleted => "incident.deleted_date IS NULL",
            Self::Restored => "incident.deleted_date IS NOT NULL",
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Deleted => "incident.deleted",
            Self::Restored => "incident.restored",
        }
    }

    fn deleted_date(self, at: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Deleted => Some(at),
            Self::Restored => None,
        }
    }
}

async fn mark(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
    mark: Mark,
) -> Result<BulkOutcome> {
    let ids = distinct(ids);
    let before = marked_otherwise(tx, organization, &ids, mark).await?;
    let (found, not_found): (Vec<IncidentNumber>, Vec<IncidentNumber>) =
        ids.into_iter().partition(|id| before.contains_key(&id.number()));
    let changed_count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    if !found.is_empty() {
        let after = mark.deleted_date(tx.at());
        let entry = |id: &IncidentNumber| {
            let before = before.get(&id.number()).copied().flatten();
            let payload = Payload::new().change("deleted_date", before.map(format), after.map(format));
            New { kind: mark.kind(), subject: subject(*id), payload }
        };
        let last = journal::append_all(tx, organization, author, found.iter().map(entry).collect()).await?;
        set(tx, organization, &found, after, last - changed_count + 1).await?;
    }
    Ok(BulkOutcome { changed_count, not_found })
}

/// Which of `ids` are there and not yet as they shall be, with their `deleted_date`.
async fn marked_otherwise(
    tx: &mut Tx,
    organization: OrgId,
    ids: &[IncidentNumber],
    mark: Mark,
) -> Result<HashMap<i64, Option<Timestamp>>> {
    let sql = format!(
        "SELECT incident.number, incident.deleted_date FROM {numbers}
         JOIN incident ON incident.organization = $1 AND incident.number = wanted.number WHERE {condition}",
        numbers = numbers_table(tx.engine(), "wanted"),
        condition = mark.condition(),
    );
    let numbers = numbers_parameter(ids.iter().map(|id| id.number()));
    let rows: Vec<(i64, Option<Timestamp>)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().collect())
}

/// Sets `deleted_date`, after copying the rows to the history. The entry of the first of `found` is
/// `first_seq`, the others follow it.
async fn set(
    tx: &mut Tx,
    organization: OrgId,
    found: &[IncidentNumber],
    deleted_date: Option<Timestamp>,
    first_seq: i64,
) -> Result<()> {
    let numbers = numbers_table(tx.engine(), "entry");
    let history = format!(
        "INSERT INTO incident_history ({STORED}, seq_to)
         SELECT {columns}, CAST($3 AS BIGINT) + entry.position FROM {numbers}
         JOIN incident ON incident.organization = $1 AND incident.number = entry.number",
        columns =
            STORED.split(", ").map(|name| format!("incident.{}", name.trim())).collect::<Vec<_>>().join(", "),
    );
    let update = format!(
        "UPDATE incident SET deleted_date = $4, updated_date = $5, version = version + 1,
                seq_from = CAST($3 AS BIGINT) + entry.position
         FROM {numbers} WHERE incident.organization = $1 AND incident.number = entry.number"
    );
    let (organization, at) = (organization.uuid(), tx.at());
    let parameter = numbers_parameter(found.iter().map(|id| id.number()));
    let params: [&dyn Param; 5] = [&organization, &parameter, &first_seq, &deleted_date, &at];
    tx.execute(&history, &[&organization, &parameter, &first_seq]).await?;
    tx.execute(&update, &params).await?;
    Ok(())
}
