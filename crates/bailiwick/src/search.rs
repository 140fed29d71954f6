//! The index of searches follows the journal, in small writes beside the requests. Each process does it; what one has done the
//! others no longer find. Stopping it at any moment leaves nothing half done.

use std::time::Duration;

use db::{Db, Tx};
use domain::OrgId;
use store::search::{self, Followed};

/// How long after the last change was indexed the journals are looked at again: what is written is found within a second.
const EVERY: Duration = Duration::from_millis(200);
/// How long after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// The organizations that one read looks for.
const ORGANIZATIONS: i64 = 100;
/// The entries that one write follows: a few milliseconds.
const ENTRIES: i64 = 64;
/// The entries that one write follows while there are many more: each of its pages then serves more of them.
const MOST_ENTRIES: i64 = 512;

/// Runs until the future is dropped.
pub(crate) async fn run(db: Db) {
    loop {
        let pause = match catch_up(&db).await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(error = %error.0, "the index of searches could not be written; it is tried again");
                AFTER_FAILURE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Brings every index up to date. The organizations take turns, and the turns grow while they are behind.
async fn catch_up(db: &Db) -> store::Result<()> {
    let mut entries = ENTRIES;
    loop {
        let behind = search::organizations_behind(&mut db.read().await?, ORGANIZATIONS).await?;
        if behind.is_empty() {
            return Ok(());
        }
        for organization in behind {
            follow(db, organization, entries).await?;
        }
        entries = MOST_ENTRIES.min(entries * 2);
    }
}

async fn follow(db: &Db, organization: OrgId, entries: i64) -> store::Result<Followed> {
    db.write(organization, async move |tx: &mut Tx| search::follow(tx, organization, entries).await).await
}

/// Removes the index of an organization and makes it again. Returns up to which journal entry it is.
pub(crate) async fn rebuild(
    db: &Db,
    organization: OrgId,
    mut followed: impl FnMut(Followed),
) -> store::Result<i64> {
    let clear =
        || db.write_alone(organization, async move |tx: &mut Tx| search::clear(tx, organization).await);
    while clear().await? {}
    loop {
        let done = follow(db, organization, MOST_ENTRIES).await?;
        if done.entries == 0 {
            return Ok(done.seq);
        }
        followed(done);
    }
}
