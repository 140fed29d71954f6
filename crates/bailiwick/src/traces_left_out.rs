//! The program without the feature `otlp` sends no traces, and says so to those who ask for them.

use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Identity;

use crate::failure::{Failure, Result};

/// Sends spans: there are none.
pub(crate) enum Traces {}

impl Traces {
    /// Refuses to send anything.
    pub(crate) fn to(endpoint: &str, _service: &str) -> Result<Self> {
        Err(Failure::new(format!(
            "traces cannot be sent to {endpoint}: this program was built without OpenTelemetry. Build it with \
             `cargo build --release --features otlp`, as released programs are, or leave out otlp_endpoint"
        )))
    }

    pub(crate) fn layer<S: Subscriber>(&self) -> impl Layer<S> {
        match *self {}
        #[expect(unreachable_code, reason = "it says the type")]
        Identity::new()
    }

    pub(crate) fn finish(&self) {
        match *self {}
    }
}
