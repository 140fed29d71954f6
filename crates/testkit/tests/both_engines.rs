//! The attribute runs a test on each engine and gives each test a database of its own.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use testkit::{EmptyDatabase, Engine, TestDb, both_engines};

/// A table that another test would see if it shared the database.
async fn leave_a_trace(db: &TestDb) {
    db.write_instance(async move |tx: &mut db::Tx| -> db::Result<()> {
        tx.execute("CREATE TABLE trace (id BIGINT NOT NULL)", &[]).await.map(drop)
    })
    .await
    .unwrap();
}

#[both_engines]
async fn a_test_leaves_no_trace_for_a_second_one(db: TestDb) {
    leave_a_trace(&db).await;
}

#[both_engines]
async fn a_test_finds_no_trace_of_a_first_one(db: TestDb) {
    leave_a_trace(&db).await;
}

#[both_engines]
async fn time_stands_still_until_it_is_moved(db: TestDb) {
    let before = (db.clock())();
    assert_eq!(before, (db.clock())());
    db.clock.advance_days(1);
    assert_eq!((db.clock())().as_second() - before.as_second(), 86_400);
    db.clock.set("2026-01-01T00:00:00Z");
    assert_eq!((db.clock())().to_string(), "2026-01-01T00:00:00Z");
}

#[test]
fn randomness_repeats_with_its_seed() {
    let drawn = |seed| {
        let mut bytes = [0; 8];
        testkit::seeded(seed)(&mut bytes);
        bytes
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
}

#[both_engines]
async fn an_empty_database_has_no_tables(database: EmptyDatabase) {
    let db = database.open(&testkit::TestClock::new(), 1).await;
    let mut tx = db.read().await.unwrap();
    assert!(tx.query::<(String,)>("SELECT name FROM schema_migration", &[]).await.is_err());
    drop(tx);
    assert_eq!(db.migrate(&[]).await.unwrap(), ["0000_db"]);
}

#[both_engines]
async fn the_engine_is_the_one_it_says(db: TestDb) {
    let wanted = match db.database().engine() {
        Engine::Sqlite => "SELECT sqlite_version()",
        Engine::Postgres => "SELECT current_setting('server_version')",
    };
    let mut tx = db.read().await.unwrap();
    assert_eq!(tx.engine(), db.database().engine());
    let version: (String,) = tx.query_one(wanted, &[]).await.unwrap();
    assert!(version.0.starts_with(if tx.engine() == Engine::Sqlite { "3." } else { "15." }));
}

#[both_engines]
#[should_panic(expected = "as it should")]
async fn a_failing_test_fails(_db: TestDb) {
    panic!("as it should");
}

#[both_engines]
async fn organizations_and_people_are_made(db: TestDb) {
    let organization = db.organization("Acme").await;
    let ada = db.user(organization, "Ada", "ada@example.org", domain::Role::Owner).await;
    let other = db.organization("Bcme").await;
    assert_eq!(db.user(other, "A. L.", "ADA@example.org", domain::Role::Viewer).await, ada);
    let mut tx = db.read().await.unwrap();
    let member = store::people::get(&mut tx, organization, ada).await.unwrap().unwrap();
    assert_eq!((member.person.name.as_str(), member.roles.first()), ("Ada", domain::Role::Owner));
}
