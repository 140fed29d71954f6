//! The metrics of tokens for Prometheus.

use std::sync::{Arc, Weak};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::AuthorizationServer;
use super::refusals::Reason;

/// The counters of tokens. A clone is a handle to the same counters.
#[derive(Debug, Clone, Default)]
pub(super) struct Metrics {
    issued: Family<Issued, Counter>,
    refused: Family<Refused, Counter>,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Issued {
    grant_type: &'static str,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Refused {
    reason: &'static str,
}

impl Metrics {
    /// Counts a pair of tokens issued for a grant of this type.
    pub(super) fn issued(&self, grant_type: &'static str) {
        self.issued.get_or_create(&Issued { grant_type }).inc();
    }

    /// Counts a refusal.
    pub(super) fn refused(&self, reason: Reason) {
        self.refused.get_or_create(&Refused { reason: reason.as_str() }).inc();
    }
}

impl AuthorizationServer {
    /// Registers the metrics of issued tokens, refusals and signature checks.
    pub(crate) fn register_metrics(self: &Arc<Self>, registry: &mut Registry) {
        let help = "Pairs of tokens issued";
        registry.register("bailiwick_tokens_issued", help, self.metrics.issued.clone());
        let help = "Credentials, tokens and requests that were refused, by the reasons of docs/tokens.md";
        registry.register("bailiwick_refusals", help, self.metrics.refused.clone());
        registry.register_collector(Box::new(AtScrape(Arc::downgrade(self))));
    }
}

/// Metrics that are read at each scrape.
struct AtScrape(Weak<AuthorizationServer>);

impl std::fmt::Debug for AtScrape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AtScrape")
    }
}

impl Collector for AtScrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let Some(server) = self.0.upgrade() else { return Ok(()) };
        let checks = ConstCounter::new(server.signature_verifications());
        let (name, help) = ("bailiwick_token_signature_checks", "Access tokens that were not known yet");
        checks.encode(encoder.encode_descriptor(name, help, None, checks.metric_type())?)
    }
}
