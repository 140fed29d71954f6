//! Deleting and restoring many incidents. The number of statements does not depend on how many: each
//! runs once for all rows, which are sent together.

use std::collections::BTreeMap;

use db::{Param, Tx};
use domain::bulk::{BulkOutcome, distinct};
use domain::incident::Incident;
use domain::time::format;
use domain::{Author, IncidentNumber, OrgId};
use jiff::Timestamp;

use super::subject;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::{self, New, Payload};
use crate::record::Record as _;

/// Deletes incidents softly, each with its own journal entry, by number. What does not exist
/// or is deleted already is not found. Over 1,000 ids belong into `Db::write_alone`.
pub async fn delete_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
) -> Result<BulkOutcome> {
    mark(tx, organization, author, ids, Mark::Deleted).await
}

/// Restores deleted incidents, each with its own journal entry, by number. What does not
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
    let before = find(tx, organization, &ids, mark).await?;
    let not_found = ids.into_iter().filter(|id| !before.contains_key(&id.number())).collect();
    let changed_count = i64::try_from(before.len()).unwrap_or(i64::MAX);
    if changed_count > 0 {
        let after = mark.deleted_date(tx.at());
        let entry = |(number, before): (&i64, &Option<Timestamp>)| {
            let payload = Payload::new().change("deleted_date", before.map(format), after.map(format));
            New { kind: mark.kind(), subject: subject(IncidentNumber(*number)), payload }
        };
        let last = journal::append_all(tx, organization, author, before.iter().map(entry).collect()).await?;
        set(tx, organization, before.into_keys(), after, last - changed_count + 1).await?;
    }
    Ok(BulkOutcome { changed_count, not_found })
}

/// Those of `ids` that `mark` applies to, with their `deleted_date`, by number.
async fn find(
    tx: &mut Tx,
    organization: OrgId,
    ids: &[IncidentNumber],
    mark: Mark,
) -> Result<BTreeMap<i64, Option<Timestamp>>> {
    let one = "FROM incident WHERE incident.organization = $1 AND incident.number = wanted.number";
    let wanted = wanted_numbers(tx.engine());
    let numbers = numbers_parameter(ids.iter().map(|id| id.number()));
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    Ok(match mark {
        Mark::Deleted => {
            let sql = format!(
                "SELECT (SELECT incident.number {one} AND incident.deleted_date IS NULL) FROM {wanted}"
            );
            let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
            rows.into_iter().filter_map(|(number,)| Some((number?, None))).collect()
        }
        Mark::Restored => {
            let sql = format!("SELECT number, (SELECT incident.deleted_date {one}) FROM {wanted}");
            let rows: Vec<(i64, Option<Timestamp>)> = tx.query(&sql, &params).await?;
            rows.into_iter().filter(|(_, deleted_date)| deleted_date.is_some()).collect()
        }
    })
}

/// Sets `deleted_date`, after copying the rows to the history. The entry of the first of `numbers` is
/// `first_seq`, the others follow it.
async fn set(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl Iterator<Item = i64>,
    deleted_date: Option<Timestamp>,
    first_seq: i64,
) -> Result<()> {
    let update =
        "UPDATE incident SET deleted_date = $4, updated_date = $5, version = version + 1, seq_from = $3
                  WHERE organization = $1 AND number = $2";
    let (organization, at) = (organization.uuid(), tx.at());
    let rows: Vec<(i64, i64)> = numbers.zip(first_seq..).collect();
    let ended: Vec<[&dyn Param; 3]> =
        rows.iter().map(|(number, seq)| -> [&dyn Param; 3] { [&organization, number, seq] }).collect();
    let begun: Vec<[&dyn Param; 5]> = rows
        .iter()
        .map(|(number, seq)| -> [&dyn Param; 5] { [&organization, number, seq, &deleted_date, &at] })
        .collect();
    tx.send_many(&Incident::statements().keep_history, &ended).await?;
    tx.send_many(update, &begun).await?;
    Ok(())
}
