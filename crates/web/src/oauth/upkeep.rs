//! What the authorization server does by itself: every second it reads the deny-list and the keys and
//! writes what was refused, every minute it writes the last use of secrets and rotates keys by age, and
//! every hour it forgets entries of the deny-list that matter no more. What has expired in the database is
//! for the program's housekeeping.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::AuthorizationServer;

/// With this, a revocation made by another process is honoured within two seconds.
const READ_DENIED_EVERY: Duration = Duration::from_secs(1);
/// Each reading of the deny-list takes up where the last one began, and so much before: an entry has the
/// time of its write, which may come late, and of another process's clock.
const READ_AGAIN: SignedDuration = SignedDuration::from_mins(5);
/// In readings of the deny-list: the whole of it.
const READ_ALL_EVERY: u64 = 300;
/// In readings of the deny-list.
const WRITE_LAST_USE_EVERY: u64 = 60;
/// In readings of the deny-list.
const KEEP_KEYS_EVERY: u64 = 60;
/// In readings of the deny-list.
const SWEEP_EVERY: u64 = 3600;

impl AuthorizationServer {
    /// Runs the upkeep for as long as anybody else holds the server.
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
            // At the start too, for a service that never runs long.
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

    /// Takes over, at once, what a write of this process has just revoked. Should that fail, the upkeep does
    /// it within a second.
    pub(crate) async fn honour_revocations(&self) {
        if let Err(error) = self.read_denied().await {
            tracing::warn!(%error, "the deny-list could not be read; trying again in a second");
        }
    }

    /// Writes when secrets and sessions were last used. A clean stop calls it too.
    pub async fn write_last_use(&self) {
        self.last_use.flush(&self.db).await;
        self.session_use.flush(&self.db).await;
    }
}
