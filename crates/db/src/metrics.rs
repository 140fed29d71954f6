//! Metrics of the database; `Db::register_metrics` exports them to Prometheus.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::lane::Shared;

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

    pub(crate) fn register(&self, shared: &Arc<Shared>, registry: &mut Registry) {
        let help = "Time of the durable commit of a batch of writes";
        registry.register_with_unit("bailiwick_db_commit_duration", help, Unit::Seconds, self.commit.clone());
        let help = "Writes that shared one durable commit";
        registry.register("bailiwick_db_batch_writes", help, self.writes.clone());
        let help = "Batches that were rolled back and whose writes ran again alone";
        registry.register("bailiwick_db_batches_rolled_back", help, self.rolled_back.clone());
        registry.register_collector(Box::new(AtScrape(Arc::downgrade(shared))));
    }
}

/// Figures that are read at each scrape. It does not keep the database open.
struct AtScrape(Weak<Shared>);

impl std::fmt::Debug for AtScrape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AtScrape")
    }
}

impl Collector for AtScrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let Some(shared) = self.0.upgrade() else { return Ok(()) };
        let statements = ConstCounter::new(shared.counts.statements());
        let metric = encoder.encode_descriptor(
            "bailiwick_db_statements",
            "SQL statements run",
            None,
            statements.metric_type(),
        )?;
        statements.encode(metric)?;
        let gauges = [
            ("bailiwick_db_writes_waiting", "Writes that wait for their turn", shared.queue.len() as u64),
            (
                "bailiwick_db_log_pages",
                "Pages of SQLite's write-ahead log since it was last started from its beginning",
                read(&shared.log_pages),
            ),
        ];
        for (name, help, value) in gauges {
            let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
        }
        Ok(())
    }
}

fn read(figure: &AtomicU64) -> u64 {
    figure.load(Ordering::Relaxed)
}
