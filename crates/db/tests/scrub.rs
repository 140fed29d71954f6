//! What was overwritten or deleted is not in the files of SQLite any more.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{open, organization};
use db::{Db, Location, Tx};
use testkit::{EmptyDatabase, Engine, until};
use uuid::Uuid;

/// In every text that is to leave nothing behind.
const NEEDLE: &str = "zyzzyva-needle";

fn path(database: &EmptyDatabase) -> PathBuf {
    match database.location() {
        Location::Sqlite(path) => path,
        Location::Postgres(_) => panic!("not on SQLite"),
    }
}

fn log_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}-wal", path.display()))
}

fn has_needle(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    bytes.windows(NEEDLE.len()).any(|window| window == NEEDLE.as_bytes())
}

/// A text of this length, with the needle in many places.
fn text(number: usize, length: usize) -> String {
    let mut text = format!("{number} {NEEDLE} ");
    while text.len() < length {
        text.push_str("lorem ipsum zyzzyva-needle dolor ");
    }
    text
}

async fn run(db: &Db, org: Uuid, sql: &'static str, label: String, seq: i64) {
    let work = async move |tx: &mut Tx| tx.execute(sql, &[&org, &seq, &label]).await;
    db.write(org, work).await.unwrap();
}

/// Waits until the log is empty.
async fn scrubbed(db: &Db, path: &Path) {
    db.scrub();
    let is_empty = async || !std::fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0);
    until("the log is emptied", is_empty).await;
}

/// Rows of all sizes, from a few bytes to many pages, grow and shrink, move and go.
#[test]
fn what_was_overwritten_or_deleted_is_in_no_file() {
    testkit::run(Engine::Sqlite, async |database: EmptyDatabase| {
        let (db, path) = (open(&database).await, path(&database));
        let org = organization(&db).await;
        let (insert, update, delete) = (
            "INSERT INTO entry (organization, seq, at, number, label) VALUES ($1, $2, 0, 1, $3)",
            "UPDATE entry SET label = $3 WHERE organization = $1 AND seq = $2",
            "DELETE FROM entry WHERE organization = $1 AND seq = $2 AND label <> $3",
        );
        let mut random = 7_usize;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for seq in 0..300_i64 {
            let length = [20, 300, 1_500, 9_000][next(4)] + next(500);
            run(&db, org, insert, text(next(1_000_000), length), seq).await;
        }
        for _ in 0..1_500 {
            let seq = i64::try_from(next(300)).unwrap();
            let length = [20, 300, 1_500, 9_000][next(4)] + next(500);
            let number = next(1_000_000_000);
            run(&db, org, update, text(number, length), seq).await;
        }
        assert!(has_needle(&path) || has_needle(&log_of(&path)));
        for seq in 0..300_i64 {
            if next(3) == 0 {
                run(&db, org, delete, String::new(), seq).await;
            } else {
                run(&db, org, update, format!("gone {seq} {}", "x".repeat(next(3_000))), seq).await;
            }
        }
        scrubbed(&db, &path).await;
        assert!(!has_needle(&path), "the database has it");
        assert!(!has_needle(&log_of(&path)), "the log has it");
    });
}

/// A read that goes on keeps the log, which is emptied once the read has ended.
#[test]
fn a_read_that_goes_on_delays_it() {
    testkit::run(Engine::Sqlite, async |database: EmptyDatabase| {
        let (db, path) = (open(&database).await, path(&database));
        let org = organization(&db).await;
        let insert = "INSERT INTO entry (organization, seq, at, number, label) VALUES ($1, $2, 0, 1, $3)";
        run(&db, org, insert, text(1, 300), 1).await;
        let mut read = db.read().await.unwrap();
        let count = "SELECT count(*) FROM entry";
        assert_eq!(read.query_one::<(i64,)>(count, &[]).await.unwrap(), (1,));
        run(&db, org, "UPDATE entry SET label = $3 WHERE organization = $1 AND seq = $2", "gone".into(), 1)
            .await;
        db.scrub();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(has_needle(&log_of(&path)) || has_needle(&path), "the read still needs it");
        drop(read);
        scrubbed(&db, &path).await;
        assert!(!has_needle(&path) && !has_needle(&log_of(&path)));
    });
}
