//! Deleting and restoring many incidents.

use db::Tx;
use domain::bulk::{BulkOutcome, distinct};
use domain::incident::Incident;
use domain::{Author, IncidentNumber, OrgId};

use super::read;
use super::write::viewer;
use crate::error::Result;
use crate::trash::{self, Mark};

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

async fn mark(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
    mark: Mark,
) -> Result<BulkOutcome> {
    let ids = distinct(ids);
    let numbers = ids.iter().map(|id| id.number());
    let mut before = trash::find::<Incident>(tx, organization, numbers, mark).await?;
    let found: Vec<i64> = before.keys().copied().collect();
    let unseen = read::unseen(tx, organization, &viewer(author), &found).await?;
    before.retain(|number, _| !unseen.contains(number));
    if !before.is_empty() {
        trash::mark::<Incident>(tx, organization, author, &before, mark).await?;
    }
    let not_found = ids.into_iter().filter(|id| !before.contains_key(&id.number())).collect();
    Ok(BulkOutcome { changed_count: i64::try_from(before.len()).unwrap_or(i64::MAX), not_found })
}
