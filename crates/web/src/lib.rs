//! The HTTP crate: routes, bodies, errors, the OpenAPI document. No other crate knows HTTP; `auth` knows who calls.

mod api;
pub mod docs;
pub mod export;
pub mod http;
pub mod input;
mod oauth;
mod openapi;
mod router;
pub mod secret_link;

/// Records as responses show them, for the command line to show them alike.
pub mod views {
    pub use crate::api::clients::{ClientView, NewSecretView};
    pub use crate::api::invitations::InvitationView;
    pub use crate::api::organizations::read::OrganizationView;
    pub use crate::api::users::UserView;
}

pub use http::answer::Answer;
pub use http::app::{App, Settings};
pub use http::error::{Error, ParameterFault, Result};
pub use http::front::{TRACE_TARGET, TraceContext};
pub use http::metrics::serve_metrics;
pub use http::peer::{Peer, network};
pub use http::rate::Stopwatch;
pub use http::server::{Listener, serve};
pub use http::tls::{Certificate, Tls, TlsError};
pub use openapi::text as openapi_text;
pub use router::{DeclaredHeaders, Page, Routes, document};
