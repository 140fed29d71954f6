//! What every request and every response passes, whatever it is about: the server, the checks of each request, bodies,
//! JSON, queries, lists, conditions, errors. It knows no operation and no page.

pub mod answer;
pub mod api_request;
pub mod app;
pub mod as_of;
pub(crate) mod blocking;
pub mod body;
pub(crate) mod caller;
pub mod conditional;
pub(crate) mod cursor_key;
pub mod download;
pub mod elements;
pub mod error;
pub mod error_codes;
pub mod front;
pub mod health;
pub mod idempotency;
pub mod json;
pub mod kept_figures;
pub mod limits;
pub mod location;
pub mod made_files;
pub(crate) mod metrics;
pub mod open_request;
pub mod page;
pub mod peer;
pub mod problem;
pub mod query;
pub mod rate;
pub mod request_id;
pub mod route;
pub(crate) mod server;
pub mod snippets;
pub mod source;
pub mod timestamp;
pub(crate) mod tls;
pub(crate) mod unread;
pub mod upload;
pub mod word;
pub mod write;

pub use answer::Answer;
pub use app::{App, Settings};
pub use error::{Error, ParameterFault, Result};
pub use front::{TRACE_TARGET, TraceContext};
pub use metrics::serve_metrics;
pub use peer::{Peer, network};
pub use rate::Stopwatch;
pub use route::Page;
pub use server::{Listener, serve};
pub use tls::{Certificate, Tls, TlsError};

/// For [`parameters!`] in other crates.
#[doc(hidden)]
pub use utoipa;
