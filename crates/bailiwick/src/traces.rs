//! Traces of requests, sent to an OpenTelemetry collector by OTLP (HTTP, protobuf) when one is named.
//!
//! How much is sampled and how it is batched follows the standard variables (`OTEL_TRACES_SAMPLER`,
//! `OTEL_TRACES_SAMPLER_ARG`, `OTEL_BSP_…`, `OTEL_EXPORTER_OTLP_HEADERS`).

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use crate::failure::{Failure, Result};

/// How long the last spans may take to be sent when the service stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends spans in the background, in batches.
pub(crate) struct Traces(SdkTracerProvider);

impl Traces {
    /// Sends to the collector at this base URL, such as `http://localhost:4318`, under the name of a
    /// service. Nothing is connected yet.
    pub(crate) fn to(endpoint: &str, service: &str) -> Result<Self> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .build()
            .map_err(|error| Failure::new(format!("traces cannot be sent to {endpoint}: {error}")))?;
        let resource = Resource::builder()
            .with_service_name(service.to_owned())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        Ok(Self(provider))
    }

    /// Turns the spans that are meant for it into OpenTelemetry's; what is only logged is not sent.
    pub(crate) fn layer<S>(&self) -> impl Layer<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let meant = filter_fn(|metadata| metadata.is_span() && metadata.target() == http::TRACE_TARGET);
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("bailiwick"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_filter(meant)
    }

    /// Sends what is left.
    pub(crate) fn finish(&self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_TIMEOUT) {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}
