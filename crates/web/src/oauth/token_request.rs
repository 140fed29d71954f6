//! What is asked of the token endpoint.

use domain::Scopes;
use zeroize::Zeroizing;

use super::description::Description;
use super::parameters::{Parameters, ShownClient};
use super::token_error::TokenError;

/// The parameters that mean something here, beside the client's credentials.
pub(super) const KNOWN: &[&str] = &["grant_type", "refresh_token", "scope", "resource"];

/// A token request, well formed.
#[derive(Debug)]
pub(super) struct TokenRequest {
    /// What is presented.
    pub(super) grant: GrantType,
    /// How the client names and proves itself.
    pub(super) client: ShownClient,
    /// The scopes asked for.
    pub(super) scopes: AskedScopes,
    /// The APIs that the token is wanted for; none is ours.
    pub(super) resources: Vec<String>,
}

/// What is exchanged for tokens.
#[derive(Debug)]
pub(super) enum GrantType {
    /// The client's own credentials.
    ClientCredentials,
    /// A refresh token.
    RefreshToken(Zeroizing<String>),
}

impl GrantType {
    /// Its name in a request.
    pub(super) fn as_str(&self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken(_) => "refresh_token",
        }
    }
}

/// The scopes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedScopes {
    /// None was named: all that may be had.
    All,
    /// These.
    Named(Scopes),
    /// What was sent is not a list of known scopes.
    Unknown,
}

impl TokenRequest {
    /// Reads what the parameters ask for.
    pub(super) fn of(mut parameters: Parameters) -> Result<Self, TokenError> {
        let malformed = |what| Err(TokenError::InvalidRequest(what));
        let grant = match parameters.take("grant_type").as_deref() {
            None => return malformed(Description::NoGrantType),
            Some("client_credentials") => GrantType::ClientCredentials,
            Some("refresh_token") => match parameters.take("refresh_token") {
                None => return malformed(Description::NoRefreshToken),
                Some(token) => GrantType::RefreshToken(Zeroizing::new(token)),
            },
            Some(_) => return Err(TokenError::UnsupportedGrantType),
        };
        let scopes = match parameters.take("scope").as_deref().map(Scopes::parse) {
            None => AskedScopes::All,
            // A list without any is not a list of scopes (RFC 6749, section 3.3).
            Some(Ok(scopes)) if !scopes.is_empty() => AskedScopes::Named(scopes),
            Some(_) => AskedScopes::Unknown,
        };
        Ok(Self { grant, client: parameters.client, scopes, resources: parameters.resources })
    }
}
