//! Parsing the request of the token endpoint.

use auth::tokens::{GrantType, RequestedScopes, TokenRequest};
use domain::Scopes;
use zeroize::Zeroizing;

use super::description::Description;
use super::parameters::Parameters;
use super::token_error::TokenError;

/// The parameters of this endpoint, besides the client's credentials.
pub(super) const KNOWN: &[&str] = &["grant_type", "refresh_token", "scope", "resource"];

/// Reads the request from its parameters.
pub(super) fn token_request(mut parameters: Parameters) -> Result<TokenRequest, TokenError> {
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
        None => RequestedScopes::All,
        // An empty list is not a valid list of scopes (RFC 6749, section 3.3).
        Some(Ok(scopes)) if !scopes.is_empty() => RequestedScopes::Named(scopes),
        Some(_) => RequestedScopes::Unknown,
    };
    Ok(TokenRequest { grant, client: parameters.client, scopes, resources: parameters.resources })
}
