//! Deleting and restoring many incidents.

use db::Tx;
use domain::bulk::{BulkOutcome, distinct};
use domain::incident::{Incident, Viewer};
use domain::{Author, Error, IncidentNumber, OrgId};
use macros::boxed;

use super::{read, references};
use crate::ledger::bulk::cost::{self, Texts};
use crate::ledger::error::Result;
use crate::ledger::trash::{self, Mark};

/// Deletes incidents softly, each with its own journal entry, by number. What does not exist
/// or is deleted already is not found. All in one write: more than others can wait for is refused. Over 1,000 ids belong into
/// `Db::write_alone`.
#[boxed]
pub async fn delete_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    ids: &[IncidentNumber],
) -> Result<BulkOutcome> {
    mark(tx, organization, author, ids, Mark::Deleted).await
}

/// Restores deleted incidents, each with its own journal entry, by number. What does not
/// exist or is not deleted is not found. If references of external systems are taken, none is restored. Over 1,000 ids belong into `Db::write_alone`.
#[boxed]
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
    let unseen = read::unseen(tx, organization, &Viewer::of(author), &found).await?;
    before.retain(|number, _| !unseen.contains(number));
    if mark == Mark::Restored && !before.is_empty() {
        let taken = references::taken(tx, organization, before.keys().copied()).await?;
        if !taken.is_empty() {
            return Err(Error::ExternalRefTaken(taken).into());
        }
    }
    let numbers: Vec<i64> = before.keys().copied().collect();
    let costs = cost::of::<Incident>(tx, organization, &numbers, Texts::Written).await?;
    if costs.values().sum::<i64>() > cost::MOST_OF_ONE {
        return Err(cost::too_much("#/ids", "send fewer").into());
    }
    if !before.is_empty() {
        trash::mark::<Incident>(tx, organization, author, &before, mark).await?;
    }
    let not_found = ids.into_iter().filter(|id| !before.contains_key(&id.number())).collect();
    Ok(BulkOutcome { changed_count: i64::try_from(before.len()).unwrap_or(i64::MAX), not_found })
}
