//! SIGTERM and SIGINT for work that takes long.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::failure::{Failure, Result};

/// Whether this process was told to end.
#[derive(Debug, Clone)]
pub(super) struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Listens to the signals from here on.
    pub(super) fn listen() -> Result<Self> {
        let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let (told, hears) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
            let _ = told.send(true);
        });
        Ok(Self(hears))
    }

    pub(super) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// An error once the signal has come.
    pub(super) fn check(&self) -> Result<()> {
        if self.is_asked() { Err(Failure::new("it was told to stop")) } else { Ok(()) }
    }

    /// Sleeps, unless or until the signal comes.
    pub(super) async fn sleep(&mut self, time: Duration) {
        let _ = tokio::time::timeout(time, self.0.wait_for(|asked| *asked)).await;
    }
}
