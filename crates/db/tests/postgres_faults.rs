//! PostgreSQL cut off, gone silent, or refusing a COMMIT: what was acknowledged is there exactly once,
//! what was refused is not, and the lanes recover.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Written, append, assert_whole, is_unavailable, labels, occupy, organization, write};
use db::{Db, Error, Location, Options, Tx};
use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::proxy::{Cut, Proxy};
use testkit::{EmptyDatabase, Engine, PATIENCE, until};
use uuid::Uuid;

/// A database behind a proxy, and one organization in it.
struct Behind {
    db: Db,
    /// Connected without the proxy.
    direct: Db,
    proxy: Arc<Proxy>,
    organization: Uuid,
}

impl Behind {
    async fn new(database: &EmptyDatabase, settings: impl FnOnce(&mut Options)) -> Self {
        let direct = crate::common::open(database).await;
        let (proxy, url) = Proxy::start(&crate::common::url(database)).await;
        let mut options = crate::common::at(Location::Postgres(url), 2);
        settings(&mut options);
        let db = Db::open(options).await.unwrap();
        let organization = organization(&direct).await;
        // The lanes have their connections.
        until("it is connected", async || {
            let written = write(&db, organization, "first").await;
            written.is_ok() || labels(&direct, organization).await == ["first"]
        })
        .await;
        Self { db, direct, proxy, organization }
    }
}

fn one_lane(options: &mut Options) {
    options.writers = 1;
}

fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(EmptyDatabase) -> F) {
    testkit::run(Engine::Postgres, test);
}

/// A write that counts how often it ran.
async fn counted(db: &Db, organization: Uuid, label: &str, runs: &Arc<AtomicUsize>) -> db::Result<()> {
    let (label, runs) = (label.to_owned(), Arc::clone(runs));
    db.write(organization, async move |tx: &mut Tx| {
        runs.fetch_add(1, Ordering::SeqCst);
        append(tx, organization, &label).await.map(drop)
    })
    .await
}

#[test]
fn a_commit_that_never_arrives_is_run_again() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, one_lane).await;
        let runs = Arc::default();
        behind.proxy.cut(Cut::BeforeCommit);
        counted(&behind.db, behind.organization, "second", &runs).await.unwrap();
        assert_eq!((behind.proxy.happened(), runs.load(Ordering::SeqCst)), (1, 2));
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "second"]);
        assert_whole(&behind.direct, behind.organization).await;
    });
}

#[test]
fn a_commit_whose_answer_is_lost_is_found_and_not_run_again() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, one_lane).await;
        let runs = Arc::default();
        behind.proxy.cut(Cut::AfterCommit);
        counted(&behind.db, behind.organization, "second", &runs).await.unwrap();
        assert_eq!((behind.proxy.happened(), runs.load(Ordering::SeqCst)), (1, 1));
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "second"]);
        assert_whole(&behind.direct, behind.organization).await;
    });
}

#[test]
fn a_commit_that_arrives_late_is_waited_for() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, one_lane).await;
        let runs = Arc::default();
        behind.proxy.cut(Cut::LateCommit(700));
        counted(&behind.db, behind.organization, "second", &runs).await.unwrap();
        assert_eq!((behind.proxy.happened(), runs.load(Ordering::SeqCst)), (1, 1));
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "second"]);
        assert_whole(&behind.direct, behind.organization).await;
    });
}

#[test]
fn an_outcome_that_cannot_be_found_out_is_said_to_be_unknown() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, one_lane).await;
        let runs = Arc::default();
        behind.proxy.cut(Cut::AfterCommit);
        behind.proxy.close(true);
        let outcome = counted(&behind.db, behind.organization, "second", &runs).await;
        assert_eq!((outcome, runs.load(Ordering::SeqCst)), (Err(Error::OutcomeUnknown), 1));
        behind.proxy.close(false);
        write(&behind.db, behind.organization, "third").await.unwrap();
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "second", "third"]);
        assert_whole(&behind.direct, behind.organization).await;
    });
}

fn cut() -> impl Strategy<Value = Cut> {
    prop_oneof![
        Just(Cut::BeforeCommit),
        Just(Cut::AfterCommit),
        (1..60_u64).prop_map(Cut::LateCommit),
        Just(Cut::At("INSERT INTO entry")),
        Just(Cut::At("SAVEPOINT write")),
        Just(Cut::At("RELEASE write")),
        Just(Cut::At("BEGIN")),
    ]
}

#[test]
fn an_acknowledged_write_is_stored_once_after_any_cut() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |options| options.writers = 2).await;
        let handle = tokio::runtime::Handle::current();
        tokio::task::block_in_place(|| {
            let config = Config { cases: 80, failure_persistence: None, ..Config::default() };
            let rounds = (prop::collection::vec(cut(), 1..4), 1..12_usize);
            TestRunner::new(config)
                .run(&rounds, |(cuts, writers)| {
                    handle.block_on(a_round(&behind, &cuts, writers));
                    Ok(())
                })
                .unwrap();
        });
        assert!(behind.proxy.happened() > 100, "{}", behind.proxy.happened());
    });
}

const LATE: &str = "too late";

/// A write that fails after it has changed something.
async fn refused_late(db: &Db, organization: Uuid, label: &str) -> db::Result<Written> {
    let label = label.to_owned();
    db.write(organization, async move |tx: &mut Tx| {
        append(tx, organization, &label).await?;
        Err(Error::Internal(LATE.to_owned()))
    })
    .await
}

/// Writers on two organizations while the connection is cut several times.
async fn a_round(behind: &Behind, cuts: &[Cut], writers: usize) {
    let (one, other) = (organization(&behind.direct).await, organization(&behind.direct).await);
    let answered = AtomicUsize::new(0);
    let writing = async {
        let answered = &answered;
        let writes = (0..writers * 4).map(|number| {
            let organization = if number % 3 == 0 { other } else { one };
            async move {
                tokio::time::sleep(Duration::from_millis(number as u64 / 4 * 2)).await;
                let label = number.to_string();
                let answer = match number % 5 {
                    4 => refused_late(&behind.db, organization, &label).await,
                    _ => write(&behind.db, organization, &label).await,
                };
                answered.fetch_add(1, Ordering::SeqCst);
                (organization, number, answer)
            }
        });
        join_all(writes).await
    };
    let cutting = async {
        for cut in cuts {
            behind.proxy.cut(*cut);
            let (before, answers) = (behind.proxy.happened(), answered.load(Ordering::SeqCst));
            // Some never happen.
            let most = (answers + 16).min(writers * 4);
            let is_over = || behind.proxy.happened() > before || answered.load(Ordering::SeqCst) >= most;
            until("it is cut or not", async || is_over()).await;
        }
    };
    let (answers, ()) = tokio::join!(writing, cutting);
    // No cut is left for the next round.
    write(&behind.db, one, "last").await.ok();
    let found = [labels(&behind.direct, one).await, labels(&behind.direct, other).await];
    for (organization, number, answer) in answers {
        let labels = &found[usize::from(organization == other)];
        let count = labels.iter().filter(|label| **label == number.to_string()).count();
        match answer {
            Ok(written) => assert_eq!(count, 1, "{written:?} was acknowledged: {labels:?}"),
            Err(Error::OutcomeUnknown) => assert!(count <= 1),
            Err(Error::Unavailable(reason)) => assert_eq!(count, 0, "{number} was refused: {reason}"),
            Err(Error::Internal(reason)) if reason == LATE => assert_eq!(count, 0),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_whole(&behind.direct, one).await;
    assert_whole(&behind.direct, other).await;
    until("the lanes recover", async || write(&behind.db, one, "back").await.is_ok()).await;
}

#[test]
fn a_refused_commit_is_the_offenders_alone() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, one_lane).await;
        let trigger = [
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN RAISE EXCEPTION USING ERRCODE = ''23514'', CONSTRAINT = ''no_bad''; END'",
            "CREATE CONSTRAINT TRIGGER no_bad AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW WHEN (new.label = 'bad') EXECUTE FUNCTION refuse()",
        ];
        behind
            .direct
            .write_instance(async move |tx: &mut Tx| -> db::Result<()> {
                for sql in trigger {
                    tx.execute(sql, &[]).await?;
                }
                Ok(())
            })
            .await
            .unwrap();
        let (db, org) = (&behind.db, behind.organization);
        let runs: Arc<AtomicUsize> = Arc::default();
        let end = Arc::default();
        // Polled in this order, so that all are handed over when the first ends.
        let ((), one, bad, two, ()) = tokio::join!(
            occupy(db, org, &end),
            counted(db, org, "one", &runs),
            write(db, org, "bad"),
            counted(db, org, "two", &runs),
            async { end.notify_one() }
        );
        assert_eq!(bad, Err(Error::Constraint { name: "no_bad".to_owned() }));
        assert_eq!((one, two), (Ok(()), Ok(())));
        assert_eq!(runs.load(Ordering::SeqCst), 4, "each neighbour ran again, alone");
        assert_eq!(labels(&behind.direct, org).await, ["first", "one", "two"]);
        assert_whole(&behind.direct, org).await;
    });
}

#[test]
fn a_lost_server_is_reported_quickly_and_reconnected() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |_| ()).await;
        // A reader waits in the pool.
        assert_eq!(labels(&behind.db, behind.organization).await, ["first"]);
        behind.proxy.close(true);
        behind.proxy.cut_all();
        let started = Instant::now();
        assert!(is_unavailable(&write(&behind.db, behind.organization, "lost").await));
        let read = async || {
            let mut tx = behind.db.read().await?;
            tx.query::<(i64,)>("SELECT seq FROM entry", &[]).await
        };
        assert!(is_unavailable(&read().await));
        // None of the limits, which are as long as that, was waited for.
        assert!(started.elapsed() < PATIENCE / 2, "{:?}", started.elapsed());
        behind.proxy.close(false);
        write(&behind.db, behind.organization, "second").await.unwrap();
        until("reads go on", async || read().await.is_ok()).await;
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "second"]);
    });
}

#[test]
fn a_silent_server_does_not_block_its_callers_forever() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |options| {
            options.statement_timeout = Duration::from_millis(300);
            options.queue_wait = Duration::from_millis(500);
            options.connect_timeout = Duration::from_millis(300);
        })
        .await;
        behind.proxy.silence(true);
        let writes =
            (0..20).map(|number| write(&behind.db, behind.organization, if number == 0 { "a" } else { "b" }));
        let answers = tokio::time::timeout(PATIENCE, join_all(writes)).await.expect("writes end");
        let reads = async {
            tokio::join!(behind.db.read(), async {
                let mut tx = behind.db.read().await?;
                tx.query::<(i64,)>("SELECT seq FROM entry", &[]).await
            })
        };
        let (one, other) = tokio::time::timeout(PATIENCE, reads).await.expect("reads end");
        assert!(one.is_err() || other.is_err());
        assert!(answers.iter().all(Result::is_err), "{answers:?}");
        behind.proxy.silence(false);
        behind.proxy.cut_all();
        let back = async || write(&behind.db, behind.organization, "back").await.is_ok();
        until("it recovers", back).await;
        assert_eq!(labels(&behind.direct, behind.organization).await, ["first", "back"]);
        assert_whole(&behind.direct, behind.organization).await;
    });
}

#[test]
fn a_read_that_was_given_up_leaves_nothing_to_the_next() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |options| options.readers = 1).await;
        for _ in 0..3 {
            // It waits for a lock that another one has.
            let lock = "SELECT CAST(pg_advisory_xact_lock(7) AS TEXT)";
            let mut other = behind.direct.read().await.unwrap();
            other.query::<(String,)>(lock, &[]).await.unwrap();
            let reading = async {
                let mut tx = behind.db.read().await.unwrap();
                tx.query::<(String,)>(lock, &[]).await
            };
            assert!(tokio::time::timeout(Duration::from_millis(50), reading).await.is_err());
        }
        assert_eq!(labels(&behind.db, behind.organization).await, ["first"]);
        write(&behind.db, behind.organization, "second").await.unwrap();
        assert_eq!(labels(&behind.db, behind.organization).await, ["first", "second"]);
    });
}

#[test]
fn the_first_of_several_hosts_may_be_dead() {
    on_postgres(async |database| {
        let direct = crate::common::open(&database).await;
        let org = organization(&direct).await;
        let url = crate::common::url(&database);
        let (proxy, _) = Proxy::start(&url).await;
        // Nothing listens on the port of a listener that was dropped.
        let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (start, rest) = url.split_once('@').unwrap();
        let database = rest.split_once('/').unwrap().1;
        let several = format!("{start}@127.0.0.1:{dead},127.0.0.1:{}/{database}", proxy.port());
        let db = Db::open(crate::common::at(Location::Postgres(several), 3)).await.unwrap();
        write(&db, org, "first").await.unwrap();
        assert_eq!(labels(&db, org).await, ["first"]);
    });
}
