//! Connections to PostgreSQL that break, most of all at COMMIT.

use std::sync::Arc;
use std::time::{Duration, Instant};

use testkit::proxy::{Cut, Proxy};
use testkit::{EmptyDatabase, Engine, TestClock, until};

use crate::disk::recovered;
use crate::load::{Load, Promised};
use crate::postgres::assert_unavailable_or_unknown;
use crate::service::{Declared, Installation, PATIENCE};

fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(EmptyDatabase) -> F) {
    testkit::run(Engine::Postgres, test);
}

#[test]
fn connections_cut_at_commit_lose_nothing_and_repeat_nothing() {
    on_postgres(async |database| {
        let direct = Installation::at(&database);
        let organization = direct.organization();
        let credentials = direct.client(&organization, "incidents:read incidents:write");
        let (proxy, url) = Proxy::start(direct.database.as_ref().unwrap()).await;
        let installation = direct.through(&url);
        let service = installation.serve();
        let api = service.sign_in(&credentials).await;
        let promised = Arc::new(Promised::default());
        let load = Load::start(&api, 8, &promised);
        let cuts = [Cut::BeforeCommit, Cut::AfterCommit, Cut::LateCommit(30), Cut::At("INSERT INTO journal")];
        let from = Instant::now();
        for cut in cuts.iter().cycle() {
            let before = proxy.happened();
            proxy.cut(*cut);
            until("the cut happens", async || proxy.happened() > before).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
            if from.elapsed() > Duration::from_secs(3) && proxy.happened() >= 8 {
                break;
            }
        }
        recovered(&api, "after the last cut").await;
        promised.until(21).await;
        load.stop().await;
        promised.take_refused().iter().for_each(assert_unavailable_or_unknown);
        promised.check(&api.incidents().await);
        installation.verify();
    });
}

/// The one case that the service cannot decide, and how its client does: by asking again with the same key.
#[test]
fn an_unknown_outcome_is_found_out_by_asking_again_with_the_same_key() {
    on_postgres(async |database| {
        let direct = Installation::at(&database);
        let organization = direct.organization();
        let credentials = direct.client(&organization, "incidents:read incidents:write");
        let (proxy, url) = Proxy::start(direct.database.as_ref().unwrap()).await;
        let installation = direct.through(&url);
        let service = installation.serve();
        let api = service.sign_in(&credentials).await;
        recovered(&api, "before").await;
        let mut key = String::new();
        for attempt in 0..10 {
            key = format!("key-{attempt}");
            proxy.close(false);
            proxy.cut(Cut::AfterLastCommit);
            let declared = api.declare_once(&key, &key).await;
            // Otherwise it was the COMMIT of something else that was cut.
            if declared.is_unknown() {
                break;
            }
            assert!(attempt < 9, "{declared:?}");
        }
        proxy.close(false);
        let from = Instant::now();
        let id = loop {
            match api.declare_once(&key, &key).await {
                Declared::Done(id) => break id,
                other => assert!(from.elapsed() < PATIENCE, "it does not recover: {other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        let found = api.incidents().await;
        assert_eq!(found.iter().filter(|(_, title)| *title == key).count(), 1, "{found:?}");
        assert!(found.contains(&(id, key)));
        installation.verify();
    });
}

#[test]
fn backends_that_are_ended_under_load_lose_nothing_and_repeat_nothing() {
    on_postgres(async |database| {
        let installation = Installation::at(&database);
        let organization = installation.organization();
        let credentials = installation.client(&organization, "incidents:read incidents:write");
        let service = installation.serve();
        let api = service.sign_in(&credentials).await;
        let administrator = database.open(&TestClock::new(), 7).await;
        let promised = Arc::new(Promised::default());
        let load = Load::start(&api, 8, &promised);
        let (mut ended, mut rounds, from) = (0, 0, Instant::now());
        while rounds < 20 || ended <= 40 {
            assert!(from.elapsed() < PATIENCE, "only {ended} backends were ended");
            rounds += 1;
            tokio::time::sleep(Duration::from_millis(130)).await;
            let sql = "SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND pid <> pg_backend_pid()) AS ended";
            let mut tx = administrator.read().await.unwrap();
            ended += tx.query_one::<(i64,)>(sql, &[]).await.unwrap().0;
        }
        recovered(&api, "after the last one").await;
        promised.until(21).await;
        load.stop().await;
        promised.take_refused().iter().for_each(assert_unavailable_or_unknown);
        promised.check(&api.incidents().await);
        installation.verify();
    });
}
