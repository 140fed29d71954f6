//! The index of searches follows the journal, in small writes beside the requests. Each process does it; what one has done the
//! others no longer find. Stopping it at any moment leaves nothing half done.

use std::time::Duration;

use db::{Db, Engine, Tx};
use domain::OrgId;
use store::search::{self, Followed};

/// How long after the last change was indexed the journals are looked at again: what is written is found within a second.
const EVERY: Duration = Duration::from_millis(200);
/// How long after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// The organizations that one read looks for.
const ORGANIZATIONS: i64 = 100;
/// The entries that one write follows, at least: some two milliseconds, for which other writes wait.
const ENTRIES: i64 = 64;

/// The entries that one write follows where many are to be followed: each of its pages then serves more of them. What they change
/// is found out before, beside other writes, which then wait for up to 8 milliseconds with SQLite, and those of the same
/// organization for up to 30 with PostgreSQL, where a smaller number would not catch up with 5,000 entries a second.
fn most_entries(engine: Engine) -> i64 {
    match engine {
        Engine::Sqlite => 256,
        Engine::Postgres => 512,
    }
}

/// Runs until the future is dropped.
pub(crate) async fn run(db: Db) {
    loop {
        let pause = match catch_up(&db).await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(error = %error.0, "the search index could not be updated; it is retried");
                AFTER_FAILURE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Brings every index up to date.
async fn catch_up(db: &Db) -> store::Result<()> {
    while !turn(db).await?.is_empty() {}
    Ok(())
}

/// Gives every organization whose index is behind one step, which has a bounded number of entries and of bytes: one that has much
/// to index does not delay the others. Returns them.
async fn turn(db: &Db) -> store::Result<Vec<OrgId>> {
    let (mut after, mut all) = (None, Vec::new());
    loop {
        let behind = search::organizations_behind(&mut db.read().await?, after, ORGANIZATIONS).await?;
        let Some((last, _)) = behind.last() else { return Ok(all) };
        after = Some(*last);
        for (organization, entries) in behind {
            follow(db, organization, (entries / 4).clamp(ENTRIES, most_entries(db.engine()))).await?;
            all.push(organization);
        }
    }
}

async fn follow(db: &Db, organization: OrgId, entries: i64) -> store::Result<Followed> {
    let step = search::step(&mut db.read().await?, organization, entries).await?;
    let follow = async move |tx: &mut Tx| search::follow(tx, organization, entries, step.as_ref()).await;
    db.write(organization, follow).await
}

/// Removes the index of an organization and makes it again. Returns up to which journal entry it is.
pub(crate) async fn rebuild(
    db: &Db,
    organization: OrgId,
    mut followed: impl FnMut(Followed),
) -> store::Result<i64> {
    db.write(organization, async move |tx: &mut Tx| search::clear(tx, organization).await).await?;
    loop {
        let done = follow(db, organization, most_entries(db.engine())).await?;
        if done.is_done {
            return Ok(done.seq);
        }
        followed(done);
    }
}

#[cfg(test)]
mod tests {
    use domain::incident::NewIncident;
    use testkit::{TestDb, author, both_engines, comment};

    use super::*;

    /// An incident with so many comments of 64 KiB.
    async fn discussed(db: &TestDb, organization: OrgId, comments: usize) {
        let work = async move |tx: &mut Tx| {
            let incident =
                store::incidents::create(tx, organization, &author(), &NewIncident::untitled()).await?;
            for number in 0..comments {
                let new = comment(&format!("word{number} {}", "x ".repeat(32_000)));
                store::notes::create(tx, organization, &author(), incident.number, &new).await?;
            }
            Ok::<_, store::Error>(())
        };
        db.write(organization, work).await.unwrap();
    }

    #[both_engines]
    async fn an_organization_with_much_to_index_does_not_delay_one_with_little(db: TestDb) {
        let (much, little) = (db.organization("Much Ltd").await, db.organization("Little Ltd").await);
        while !turn(&db).await.unwrap().is_empty() {}
        discussed(&db, much, 6).await;
        discussed(&db, little, 0).await;
        let both: std::collections::BTreeSet<OrgId> = turn(&db).await.unwrap().into_iter().collect();
        assert_eq!(both, [much, little].into());
        for _ in 0..5 {
            assert_eq!(turn(&db).await.unwrap(), [much], "one comment is one step, and the other is done");
        }
        while !turn(&db).await.unwrap().is_empty() {}
        let report = store::verify::verify(&mut db.read().await.unwrap(), much, None).await.unwrap();
        assert_eq!(report.faults, []);
    }
}
