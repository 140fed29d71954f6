//! After all migrations both engines have the same schema: tables, columns, keys and indexes, by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use testkit::{EmptyDatabase, Engine, TestDb};

async fn schema_on(engine: Engine) -> BTreeSet<String> {
    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        testkit::run(engine, async move |db: TestDb| send.send(crate::schema::of(&db).await).unwrap());
    });
    thread.join().unwrap();
    receive.recv().unwrap()
}

#[tokio::test]
async fn both_engines_have_the_same_schema() {
    let (sqlite, postgres) = (schema_on(Engine::Sqlite).await, schema_on(Engine::Postgres).await);
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        one.difference(other).cloned().collect()
    };
    assert_eq!(only(&sqlite, &postgres), Vec::<String>::new(), "only SQLite has these");
    assert_eq!(only(&postgres, &sqlite), Vec::<String>::new(), "only PostgreSQL has these");
    assert!(sqlite.iter().filter(|line| line.contains(": key ")).count() > 10, "{sqlite:#?}");
    assert!(sqlite.contains("proposal: unique index proposal_open (organization,document) partial"));
}

/// A uuid, a time and a truth are three types on PostgreSQL; a column must not be the wrong one of them.
#[test]
fn a_column_has_the_type_that_its_name_says() {
    testkit::run(Engine::Postgres, async move |db: TestDb| {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT)
            FROM information_schema.columns WHERE table_schema = 'public'";
        for (table, name, kind) in tx.query::<(String, String, String)>(sql, &[]).await.unwrap() {
            let expected = match name.as_str() {
                "organization" => "uuid",
                // A day and no moment: it is written as its text.
                "effective_date" | "board_date" => "text",
                "decided_date" if table == "proposal_approval" => "text",
                "next_review_date" if table != "document" => "text",
                name if name.ends_with("_date") || name.ends_with("_at") || name == "at" => {
                    "timestamp with time zone"
                }
                _ => continue,
            };
            assert_eq!(kind, expected, "{table}.{name}");
        }
    });
}

/// Text that is compared for order or equality in a key sorts by its bytes, as SQLite does.
#[test]
fn text_in_keys_and_indexes_sorts_by_its_bytes() {
    testkit::run(Engine::Postgres, async move |db: TestDb| {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT CAST(tables.relname AS TEXT), CAST(attname AS TEXT), CAST(collname AS TEXT)
            FROM pg_index
            JOIN pg_class AS tables ON tables.oid = indrelid
            JOIN pg_namespace ON pg_namespace.oid = tables.relnamespace AND nspname = 'public'
            JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (CAST(indkey AS SMALLINT[]))
            JOIN pg_collation ON pg_collation.oid = attcollation";
        let columns: Vec<(String, String, String)> = tx.query(sql, &[]).await.unwrap();
        assert!(columns.len() > 10);
        for (table, name, collation) in columns {
            assert_eq!(collation, "C", "{table}.{name}");
        }
    });
}

#[test]
fn every_migration_is_there_once() {
    testkit::run(Engine::Sqlite, async move |database: EmptyDatabase| {
        let names: Vec<_> = store::migrations::ALL.iter().map(|migration| migration.name).collect();
        let mut files: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort_unstable();
        assert_eq!(files, names);
        let db = database.open(&testkit::TestClock::new(), 1).await;
        let applied = db.migrate(store::migrations::ALL).await.unwrap();
        assert_eq!(applied[1..], names);
        assert_eq!(db.migrate(store::migrations::ALL).await.unwrap(), Vec::<&str>::new());
    });
}
