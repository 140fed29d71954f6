//! What a test logs.

use std::sync::OnceLock;

use tracing::Dispatch;
use tracing::dispatcher::{DefaultGuard, set_default};

/// Sends what this thread logs to a subscriber, until the guard is dropped.
///
/// While a process has one subscriber, `tracing` asks the thread that comes to a line first whether it is logged, and
/// keeps the answer for all threads: a test without a subscriber would turn the line off for this one. So two others
/// are kept, which get nothing.
pub fn log_to(subscriber: impl Into<Dispatch>) -> DefaultGuard {
    static KEPT: OnceLock<[Dispatch; 2]> = OnceLock::new();
    KEPT.get_or_init(|| [(); 2].map(|()| Dispatch::new(tracing_subscriber::registry())));
    set_default(&subscriber.into())
}
