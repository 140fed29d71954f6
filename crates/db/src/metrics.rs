//! Metrics that the lanes count as they write; `Db::register_metrics` exports them to Prometheus.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// Figures of the lanes. A clone is a handle to the same ones.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    commit: Histogram,
    writes: Histogram,
    rolled_back: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            // 50 µs to 1.6 s: from a fast disk's sync to one that is about to give up.
            commit: Histogram::new(exponential_buckets(50e-6, 2.0, 16)),
            // 1 to 256, the most of a batch.
            writes: Histogram::new(exponential_buckets(1.0, 2.0, 9)),
            rolled_back: Counter::default(),
        }
    }
}

impl Metrics {
    /// A batch of so many writes was committed in this time.
    #[expect(clippy::cast_precision_loss, reason = "a batch has at most hundreds of writes")]
    pub(crate) fn committed(&self, writes: usize, took: Duration) {
        self.commit.observe(took.as_secs_f64());
        self.writes.observe(writes as f64);
    }

    /// A batch was rolled back; its writes run again alone.
    pub(crate) fn rolled_back(&self) {
        self.rolled_back.inc();
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Time of the durable commit of a batch of writes";
        registry.register_with_unit("bailiwick_db_commit_duration", help, Unit::Seconds, self.commit.clone());
        let help = "Writes that shared one durable commit";
        registry.register("bailiwick_db_batch_writes", help, self.writes.clone());
        let help = "Batches that were rolled back and whose writes ran again alone";
        registry.register("bailiwick_db_batches_rolled_back", help, self.rolled_back.clone());
    }
}
