//! Two processes on one database, as two `Db`: one organization, one chain.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{append, assert_whole, chain, is_unavailable, labels, occupy, open, organization, write};
use db::{Db, Error, Tx};
use futures_util::future::join_all;
use testkit::{EmptyDatabase, Engine, both_engines, until};
use tokio::sync::Notify;
use uuid::Uuid;

#[both_engines]
async fn two_processes_write_to_one_organization(database: EmptyDatabase) {
    const ROUNDS: usize = 20;
    let (one, two) = (open(&database).await, Db::open(crate::common::options(&database, 2)).await.unwrap());
    let org = organization(&one).await;
    let mut written = Vec::new();
    for round in 0..ROUNDS {
        let writes = (0..40).map(|number| {
            let db = if number % 2 == 0 { &one } else { &two };
            async move {
                if number % 10 > 7 {
                    let refused = db.write(org, async move |tx: &mut Tx| -> db::Result<()> {
                        append(tx, org, &format!("refused {number}")).await?;
                        Err(Error::Unavailable("changed its mind".to_owned()))
                    });
                    refused.await.unwrap_err();
                    return None;
                }
                Some(write(db, org, &format!("{round} {number}")).await.unwrap())
            }
        });
        written.extend(join_all(writes).await.into_iter().flatten());
    }
    written.sort_by_key(|written| written.seq);
    assert_eq!(written, chain(&one, org).await);
    assert!(written.windows(2).all(|pair| pair[0].at < pair[1].at));
    assert_whole(&two, org).await;
    assert_eq!(written.len(), ROUNDS * 32);
}

#[both_engines]
async fn a_write_of_the_instance_waits_for_an_organizations_writers_elsewhere(database: EmptyDatabase) {
    let (one, two) = (open(&database).await, Db::open(crate::common::options(&database, 2)).await.unwrap());
    let org = organization(&one).await;
    let both = (0..40).map(|number| {
        let (one, two) = (&one, &two);
        async move {
            if number % 2 == 0 {
                write(one, org, &format!("own {number}")).await.map(drop)
            } else {
                two.write_instance(async move |tx: &mut Tx| {
                    tx.lock_head(org).await?;
                    append(tx, org, &format!("instance {number}")).await?;
                    append(tx, Uuid::nil(), &format!("instance {number}")).await.map(drop)
                })
                .await
            }
        }
    });
    assert!(join_all(both).await.iter().all(Result::is_ok));
    assert_whole(&one, org).await;
    assert_whole(&one, Uuid::nil()).await;
    assert_eq!(labels(&one, org).await.len(), 40);
    assert_eq!(labels(&one, Uuid::nil()).await.len(), 20);
}

#[both_engines]
async fn a_head_locked_too_long_by_another_process_is_reported(database: EmptyDatabase) {
    let one = open(&database).await;
    let mut options = crate::common::options(&database, 2);
    options.statement_timeout = Duration::from_millis(300);
    let two = Db::open(options).await.unwrap();
    let org = organization(&one).await;
    let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (is_begun, is_over) = (Arc::clone(&begun), Arc::clone(&end));
    let holding = one.write_alone(org, async move |tx: &mut Tx| -> db::Result<()> {
        append(tx, org, "held").await?;
        is_begun.notify_one();
        is_over.notified().await;
        Ok(())
    });
    // It is reported while the lock is held.
    let waiting = async {
        begun.notified().await;
        until("it is reported", async || match write(&two, org, "refused").await {
            Err(Error::HeadBusy) => two.engine() == Engine::Postgres,
            // PostgreSQL, too, where the machine pauses.
            refused => {
                assert!(is_unavailable(&refused), "{refused:?}");
                two.engine() == Engine::Sqlite
            }
        })
        .await;
        end.notify_one();
    };
    let (held, ()) = tokio::join!(holding, waiting);
    held.unwrap();
    until("it goes on", async || write(&two, org, "later").await.is_ok()).await;
    assert_eq!(labels(&one, org).await, ["held", "later"]);
    assert_whole(&one, org).await;
}

#[both_engines]
async fn a_write_beyond_the_limit_is_refused_at_once(database: EmptyDatabase) {
    let mut options = crate::common::options(&database, 1);
    options.queue_limit = 5;
    let db = Db::open(options).await.unwrap();
    db.migrate(crate::common::SCHEMA).await.unwrap();
    let org = organization(&db).await;
    // On SQLite a running batch takes what waits; this one takes nothing, so the limit holds on both.
    let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (is_begun, is_over) = (Arc::clone(&begun), Arc::clone(&end));
    let busy = db.write_alone(org, async move |_: &mut Tx| -> db::Result<()> {
        is_begun.notify_one();
        is_over.notified().await;
        Ok(())
    });
    let refused = AtomicUsize::new(0);
    let writing = async {
        begun.notified().await;
        join_all((0..12).map(async |number| {
            let answer = write(&db, org, &number.to_string()).await;
            refused.fetch_add(is_unavailable(&answer).into(), Ordering::SeqCst);
            answer.is_ok()
        }))
        .await
    };
    let ending = async {
        until("seven are refused", async || refused.load(Ordering::SeqCst) == 7).await;
        end.notify_one();
    };
    let (busy, answers, ()) = tokio::join!(busy, writing, ending);
    busy.unwrap();
    assert_eq!(answers.into_iter().filter(|is_ok| *is_ok).count(), 5);
    assert_whole(&db, org).await;
}

#[both_engines]
async fn a_write_that_waits_too_long_is_given_up_untouched(database: EmptyDatabase) {
    let org = organization(&open(&database).await).await;
    let mut options = crate::common::options(&database, 2);
    options.queue_wait = Duration::from_millis(200);
    let db = Db::open(options).await.unwrap();
    let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let busy = async || {
        let (is_begun, is_over) = (Arc::clone(&begun), Arc::clone(&end));
        let work = async move |_: &mut Tx| -> db::Result<()> {
            is_begun.notify_one();
            is_over.notified().await;
            Ok(())
        };
        db.write_alone(org, work).await
    };
    let waiting = async {
        begun.notified().await;
        // It is given up while the other one goes on.
        assert!(is_unavailable(&write(&db, org, "given up").await));
        end.notify_one();
    };
    // On a slow machine the first one itself may wait too long.
    let beginning = until("the lane is busy", async || busy().await.is_ok());
    tokio::join!(beginning, waiting);
    until("it goes on", async || write(&db, org, "later").await.is_ok()).await;
    assert_eq!(labels(&db, org).await, ["later"]);
}

#[both_engines]
async fn a_small_organization_does_not_wait_for_a_big_ones_queue(database: EmptyDatabase) {
    let db = open(&database).await;
    let (big, small) = (organization(&db).await, organization(&db).await);
    // Each has a connection to be served on.
    let (first, second) = tokio::join!(write(&db, big, "first"), write(&db, small, "first"));
    assert!(first.is_ok() && second.is_ok());
    let many = join_all((0..1_500).map(|number| {
        let db = &db;
        async move { write(db, big, &number.to_string()).await }
    }));
    // Handed over after all the others.
    let before = db.write(small, async move |tx: &mut Tx| -> db::Result<i64> {
        append(tx, small, "one").await?;
        let sql = "SELECT count(*) FROM entry WHERE organization = $1";
        Ok(tx.query_one::<(i64,)>(sql, &[&big]).await?.0)
    });
    let (many, before) = tokio::join!(many, before);
    assert!(many.iter().all(Result::is_ok));
    // SQLite: a running batch and one more. PostgreSQL: what another lane did meanwhile.
    let before = before.unwrap();
    assert!(before < 1_450, "{before} of the other's writes came first");
}

#[both_engines]
async fn writes_that_wait_share_a_commit(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let before = db.commits();
    let end = Arc::default();
    let writes = join_all((0..200).map(|number| {
        let db = &db;
        async move { write(db, org, &number.to_string()).await }
    }));
    // Polled in this order, so that all wait when the first ends.
    let ((), answers, ()) = tokio::join!(occupy(&db, org, &end), writes, async { end.notify_one() });
    assert!(answers.iter().all(Result::is_ok));
    let commits = db.commits() - before;
    assert!(commits <= 40, "{commits} commits");
}

#[both_engines]
async fn a_closed_database_finishes_what_waits_and_takes_no_more(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let writes = join_all((0..100).map(|number| {
        let db = &db;
        async move { write(db, org, &number.to_string()).await }
    }));
    let closing = async {
        tokio::task::yield_now().await;
        db.close().await;
    };
    let (answers, ()) = tokio::join!(writes, closing);
    assert!(answers.iter().all(Result::is_ok));
    assert!(is_unavailable(&write(&db, org, "late").await));
    let again = Db::open(crate::common::options(&database, 2)).await.unwrap();
    assert_eq!(labels(&again, org).await.len(), 100);
    assert_whole(&again, org).await;
}

/// Where nothing is written for a while, reads on SQLite reuse the snapshot of the previous read.
#[both_engines]
async fn a_read_after_a_lull_sees_what_another_process_has_written(database: EmptyDatabase) {
    let (one, two) = (open(&database).await, Db::open(crate::common::options(&database, 2)).await.unwrap());
    let org = organization(&one).await;
    let mut expected = Vec::new();
    for round in 0..5 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        for number in 0..5 {
            for db in [&one, &two] {
                assert_eq!(labels(db, org).await, expected);
            }
            let writer = if (round + number) % 2 == 0 { &one } else { &two };
            let label = format!("{round} {number}");
            write(writer, org, &label).await.unwrap();
            expected.push(label);
        }
    }
}
