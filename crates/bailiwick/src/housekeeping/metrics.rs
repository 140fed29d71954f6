//! The Prometheus metrics of housekeeping, job by job.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::job::Job;

/// Figures of the jobs. A clone is a handle to the same ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metrics {
    runs: Family<Labels, Counter>,
    failures: Family<Labels, Counter>,
    removed: Family<Labels, Counter>,
    seconds: Family<Labels, Counter<f64, AtomicU64>>,
    succeeded: Family<Labels, Gauge<f64, AtomicU64>>,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    job: &'static str,
}

impl Metrics {
    /// A write of this job removed so many rows or records.
    pub(super) fn removed(&self, job: &'static str, count: u64) {
        self.removed.get_or_create(&Labels { job }).inc_by(count);
    }

    /// A job has ended; `succeeded` is when, if nothing failed.
    #[expect(clippy::cast_precision_loss, reason = "microseconds since 1970 fit until 2255")]
    pub(super) fn ran(&self, job: &'static str, took: Duration, succeeded: Option<Timestamp>) {
        let labels = Labels { job };
        self.runs.get_or_create(&labels).inc();
        self.seconds.get_or_create(&labels).inc_by(took.as_secs_f64());
        match succeeded {
            Some(at) => {
                self.succeeded.get_or_create(&labels).set(at.as_microsecond() as f64 / 1e6);
            }
            None => {
                self.failures.get_or_create(&labels).inc();
            }
        }
    }

    /// Shows every job, with zeros for what has not happened yet.
    pub(crate) fn register(&self, registry: &mut Registry) {
        for job in Job::all() {
            let labels = Labels { job: job.name() };
            for counters in [&self.runs, &self.failures, &self.removed] {
                counters.get_or_create(&labels).inc_by(0);
            }
        }
        let help = "Runs of a housekeeping job, failed ones too";
        registry.register("bailiwick_housekeeping_runs", help, self.runs.clone());
        let help = "Runs of a housekeeping job that failed; the next round tries again";
        registry.register("bailiwick_housekeeping_failures", help, self.failures.clone());
        let help = "Rows that had expired, records purged from the trash, or counters that became entries";
        registry.register("bailiwick_housekeeping_removed", help, self.removed.clone());
        let help = "Time of a housekeeping job's runs, its pauses included";
        registry.register_with_unit("bailiwick_housekeeping", help, Unit::Seconds, self.seconds.clone());
        let help = "When a housekeeping job last succeeded, in seconds since 1970";
        let name = "bailiwick_housekeeping_last_success_timestamp";
        registry.register_with_unit(name, help, Unit::Seconds, self.succeeded.clone());
    }
}
