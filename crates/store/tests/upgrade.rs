//! A register of any earlier release is migrated to the present schema without loss. The fixtures were filled by
//! the real programs of those releases; `scripts/fixture` adds the next one. Before the release of 0.1.0 there is none,
//! and `released.rs` checks that there is one afterwards.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use db::{Db, Engine};
use domain::OrgId;
use store::migrations;
use testkit::{EmptyDatabase, Release, TestDb, both_engines};

/// Tables that a fixture has no rows of, and why.
const EMPTY: &[(&str, &str)] =
    &[("demo_mark", "a register is not a demo"), ("write_lane", "a lane that ends takes its row away")];

/// Runs a test with the register of each release, on one engine.
fn for_each_release<F: Future>(engine: Engine, test: impl Fn(Release, TestDb) -> F) {
    for release in Release::all() {
        eprintln!("release {}", release.name);
        testkit::run(engine, async |database: EmptyDatabase| {
            database.load(&release.sql(engine)).await;
            let db = TestDb::at(database, release.known(engine)["taken_at"].as_str().unwrap()).await;
            test(release.clone(), db).await;
        });
    }
}

/// For tests that want both engines and every release.
macro_rules! each_release {
    ($name:ident, $test:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn sqlite() {
                for_each_release(Engine::Sqlite, $test);
            }

            #[test]
            fn postgres() {
                for_each_release(Engine::Postgres, $test);
            }
        }
    };
}

async fn tables(db: &Db) -> Vec<String> {
    let names = match db.engine() {
        Engine::Sqlite => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        }
        Engine::Postgres => {
            "SELECT CAST(tablename AS TEXT) FROM pg_catalog.pg_tables WHERE schemaname = 'public' ORDER BY 1"
        }
    };
    let found: Vec<(String,)> = db.read().await.unwrap().query(names, &[]).await.unwrap();
    found.into_iter().map(|(name,)| name).collect()
}

async fn columns(db: &Db, table: &str) -> Vec<String> {
    let sql = match db.engine() {
        Engine::Sqlite => "SELECT name FROM pragma_table_info($1) ORDER BY cid",
        Engine::Postgres => {
            "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    let found: Vec<(String,)> = db.read().await.unwrap().query(sql, &[&table]).await.unwrap();
    found.into_iter().map(|(name,)| name).collect()
}

/// The rows of a table as text, each with these columns only.
async fn rows(db: &Db, table: &str, columns: &[String]) -> Vec<String> {
    let texts: Vec<_> = columns
        .iter()
        .map(|column| match db.engine() {
            Engine::Sqlite => format!("quote(\"{column}\")"),
            Engine::Postgres => format!("COALESCE(CAST(\"{column}\" AS TEXT), 'NULL')"),
        })
        .collect();
    let sql = format!("SELECT {} FROM \"{table}\" ORDER BY 1", texts.join(" || '|' || "));
    let found: Vec<(String,)> = db.read().await.unwrap().query(&sql, &[]).await.unwrap();
    found.into_iter().map(|(row,)| row).collect()
}

/// Everything in the database: the columns of each table, and its rows.
async fn contents(db: &Db) -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let mut found = BTreeMap::new();
    for table in tables(db).await {
        let columns = columns(db, &table).await;
        let rows = rows(db, &table, &columns).await;
        found.insert(table, (columns, rows));
    }
    found
}

/// What a schema is to the last word: defaults, checks and expressions too. In the words of the engine.
async fn wording(db: &Db) -> BTreeSet<String> {
    let sql = match db.engine() {
        Engine::Sqlite => "SELECT name || ': ' || COALESCE(sql, '') FROM sqlite_schema",
        Engine::Postgres => {
            "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || COALESCE(collation_name, '')
                 || ' ' || COALESCE(column_default, '') FROM information_schema.columns
             WHERE table_schema = 'public'
             UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
             UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
             FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
        }
    };
    let found: Vec<(String,)> = db.read().await.unwrap().query(sql, &[]).await.unwrap();
    found.into_iter().map(|(line,)| line).collect()
}

fn steps() -> Vec<&'static str> {
    std::iter::once("0000_db").chain(migrations::ALL.iter().map(|step| step.name)).collect()
}

each_release!(a_fixture_has_something_in_every_table, async |release: Release, db: TestDb| {
    for (table, (_, rows)) in contents(&db).await {
        let may_be_empty = EMPTY.iter().any(|(name, _)| *name == table);
        assert!(
            may_be_empty || !rows.is_empty(),
            "{table} of {}: teach scripts/fixture to fill it",
            release.name
        );
    }
});

each_release!(nothing_is_lost_and_nothing_is_changed, async |release: Release, db: TestDb| {
    let before = contents(&db).await;
    let done: Vec<_> = before["schema_migration"].1.clone();
    let applied = db.migrate(migrations::ALL).await.unwrap();
    assert_eq!(applied.len() + done.len(), steps().len(), "{}: {applied:?}", release.name);
    for (table, (columns, expected)) in before.into_iter().filter(|(table, _)| table != "schema_migration") {
        let found = rows(&db, &table, &columns).await;
        assert_eq!(found, expected, "{table} of {}", release.name);
    }
});

each_release!(the_journal_and_the_records_agree, async |release: Release, db: TestDb| {
    db.migrate(migrations::ALL).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let organizations = store::organizations::list(&mut tx).await.unwrap();
    assert!(organizations.len() > 1);
    let chains = organizations.iter().map(|organization| organization.id).chain([OrgId::INSTANCE]);
    for organization in chains {
        let report = store::verify::verify(&mut tx, organization, None).await.unwrap();
        assert_eq!(report.faults, [], "{organization} of {}", release.name);
    }
    assert_eq!(store::condition::torn_journals(&mut tx).await.unwrap(), []);
});

#[both_engines]
async fn every_release_comes_up_to_the_schema_of_a_new_register(database: EmptyDatabase) {
    let engine = database.engine();
    let db = TestDb::at(database, testkit::TestClock::START).await;
    db.migrate(migrations::ALL).await.unwrap();
    let (lines, words) = (crate::schema::of(&db).await, wording(&db).await);
    let others = std::thread::spawn(move || {
        for_each_release(engine, async |release: Release, old: TestDb| {
            assert!(crate::schema::of(&old).await.len() <= lines.len());
            old.migrate(migrations::ALL).await.unwrap();
            assert_eq!(crate::schema::of(&old).await, lines, "{}", release.name);
            assert_eq!(wording(&old).await, words, "{}", release.name);
        });
    });
    tokio::task::spawn_blocking(|| others.join().unwrap()).await.unwrap();
}
