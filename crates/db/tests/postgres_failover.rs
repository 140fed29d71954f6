//! One connection to PostgreSQL that turns out useless has all older ones replaced, those of the lanes and those that
//! read: each would cost its next user a time limit of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::common::hosts::url_of;
use crate::common::{append, assert_whole, is_unavailable, labels, organization, write};
use db::{Db, Error, Location, Options, Tx};
use futures_util::future::join_all;
use testkit::proxy::{Cut, Proxy};
use testkit::{EmptyDatabase, Engine, until};
use tokio::sync::Barrier;
use uuid::Uuid;

const WRITERS: usize = 4;
const READERS: usize = 6;
const PID: &str = "SELECT CAST(pg_backend_pid() AS bigint)";

/// The server's processes of all connections.
type Pids = BTreeSet<i64>;

/// A database behind a proxy, whose connections are all open.
struct Behind {
    db: Db,
    /// Connected without the proxy.
    direct: Db,
    proxy: Arc<Proxy>,
    organizations: Vec<Uuid>,
    before: Pids,
    /// How long one lane waits for the others.
    patience: Duration,
}

impl Behind {
    async fn new(database: &EmptyDatabase, settings: impl FnOnce(&mut Options)) -> Self {
        let direct = crate::common::open(database).await;
        let (proxy, url) = Proxy::start(&crate::common::url(database)).await;
        let mut options = crate::common::at(Location::Postgres(url), 2);
        (options.writers, options.readers) = (WRITERS, READERS);
        settings(&mut options);
        let patience = options.statement_timeout * 10;
        let db = Db::open(options).await.unwrap();
        let mut organizations = Vec::new();
        for _ in 0..WRITERS {
            organizations.push(organization(&direct).await);
        }
        let mut behind = Self { db, direct, proxy, organizations, before: Pids::new(), patience };
        // A busy machine may need more than one attempt, if a limit is short.
        until("all connections are open", async || {
            let pids = behind.pids().await.unwrap_or_default();
            behind.before = pids;
            behind.before.len() == WRITERS + READERS
        })
        .await;
        behind
    }

    /// Uses every connection at the same time: each lane, and then each that reads.
    async fn pids(&self) -> db::Result<Pids> {
        let all = Arc::new(Barrier::new(WRITERS));
        let writes = self.organizations.iter().map(|organization| {
            let (all, patience) = (Arc::clone(&all), self.patience);
            self.db.write(*organization, async move |tx: &mut Tx| -> db::Result<i64> {
                let (pid,) = tx.query_one::<(i64,)>(PID, &[]).await?;
                // No lane can have served two of them.
                let met = tokio::time::timeout(patience, all.wait()).await;
                met.map(|_| pid).map_err(|_| Error::Unavailable("a lane is missing".to_owned()))
            })
        });
        let mut pids: Pids = join_all(writes).await.into_iter().collect::<db::Result<_>>()?;
        let mut open = Vec::new();
        for _ in 0..READERS {
            let mut tx = self.db.read().await?;
            pids.insert(tx.query_one::<(i64,)>(PID, &[]).await?.0);
            open.push(tx);
        }
        drop(open);
        // All are in the pool again when all can be had.
        let mut idle = Vec::new();
        for _ in 0..READERS {
            idle.push(self.db.read().await?);
        }
        Ok(pids)
    }

    /// Whether every connection works, and is another one than before.
    async fn all_are_new(&self) -> bool {
        let pids = self.pids().await.unwrap_or_default();
        pids.len() == WRITERS + READERS && pids.is_disjoint(&self.before)
    }
}

fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(EmptyDatabase) -> F) {
    testkit::run(Engine::Postgres, test);
}

/// What meets the first silent connection.
#[derive(Clone, Copy)]
enum First {
    Write,
    Read,
}

/// Silences the connections that are open, and uses all. Says whether everything that came after the first went on,
/// and how many connections were waited for in vain.
async fn silenced(database: &EmptyDatabase, first: First, patience: Duration) -> (bool, u64) {
    let behind = Behind::new(database, |options| options.statement_timeout = patience).await;
    let (db, org) = (&behind.db, behind.organizations[0]);
    let timeouts = db.timeouts();
    behind.proxy.silence_open();
    let is_met = match first {
        // It has not reached its COMMIT, so it is run again.
        First::Write => write(db, org, "first").await.is_ok(),
        First::Read => match db.read().await {
            Ok(mut tx) => is_unavailable(&tx.query::<(i64,)>(PID, &[]).await),
            Err(_) => false,
        },
    };
    let are_new = behind.all_are_new().await;
    let writes = (0..200).map(|number| {
        let organization = behind.organizations[number % WRITERS];
        async move { (organization, number.to_string(), write(db, organization, &number.to_string()).await) }
    });
    let answers = join_all(writes).await;
    for organization in &behind.organizations {
        assert_whole(&behind.direct, *organization).await;
        let found = labels(&behind.direct, *organization).await;
        for (_, label, answer) in answers.iter().filter(|(of, ..)| of == organization) {
            let count = found.iter().filter(|found| *found == label).count();
            assert!(
                count == usize::from(answer.is_ok()) || *answer == Err(Error::OutcomeUnknown),
                "{answer:?}"
            );
        }
    }
    (is_met && are_new && answers.iter().all(|(.., answer)| answer.is_ok()), db.timeouts() - timeouts)
}

/// A machine that is so busy that an answer takes longer than the limit must not fail the test: the limit grows.
fn one_is_waited_for(first: First) {
    let mut all = Vec::new();
    for seconds in [3, 30, 300] {
        let round =
            async |database: EmptyDatabase| silenced(&database, first, Duration::from_secs(seconds)).await;
        let outcome = testkit::run(Engine::Postgres, round);
        if outcome == (true, 1) {
            return;
        }
        all.push(outcome);
    }
    panic!("more than one connection was waited for: {all:?}");
}

#[test]
fn a_write_that_meets_silence_spares_all_others_the_wait() {
    one_is_waited_for(First::Write);
}

#[test]
fn a_read_that_meets_silence_spares_all_others_the_wait() {
    one_is_waited_for(First::Read);
}

#[test]
fn a_connection_that_breaks_in_use_has_the_others_replaced() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |_| ()).await;
        behind.proxy.cut(Cut::BeforeCommit);
        write(&behind.db, behind.organizations[0], "first").await.unwrap();
        assert_eq!(behind.proxy.happened(), 1);
        assert!(behind.all_are_new().await);
        assert_eq!(labels(&behind.direct, behind.organizations[0]).await, ["first"]);
    });
}

#[test]
fn a_server_that_accepts_no_writes_any_more_is_left_by_all() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |_| ()).await;
        let org = behind.organizations[0];
        let work = async move |tx: &mut Tx| -> db::Result<()> {
            // What a server does that has become a standby.
            tx.execute("SET TRANSACTION READ ONLY", &[]).await?;
            append(tx, org, "lost").await.map(drop)
        };
        let answer = behind.db.write(org, work).await;
        let is_read_only = matches!(&answer, Err(Error::Unavailable(text)) if text.contains("25006"));
        assert!(is_read_only, "{answer:?}");
        assert!(behind.all_are_new().await);
        assert_eq!(behind.db.timeouts(), 0);
    });
}

#[test]
fn a_read_that_was_given_up_has_no_connection_replaced() {
    on_postgres(async |database| {
        let behind = Behind::new(&database, |_| ()).await;
        let reading = async {
            let mut tx = behind.db.read().await.unwrap();
            tx.query::<(String,)>("SELECT CAST(pg_sleep(1) AS TEXT)", &[]).await
        };
        assert!(tokio::time::timeout(Duration::from_millis(50), reading).await.is_err());
        assert_eq!(behind.pids().await.unwrap(), behind.before);
    });
}

#[test]
fn a_statement_that_is_too_slow_has_no_connection_replaced() {
    on_postgres(async |database| {
        // A machine may be so slow that the server's own limit, 1.5 seconds before ours, comes too late.
        until("the server ends the statement", async || {
            let behind =
                Behind::new(&database, |options| options.statement_timeout = Duration::from_secs(3)).await;
            let work =
                async |tx: &mut Tx| tx.query::<(String,)>("SELECT CAST(pg_sleep(600) AS TEXT)", &[]).await;
            let written = behind.db.write(behind.organizations[0], work).await;
            let ended = |error: &Error| error.to_string().contains("57014");
            let is_ended = written.is_err_and(|error| ended(&error)) && behind.db.timeouts() == 0;
            is_ended && behind.pids().await.is_ok_and(|pids| pids == behind.before)
        })
        .await;
    });
}

#[test]
fn when_the_first_host_stops_the_second_takes_over() {
    on_postgres(async |database| {
        let direct = crate::common::open(&database).await;
        let url = crate::common::url(&database);
        let ((one, _), (two, _)) = (Proxy::start(&url).await, Proxy::start(&url).await);
        let several = url_of(&url, &[one.port(), two.port()], "connect_timeout=1");
        let mut options = crate::common::at(Location::Postgres(several), 2);
        options.statement_timeout = Duration::from_secs(1);
        let db = Db::open(options).await.unwrap();
        let org = organization(&direct).await;
        let read = async || db.read().await?.query::<(i64,)>("SELECT seq FROM entry", &[]).await;
        let mut acknowledged = Vec::new();
        // Its processes are stopped: it still accepts connections, and nothing else.
        for (is_stopped, round) in [(false, "before"), (true, "after")] {
            one.silence(is_stopped);
            let mut number = 0;
            until("it writes and reads", async || {
                number += 1;
                let label = format!("{round} {number}");
                let written = write(&db, org, &label).await.is_ok();
                acknowledged.extend(Some(label).filter(|_| written));
                written && read().await.is_ok()
            })
            .await;
        }
        assert!(two.accepted() > 0);
        assert_whole(&direct, org).await;
        let found = labels(&direct, org).await;
        for label in acknowledged {
            assert_eq!(found.iter().filter(|found| **found == label).count(), 1, "{label}");
        }
    });
}
