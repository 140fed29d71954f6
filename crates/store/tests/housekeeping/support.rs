//! What these tests do with the store, in one write each.

use db::{Engine, Tx};
use domain::incident::{Incident, IncidentPatch, NewIncident};
use domain::organization::OrganizationPatch;
use domain::{Author, ExpectedVersion, IncidentNumber, OrgId};
use jiff::Timestamp;
use store::housekeeping::{self, Taken, Trash};
use store::journal::Entry;
use store::sweeps::{self, Sweep};
use testkit::{TestDb, author};

/// In every text of a record that is to be purged.
pub(crate) const SECRET: &str = "Quatschkopf";

pub(crate) async fn sweep(db: &TestDb, what: Sweep, now: Timestamp, most: u32) -> Taken {
    let work = async move |tx: &mut Tx| sweeps::sweep(tx, what, now, most).await;
    let taken: store::Result<_> = db.write_alone(OrgId::INSTANCE, work).await;
    taken.unwrap()
}

pub(crate) fn service() -> Author {
    let mut author = author();
    author.actor.id = "service".to_owned();
    author
}

pub(crate) async fn purge(db: &db::Db, org: OrgId, trash: Trash) -> Taken {
    let work = async move |tx: &mut Tx| housekeeping::purge(tx, org, &service(), trash).await;
    let taken: store::Result<_> = db.write_alone(org, work).await;
    taken.unwrap()
}

/// Purges until there is no more; how many that were.
pub(crate) fn incidents() -> Trash {
    store::REGISTRY.trash_named("deleted_incidents").unwrap()
}

pub(crate) fn risks() -> Trash {
    store::REGISTRY.trash_named("deleted_risks").unwrap()
}

pub(crate) async fn purge_all(db: &db::Db, org: OrgId, trash: Trash) -> u64 {
    let mut count = 0;
    loop {
        let taken = purge(db, org, trash).await;
        count += taken.count;
        if !taken.more {
            return count;
        }
    }
}

pub(crate) async fn keep_trash(db: &TestDb, org: OrgId, days: i64) {
    let patch = OrganizationPatch { trash_days: Some(days), ..OrganizationPatch::default() };
    let work = async move |tx: &mut Tx| {
        store::organizations::update(tx, org, &author(), &ExpectedVersion::Any, &patch).await
    };
    assert_eq!(db.write_instance(work).await.unwrap().trash_days, days);
}

pub(crate) async fn declare(db: &db::Db, org: OrgId, title: &str) -> i64 {
    let new = NewIncident { title: domain::Line::stored(title), ..NewIncident::untitled() };
    let work = async move |tx: &mut Tx| store::incidents::create(tx, org, &author(), &new).await;
    let made: store::Result<Incident> = db.write(org, work).await;
    made.unwrap().number.number()
}

pub(crate) async fn change(db: &db::Db, org: OrgId, number: i64, patch: IncidentPatch) -> Incident {
    let work = async move |tx: &mut Tx| {
        let (by, any) = (author(), ExpectedVersion::Any);
        store::incidents::update(tx, org, &by, IncidentNumber(number), &any, &patch).await
    };
    let changed: store::Result<Incident> = db.write(org, work).await;
    changed.unwrap()
}

/// How many were deleted.
pub(crate) async fn delete(db: &db::Db, org: OrgId, numbers: &[i64]) -> i64 {
    let ids: Vec<_> = numbers.iter().copied().map(IncidentNumber).collect();
    let work = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &ids).await;
    db.write(org, work).await.unwrap().changed_count
}

/// How many were restored.
pub(crate) async fn restore(db: &db::Db, org: OrgId, numbers: &[i64]) -> i64 {
    let ids: Vec<_> = numbers.iter().copied().map(IncidentNumber).collect();
    let work = async move |tx: &mut Tx| store::incidents::restore_many(tx, org, &author(), &ids).await;
    db.write(org, work).await.unwrap().changed_count
}

pub(crate) async fn journal(db: &db::Db, org: OrgId) -> Vec<Entry> {
    store::journal::list(&mut db.read().await.unwrap(), org, 0, 10_000).await.unwrap()
}

/// What a verification finds wrong.
pub(crate) async fn faults(db: &db::Db, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// How many rows a table has.
pub(crate) async fn rows(db: &db::Db, table: &str) -> i64 {
    let mut tx = db.read().await.unwrap();
    let (count,) = tx.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap();
    count
}

/// Every row of every table as text.
pub(crate) async fn everything(db: &db::Db) -> String {
    let mut tx = db.read().await.unwrap();
    let names = match db.engine() {
        Engine::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        Engine::Postgres => {
            "SELECT CAST(tablename AS TEXT) FROM pg_catalog.pg_tables WHERE schemaname = 'public'"
        }
    };
    let mut text = String::new();
    for (table,) in tx.query::<(String,)>(names, &[]).await.unwrap() {
        let row = match db.engine() {
            Engine::Sqlite => {
                let columns = format!("SELECT name FROM pragma_table_info('{table}')");
                let columns: Vec<(String,)> = tx.query(&columns, &[]).await.unwrap();
                columns.iter().map(|(name,)| format!("quote(\"{name}\")")).collect::<Vec<_>>().join("||'|'||")
            }
            Engine::Postgres => "CAST(t AS TEXT)".to_owned(),
        };
        for (line,) in
            tx.query::<(String,)>(&format!("SELECT {row} FROM \"{table}\" AS t"), &[]).await.unwrap()
        {
            text.push_str(&format!("{table}: {line}\n"));
        }
    }
    text
}

/// A generator of small numbers that repeats (Knuth's MMIX constants); its low bits are not used.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % limit).unwrap()
    }
}
