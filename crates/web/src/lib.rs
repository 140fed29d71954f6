//! The HTTP crate: routes, bodies, tokens, errors, the OpenAPI document. No other crate knows HTTP.

mod answer;
mod api;
mod api_request;
pub mod app;
mod body;
mod conditional;
pub mod docs;
pub mod error;
mod front;
mod health;
mod idempotency;
pub mod invitation_page;
pub mod json;
pub mod limits;
mod metrics;
mod no_store;
pub mod oauth;
mod open_request;
mod openapi;
mod page;
mod peer;
mod problem;
mod query;
mod rate;
mod request_id;
mod router;
mod server;
mod tls;
mod unread;
mod welcome;

pub use answer::Answer;
pub use app::{App, Settings};
pub use error::{Error, ParameterFault, Result};
pub use front::TraceContext;
pub use metrics::serve_metrics;
pub use openapi::text as openapi_text;
pub use peer::{Peer, network};
pub use router::{document, router};
pub use server::{Listener, serve};
pub use tls::{Certificate, Tls, TlsError};

/// The target of the one span of each request, which traces and the access log use.
pub const TRACE_TARGET: &str = "request";
