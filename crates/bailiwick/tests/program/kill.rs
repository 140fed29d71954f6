//! `kill -9` loses nothing that was acknowledged.

use std::sync::Arc;
use std::time::Duration;

use crate::load::{Load, Promised};
use crate::service::Installation;

const ROUNDS: u64 = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_twenty_times_under_load_nothing_acknowledged_is_lost() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let promised = Arc::new(Promised::default());
    let mut service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for round in 0..ROUNDS {
        let before = promised.count();
        let load = Load::start(&api.moved_to(&service), 16, &promised);
        // At another moment of the group commits and checkpoints each time.
        tokio::time::sleep(Duration::from_millis(120 + 37 * (round % 7))).await;
        service.kill();
        load.stop().await;
        assert!(promised.count() > before, "round {round} acknowledged nothing");
        service = installation.serve();
        // The token of before is good: the keys survived too.
        promised.check(&api.moved_to(&service).incidents().await);
    }
    let verified = installation.run(&["journal", "verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}
