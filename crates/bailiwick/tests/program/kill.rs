//! `kill -9` loses nothing that was acknowledged.

use std::sync::Arc;
use std::time::Duration;

use testkit::{EmptyDatabase, Engine};

use crate::load::{Load, Promised};
use crate::service::Installation;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_twenty_times_under_load_nothing_acknowledged_is_lost() {
    killed(&Installation::new(), 20).await;
}

/// The transactions that the service leaves open end with its connections.
#[test]
fn killed_before_postgres_nothing_acknowledged_is_lost() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        killed(&Installation::at(&database), 5).await;
    });
}

async fn killed(installation: &Installation, rounds: u64) {
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let promised = Arc::new(Promised::default());
    let mut service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for round in 0..rounds {
        let before = promised.count();
        let load = Load::start(&api.moved_to(&service), 16, &promised);
        promised.until(before + 1).await;
        // At another moment of the group commits and checkpoints each time.
        tokio::time::sleep(Duration::from_millis(60 + 37 * (round % 7))).await;
        service.kill();
        load.stop().await;
        service = installation.serve();
        // The token of before is good: the keys survived too.
        promised.check(&api.moved_to(&service).incidents().await);
    }
    installation.verify();
}

/// The last process to close a SQLite file removes its log. Another program is the last only if the service's lock is
/// lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visitors_of_the_file_leave_the_log_of_a_running_service_alone() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let promised = Arc::new(Promised::default());
    let work = async || {
        let (load, wanted) = (Load::start(&api, 4, &promised), promised.count() + 20);
        promised.until(wanted).await;
        load.stop().await;
        // Readers are connections that were opened after the writer's.
        promised.check(&api.incidents().await);
    };
    work().await;
    // One command that writes, one that reads, and a tool that is not ours.
    installation.client(&organization, "risks:read");
    assert_eq!(installation.run(&["journal", "verify"]).code, Some(0));
    let visitor = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    visitor.query_row("SELECT count(*) FROM incident", [], |row| row.get::<_, i64>(0)).unwrap();
    visitor.close().unwrap();
    work().await;
    service.kill();
    let again = installation.serve();
    promised.check(&api.moved_to(&again).incidents().await);
}
