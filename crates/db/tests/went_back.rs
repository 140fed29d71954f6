//! A database that lacks what a process has acknowledged: that process writes nothing more.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::cluster::Cluster;
use crate::common::{append, at, labels, open, options, organization, write};
use db::{Db, Error, Head, Location, Options, Tx, WentBack};
use testkit::proxy::{Cut, Proxy};
use testkit::{EmptyDatabase, Engine, both_engines, until};
use uuid::Uuid;

/// What was reported.
type Reported = Arc<Mutex<Vec<WentBack>>>;

/// A process, and what it reports.
async fn watched(options: Options) -> (Db, Reported) {
    let reported = Reported::default();
    let kept = Arc::clone(&reported);
    let on_went_back = Arc::new(move |found: &WentBack| kept.lock().unwrap().push(found.clone()));
    (Db::open(Options { on_went_back, ..options }).await.unwrap(), reported)
}

async fn head(db: &Db, organization: Uuid) -> Head {
    db.read().await.unwrap().read_head(organization).await.unwrap().unwrap()
}

/// Has an organization's journal end with this head, as on a server that has not received more.
async fn take_back(db: &Db, organization: Uuid, to: Head) {
    let work = async move |tx: &mut Tx| -> db::Result<()> {
        tx.execute("DELETE FROM entry WHERE organization = $1 AND seq > $2", &[&organization, &to.seq])
            .await?;
        let sql = "UPDATE organization_head SET seq = $2, hash = $3 WHERE organization = $1";
        tx.execute(sql, &[&organization, &to.seq, &to.hash.as_slice()]).await.map(drop)
    };
    db.write_instance(work).await.unwrap();
}

#[both_engines]
async fn a_process_that_misses_what_it_acknowledged_writes_nothing_more(database: EmptyDatabase) {
    let other = open(&database).await;
    let (one, two) = (organization(&other).await, organization(&other).await);
    let (db, reported) = watched(options(&database, 2)).await;
    write(&db, one, "kept").await.unwrap();
    let kept = head(&other, one).await;
    write(&db, one, "lost").await.unwrap();
    let lost = head(&other, one).await;
    take_back(&other, one, kept.clone()).await;

    assert!(db.accepts_writes().is_ok(), "nobody has looked yet");
    assert_eq!(write(&db, one, "first").await.unwrap_err(), Error::WentBack);
    assert_eq!(db.accepts_writes(), Err(Error::WentBack));
    assert_eq!(write(&db, two, "second").await.unwrap_err(), Error::WentBack, "another organization");
    let instance = async |tx: &mut Tx| append(tx, Uuid::nil(), "instance").await;
    assert_eq!(db.write_instance(instance).await.unwrap_err(), Error::WentBack);
    assert_eq!(labels(&db, one).await, ["kept"], "it reads, and wrote nothing");
    assert_eq!(labels(&db, two).await, Vec::<String>::new());
    let reported = std::mem::take(&mut *reported.lock().unwrap());
    assert_eq!(reported.len(), 1, "{reported:?}");
    let WentBack { organization, acknowledged, found, .. } = &reported[0];
    assert_eq!((*organization, acknowledged.seq, acknowledged.hash), (one, lost.seq, lost.hash));
    assert_eq!((found.seq, found.hash), (kept.seq, kept.hash));

    let (restarted, _) = watched(options(&database, 3)).await;
    write(&restarted, one, "after a restart").await.unwrap();
    assert_eq!(labels(&restarted, one).await, ["kept", "after a restart"]);
}

#[both_engines]
async fn another_entry_in_the_place_of_an_acknowledged_one_is_noticed(database: EmptyDatabase) {
    let other = open(&database).await;
    let org = organization(&other).await;
    let empty = head(&other, org).await;
    let (db, reported) = watched(options(&database, 2)).await;
    write(&db, org, "lost").await.unwrap();
    take_back(&other, org, empty).await;
    write(&other, org, "by another process").await.unwrap();
    assert_eq!(write(&db, org, "first").await.unwrap_err(), Error::WentBack);
    let text = reported.lock().unwrap()[0].to_string();
    assert!(text.contains("has another entry in the place of 1:"), "{text}");
}

#[both_engines]
async fn a_head_that_a_write_of_the_instance_locks_is_compared_too(database: EmptyDatabase) {
    let other = open(&database).await;
    let org = organization(&other).await;
    let empty = head(&other, org).await;
    let (db, _) = watched(options(&database, 2)).await;
    write(&db, org, "lost").await.unwrap();
    take_back(&other, org, empty).await;
    let locked = async move |tx: &mut Tx| tx.lock_head(org).await;
    assert_eq!(db.write_instance(locked).await.unwrap_err(), Error::WentBack);
    assert_eq!(db.accepts_writes(), Err(Error::WentBack));
}

#[both_engines]
async fn what_was_not_acknowledged_is_not_missed(database: EmptyDatabase) {
    let other = open(&database).await;
    let org = organization(&other).await;
    let (db, reported) = watched(options(&database, 2)).await;
    write(&db, org, "kept").await.unwrap();
    let kept = head(&other, org).await;
    let refused = async move |tx: &mut Tx| -> db::Result<()> {
        append(tx, org, "refused").await?;
        Err(Error::Unavailable("changed its mind".to_owned()))
    };
    db.write(org, refused).await.unwrap_err();
    write(&other, org, "of another process").await.unwrap();
    take_back(&other, org, kept).await;
    write(&db, org, "goes on").await.unwrap();
    assert!(reported.lock().unwrap().is_empty());
    assert_eq!(labels(&db, org).await, ["kept", "goes on"]);
}

#[test]
fn what_is_not_known_to_be_acknowledged_is_not_missed() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let other = open(&database).await;
        let org = organization(&other).await;
        let empty = head(&other, org).await;
        let (proxy, url) = Proxy::start(&crate::common::url(&database)).await;
        let options = Options { resolve_patience: Duration::ZERO, ..at(Location::Postgres(url), 2) };
        let (db, reported) = watched(options).await;
        proxy.cut(Cut::AfterLastCommit);
        assert_eq!(write(&db, org, "unknown").await.unwrap_err(), Error::OutcomeUnknown);
        proxy.close(false);
        take_back(&other, org, empty).await;
        write(&db, org, "goes on").await.unwrap();
        assert!(reported.lock().unwrap().is_empty());
    });
}

/// What a standby does when it takes over.
async fn promote(cluster: &Cluster) -> String {
    cluster.script(&["kill"]);
    std::fs::write(cluster.data().join("pg/standby.signal"), "").unwrap();
    let url = cluster.script(&["start", "-c", "wal_level=replica", "-c", "max_wal_senders=2"]);
    until("it is promoted", async || {
        let (admin, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        admin.query_one("SELECT pg_promote()", &[]).await.unwrap().get(0)
    })
    .await;
    url
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_that_was_continued_without_an_acknowledged_entry_is_noticed_after_a_promotion() {
    let cluster = Cluster::new();
    let url = cluster.script(&["start", "-c", "wal_level=replica", "-c", "max_wal_senders=2"]);
    let other = Db::open(at(Location::Postgres(url.clone()), 1)).await.unwrap();
    other.migrate(crate::common::SCHEMA).await.unwrap();
    let (whole, torn) = (organization(&other).await, organization(&other).await);
    let empty = head(&other, torn).await;
    // The chain of these tests has no hashes, so they are kept beside it.
    let entry_hash = Some("SELECT hash FROM kept_hash WHERE organization = $1 AND seq = $2");
    let (db, reported) = watched(Options { entry_hash, ..at(Location::Postgres(url.clone()), 2) }).await;
    let keep = async |organization: Uuid| {
        let head = head(&other, organization).await;
        let work = async move |tx: &mut Tx| -> db::Result<()> {
            let table = "CREATE TABLE IF NOT EXISTS kept_hash (organization uuid, seq bigint, hash bytea)";
            tx.execute(table, &[]).await?;
            let sql = "INSERT INTO kept_hash VALUES ($1, $2, $3)";
            tx.execute(sql, &[&organization, &head.seq, &head.hash.as_slice()]).await.map(drop)
        };
        other.write_instance(work).await.unwrap();
    };
    write(&db, whole, "kept").await.unwrap();
    keep(whole).await;
    write(&db, torn, "lost").await.unwrap();
    take_back(&other, torn, empty).await;
    for (organization, label) in [(whole, "later"), (torn, "other"), (torn, "later")] {
        write(&other, organization, label).await.unwrap();
        keep(organization).await;
    }

    assert_eq!(promote(&cluster).await, url);
    until("it is connected again", async || {
        !matches!(write(&db, whole, "whole").await, Err(Error::Unavailable(_)))
    })
    .await;
    assert_eq!(labels(&db, whole).await.last().unwrap(), "whole");
    assert!(reported.lock().unwrap().is_empty());
    assert_eq!(write(&db, torn, "first").await.unwrap_err(), Error::WentBack);
    assert_eq!(reported.lock().unwrap()[0].timelines, (1, 2));
    assert_eq!(labels(&db, torn).await, ["other", "later"]);
}
