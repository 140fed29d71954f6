//! What the service clears away by itself: rows that have expired, and the trash.
//!
//! Each process does it, a little at a time and beside the requests. Whoever finds something first takes
//! it; the others find nothing. Stopping it at any moment leaves nothing half done.

mod job;
mod metrics;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use db::Db;

use job::Job;
pub(crate) use metrics::Metrics;

/// The first round begins so long after the start at the latest.
const FIRST_WITHIN: Duration = Duration::from_secs(5);
/// From the end of one round to the next, but a fifth more or less, so that processes drift apart.
const EVERY: Duration = Duration::from_mins(10);

/// Goes on for ever; whoever wants it to stop drops it.
pub(crate) async fn run(db: Db, metrics: Metrics) {
    tokio::time::sleep(FIRST_WITHIN.mul_f64(dice(&db))).await;
    loop {
        round(&db, &metrics).await;
        tokio::time::sleep(EVERY.mul_f64(0.8 + 0.4 * dice(&db))).await;
    }
}

/// Each job once, one after the other. What fails is tried again in the next round.
async fn round(db: &Db, metrics: &Metrics) {
    for job in Job::all() {
        let (name, started) = (job.name(), Instant::now());
        let mut removed = 0;
        let result = job.run(db, |count| {
            removed += count;
            metrics.removed(name, count);
        });
        let result = result.await;
        let (at, took) = ((db.clock())(), started.elapsed());
        metrics.ran(name, took, result.is_ok().then_some(at));
        if removed > 0 {
            tracing::info!(job = name, removed, seconds = took.as_secs_f64(), "housekeeping");
        }
        if let Err(error) = result {
            tracing::warn!(job = name, error = %error.0, "housekeeping failed; it is tried again in the next round");
        }
    }
}

/// A random number from 0 to 1.
fn dice(db: &Db) -> f64 {
    let mut bytes = [0; 4];
    db.random()(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}
