//! Why a caller was refused. `http` turns each of these into a response.

use domain::organization::OrganizationName;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a caller, a person's credentials or a request for tokens was refused. What exactly was wrong is in the log and
/// in the client's list of refusals only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An error that is not about authentication: the throttle, a rule for passwords, the database.
    #[error(transparent)]
    Domain(#[from] domain::Error),
    /// The bearer token is not valid, or no longer.
    #[error("the token is not valid")]
    Unauthenticated,
    /// The credentials of a client or a person are missing or wrong.
    #[error("the credentials are not valid")]
    InvalidCredentials,
    /// A person's credentials are right and valid for several organizations: one must be named.
    #[error("an organization must be named")]
    OrganizationNeeded(Vec<OrganizationName>),
    /// An invitation is unknown, used, withdrawn or expired.
    #[error("the invitation is not valid")]
    InvitationNotValid,
    /// A reset link is unknown, used, replaced or expired, or what it was made for has changed.
    #[error("the reset link is not valid")]
    ResetLinkNotValid,
    /// The refresh token is not valid, or no longer.
    #[error("the refresh token is not valid")]
    InvalidGrant,
    /// A requested scope is unknown, or the client does not have it.
    #[error("a requested scope is not granted")]
    InvalidScope,
    /// A token for another API was requested.
    #[error("the requested resource is another API")]
    InvalidTarget,
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Domain(error.0)
    }
}

/// The conversion goes through the store's error, because only `store` knows what a database's error means.
impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        store::Error::from(error).into()
    }
}
