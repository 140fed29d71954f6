//! The contents of a database are inspected without a change to it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use db::{Contents, Db, Location, Options};
use testkit::{EmptyDatabase, Engine, both_engines};

fn options(location: Location) -> Options {
    Options::new(location, Arc::new(|| jiff::Timestamp::UNIX_EPOCH), Arc::new(|bytes| bytes.fill(7)))
}

/// Runs statements that are no migration of ours.
async fn run(database: &EmptyDatabase, sql: &str) {
    match database.location() {
        Location::Sqlite(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
        Location::Postgres(url) => {
            let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
        }
    }
}

fn files(database: &EmptyDatabase) -> Vec<String> {
    let entries = std::fs::read_dir(database.folder()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[both_engines]
async fn an_empty_database_has_no_contents_and_stays_empty(database: EmptyDatabase) {
    let before = files(&database);
    assert_eq!(Contents::of(&options(database.location())).await.unwrap(), Contents::Nothing);
    assert_eq!(files(&database), before);
}

#[both_engines]
async fn a_register_is_known_while_it_is_open_and_when_it_is_closed(database: EmptyDatabase) {
    let options = options(database.location());
    let db = Db::open(options.clone()).await.unwrap();
    db.migrate(&[]).await.unwrap();
    assert_eq!(Contents::of(&options).await.unwrap(), Contents::Register, "while it is open");
    db.close().await;
    drop(db);
    assert_eq!(Contents::of(&options).await.unwrap(), Contents::Register, "when it is closed");
}

#[both_engines]
async fn a_first_start_that_was_interrupted_left_nothing(database: EmptyDatabase) {
    run(&database, "CREATE TABLE schema_migration (name text)").await;
    assert_eq!(Contents::of(&options(database.location())).await.unwrap(), Contents::Nothing);
}

#[both_engines]
async fn tables_of_another_program_are_named(database: EmptyDatabase) {
    run(&database, "CREATE TABLE invoice (id integer); CREATE TABLE customer (id integer)").await;
    let (found, before) = (Contents::of(&options(database.location())).await.unwrap(), files(&database));
    assert_eq!(found, Contents::Foreign(vec!["customer".to_owned(), "invoice".to_owned()]));
    assert_eq!(files(&database), before);
}

/// `CREATE EXTENSION` does not make a database count as another program's.
#[both_engines]
async fn tables_in_other_schemas_count_and_those_of_extensions_do_not(database: EmptyDatabase) {
    if database.engine() == Engine::Sqlite {
        return; // It has neither.
    }
    run(&database, "CREATE EXTENSION pg_stat_statements").await;
    assert_eq!(Contents::of(&options(database.location())).await.unwrap(), Contents::Nothing);
    run(&database, "CREATE SCHEMA shop; CREATE TABLE shop.invoice (id integer)").await;
    let found = Contents::of(&options(database.location())).await.unwrap();
    assert_eq!(found, Contents::Foreign(vec!["invoice".to_owned()]));
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_named_with_the_cause_and_without_the_password() {
    let url = "postgres://nobody:hunter2@127.0.0.1:1,localhost:2/nowhere".to_owned();
    let error = Contents::of(&options(Location::Postgres(url))).await.unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1: ") && error.contains("; at localhost:2"), "{error}");
    assert!(error.contains("refused"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
    let url = "postgres://nobody:hunter2@127.0.0.1:1/nowhere".to_owned();
    let db = Db::open(options(Location::Postgres(url))).await.unwrap();
    let error = db.read().await.map(drop).unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1: ") && error.contains("refused"), "a reader says the same: {error}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bailiwick.db");
    std::fs::write(&path, "not a database, but long enough to have a header of one hundred bytes".repeat(3))
        .unwrap();
    let error = Contents::of(&options(Location::Sqlite(path.clone()))).await.unwrap_err().to_string();
    assert!(error.contains(path.to_str().unwrap()) && error.contains("not a database"), "{error}");
}
