//! A newer release runs beside this one and has added columns to every table. This release is not affected: it names
//! the columns that it reads and writes, and does not check the schema's version.

use db::{Engine, Migration};
use testkit::TestApp;

use crate::all::operations;
use crate::all::world::World;

/// The additions that a newer release could make to a schema in use.
async fn widen(app: &TestApp) {
    let tables = match app.db.engine() {
        Engine::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        Engine::Postgres => {
            "SELECT CAST(tablename AS TEXT) FROM pg_catalog.pg_tables WHERE schemaname = 'public'"
        }
    };
    let tables: Vec<(String,)> = app.db.read().await.unwrap().query(tables, &[]).await.unwrap();
    assert!(tables.len() > 20, "{tables:?}");
    let statements: Vec<_> = tables
        .iter()
        .map(|(table,)| {
            format!("ALTER TABLE {table} ADD COLUMN of_a_newer_release TEXT NOT NULL DEFAULT 'x';")
        })
        .collect();
    let text: &'static str = statements.concat().leak();
    let next = Migration { name: "9999_newer", text };
    let steps = [store::migrations::ALL, &[next]].concat();
    assert_eq!(app.db.migrate(&steps).await.unwrap(), ["9999_newer"]);
}

#[testkit::both_engines]
async fn columns_of_a_newer_release_do_not_matter(app: TestApp) {
    let world = World::new(&app).await;
    // Twice, so that the second round uses statements that were prepared for the former tables.
    for round in 0..2 {
        for operation in operations::all() {
            world.must(&world.valid(&operation).await).await;
        }
        if round == 0 {
            widen(&app).await;
        }
    }
    let started_later = app.beside(2).await;
    let there = world.through(&started_later);
    for operation in operations::all() {
        there.must(&there.valid(&operation).await).await;
    }
    let mut tx = app.db.read().await.unwrap();
    let schema = store::condition::schema(&mut tx, store::migrations::ALL).await.unwrap();
    assert_eq!((schema.missing.len(), schema.newer.as_slice()), (0, &["9999_newer".to_owned()][..]));
    let report = store::verify::verify(&mut tx, world.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}
