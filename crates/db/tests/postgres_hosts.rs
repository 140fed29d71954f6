//! Several servers in the URL: one that cannot be used hides none of those after it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::hosts::{garbage, refused, silent, standby, url_of};
use crate::common::{labels, organization, write};
use db::{Db, Error, Location};
use testkit::proxy::Proxy;
use testkit::{EmptyDatabase, Engine, until};
use uuid::Uuid;

fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(EmptyDatabase) -> F) {
    testkit::run(Engine::Postgres, test);
}

/// The URL of a new database with one organization, and the port of its server.
async fn prepared(database: &EmptyDatabase) -> (String, u16, Uuid) {
    let direct = crate::common::open(database).await;
    let url = crate::common::url(database);
    let rest = url.rsplit_once(':').unwrap().1;
    let port = rest.split_once('/').unwrap().0.parse().unwrap();
    (url, port, organization(&direct).await)
}

async fn open(url: String) -> Db {
    Db::open(crate::common::at(Location::Postgres(url), 3)).await.unwrap()
}

/// What a read says that needs a connection.
async fn read(db: &Db) -> db::Result<()> {
    db.read().await?.query::<(i64,)>("SELECT seq FROM entry", &[]).await.map(drop)
}

#[test]
fn hosts_that_accept_and_stay_silent_do_not_hide_the_next() {
    on_postgres(async |database| {
        let (url, port, org) = prepared(&database).await;
        let (first, second): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
        let ports = [silent(&first).await, silent(&second).await, port];
        // A second for each: the setting is ten minutes. The limit of a statement is shorter than all of them take.
        let mut options = crate::common::at(Location::Postgres(url_of(&url, &ports, "connect_timeout=1")), 3);
        options.statement_timeout = Duration::from_secs(1);
        let db = Db::open(options).await.unwrap();
        // A server may need more than a second on a busy machine.
        until("it writes", async || write(&db, org, "first").await.is_ok()).await;
        until("it reads", async || read(&db).await.is_ok()).await;
        assert!(first.load(Ordering::SeqCst) >= 2, "writes and reads");
        assert!(second.load(Ordering::SeqCst) >= 2, "writes and reads");
    });
}

#[test]
fn a_host_that_cannot_be_used_does_not_hide_the_next() {
    on_postgres(async |database| {
        let (url, port, org) = prepared(&database).await;
        for (useless, label) in
            [(refused(), "refused"), (garbage().await, "garbage"), (standby().await, "standby")]
        {
            let db = open(url_of(&url, &[useless, port], "")).await;
            write(&db, org, label).await.unwrap();
            assert!(labels(&db, org).await.contains(&label.to_owned()));
        }
    });
}

#[test]
fn the_error_names_each_server_and_its_cause() {
    on_postgres(async |database| {
        let (url, _, org) = prepared(&database).await;
        let ports = [refused(), garbage().await, standby().await, silent(&Arc::default()).await];
        let db = open(url_of(&url, &ports, "connect_timeout=1")).await;
        let expected = ["Connection refused", "", "it does not accept writes", "it does not answer"];
        let told = |result: db::Result<()>| {
            let text = result.unwrap_err().to_string();
            assert!(text.starts_with("cannot connect to PostgreSQL at 127.0.0.1:"), "{text}");
            ports
                .iter()
                .zip(expected)
                .all(|(port, cause)| text.contains(&format!("127.0.0.1:{port}: {cause}")))
        };
        // Any of them may take longer than a second on a busy machine.
        until("a write tells", async || told(write(&db, org, "lost").await.map(drop))).await;
        until("a read tells", async || told(read(&db).await)).await;
    });
}

#[test]
fn connect_timeout_of_the_url_replaces_the_setting() {
    on_postgres(async |database| {
        let (url, port, org) = prepared(&database).await;
        for (query, is_enough) in [("", false), ("connect_timeout=600", true)] {
            let mut options = crate::common::at(Location::Postgres(url_of(&url, &[port], query)), 3);
            options.connect_timeout = Duration::ZERO;
            let db = Db::open(options).await.unwrap();
            let (written, read) = (write(&db, org, "first").await, read(&db).await);
            assert_eq!(
                (written.is_ok(), read.is_ok()),
                (is_enough, is_enough),
                "{query}: {written:?} {read:?}"
            );
        }
    });
}

#[test]
fn load_balance_hosts_decides_the_order() {
    const CONNECTIONS: usize = 16;
    on_postgres(async |database| {
        let (url, _, _) = prepared(&database).await;
        for (query, is_random) in
            [("", false), ("load_balance_hosts=disable", false), ("load_balance_hosts=random", true)]
        {
            let ((one, _), (two, _)) = (Proxy::start(&url).await, Proxy::start(&url).await);
            let several = url_of(&url, &[one.port(), two.port()], query);
            let mut options = crate::common::at(Location::Postgres(several), 3);
            options.readers = CONNECTIONS;
            let db = Db::open(options).await.unwrap();
            let mut open = Vec::new();
            for _ in 0..CONNECTIONS {
                open.push(db.read().await.unwrap());
            }
            let accepted = (one.accepted(), two.accepted());
            match is_random {
                true => assert!(accepted.0 > 0 && accepted.1 > 0, "{accepted:?}"),
                false => assert_eq!(accepted, (CONNECTIONS, 0), "{query}"),
            }
        }
    });
}

#[test]
fn a_name_with_an_address_is_not_looked_up() {
    on_postgres(async |database| {
        let (url, port, org) = prepared(&database).await;
        let url = url_of(&url, &[port], "hostaddr=127.0.0.1").replace("@127.0.0.1", "@nowhere.invalid");
        let db = open(url.clone()).await;
        write(&db, org, "first").await.unwrap();
        assert_eq!(labels(&db, org).await, ["first"]);
        let two = url.replace("@nowhere.invalid", "@elsewhere.invalid:1,nowhere.invalid");
        let opened = Db::open(crate::common::at(Location::Postgres(two), 4)).await.map(drop);
        assert!(matches!(opened, Err(Error::Denied(_))), "two hosts and one address: {opened:?}");
        let db = open(url.replace("hostaddr=127.0.0.1", "")).await;
        let error = read(&db).await.unwrap_err();
        let expected = format!("cannot connect to PostgreSQL at nowhere.invalid:{port}: ");
        assert!(matches!(&error, Error::Unavailable(text) if text.starts_with(&expected)), "{error}");
    });
}
