//! Issuing a pair of tokens for client credentials or a refresh token.

use db::Tx;
use domain::{ClientId, FamilyId, Scopes};
use jiff::Timestamp;
use macros::boxed;
use zeroize::Zeroizing;

use super::access_token;
use super::refresh_token::RefreshToken;
use super::rotation::{self, Presented};
use super::verify::read_refresh_token;
use crate::auth::Auth;
use crate::clients::{self, ClientCredentials, parse_client_id};
use crate::error::{Error, Result};
use crate::grant::Grant;
use crate::refusals::{Reason, Refused};
use crate::source::Source;
use crate::uuid_v7::uuid_v7;

/// A request for tokens.
pub struct TokenRequest {
    /// What is exchanged for tokens.
    pub grant: GrantType,
    /// The client's credentials.
    pub client: ClientCredentials,
    /// The requested scopes.
    pub scopes: RequestedScopes,
    /// The APIs that the token is requested for; an empty list means this one.
    pub resources: Vec<String>,
}

/// What is exchanged for tokens.
pub enum GrantType {
    /// The client's own credentials.
    ClientCredentials,
    /// A refresh token.
    RefreshToken(Zeroizing<String>),
}

impl GrantType {
    /// Its name in a request.
    fn as_str(&self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken(_) => "refresh_token",
        }
    }
}

/// The requested scopes of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedScopes {
    /// No scope was named: all that can be granted.
    All,
    /// These scopes.
    Named(Scopes),
    /// What was sent is not a list of known scopes.
    Unknown,
}

/// A pair of tokens.
pub struct TokenPair {
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
    /// The scopes of the access token.
    pub scopes: Scopes,
}

/// Exchanges what was sent for a pair of tokens.
#[boxed]
pub async fn exchange(auth: &Auth, request: &TokenRequest, source: &Source) -> Result<TokenPair> {
    let issued = match &request.grant {
        GrantType::ClientCredentials => issue(auth, request, source).await,
        GrantType::RefreshToken(token) => refresh(auth, request, token, source).await,
    }?;
    auth.metrics.issued(request.grant.as_str());
    Ok(issued)
}

/// Exchanges client credentials. Nothing is written: a family gets a row at its first refresh.
async fn issue(auth: &Auth, request: &TokenRequest, source: &Source) -> Result<TokenPair> {
    let now = auth.now();
    let authenticated = clients::authenticate(auth, &request.client, source, now).await?;
    let client = authenticated.client;
    let refused = |reason| Refused::new(reason).of(client.organization, &client.id);
    check_target(auth, &request.resources, || refused(Reason::InvalidTarget), source)?;
    let scopes = match request.scopes {
        RequestedScopes::All => client.scopes,
        RequestedScopes::Named(scopes) if client.scopes.contains(scopes) => scopes,
        RequestedScopes::Named(_) | RequestedScopes::Unknown => {
            auth.refusals.note(&refused(Reason::InvalidScope), source);
            return Err(Error::InvalidScope);
        }
    };
    let grant = Grant {
        organization: client.organization,
        client: client.id,
        credential: authenticated.credential,
        family: FamilyId(uuid_v7(&auth.db, now)),
    };
    let refresh = RefreshToken::first(grant, scopes, now, uuid_v7(&auth.db, now));
    pair(auth, &refresh, scopes, now)
}

/// Exchanges a refresh token.
async fn refresh(auth: &Auth, request: &TokenRequest, token: &str, source: &Source) -> Result<TokenPair> {
    let now = auth.now();
    let sent = &request.client;
    let authenticated = match sent.is_attempt {
        true => Some(clients::authenticate(auth, sent, source, now).await?.client.id),
        false => None,
    };
    let token = match read_refresh_token(auth, token, now).await {
        Ok(token) => token,
        Err(refused) => return Err(refuse_grant(auth, &refused, sent, source, now)),
    };
    let (grant, jti) = (token.grant.clone(), token.jti);
    let refused = |reason| Refused::new(reason).token(&grant, jti);
    let named = authenticated.as_ref().map(ClientId::as_str).or(sent.id.as_deref());
    if named.is_some_and(|named| named != grant.client.as_str()) {
        let refused = refused(Reason::RefreshTokenOfAnother);
        return Err(refuse_grant(auth, &refused, sent, source, now));
    }
    clients::may_try(auth, &failing_as(&grant.client), source, now)?;
    check_target(auth, &request.resources, || refused(Reason::InvalidTarget), source)?;
    let scopes = match request.scopes {
        RequestedScopes::All => None,
        RequestedScopes::Named(scopes) => Some(scopes),
        RequestedScopes::Unknown => {
            auth.refusals.note(&refused(Reason::InvalidScope), source);
            return Err(Error::InvalidScope);
        }
    };
    let presented = Presented { token, authenticated: authenticated.is_some(), scopes, now };
    rotate(auth, presented, sent, source).await
}

/// Rotates a refresh token that was issued by this service.
async fn rotate(
    auth: &Auth,
    presented: Presented,
    sent: &ClientCredentials,
    source: &Source,
) -> Result<TokenPair> {
    let (rules, now) = (auth.rotation, presented.now);
    let (grant, jti) = (presented.token.grant.clone(), presented.token.jti);
    let rotated = auth
        .db
        .write(grant.organization, async move |tx: &mut Tx| rotation::rotate(tx, rules, &presented).await)
        .await;
    let refused = |reason, detail| Refused::new(reason).token(&grant, jti).detail(detail);
    match unless_unknown(rotated)? {
        Ok(rotated) => {
            auth.throttle.succeeded(&failing_as(&grant.client), source.address);
            pair(auth, &rotated.refresh, rotated.scopes, now)
        }
        Err(rotation::Refused::NotAuthenticated) => {
            let refused = refused(Reason::AuthenticationRequired, "");
            clients::count_failure(auth, &refused, &failing_as(&grant.client), source, now);
            Err(Error::InvalidCredentials)
        }
        Err(rotation::Refused::Scope) => {
            auth.refusals.note(&refused(Reason::InvalidScope, ""), source);
            Err(Error::InvalidScope)
        }
        Err(rotation::Refused::Token(reason, detail)) => {
            Err(refuse_grant(auth, &refused(reason, detail), sent, source, now))
        }
        Err(rotation::Refused::Replayed(entry)) => {
            auth.deny_list.add(&[entry]);
            let refused = refused(Reason::RefreshTokenSpent, "its family ended");
            Err(refuse_grant(auth, &refused, sent, source, now))
        }
    }
}

/// Counts and records an invalid refresh token. A client that sends too many has to wait.
fn refuse_grant(
    auth: &Auth,
    refused: &Refused,
    sent: &ClientCredentials,
    source: &Source,
    now: Timestamp,
) -> Error {
    let named = sent.id.as_deref().and_then(parse_client_id);
    let name = refused.client.as_ref().or(named.as_ref()).map(failing_as).unwrap_or_default();
    if let Err(wait) = clients::may_try(auth, &name, source, now) {
        return wait;
    }
    clients::count_failure(auth, refused, &name, source, now);
    Error::InvalidGrant
}

/// A token is valid for this API only, so no other can be requested (RFC 8707, section 2).
fn check_target(
    auth: &Auth,
    resources: &[String],
    refused: impl FnOnce() -> Refused,
    source: &Source,
) -> Result<()> {
    if resources.iter().all(|resource| resource == auth.public_url.api()) {
        return Ok(());
    }
    auth.refusals.note(&refused(), source);
    Err(Error::InvalidTarget)
}

fn pair(auth: &Auth, refresh: &RefreshToken, scopes: Scopes, now: Timestamp) -> Result<TokenPair> {
    let (keys, issuer) = (auth.keys.current(), &auth.public_url);
    let jti = uuid_v7(&auth.db, now);
    Ok(TokenPair {
        access_token: access_token::mint(issuer, &keys.signing, &refresh.grant, scopes, now, jti)?,
        refresh_token: refresh.mint(issuer, &keys.refresh)?,
        scopes,
    })
}

/// Invalid refresh tokens are counted separately from wrong secrets, so that a client that retries an old token too
/// often can still authenticate with its credentials.
fn failing_as(client: &ClientId) -> String {
    format!("refresh {client}")
}

/// A token of an organization that no longer exists is an invalid token, not an internal error.
fn unless_unknown<T>(
    result: store::Result<Result<T, rotation::Refused>>,
) -> Result<Result<T, rotation::Refused>> {
    match result {
        Err(store::Error(domain::Error::NotFound(_))) => {
            Ok(Err(rotation::Refused::Token(Reason::RefreshTokenRevoked, "unknown organization")))
        }
        result => Ok(result?),
    }
}
