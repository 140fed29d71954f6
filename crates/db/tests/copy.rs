//! A copy of a SQLite file is one snapshot, stands alone, and is read without being changed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::{Path, PathBuf};

use crate::common::{assert_whole, at, labels, open, organization, write};
use db::{Db, Error, Location, Options, Tx};
use testkit::{EmptyDatabase, Engine, both_engines};

/// The file and those that SQLite makes beside it.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn open_copy(copy: &Path) -> Db {
    let options = at(Location::Sqlite(copy.to_owned()), 9);
    Db::open(Options { immutable: true, ..options }).await.unwrap()
}

#[both_engines]
async fn a_copy_is_what_the_read_sees(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    for number in 0..200 {
        write(&db, org, &format!("{number} {}", "x".repeat(20_000))).await.unwrap();
    }
    let before = labels(&db, org).await;
    let folder = tempfile::tempdir().unwrap();
    // A name that has to be escaped in a URI.
    let copy: PathBuf = folder.path().join("a copy?#%.db");
    std::fs::File::create(&copy).unwrap();
    let mut tx = db.read().await.unwrap();
    // From here on the read's snapshot is fixed.
    assert_eq!(tx.read_head(org).await.unwrap().unwrap().seq, 200);
    write(&db, org, "after it began").await.unwrap();
    let (mut steps, mut last) = (0, 0);
    let runtime = tokio::runtime::Handle::current();
    let copied = tokio::task::block_in_place(|| {
        tx.copy_to(&copy, |done| {
            // A write follows each step.
            runtime.block_on(write(&db, org, &format!("step {steps}")))?;
            assert!(done > last);
            (steps, last) = (steps + 1, done);
            Ok(())
        })
    });
    if database.engine() == Engine::Postgres {
        assert!(matches!(copied, Err(Error::Internal(_))), "{copied:?}");
        return;
    }
    copied.unwrap();
    assert!(steps > 10, "{steps}");
    drop(tx);
    assert_eq!(labels(&db, org).await.len(), 201 + steps, "writing went on");
    assert_whole(&db, org).await;

    assert_eq!(std::fs::metadata(&copy).unwrap().len(), last);
    assert_eq!(std::fs::read(&copy).unwrap()[18..20], [1, 1], "it needs no log");
    let bytes = std::fs::read(&copy).unwrap();
    let there = open_copy(&copy).await;
    assert_eq!(labels(&there, org).await, before);
    assert_whole(&there, org).await;
    let refused = write(&there, org, "no").await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    assert!(there.migrate(crate::common::SCHEMA).await.is_err());
    assert_eq!(files(folder.path()), ["a copy?#%.db"]);
    assert_eq!(std::fs::read(&copy).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_ends_with_the_error_of_its_callback() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(at(Location::Sqlite(folder.path().join("a.db")), 1)).await.unwrap();
    db.migrate(crate::common::SCHEMA).await.unwrap();
    let copy = folder.path().join("copy.db");
    std::fs::File::create(&copy).unwrap();
    let mut tx: Tx = db.read().await.unwrap();
    let ended = tx.copy_to(&copy, |_| Err(Error::Unavailable("enough".to_owned())));
    assert_eq!(ended, Err(Error::Unavailable("enough".to_owned())));
    // The read works as before.
    tx.query::<(String,)>("SELECT name FROM schema_migration", &[]).await.unwrap();
}
