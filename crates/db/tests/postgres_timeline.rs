//! A primary that was away while a standby was promoted, and comes back: it still accepts writes, and they are lost.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use crate::common::hosts::{primary_once, url_of};
use crate::common::{at, open, organization, url, write};
use db::{Db, Error, Location};
use testkit::proxy::Proxy;
use testkit::{EmptyDatabase, Engine};

#[test]
fn a_former_primary_is_not_used_any_more() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let direct = open(&database).await;
        let org = organization(&direct).await;
        // The server of the tests was never promoted, so it is on timeline 1.
        let (proxy, first) = Proxy::start(&url(&database)).await;
        let promoted = primary_once("0000000A0000000000000001").await;
        let db =
            Db::open(at(Location::Postgres(url_of(&first, &[promoted, proxy.port()], "")), 2)).await.unwrap();
        // It reaches the promoted one, which is then gone.
        db.read().await.unwrap().query::<(i64,)>("SELECT 1", &[]).await.unwrap_err();
        let is_told = |error: &Error| {
            let text = error.to_string();
            text.contains("it is on timeline 1, and timeline 10 was used before: it is a former primary")
        };
        let read = db.read().await.map(drop).unwrap_err();
        assert!(is_told(&read), "{read}");
        let written = write(&db, org, "lost").await.unwrap_err();
        assert!(matches!(written, Error::Unavailable(_)) && is_told(&written), "{written}");
        // A process that starts now knows of no other one.
        let started = Db::open(at(Location::Postgres(first), 3)).await.unwrap();
        write(&started, org, "written").await.unwrap();
    });
}
