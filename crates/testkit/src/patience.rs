//! How long the tests wait.

use std::time::{Duration, Instant};

/// How long a test waits for what must come, before it fails: long enough for any machine, however busy. What must not
/// come is waited for shortly instead.
pub const PATIENCE: Duration = Duration::from_mins(10);

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until `is_so`; fails with `what` if that never comes.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let from = Instant::now();
    while !is_so().await {
        assert!(from.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// The same where nothing is awaited.
pub fn until_now(what: &str, mut is_so: impl FnMut() -> bool) {
    let from = Instant::now();
    while !is_so() {
        assert!(from.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// The settings of a database that gives nothing up because the machine is slow, nor a transaction that a test keeps meanwhile.
pub fn patient(options: db::Options) -> db::Options {
    db::Options {
        queue_wait: PATIENCE,
        statement_timeout: PATIENCE,
        idle_timeout: PATIENCE,
        connect_timeout: PATIENCE,
        ..options
    }
}
