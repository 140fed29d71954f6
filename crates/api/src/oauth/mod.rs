//! The OAuth 2.1 endpoints: tokens, their revocation and introspection, and the documents by which clients find them.
//! What tokens are and when they are valid is in the crate `auth`; docs/tokens.md describes it for readers.

mod description;
pub(crate) mod discovery;
pub(crate) mod introspect;
mod parameters;
pub(crate) mod revoke;
pub(crate) mod token;
mod token_error;
mod token_request;

pub(crate) use token_error::{ERROR_FORM, error_example};
