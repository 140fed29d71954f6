//! Work that takes long: on a thread of its own, with a limit on how much of it at once.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// Does `work` as soon as there is one of the `permits`.
pub(crate) async fn run<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    // The semaphore is never closed. The thread holds the permit, because it goes on if the client is gone.
    let permit = Arc::clone(permits).acquire_owned().await;
    let work = move || {
        let _permit = permit;
        work()
    };
    let outcome = tokio::task::spawn_blocking(work).await;
    outcome.unwrap_or_else(|_| Err(Error::internal("work on a thread of its own ended early")))
}
