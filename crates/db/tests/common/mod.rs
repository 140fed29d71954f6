//! What the tests of the database layer share: a small schema, and a chain as the journal has one.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

pub(crate) mod cluster;
pub(crate) mod hosts;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use db::{Db, Error, Location, Migration, Options, Tx};
use jiff::Timestamp;
use testkit::{EmptyDatabase, TestClock};
use tokio::sync::Notify;
use uuid::Uuid;

/// `entry` is a journal in small. A `child` without its `parent` is refused only at COMMIT.
pub(crate) const SCHEMA: &[Migration] = &[Migration {
    name: "0001_test",
    text: "\
CREATE TABLE entry (
    organization UUID        NOT NULL,
    seq          BIGINT      NOT NULL,
    at           TIMESTAMPTZ NOT NULL,
    number       BIGINT      NOT NULL,
    label        TEXT        NOT NULL,
    CONSTRAINT entry_pkey PRIMARY KEY (organization, seq),
    CONSTRAINT entry_number_positive CHECK (number > 0)
) WITHOUT ROWID;

CREATE UNIQUE INDEX entry_label ON entry (organization, label);

CREATE TABLE parent (
    id BIGINT NOT NULL,
    CONSTRAINT parent_pkey PRIMARY KEY (id)
);

CREATE TABLE child (
    parent BIGINT NOT NULL,
    CONSTRAINT child_parent FOREIGN KEY (parent) REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED
);",
}];

/// One row of `entry`, as it was written or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) seq: i64,
    pub(crate) number: i64,
    pub(crate) at: Timestamp,
    pub(crate) label: String,
}

/// The settings of a test on this database. Nothing is given up because the machine is slow.
pub(crate) fn options(database: &EmptyDatabase, seed: u64) -> Options {
    at(database.location(), seed)
}

/// The settings of a test on any location.
pub(crate) fn at(location: Location, seed: u64) -> Options {
    testkit::patient(Options::new(location, TestClock::new().handle(), testkit::seeded(seed)))
}

/// The URL of an empty database on PostgreSQL.
pub(crate) fn url(database: &EmptyDatabase) -> String {
    match database.location() {
        Location::Postgres(url) => url,
        Location::Sqlite(path) => panic!("{} is not on PostgreSQL", path.display()),
    }
}

/// Opens and migrates an empty database.
pub(crate) async fn open(database: &EmptyDatabase) -> Db {
    let db = Db::open(options(database, 1)).await.unwrap();
    db.migrate(SCHEMA).await.unwrap();
    db
}

/// Makes an organization.
pub(crate) async fn organization(db: &Db) -> Uuid {
    db.write_instance(async move |tx: &mut Tx| -> db::Result<Uuid> {
        let id = tx.uuid();
        tx.create_head(id).await?;
        Ok(id)
    })
    .await
    .unwrap()
}

/// Appends an entry to an organization's chain, as the journal does; the outcome of every second one is not awaited.
pub(crate) async fn append(tx: &mut Tx, organization: Uuid, label: &str) -> db::Result<Written> {
    let waits = tx.head(organization)?.seq % 2 == 0;
    append_so(tx, organization, label, waits).await
}

/// The same, waiting for its outcome or not.
pub(crate) async fn append_so(
    tx: &mut Tx,
    organization: Uuid,
    label: &str,
    waits: bool,
) -> db::Result<Written> {
    let at = tx.at();
    let number = tx.next_number(organization, 3)?;
    let head = tx.head(organization)?;
    let (seq, hash) = (head.seq + 1, link(&head.hash, label));
    let sql = "INSERT INTO entry (organization, seq, at, number, label) VALUES ($1, $2, $3, $4, $5)";
    let params: [&dyn db::Param; 5] = [&organization, &seq, &at, &number, &label];
    if waits {
        tx.execute(sql, &params).await?;
    } else {
        tx.send(sql, &params).await?;
    }
    tx.advance_head(organization, seq, hash)?;
    Ok(Written { seq, number, at, label: label.to_owned() })
}

/// Appends one entry in a write of its own.
pub(crate) async fn write(db: &Db, organization: Uuid, label: &str) -> db::Result<Written> {
    let label = label.to_owned();
    db.write(organization, async move |tx: &mut Tx| append(tx, organization, &label).await).await
}

/// The chain of an organization as it is stored.
pub(crate) async fn chain(db: &Db, organization: Uuid) -> Vec<Written> {
    let sql = "SELECT seq, number, at, label FROM entry WHERE organization = $1 ORDER BY seq";
    let rows: Vec<(i64, i64, Timestamp, String)> =
        db.read().await.unwrap().query(sql, &[&organization]).await.unwrap();
    rows.into_iter().map(|(seq, number, at, label)| Written { seq, number, at, label }).collect()
}

/// The labels of a chain, in order.
pub(crate) async fn labels(db: &Db, organization: Uuid) -> Vec<String> {
    chain(db, organization).await.into_iter().map(|written| written.label).collect()
}

/// Asserts that an organization's chain has no gap, that its time never stands still between writes,
/// and that its head matches the chain.
pub(crate) async fn assert_whole(db: &Db, organization: Uuid) {
    let head = db.read().await.unwrap().read_head(organization).await.unwrap().unwrap();
    let chain = chain(db, organization).await;
    let mut hash = [0; 32];
    for (expected, written) in (1..).zip(&chain) {
        assert_eq!((written.seq, written.number), (expected, expected), "{chain:?}");
        hash = link(&hash, &written.label);
    }
    assert!(chain.windows(2).all(|pair| pair[0].at <= pair[1].at), "{chain:?}");
    assert_eq!(head.seq, i64::try_from(chain.len()).unwrap());
    assert_eq!(head.counters[3], head.seq);
    assert_eq!(head.hash, hash);
    assert_eq!(head.last_at, chain.last().map(|written| written.at));
}

fn link(hash: &[u8; 32], label: &str) -> [u8; 32] {
    let mut hasher = DefaultHasher::new();
    (hash, label).hash(&mut hasher);
    let mut out = [7; 32];
    out[..8].copy_from_slice(&hasher.finish().to_be_bytes());
    out
}

/// Whether a write was refused because the database could not do it then.
pub(crate) fn is_unavailable<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Unavailable(_)))
}

/// Keeps the lane that serves an organization busy until `end` is notified.
pub(crate) async fn occupy(db: &Db, organization: Uuid, end: &Arc<Notify>) {
    let end = Arc::clone(end);
    db.write_alone(organization, async move |_: &mut Tx| -> db::Result<()> {
        end.notified().await;
        Ok(())
    })
    .await
    .unwrap();
}
