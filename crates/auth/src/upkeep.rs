//! The periodic work. Every second it reads the deny-list and the keys and writes the
//! refusals; every minute it writes the last uses of secrets and rotates keys by age; every hour it removes entries of
//! the deny-list that are no longer needed. Expired rows in the database are removed by the program's housekeeping.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use macros::boxed;

use crate::auth::Auth;

/// With this interval, a revocation by another process takes effect within two seconds.
const READ_DENY_LIST_EVERY: Duration = Duration::from_secs(1);
/// Each reading of the deny-list begins this long before the start of the previous one: an entry has the time of its
/// write, which may be committed late, and is taken from another process's clock.
const READ_AGAIN: SignedDuration = SignedDuration::from_mins(5);
/// After this many readings, the whole deny-list is read.
const READ_ALL_EVERY: u64 = 300;
/// Counted in readings of the deny-list.
const WRITE_LAST_USE_EVERY: u64 = 60;
/// Counted in readings of the deny-list.
const MAINTAIN_KEYS_EVERY: u64 = 60;
/// Counted in readings of the deny-list.
const SWEEP_EVERY: u64 = 3600;

/// Runs the upkeep as long as another reference to `auth` exists.
#[boxed]
pub async fn upkeep(auth: Arc<Auth>) {
    let weak = Arc::downgrade(&auth);
    drop(auth);
    let mut ticks = tokio::time::interval(READ_DENY_LIST_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut round: u64 = 0;
    let mut since = None;
    loop {
        ticks.tick().await;
        let Some(auth) = weak.upgrade() else { return };
        round = round.wrapping_add(1);
        let began = auth.now();
        let known = since.filter(|_| !round.is_multiple_of(READ_ALL_EVERY));
        match auth.deny_list.read(&auth.db, known).await {
            Ok(()) => since = began.checked_sub(READ_AGAIN).ok(),
            Err(error) => {
                tracing::warn!(%error, "the deny-list could not be read; trying again in a second");
            }
        }
        auth.write_refusals().await;
        if let Err(error) = auth.keys.read().await {
            tracing::warn!(%error, "the signing keys could not be read; trying again in a second");
        }
        // Also at the start, for a service that never runs for long.
        if round % MAINTAIN_KEYS_EVERY == 1
            && let Err(error) = auth.keys.maintain().await
        {
            tracing::warn!(%error, "the signing keys are not rotated yet; trying again in a minute");
        }
        if round.is_multiple_of(WRITE_LAST_USE_EVERY) {
            auth.write_last_use().await;
        }
        if round.is_multiple_of(SWEEP_EVERY) {
            auth.deny_list.sweep(auth.now());
        }
    }
}
