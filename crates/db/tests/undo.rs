//! What a refused write costs the other writes of its batch.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{append, append_so, assert_whole, labels, occupy, open, organization, write};
use db::{Db, Engine, Error, Tx};
use futures_util::future::join_all;
use testkit::{EmptyDatabase, both_engines};
use uuid::Uuid;

/// When a write is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    Never,
    BeforeAChange,
    AfterAChange,
    /// With changes that have not been sent to PostgreSQL yet.
    BeforeItIsSent,
    /// By a statement whose outcome it waited for.
    ByTheDatabase,
    /// By a statement whose outcome it did not wait for.
    ByTheDatabaseLate,
}

/// Submits writes that all wait while another one runs, so that they are one batch; returns the outcome of each, and
/// how often it ran.
async fn batch(db: &Db, organization: Uuid, all: &[Refused]) -> Vec<(db::Result<()>, usize)> {
    let end = Arc::default();
    let first = occupy(db, organization, &end);
    let rest = all.iter().enumerate().map(async |(number, refused)| {
        let (refused, runs) = (*refused, Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&runs);
        let work = async move |tx: &mut Tx| -> db::Result<()> {
            counted.fetch_add(1, Ordering::SeqCst);
            if refused == Refused::BeforeItIsSent {
                append_so(tx, organization, &number.to_string(), false).await?;
            }
            if matches!(refused, Refused::BeforeAChange | Refused::BeforeItIsSent) {
                return Err(Error::Internal("no".to_owned()));
            }
            append(tx, organization, &number.to_string()).await?;
            match refused {
                Refused::AfterAChange => return Err(Error::Internal("no".to_owned())),
                Refused::ByTheDatabase => drop(append_so(tx, organization, "taken", true).await?),
                Refused::ByTheDatabaseLate => drop(append_so(tx, organization, "taken", false).await?),
                Refused::Never | Refused::BeforeAChange | Refused::BeforeItIsSent => {}
            }
            Ok(())
        };
        (db.write(organization, work).await, runs.load(Ordering::SeqCst))
    });
    // Polled in this order, so that all are handed over when the first ends.
    let ((), rest, ()) = tokio::join!(first, join_all(rest), async { end.notify_one() });
    rest
}

#[both_engines]
async fn a_write_refused_before_a_change_does_not_rerun_its_batch(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let came = batch(&db, org, &[Refused::Never, Refused::BeforeAChange, Refused::Never]).await;
    assert_eq!(came, [(Ok(()), 1), (Err(Error::Internal("no".to_owned())), 1), (Ok(()), 1)]);
    assert_eq!(labels(&db, org).await, ["0", "2"]);
    assert_whole(&db, org).await;
}

#[both_engines]
async fn a_refusal_after_a_change_is_undone_by_itself_in_a_second_run(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let commits = db.commits();
    let came = batch(&db, org, &[Refused::Never, Refused::AfterAChange, Refused::Never]).await;
    // The third had not run yet when the second was refused.
    assert_eq!(came, [(Ok(()), 2), (Err(Error::Internal("no".to_owned())), 2), (Ok(()), 1)]);
    assert_eq!(labels(&db, org).await, ["0", "2"]);
    assert_eq!(db.commits() - commits, 2, "the one that all waited for, and one for all");
    assert_whole(&db, org).await;
}

#[both_engines]
async fn alone_it_runs_once(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let came = batch(&db, org, &[Refused::AfterAChange]).await;
    assert_eq!(came, [(Err(Error::Internal("no".to_owned())), 1)]);
    assert_eq!(labels(&db, org).await, [""; 0]);
    assert_whole(&db, org).await;
}

#[both_engines]
async fn what_the_database_refuses_is_its_writers_alone(database: EmptyDatabase) {
    let db = open(&database).await;
    for refused in [Refused::ByTheDatabase, Refused::ByTheDatabaseLate] {
        let org = organization(&db).await;
        write(&db, org, "taken").await.unwrap();
        let came = batch(&db, org, &[Refused::Never, refused, Refused::Never, refused]).await;
        let results: Vec<_> = came.into_iter().map(|(result, _)| result).collect();
        let violated = Err(Error::Constraint { name: "entry_label".to_owned() });
        assert_eq!(results, [Ok(()), violated.clone(), Ok(()), violated], "{refused:?}");
        assert_eq!(labels(&db, org).await, ["taken", "0", "2"], "{refused:?}");
        assert_whole(&db, org).await;
    }
}

/// A statement whose outcome is not awaited may fail after its write is done, and before another write is undone.
#[both_engines]
async fn each_write_takes_effect_wholly_or_not_at_all(database: EmptyDatabase) {
    use Refused::{BeforeItIsSent, ByTheDatabase, ByTheDatabaseLate, Never};
    let db = open(&database).await;
    let kinds = [Never, BeforeItIsSent, ByTheDatabase, ByTheDatabaseLate];
    for index in 0..kinds.len().pow(3) {
        let all = [index / 16, index / 4 % 4, index % 4].map(|kind| kinds[kind]);
        let org = organization(&db).await;
        write(&db, org, "taken").await.unwrap();
        let came = batch(&db, org, &all).await;
        let mut expected = vec!["taken".to_owned()];
        for (number, (refused, (came, _))) in all.iter().zip(came).enumerate() {
            match refused {
                Never => {
                    assert_eq!(came, Ok(()), "{all:?}");
                    expected.push(number.to_string());
                }
                BeforeItIsSent => assert_eq!(came, Err(Error::Internal("no".to_owned())), "{all:?}"),
                _ => assert!(matches!(came, Err(Error::Constraint { .. })), "{all:?}: {came:?}"),
            }
        }
        assert_eq!(labels(&db, org).await, expected, "{all:?}");
        assert_whole(&db, org).await;
    }
}

/// Otherwise the lane would not know that there is something to undo.
#[both_engines]
async fn a_query_changes_nothing(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let insert = "INSERT INTO parent (id) VALUES ($1) RETURNING id";
    let query = async move |tx: &mut Tx| tx.query::<(i64,)>(insert, &[&1_i64]).await;
    if db.engine() == Engine::Sqlite {
        let refused = db.write(org, query).await;
        assert_eq!(refused, Err(Error::Internal("a query that changes rows".to_owned())));
    }
    let returned =
        db.write(org, async move |tx: &mut Tx| tx.execute_returning::<(i64,)>(insert, &[&2_i64]).await).await;
    assert_eq!(returned, Ok(vec![(2,)]));
}
