//! The metrics of requests, and the address where Prometheus reads them.
//!
//! Names and labels follow OpenTelemetry's semantic conventions for HTTP servers.

use std::future::Future;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::MatchedPath;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, http::header::CONTENT_TYPE};
use hyper::{Method, StatusCode};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder, text};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::net::TcpListener;

/// The version of Prometheus' text format that is sent.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 16] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The metrics of requests. A clone is a handle to the same metrics.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    duration: Family<Labels, Histogram, fn() -> Histogram>,
    active: Gauge,
}

/// The labels of a request's duration. The route is the pattern, never the path: paths contain ids.
#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    http_request_method: &'static str,
    http_route: Route,
    http_response_status_code: u16,
}

/// The pattern of a route; none for an unknown path.
#[derive(Debug, Clone)]
struct Route(Option<MatchedPath>);

impl Default for Metrics {
    fn default() -> Self {
        Self { duration: Family::new_with_constructor(|| Histogram::new(BUCKETS)), active: Gauge::default() }
    }
}

impl Metrics {
    /// Counts a request as active until the returned value is dropped.
    pub(crate) fn start(&self) -> Active {
        self.active.inc();
        Active(self.active.clone())
    }

    /// Records a request that was answered.
    pub(crate) fn answered(
        &self,
        method: &Method,
        route: Option<MatchedPath>,
        status: StatusCode,
        took: Duration,
    ) {
        let labels = Labels {
            http_request_method: known_method(method),
            http_route: Route(route),
            http_response_status_code: status.as_u16(),
        };
        self.duration.get_or_create(&labels).observe(took.as_secs_f64());
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Time from a request's header to its answer";
        registry.register_with_unit(
            "http_server_request_duration",
            help,
            Unit::Seconds,
            self.duration.clone(),
        );
        let help = "Requests that are being answered";
        registry.register("http_server_active_requests", help, self.active.clone());
    }
}

/// A request that is being processed.
#[derive(Debug)]
pub(crate) struct Active(Gauge);

impl Drop for Active {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Methods that clients make up share one label.
fn known_method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        "TRACE" => "TRACE",
        "CONNECT" => "CONNECT",
        _ => "_OTHER",
    }
}

impl Route {
    fn as_str(&self) -> &str {
        self.0.as_ref().map_or("", MatchedPath::as_str)
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> std::fmt::Result {
        self.as_str().encode(encoder)
    }
}

/// Serves `GET /metrics` until `stop` is done. It listens on an address of its own and needs no token: that address
/// decides who can read it.
pub async fn serve_metrics(
    listener: TcpListener,
    registry: Registry,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let registry = Arc::new(registry);
    let page = get(move || {
        let registry = Arc::clone(&registry);
        async move { scrape(&registry) }
    });
    axum::serve(listener, Router::new().route("/metrics", page)).with_graceful_shutdown(stop).await
}

fn scrape(registry: &Registry) -> Response {
    let mut body = String::with_capacity(16 * 1024);
    match text::encode(&mut body, registry) {
        Ok(()) => ([(CONTENT_TYPE, OPENMETRICS)], body).into_response(),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(metrics: &Metrics) -> String {
        let mut registry = Registry::default();
        metrics.register(&mut registry);
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        text
    }

    #[test]
    fn a_request_is_counted_by_method_route_and_status() {
        let metrics = Metrics::default();
        let fast = Duration::from_micros(300);
        metrics.answered(&Method::GET, None, StatusCode::NOT_FOUND, fast);
        metrics.answered(&Method::from_bytes(b"BREW").unwrap(), None, StatusCode::METHOD_NOT_ALLOWED, fast);
        metrics.answered(&Method::from_bytes(b"BOIL").unwrap(), None, StatusCode::METHOD_NOT_ALLOWED, fast);
        let text = text_of(&metrics);
        let count = |method: &str, status: u16| {
            format!(
                "http_server_request_duration_seconds_count{{http_request_method=\"{method}\",http_route=\"\",\
                 http_response_status_code=\"{status}\"}}"
            )
        };
        assert!(text.contains(&format!("{} 1\n", count("GET", 404))), "{text}");
        assert!(text.contains(&format!("{} 2\n", count("_OTHER", 405))), "{text}");
    }

    #[test]
    fn a_request_is_active_until_it_is_dropped() {
        let metrics = Metrics::default();
        let active = metrics.start();
        assert!(text_of(&metrics).contains("http_server_active_requests 1\n"));
        drop(active);
        assert!(text_of(&metrics).contains("http_server_active_requests 0\n"));
    }
}
