//! A SQLite file that is locked, full or read for long: nothing acknowledged is lost, and writing goes on.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::{append, assert_whole, is_unavailable, labels, occupy, open, organization, write};
use db::{Db, Error, Location, Tx};
use futures_util::future::join_all;
use testkit::{EmptyDatabase, Engine, PATIENCE, until};

fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(EmptyDatabase) -> F) {
    testkit::run(Engine::Sqlite, test);
}

fn file(database: &EmptyDatabase) -> PathBuf {
    match database.location() {
        Location::Sqlite(path) => path,
        Location::Postgres(_) => panic!("not on SQLite"),
    }
}

/// How long a statement may take in [`impatient`].
const SHORT: Duration = Duration::from_millis(200);

/// The database with short timeouts.
async fn impatient(database: &EmptyDatabase) -> Db {
    let mut options = crate::common::options(database, 2);
    options.statement_timeout = SHORT;
    options.queue_wait = Duration::from_millis(300);
    Db::open(options).await.unwrap()
}

#[test]
fn a_locked_file_refuses_writes_in_bounded_time_and_recovers() {
    on_sqlite(async |database| {
        const COUNT: u32 = 6_000;
        let (db, impatient) = (open(&database).await, impatient(&database).await);
        let org = organization(&db).await;
        write(&db, org, "first").await.unwrap();
        let other = rusqlite::Connection::open(file(&database)).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let started = Instant::now();
        let answers = join_all((0..COUNT).map(|number| {
            let db = &impatient;
            async move { write(db, org, &format!("lost {number}")).await }
        }))
        .await;
        assert!(answers.iter().all(is_unavailable));
        // One after another they would wait for twenty minutes.
        assert!(started.elapsed() < SHORT * COUNT / 2, "{:?}", started.elapsed());
        assert_eq!(labels(&db, org).await, ["first"], "reads go on");
        other.execute_batch("COMMIT").unwrap();
        until("it recovers", async || write(&impatient, org, "second").await.is_ok()).await;
        assert_eq!(labels(&db, org).await, ["first", "second"]);
        assert_whole(&db, org).await;
    });
}

#[test]
fn a_lock_that_is_given_back_in_time_is_not_noticed() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        let other = rusqlite::Connection::open(file(&database)).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let writing = write(&db, org, "first");
        let releasing = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            other.execute_batch("COMMIT").unwrap();
        };
        let (written, ()) = tokio::join!(writing, releasing);
        written.unwrap();
    });
}

/// Sets how many pages the file may have, on the connection that writes.
async fn allow_pages(db: &Db, pages: i64) {
    let sql = format!("PRAGMA max_page_count = {pages}");
    db.write_instance(async move |tx: &mut Tx| tx.execute(&sql, &[]).await).await.unwrap();
}

#[test]
fn a_full_disk_refuses_what_does_not_fit_and_recovers() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        let (pages,) = db.read().await.unwrap().query_one::<(i64,)>("PRAGMA page_count", &[]).await.unwrap();
        allow_pages(&db, pages + 8).await;
        let mut acknowledged = Vec::new();
        let mut refused = 0;
        for round in 0..12 {
            let answers = join_all((0..8).map(|number| {
                let (db, label) =
                    (&db, format!("{round}.{number} {}", "x".repeat(if number == 3 { 20_000 } else { 300 })));
                async move { write(db, org, &label).await }
            }))
            .await;
            for answer in answers {
                match answer {
                    Ok(written) => acknowledged.push(written.label),
                    Err(Error::Unavailable(_)) => refused += 1,
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
        assert!(refused > 20 && acknowledged.len() > 5, "{refused} and {}", acknowledged.len());
        assert_eq!(labels(&db, org).await, acknowledged);
        assert_whole(&db, org).await;
        allow_pages(&db, 1_000_000).await;
        write(&db, org, &"x".repeat(30_000)).await.unwrap();
        assert_whole(&db, org).await;
    });
}

#[test]
fn a_batch_that_sqlite_ended_is_run_again_one_by_one() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        let end = Arc::default();
        let busy = occupy(&db, org, &end);
        // As after an error of the disk: the transaction is gone and the statement is refused.
        let fatal = db.write(org, async move |tx: &mut Tx| -> db::Result<()> {
            append(tx, org, "fatal").await?;
            tx.execute("ROLLBACK", &[]).await?;
            append(tx, org, "outside of any transaction").await.map(drop)
        });
        let (before, after) = (write(&db, org, "before"), write(&db, org, "after"));
        let ((), before, fatal, after, ()) =
            tokio::join!(busy, before, fatal, after, async { end.notify_one() });
        assert!(before.is_ok() && after.is_ok());
        assert!(is_unavailable(&fatal), "{fatal:?}");
        assert_eq!(labels(&db, org).await, ["before", "after"]);
        assert_whole(&db, org).await;
    });
}

#[test]
fn a_commit_that_is_refused_is_the_offenders_alone() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        let orphan = db.write(org, async move |tx: &mut Tx| -> db::Result<()> {
            append(tx, org, "orphan").await?;
            tx.execute("INSERT INTO child (parent) VALUES (404)", &[]).await.map(drop)
        });
        let (before, orphan, after) =
            tokio::join!(write(&db, org, "before"), orphan, write(&db, org, "after"));
        assert!(before.is_ok() && after.is_ok());
        assert_eq!(orphan, Err(Error::Constraint { name: "foreign_key".to_owned() }));
        assert_eq!(labels(&db, org).await, ["before", "after"]);
        assert_whole(&db, org).await;
    });
}

#[test]
fn a_process_that_writes_without_pause_does_not_starve_another() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let other = Db::open(crate::common::options(&database, 2)).await.unwrap();
        let (busy_org, org) = (organization(&db).await, organization(&db).await);
        let stop = Arc::new(AtomicBool::new(false));
        let busy: Vec<_> = (0..32)
            .map(|writer| {
                let (db, stop) = (db.clone(), Arc::clone(&stop));
                tokio::spawn(async move {
                    let mut count = 0;
                    while !stop.load(Ordering::SeqCst) {
                        write(&db, busy_org, &format!("{writer} {count}")).await.unwrap();
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut took = Vec::new();
        for number in 0..31 {
            let started = Instant::now();
            write(&other, org, &number.to_string()).await.unwrap();
            took.push(started.elapsed());
        }
        stop.store(true, Ordering::SeqCst);
        let mut written = 0;
        for task in busy {
            written += task.await.unwrap();
        }
        took.sort();
        // Half of them: a machine that pauses delays a few.
        assert!(took[took.len() / 2] < Duration::from_secs(2), "{took:?}");
        assert!(written > 31, "the busy one wrote {written}");
        assert_whole(&db, busy_org).await;
        assert_whole(&db, org).await;
    });
}

#[test]
fn a_long_read_does_not_stop_writing_while_the_log_grows() {
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        write(&db, org, "first").await.unwrap();
        let mut reader = db.read().await.unwrap();
        let count = "SELECT count(*) FROM entry";
        assert_eq!(reader.query_one::<(i64,)>(count, &[]).await.unwrap(), (1,));
        // 2 MB each, with the index: past the length at which the log should start from its beginning, which the reader
        // prevents.
        let mut longest = Duration::ZERO;
        for number in 0..50 {
            let started = Instant::now();
            write(&db, org, &format!("{number} {}", "x".repeat(1_000_000))).await.unwrap();
            longest = longest.max(started.elapsed());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(reader.query_one::<(i64,)>(count, &[]).await.unwrap(), (1,));
        drop(reader);
        // It did not wait for what may take as long as a statement.
        assert!(longest < PATIENCE / 2, "a write took {longest:?}");
        // The log starts from its beginning instead of growing for ever.
        let log = file(&database).with_extension("db-wal");
        let length = || std::fs::metadata(&log).unwrap().len();
        let (mut number, mut reused) = (50, 0);
        until("the log is used again", async || {
            let before = length();
            write(&db, org, &format!("{number} {}", "x".repeat(1_000_000))).await.unwrap();
            number += 1;
            reused += usize::from(length() == before);
            tokio::time::sleep(Duration::from_millis(20)).await;
            reused == 5
        })
        .await;
    });
}

#[test]
fn the_files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    on_sqlite(async |database| {
        let db = open(&database).await;
        let org = organization(&db).await;
        write(&db, org, "first").await.unwrap();
        let mut names = Vec::new();
        for entry in std::fs::read_dir(database.folder()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
            names.push(entry.file_name().into_string().unwrap());
        }
        names.sort_unstable();
        assert_eq!(names, ["bailiwick.db", "bailiwick.db-shm", "bailiwick.db-wal", "bailiwick.db-writer"]);
    });
}

#[test]
fn the_checkpoints_begin_once_the_folder_can_be_opened() {
    on_sqlite(async |database| {
        let folder = database.folder().join("later");
        let location = Location::Sqlite(folder.join("bailiwick.db"));
        let db = Db::open(crate::common::at(location, 1)).await.unwrap();
        assert!(db.migrate(crate::common::SCHEMA).await.is_err());
        tokio::time::sleep(Duration::from_millis(50)).await;
        std::fs::create_dir(&folder).unwrap();
        db.migrate(crate::common::SCHEMA).await.unwrap();
        let org = organization(&db).await;
        for number in 0..12 {
            write(&db, org, &format!("{number} {}", "x".repeat(1_000_000))).await.unwrap();
        }
        let moved = async || std::fs::metadata(folder.join("bailiwick.db")).unwrap().len() > 4_000_000;
        until("a checkpoint is made", moved).await;
    });
}
