//! What a client may do with one of its own tokens: revoke it, and ask for its state.

use db::Tx;
use domain::Scopes;
use jiff::Timestamp;
use macros::boxed;
use store::revocations::{self, Revoked};
use uuid::Uuid;

use super::access_token::AccessToken;
use super::refresh_token::RefreshToken;
use super::rotation;
use super::verify::{read_access_token, read_refresh_token};
use crate::auth::Auth;
use crate::clients::{Authenticated, ClientCredentials, authenticate};
use crate::error::Result;
use crate::grant::Grant;
use crate::source::Source;

/// A token of this service that has not expired.
enum OneToken {
    Access(AccessToken),
    Refresh(RefreshToken),
}

/// The state of a token that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// What it is used for.
    pub token_use: TokenUse,
    /// The scopes; for a refresh token, those that a refresh would grant now.
    pub scopes: Scopes,
    /// To whom it was issued.
    pub grant: Grant,
    /// The token's id.
    pub jti: Uuid,
    /// When it was issued, in seconds since the epoch.
    pub issued: i64,
    /// When it expires, in seconds since the epoch.
    pub expires: i64,
}

/// What a token is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUse {
    /// The API.
    Access,
    /// Getting other tokens.
    Refresh,
}

/// Revokes a token of the client with these credentials; another client's, or one that is not valid, has no effect.
#[boxed]
pub async fn revoke(auth: &Auth, sent: &ClientCredentials, token: &str, source: &Source) -> Result<()> {
    let now = auth.now();
    let client = authenticate(auth, sent, source, now).await?.client;
    match read(auth, token, now).await {
        Some(OneToken::Access(token)) if token.grant.client == client.id => end_access(auth, token).await,
        Some(OneToken::Refresh(token)) if token.grant.client == client.id => end_family(auth, token).await,
        Some(OneToken::Access(_) | OneToken::Refresh(_)) | None => Ok(()),
    }
}

/// The state of a token of the client with these credentials; none if it cannot be used, or not by this client.
#[boxed]
pub async fn introspect(
    auth: &Auth,
    sent: &ClientCredentials,
    token: &str,
    source: &Source,
) -> Result<Option<TokenState>> {
    let now = auth.now();
    let asking = authenticate(auth, sent, source, now).await?;
    match read(auth, token, now).await {
        Some(OneToken::Access(token)) => Ok(state_of_access(auth, &token, &asking)),
        Some(OneToken::Refresh(token)) => state_of_refresh(auth, token, &asking, now).await,
        None => Ok(None),
    }
}

/// Reads a token of either type: its header states which.
async fn read(auth: &Auth, token: &str, now: Timestamp) -> Option<OneToken> {
    match read_access_token(auth, token, now).await {
        Ok(token) => Some(OneToken::Access(token)),
        Err(_) => read_refresh_token(auth, token, now).await.ok().map(OneToken::Refresh),
    }
}

async fn end_access(auth: &Auth, token: AccessToken) -> Result<()> {
    if auth.deny_list.denies(&token) {
        return Ok(());
    }
    let (org, jti) = (token.grant.organization, token.jti);
    let entry: store::Result<Revoked> = auth
        .db
        .write(org, async move |tx: &mut Tx| revocations::add(tx, org, Revoked::token(jti, tx.at())).await)
        .await;
    auth.deny_list.add(&[entry?]);
    Ok(())
}

async fn end_family(auth: &Auth, token: RefreshToken) -> Result<()> {
    let org = token.grant.organization;
    let entry = auth.db.write(org, async move |tx: &mut Tx| rotation::end(tx, &token).await).await?;
    auth.deny_list.add(entry.as_slice());
    Ok(())
}

fn state_of_access(auth: &Auth, token: &AccessToken, asking: &Authenticated) -> Option<TokenState> {
    let AccessToken { grant, scopes, jti, issued, expires } = token;
    let is_good = grant.client == asking.client.id
        && asking.secrets.iter().any(|secret| secret.credential == grant.credential)
        && !auth.deny_list.denies(token);
    is_good.then(|| TokenState {
        token_use: TokenUse::Access,
        scopes: *scopes,
        grant: grant.clone(),
        jti: *jti,
        issued: *issued,
        expires: *expires,
    })
}

async fn state_of_refresh(
    auth: &Auth,
    token: RefreshToken,
    asking: &Authenticated,
    now: Timestamp,
) -> Result<Option<TokenState>> {
    let scopes = token.scopes.intersection(asking.client.scopes);
    let is_good = token.grant.client == asking.client.id
        && asking.has_live_secret(token.grant.credential, now)
        && !scopes.is_empty()
        && rotation::is_good(&mut auth.db.read().await?, auth.rotation, &token, now).await?;
    let RefreshToken { grant, jti, issued, expires, .. } = token;
    Ok(is_good.then_some(TokenState { token_use: TokenUse::Refresh, scopes, grant, jti, issued, expires }))
}
