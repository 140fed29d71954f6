//! The tokens of clients: their content, their verification, and how they are issued, exchanged and revoked.

mod access_token;
mod claims;
mod deny_list;
mod exchange;
mod one_token;
mod refresh_token;
mod rotation;
mod verified;
pub(crate) mod verify;

pub use deny_list::DenyList;
pub use exchange::{GrantType, RequestedScopes, TokenPair, TokenRequest, exchange};
pub use one_token::{TokenState, TokenUse, introspect, revoke};

pub(crate) use rotation::RotationRules;
pub(crate) use verified::VerifiedTokens;
