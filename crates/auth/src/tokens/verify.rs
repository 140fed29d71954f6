//! Verifying the tokens of clients.

use std::sync::Arc;

use db::Db;
use domain::{Actor, ActorKind};
use jiff::Timestamp;

use super::access_token::{self, AccessToken};
use super::refresh_token::RefreshToken;
use super::verified::{TokenHash, VerifiedToken, hash};
use crate::auth::Auth;
use crate::caller::Caller;
use crate::keys::jwt;
use crate::refusals::{Reason, Refused};

/// The caller with this access token. The outer error is an internal one; the inner one is the reason why the token is
/// refused.
pub(crate) async fn caller(auth: &Auth, token: &str) -> domain::Result<Result<Caller, Refused>> {
    let now = auth.now();
    let hash = hash(token);
    if let Some(known) = auth.verified.get(&hash) {
        if known.token.expires <= now.as_second() {
            auth.verified.remove(&hash);
            return Ok(Err(refused(&known.token, Reason::AccessTokenExpired, "expired")));
        }
        if auth.keys.current().verifying(&known.kid).is_none() {
            auth.verified.remove(&hash);
            return Ok(Err(refused(&known.token, Reason::AccessTokenInvalid, "its key is deleted")));
        }
        if auth.deny_list.denies(&known.token) {
            return Ok(Err(refused(&known.token, Reason::AccessTokenRevoked, "on the deny-list")));
        }
        if auth.deny_list.renamed(&known.token.grant.client) == known.renamed {
            return Ok(Ok(known.caller));
        }
        return remember(auth, hash, known.kid, known.token).await;
    }
    auth.metrics.signature_checked();
    let kid: Arc<str> = jwt::key_name(token).unwrap_or_default().into();
    let token = match read_access_token(auth, token, now).await {
        Ok(token) => token,
        Err(refused) => return Ok(Err(refused)),
    };
    if auth.deny_list.denies(&token) {
        return Ok(Err(refused(&token, Reason::AccessTokenRevoked, "on the deny-list")));
    }
    remember(auth, hash, kid, token).await
}

/// Loads the caller with a valid token, and caches both.
async fn remember(
    auth: &Auth,
    hash: TokenHash,
    kid: Arc<str>,
    token: AccessToken,
) -> domain::Result<Result<Caller, Refused>> {
    // Read before the client: if a renaming becomes known in between, the entry is out of date.
    let renamed = auth.deny_list.renamed(&token.grant.client);
    match load_caller(&auth.db, &token).await? {
        Ok(caller) => {
            auth.verified.insert(hash, VerifiedToken { kid, token, caller: caller.clone(), renamed });
            Ok(Ok(caller))
        }
        Err((reason, detail)) => Ok(Err(refused(&token, reason, detail))),
    }
}

/// Reads an access token of this service that has not expired.
pub(super) async fn read_access_token(
    auth: &Auth,
    token: &str,
    now: Timestamp,
) -> Result<AccessToken, Refused> {
    let keys = auth.keys.for_token(token).await;
    access_token::verify(&auth.public_url, |kid| keys.verifying(kid), token, now)
}

/// Reads a refresh token of this service that has not expired.
pub(super) async fn read_refresh_token(
    auth: &Auth,
    token: &str,
    now: Timestamp,
) -> Result<RefreshToken, Refused> {
    let keys = auth.keys.for_token(token).await;
    RefreshToken::verify(&auth.public_url, |kid| keys.refreshing(kid), token, now)
}

fn refused(token: &AccessToken, reason: Reason, detail: &'static str) -> Refused {
    Refused::new(reason).token(&token.grant, token.jti).detail(detail)
}

/// Loads the client's name, which the token does not contain, and checks whether client and secret are still valid:
/// the token may be older than this process and its deny-list.
async fn load_caller(db: &Db, token: &AccessToken) -> domain::Result<Result<Caller, (Reason, &'static str)>> {
    let grant = &token.grant;
    let mut read = db.read().await.map_err(|error| store::Error::from(error).0)?;
    let record =
        store::clients::load(&mut read, grant.organization, &grant.client).await.map_err(|error| error.0)?;
    let Some(record) = record else { return Ok(Err((Reason::AccessTokenRevoked, "unknown client"))) };
    if record.disabled_date.is_some() {
        return Ok(Err((Reason::ClientDisabled, "")));
    }
    if !record.secrets.iter().any(|secret| secret.credential == grant.credential) {
        return Ok(Err((Reason::AccessTokenRevoked, "secret deleted")));
    }
    let actor =
        Actor { kind: ActorKind::Client, id: grant.client.as_str().to_owned(), name: record.client.name };
    Ok(Ok(Caller { organization: grant.organization, actor, scopes: token.scopes, session: None }))
}
