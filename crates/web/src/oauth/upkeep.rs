//! The periodic work of the authorization server. Every second it reads the deny-list and the keys and writes the
//! refusals; every minute it writes the last uses of secrets and rotates keys by age; every hour it removes entries of
//! the deny-list that are no longer needed. Expired rows in the database are removed by the program's housekeeping.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::AuthorizationServer;

/// With this interval, a revocation by another process takes effect within two seconds.
const READ_DENIED_EVERY: Duration = Duration::from_secs(1);
/// Each reading of the deny-list begins this long before the start of the previous one: an entry has the time of its
/// write, which may be committed late, and is taken from another process's clock.
const READ_AGAIN: SignedDuration = SignedDuration::from_mins(5);
/// After this many readings, the whole deny-list is read.
const READ_ALL_EVERY: u64 = 300;
/// Counted in readings of the deny-list.
const WRITE_LAST_USE_EVERY: u64 = 60;
/// Counted in readings of the deny-list.
const KEEP_KEYS_EVERY: u64 = 60;
/// Counted in readings of the deny-list.
const SWEEP_EVERY: u64 = 3600;

impl AuthorizationServer {
    /// Runs the upkeep as long as another reference to the server exists.
    pub async fn upkeep(self: Arc<Self>) {
        let weak = Arc::downgrade(&self);
        drop(self);
        let mut ticks = tokio::time::interval(READ_DENIED_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut round: u64 = 0;
        let mut since = None;
        loop {
            ticks.tick().await;
            let Some(server) = weak.upgrade() else { return };
            round = round.wrapping_add(1);
            let began = server.now();
            let known = since.filter(|_| !round.is_multiple_of(READ_ALL_EVERY));
            match server.read_denied_since(known).await {
                Ok(()) => since = began.checked_sub(READ_AGAIN).ok(),
                Err(error) => {
                    tracing::warn!(%error, "the deny-list could not be read; trying again in a second");
                }
            }
            server.write_refusals().await;
            if let Err(error) = server.read_keys().await {
                tracing::warn!(%error, "the signing keys could not be read; trying again in a second");
            }
            // Also at the start, for a service that never runs for long.
            if round % KEEP_KEYS_EVERY == 1
                && let Err(error) = server.keep_keys().await
            {
                tracing::warn!(%error, "the signing keys are not rotated yet; trying again in a minute");
            }
            if round.is_multiple_of(WRITE_LAST_USE_EVERY) {
                server.write_last_use().await;
            }
            if round.is_multiple_of(SWEEP_EVERY) {
                server.denied.sweep(server.now());
            }
        }
    }

    /// Reads the deny-list from the database.
    pub async fn read_denied(&self) -> Result<(), domain::Error> {
        self.read_denied_since(None).await
    }

    async fn read_denied_since(&self, since: Option<Timestamp>) -> Result<(), domain::Error> {
        let mut read = self.db.read().await.map_err(|error| store::Error::from(error).0)?;
        let entries =
            store::revocations::current(&mut read, self.now(), since).await.map_err(|error| error.0)?;
        self.denied.add(&entries);
        Ok(())
    }

    /// Applies, at once, what a write of this process has just revoked. If that fails, the upkeep does it within a
    /// second.
    pub(crate) async fn honour_revocations(&self) {
        if let Err(error) = self.read_denied().await {
            tracing::warn!(%error, "the deny-list could not be read; trying again in a second");
        }
    }

    /// Writes the last uses of secrets and sessions. A clean shutdown calls it too.
    pub async fn write_last_use(&self) {
        self.last_use.flush(&self.db).await;
        self.session_use.flush(&self.db).await;
    }
}
