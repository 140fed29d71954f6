//! Parsing the request of the token endpoint.

use domain::Scopes;
use zeroize::Zeroizing;

use super::description::Description;
use super::parameters::{Parameters, ShownClient};
use super::token_error::TokenError;

/// The parameters of this endpoint, besides the client's credentials.
pub(super) const KNOWN: &[&str] = &["grant_type", "refresh_token", "scope", "resource"];

/// A well-formed token request.
#[derive(Debug)]
pub(super) struct TokenRequest {
    /// The presented grant.
    pub(super) grant: GrantType,
    /// The client's credentials.
    pub(super) client: ShownClient,
    /// The requested scopes.
    pub(super) scopes: AskedScopes,
    /// The APIs that the token is requested for; an empty list means this one.
    pub(super) resources: Vec<String>,
}

/// The grant that is exchanged for tokens.
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

/// The requested scopes of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedScopes {
    /// No scope was named: all that can be granted.
    All,
    /// These scopes.
    Named(Scopes),
    /// What was sent is not a list of known scopes.
    Unknown,
}

impl TokenRequest {
    /// Reads the request from its parameters.
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
            // An empty list is not a valid list of scopes (RFC 6749, section 3.3).
            Some(Ok(scopes)) if !scopes.is_empty() => AskedScopes::Named(scopes),
            Some(_) => AskedScopes::Unknown,
        };
        Ok(Self { grant, client: parameters.client, scopes, resources: parameters.resources })
    }
}
