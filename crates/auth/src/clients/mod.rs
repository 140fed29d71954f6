//! OAuth clients: their credentials, and their authentication.

mod authenticate;
mod create;
mod credentials;
mod id;

pub use create::{NewCredentials, Registered, replace_secret};
pub use credentials::ClientCredentials;
pub use id::{generate_client_id, parse_client_id};

pub(crate) use authenticate::{Authenticated, authenticate, count_failure, may_try};
