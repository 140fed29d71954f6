//! Authentication: clients and their tokens, people and their sessions. No HTTP: `http` turns a request into the
//! arguments of these functions, and their one [`Error`] into a response.
//!
//! - [`identify()`]: the [`Caller`] with a bearer token. `tokens/verify.rs` reads a client's, `people/session.rs` a
//!   person's.
//! - [`tokens`]: what a client does with tokens: exchange, revoke, introspect. `rotation.rs` decides on refresh tokens,
//!   `deny_list.rs` knows what was revoked, `verified.rs` what was verified already.
//! - [`clients`]: ids and secrets of clients, and their authentication.
//! - [`people`]: sign-in, passwords, accepting an invitation, using a reset link, beginning an empty register.
//! - [`keys`]: signing keys: next, active, retired, deleted; the master key that encrypts them; JWT.
//! - [`secret`]: secrets that are generated here and stored as a hash, each kind with its prefix.
//! - [`secret_link`]: links with such a secret.
//! - `throttle.rs` counts failures by name and address, never successes; [`Gcra`] is its rule, and that of the rate
//!   limit in `http`.
//! - [`refusals`]: the one place that records why a caller was refused: a log line, a metric, the client's list.
//!   `last_use.rs` collects the last uses of secrets and sessions.
//! - [`Auth`] holds the keys, caches and counters of one process; [`upkeep()`] is its periodic work.
//!
//! docs/tokens.md and docs/people.md describe what callers see of it.

mod auth;
mod base62;
mod caller;
pub mod clients;
mod error;
mod gcra;
mod grant;
mod identify;
pub mod keys;
mod last_use;
mod lifetimes;
mod metrics;
pub mod people;
mod public_url;
pub mod refusals;
pub mod secret;
pub mod secret_link;
mod settings;
mod source;
mod throttle;
pub mod tokens;
mod upkeep;
mod uuid_v7;

pub use auth::Auth;
pub use caller::Caller;
pub use error::{Error, Result};
pub use gcra::Gcra;
pub use grant::Grant;
pub use identify::identify;
pub use keys::MasterKey;
pub use lifetimes::{ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS};
pub use metrics::Metrics;
pub use public_url::PublicUrl;
pub use settings::Settings;
pub use source::Source;
pub use tokens::DenyList;
pub use upkeep::upkeep;
