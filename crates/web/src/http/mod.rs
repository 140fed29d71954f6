//! What every request and every response passes, whatever it is about: the server, the checks of each request, bodies,
//! JSON, queries, lists, conditions, errors.

pub mod answer;
pub(crate) mod api_request;
pub mod app;
pub(crate) mod as_of;
pub mod body;
pub(crate) mod caller;
pub(crate) mod conditional;
pub mod download;
pub mod elements;
pub mod error;
pub mod error_codes;
pub(crate) mod front;
pub(crate) mod health;
pub mod idempotency;
pub mod json;
pub mod limits;
pub mod location;
pub(crate) mod metrics;
pub(crate) mod open_request;
pub mod page;
pub mod peer;
pub(crate) mod problem;
pub mod query;
pub mod rate;
pub(crate) mod request_id;
pub mod route;
pub(crate) mod server;
pub mod snippets;
pub mod source;
pub(crate) mod timestamp;
pub(crate) mod tls;
pub(crate) mod unread;
pub(crate) mod well_known;
pub(crate) mod word;
pub mod write;
