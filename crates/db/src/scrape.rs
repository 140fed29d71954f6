//! Metrics that are read when Prometheus asks for them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::lane::Shared;

/// Figures that are read at each scrape. It does not keep the database open.
pub(crate) struct AtScrape(Weak<Shared>);

impl AtScrape {
    pub(crate) fn of(shared: &Arc<Shared>) -> Box<Self> {
        Box::new(Self(Arc::downgrade(shared)))
    }
}

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
        let went_back = shared.acknowledged.went_back().is_some();
        let gauges = [
            (
                "bailiwick_db_went_back",
                "1 when the database lacks what this process has acknowledged, so that it writes nothing more",
                u64::from(went_back),
            ),
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
