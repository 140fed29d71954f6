//! Services that start while PostgreSQL is away, and several that start at the same time.

use testkit::{EmptyDatabase, Engine, until_now};

use crate::postgres::DurableCluster;
use crate::service::{Installation, Service};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_starts_during_a_failover_waits_and_says_so() {
    let cluster = DurableCluster::start();
    let installation = Installation::on(&cluster.url).with("BAILIWICK_DATABASE_WAIT_SECONDS", "600");
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    cluster.run("kill");
    let started = Service::start_while(&mut installation.command(&SERVE), |log| {
        until_now("it waits", || log().contains("waiting for the database"));
        assert!(log().contains("127.0.0.1") && log().contains("database_wait_seconds"), "{}", log());
        cluster.run("start");
    });
    let service = started.unwrap_or_else(|log| panic!("{log}"));
    assert!(service.log().contains("the database can be used again"), "{}", service.log());
    service.sign_in(&credentials).await;
}

#[test]
fn what_does_not_pass_is_not_waited_for() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let right = Installation::at(&database).database.unwrap();
        let (start, rest) = right.split_once("://").unwrap();
        let (_, place) = rest.split_once('@').unwrap();
        let (server, _) = right.rsplit_once('/').unwrap();
        for (url, told) in [
            (format!("{start}://postgres:wrong@{place}"), "password authentication failed"),
            (format!("{server}/there_is_none"), "does not exist"),
            (format!("{right}?sslmode=nonsense"), "nonsense"),
        ] {
            let installation = Installation::on(&url).with("BAILIWICK_DATABASE_WAIT_SECONDS", "600");
            let done = installation.run(&SERVE);
            assert!(done.code == Some(1) && done.err.contains(told), "{}", done.err);
            assert!(!done.err.contains("waiting"), "{}", done.err);
        }
    });
}

/// Whether a service started. If not, it was told to share the master key, and has none.
fn starts_or_is_told_to_share(installation: &Installation) -> bool {
    match Service::start(&mut installation.command(&SERVE)) {
        Ok(service) => {
            drop(service);
            true
        }
        Err(log) => {
            assert!(log.contains("share one master key") && log.contains("BAILIWICK_MASTER_KEY"), "{log}");
            assert!(!installation.data.join("master.key").exists(), "it left a key behind");
            false
        }
    }
}

#[test]
fn a_second_process_without_the_master_key_is_told_to_share_it() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let first = Installation::at(&database);
        drop(first.serve());
        let second = Installation::on(first.database.as_ref().unwrap());
        assert!(!starts_or_is_told_to_share(&second));
        drop(first.beside().serve());
    });
}

#[test]
fn of_several_first_starts_without_a_common_master_key_one_seals_the_keys() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let url = Installation::at(&database).database.unwrap();
        let all: Vec<_> = (0..4).map(|_| Installation::on(&url)).collect();
        let started: Vec<bool> = std::thread::scope(|scope| {
            let starts = |installation| scope.spawn(move || starts_or_is_told_to_share(installation));
            let running: Vec<_> = all.iter().map(starts).collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(started.iter().filter(|started| **started).count(), 1, "{started:?}");
    });
}
