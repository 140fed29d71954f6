//! A clean stop.

use std::sync::Arc;
use std::time::Duration;

use testkit::{EmptyDatabase, both_engines, until};
use tokio::io::AsyncWriteExt as _;

use crate::load::{Load, Promised};
use crate::metrics::{metrics_address, sample};
use crate::service::{Declared, Installation, Service};
use crate::wire;

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// Whatever was done was answered, and whatever was answered is there.
#[both_engines]
async fn a_stop_under_load_finishes_what_runs(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let promised = Arc::new(Promised::default());
    let mut service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for round in 0..2 {
        let before = promised.count();
        // Half a header must not hold the stop up.
        let mut slow = wire::connect(&service).await;
        slow.write_all(b"GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
        let load = Load::start(&api.moved_to(&service), 16, &promised);
        promised.until(before + 1).await;
        tokio::time::sleep(Duration::from_millis(400 + 150 * round)).await;
        service.terminate();
        tokio::task::block_in_place(|| assert_eq!(service.wait(), Some(0)));
        service.assert_not_held_up();
        load.stop().await;
        assert!(promised.take_refused().is_empty());
        service = installation.serve();
        let found = api.moved_to(&service).incidents().await;
        promised.check(&found);
        assert_eq!(found.len(), promised.count(), "there is a record that was not acknowledged");
    }
    installation.verify();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_signal_ends_the_service_at_once() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut service = installation.serve_with(&[], &METRICS);
    let api = service.sign_in(&credentials).await;
    let first = api.declare("acknowledged", "").await;
    assert!(matches!(first, Declared::Done(_)), "{first:?}");
    // The write waits for this lock, and the service for the write.
    let other = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let running = tokio::spawn({
        let api = api.clone();
        async move { api.declare("broken off", "").await }
    });
    until_running(&service).await;
    service.terminate();
    service.until_logged("a second signal aborts them").await;
    service.terminate();
    // Without it the service would end with 0, and only after the write.
    assert_eq!(service.wait(), Some(1));
    assert!(matches!(running.await.unwrap(), Declared::Lost));
    other.execute_batch("ROLLBACK").unwrap();
    let again = installation.serve();
    let found = api.moved_to(&again).incidents().await;
    assert_eq!(found, [("INC-0001".to_owned(), "acknowledged".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_request_is_finished_before_the_service_ends() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut service = installation.serve_with(&[], &METRICS);
    let api = service.sign_in(&credentials).await;

    // The write waits for this lock while the service is asked to stop.
    let other = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let running = tokio::spawn({
        let api = api.clone();
        async move { api.declare("declared while it stops", "").await }
    });
    until_running(&service).await;
    service.terminate();
    // From then on no caller is let in.
    let address = service.base.strip_prefix("http://").unwrap();
    until("nobody is let in", async || tokio::net::TcpStream::connect(address).await.is_err()).await;
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
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    service.assert_not_held_up();
}

/// Waits until a request besides that for the metrics is being answered.
async fn until_running(service: &Service) {
    let url = format!("http://{}/metrics", metrics_address(service));
    let active = async || {
        let text = reqwest::get(&url).await.unwrap().text().await.unwrap();
        sample(&text, "http_server_active_requests")
    };
    until("the request runs", async || active().await >= 1.0).await;
}
