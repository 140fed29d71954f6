//! A clean stop.

use std::time::Duration;

use crate::service::{Declared, Installation};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_request_is_finished_before_the_service_ends() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut service = installation.serve();
    let api = service.sign_in(&credentials).await;

    // The write waits for this lock while the service is asked to stop.
    let other = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let running = tokio::spawn({
        let api = api.clone();
        async move { api.declare("declared while it stops", "").await }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    service.terminate();
    tokio::time::sleep(Duration::from_millis(500)).await;
    // A caller who comes now is not let in.
    let late = reqwest::Client::new().get(format!("{}/healthz", api.base)).send().await;
    assert!(late.is_err() || late.is_ok_and(|answer| answer.status() == 503));
    other.execute_batch("ROLLBACK").unwrap();

    let declared = running.await.unwrap();
    assert!(matches!(&declared, Declared::Done(id) if id == "INC-0001"), "{declared:?}");
    assert_eq!(tokio::task::spawn_blocking(move || service.wait()).await.unwrap(), Some(0));

    let again = installation.serve();
    let found = api.moved_to(&again).incidents().await;
    assert_eq!(found, [("INC-0001".to_owned(), "declared while it stops".to_owned())]);
}

#[test]
fn an_idle_service_ends_at_once() {
    let installation = Installation::new();
    let mut service = installation.serve();
    // A connection that is kept open must not hold it up.
    let _idle = std::net::TcpStream::connect(service.base.strip_prefix("http://").unwrap()).unwrap();
    let from = std::time::Instant::now();
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    assert!(from.elapsed() < Duration::from_secs(5), "{:?}", from.elapsed());
}
