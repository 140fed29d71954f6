//! The metrics of tokens for Prometheus.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// The counters of tokens. A clone is a handle to the same counters.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    issued: Family<Issued, Counter>,
    refused: Family<Refused, Counter>,
    signature_checks: Counter,
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
    pub(crate) fn issued(&self, grant_type: &'static str) {
        self.issued.get_or_create(&Issued { grant_type }).inc();
    }

    /// Counts a refusal for the reason with this code.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&Refused { reason }).inc();
    }

    /// Counts the signature check of an access token.
    pub(crate) fn signature_checked(&self) {
        self.signature_checks.inc();
    }

    /// The number of access token signatures checked so far.
    pub fn signature_checks(&self) -> u64 {
        self.signature_checks.get()
    }

    /// Registers the counters.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Pairs of tokens issued";
        registry.register("bailiwick_tokens_issued", help, self.issued.clone());
        let help = "Credentials, tokens and requests that were refused, by the reasons of docs/tokens.md";
        registry.register("bailiwick_refusals", help, self.refused.clone());
        let help = "Access tokens that were not known yet";
        registry.register("bailiwick_token_signature_checks", help, self.signature_checks.clone());
    }
}
