//! Housekeeping: removes expired rows, empties the trash, and journals what was counted in hours that are over.
//! Each process runs it, in small writes beside the requests. What one process has removed, the others no longer find.
//! Stopping it at any moment leaves nothing half done.

mod job;
mod metrics;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use db::Db;

use job::Job;
pub(crate) use metrics::Metrics;

/// The latest start of the first round after the start of the service.
const FIRST_WITHIN: Duration = Duration::from_secs(5);
/// From the end of one round to the next, but a fifth more or less, so that processes drift apart.
const EVERY: Duration = Duration::from_mins(10);

/// Runs until the future is dropped.
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
            tracing::warn!(job = name, error = %error.0, "housekeeping failed; it is retried in the next round");
        }
    }
}

/// A random number from 0 to 1.
fn dice(db: &Db) -> f64 {
    let mut bytes = [0; 4];
    db.random()(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}
