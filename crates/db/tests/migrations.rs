//! Migrations: applied once, in order, by the first process that opens the database.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::time::Duration;

use crate::common::{SCHEMA, organization, write};
use db::{Db, Error, Migration};
use futures_util::future::join_all;
use testkit::{EmptyDatabase, Engine, both_engines};

const BROKEN: Migration = Migration {
    name: "0002_broken",
    text: "CREATE TABLE half (id INT NOT NULL); INSERT INTO nowhere VALUES (1);",
};

/// A history of a table that its file does not have.
const WITHOUT_TABLE: Migration = Migration {
    name: "0002_without_table",
    text: "CREATE TABLE half (
    seq_from BIGINT NOT NULL
);
CREATE HISTORY OF halves;",
};

const SECOND: Migration = Migration { name: "0002_second", text: "CREATE TABLE second (id INT NOT NULL);" };

#[both_engines]
async fn a_second_run_changes_nothing(database: EmptyDatabase) {
    let db = Db::open(crate::common::options(&database, 1)).await.unwrap();
    assert_eq!(db.migrate(SCHEMA).await.unwrap(), ["0000_db", "0001_test"]);
    let org = organization(&db).await;
    write(&db, org, "kept").await.unwrap();
    assert_eq!(db.migrate(SCHEMA).await.unwrap(), Vec::<&str>::new());
    let longer = [SCHEMA, &[SECOND]].concat();
    assert_eq!(db.migrate(&longer).await.unwrap(), ["0002_second"]);
    // An older binary beside a newer one leaves the schema as it is.
    assert_eq!(db.migrate(SCHEMA).await.unwrap(), Vec::<&str>::new());
    assert_eq!(crate::common::labels(&db, org).await, ["kept"]);
}

#[both_engines]
async fn processes_that_migrate_at_once_apply_each_step_once(database: EmptyDatabase) {
    let longer = [SCHEMA, &[SECOND]].concat();
    let mut databases = Vec::new();
    for seed in 1..6 {
        databases.push(Db::open(crate::common::options(&database, seed)).await.unwrap());
    }
    let tasks = databases.into_iter().map(|db| {
        let longer = longer.clone();
        tokio::spawn(async move { db.migrate(&longer).await })
    });
    let mut applied: Vec<&str> = Vec::new();
    for result in join_all(tasks).await {
        applied.extend(result.unwrap().unwrap());
    }
    applied.sort_unstable();
    assert_eq!(applied, ["0000_db", "0001_test", "0002_second"]);
    let db = Db::open(crate::common::options(&database, 9)).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let names: Vec<(String,)> =
        tx.query("SELECT name FROM schema_migration ORDER BY name", &[]).await.unwrap();
    assert_eq!(names.len(), 3);
}

#[both_engines]
async fn a_step_that_fails_leaves_no_half_of_itself(database: EmptyDatabase) {
    let db = Db::open(crate::common::options(&database, 1)).await.unwrap();
    db.migrate(SCHEMA).await.unwrap();
    let error = db.migrate(&[SCHEMA, &[BROKEN]].concat()).await.unwrap_err();
    let Error::Internal(text) = &error else { panic!("{error:?}") };
    assert!(text.starts_with("migration 0002_broken: ") && text.contains("nowhere"), "{text}");
    let error = db.migrate(&[SCHEMA, &[WITHOUT_TABLE]].concat()).await.unwrap_err();
    assert!(matches!(&error, Error::Internal(text) if text.contains("HISTORY")), "{error:?}");
    let mut tx = db.read().await.unwrap();
    assert!(tx.query::<(i64,)>("SELECT id FROM half", &[]).await.is_err());
    drop(tx);
    assert_eq!(db.migrate(&[SCHEMA, &[SECOND]].concat()).await.unwrap(), ["0002_second"]);
}

#[both_engines]
async fn a_step_may_take_longer_than_a_statement(database: EmptyDatabase) {
    let slow = Migration {
        name: "0002_slow",
        text: "\
-- On SQLite:
CREATE TABLE slow AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)
SELECT max(i) AS most FROM n;
-- On PostgreSQL:
CREATE TABLE slow AS SELECT CAST(pg_sleep(3) AS TEXT) AS most;",
    };
    let mut options = crate::common::options(&database, 1);
    // On PostgreSQL the client waits 2 s longer than the server.
    options.statement_timeout = Duration::from_millis(100);
    let db = Db::open(options).await.unwrap();
    let steps = [SCHEMA, &[slow]].concat();
    assert_eq!(db.migrate(&steps).await.unwrap().len(), 3);
}

#[both_engines]
async fn a_write_before_the_first_migration_is_refused(database: EmptyDatabase) {
    let db = Db::open(crate::common::options(&database, 1)).await.unwrap();
    let refused = db.write_instance(async move |_: &mut db::Tx| -> db::Result<()> { Ok(()) }).await;
    assert!(refused.is_err());
    db.migrate(SCHEMA).await.unwrap();
    let org = organization(&db).await;
    write(&db, org, "first").await.unwrap();
    let engine = db.engine();
    assert!(engine == Engine::Sqlite || engine == Engine::Postgres);
}

#[both_engines]
async fn a_schema_of_other_migrations_is_refused_and_not_touched(database: EmptyDatabase) {
    let db = Db::open(crate::common::options(&database, 1)).await.unwrap();
    let before = [SCHEMA, &[SECOND]].concat();
    db.migrate(&before).await.unwrap();
    let other = Migration { name: "0001_other", ..SECOND };
    let rewritten = [&[other], SCHEMA].concat();
    let refused = db.migrate(&rewritten).await.unwrap_err();
    assert_eq!(refused, Error::OtherSchema { found: "0001_test".to_owned(), expected: "0001_other" });
    let inserted_between = [SCHEMA, &[Migration { name: "0001_tests", ..SECOND }]].concat();
    let refused = db.migrate(&inserted_between).await.unwrap_err();
    assert_eq!(refused, Error::OtherSchema { found: "0002_second".to_owned(), expected: "0001_tests" });
    assert_eq!(db.migrate(&before).await.unwrap(), Vec::<&str>::new());
}

/// Without statistics SQLite would read all rows of the organization.
#[test]
fn sqlite_plans_for_organizations_with_many_rows() {
    let parts = Migration {
        name: "0002_parts",
        text: "\
CREATE TABLE part (
    organization UUID   NOT NULL,
    id           BIGINT NOT NULL,
    whole        BIGINT NOT NULL,
    label        TEXT   NOT NULL,
    CONSTRAINT part_pkey PRIMARY KEY (organization, id)
) WITHOUT ROWID;
CREATE INDEX part_by_whole ON part (organization, whole);",
    };
    testkit::run(Engine::Sqlite, async |database: EmptyDatabase| {
        let db = Db::open(crate::common::options(&database, 1)).await.unwrap();
        db.migrate(&[SCHEMA, &[parts]].concat()).await.unwrap();
        let mut tx = db.read().await.unwrap();
        let sql = "EXPLAIN QUERY PLAN SELECT label FROM part WHERE organization = $1 AND whole = $2";
        let plan: Vec<(i64, i64, i64, String)> = tx.query(sql, &[&1_i64, &2_i64]).await.unwrap();
        assert_eq!(plan[0].3, "SEARCH part USING INDEX part_by_whole (organization=? AND whole=?)");
    });
}
