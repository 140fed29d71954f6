//! The rotation of a refresh token (RFC 9700, section 4.14.2).
//!
//! The current token of a family is exchanged: one compare-and-set replaces it with its successor. The use of a spent
//! token means that another party has it too, and revokes the family with its access tokens, except during the grace
//! period: a response can get lost, and a client may refresh in parallel. So for some seconds the immediate
//! predecessor gets the very same successor again, signed again from the row. Using it does not restart the grace
//! period, which ends when the successor is spent, because the predecessor is then no longer the immediate one.
//!
//! Everything runs under the lock on the organization's head, so that of several parallel refreshes one rotates and
//! the others find its successor.

use db::Tx;
use domain::Scopes;
use domain::client::RefreshClientAuth;
use jiff::{SignedDuration, Timestamp};
use store::clients;
use store::revocations::{self, Revoked};
use store::token_families::{self, Family, TokenGeneration};
use uuid::Uuid;

use super::refresh_token::RefreshToken;
use crate::lifetimes::REFRESH_TOKEN_SECONDS;
use crate::refusals::Reason;

/// The settings of the instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotationRules {
    /// How long a predecessor still gets the same successor; zero means never.
    grace: SignedDuration,
    /// The maximum lifetime of a family; `None` is unlimited.
    family_lifetime: Option<SignedDuration>,
}

impl RotationRules {
    /// These rules, in seconds.
    pub(crate) fn new(grace: u32, family_lifetime: Option<u32>) -> Self {
        let seconds = |seconds: u32| SignedDuration::from_secs(seconds.into());
        Self { grace: seconds(grace), family_lifetime: family_lifetime.map(seconds) }
    }

    /// The time that families must have started after; older ones have ended.
    fn started_after(self, now: Timestamp) -> Timestamp {
        let start = self.family_lifetime.and_then(|lifetime| now.checked_sub(lifetime).ok());
        start.unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// A verified refresh token, and what is requested with it.
#[derive(Debug, Clone)]
pub(super) struct Presented {
    /// The token.
    pub(super) token: RefreshToken,
    /// Whether its client has authenticated itself.
    pub(super) authenticated: bool,
    /// The requested scopes of the access token; `None` means all that can be granted.
    pub(super) scopes: Option<Scopes>,
    /// The time of the request.
    pub(super) now: Timestamp,
}

/// The result of a successful refresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rotated {
    /// The refresh token that replaces the presented one.
    pub(super) refresh: RefreshToken,
    /// The scopes of the new access token.
    pub(super) scopes: Scopes,
}

/// Why a refresh is refused. Only the last reason changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// The client must authenticate itself and did not.
    NotAuthenticated,
    /// A requested scope is not one of the token's or of the client's.
    Scope,
    /// The token is invalid; the text is for the log.
    Token(Reason, &'static str),
    /// The token was spent before. Its family was revoked; the entry is for the deny-list.
    Replayed(Revoked),
}

/// Decides on a presented refresh token and records the outcome.
pub(super) async fn rotate(
    tx: &mut Tx,
    rules: RotationRules,
    presented: &Presented,
) -> store::Result<Result<Rotated, Refused>> {
    let token = &presented.token;
    let org = token.grant.organization;
    let allowed = match allowed(tx, presented).await? {
        Ok(allowed) => allowed,
        Err(refused) => return Ok(Err(refused)),
    };
    let scopes = presented.scopes.unwrap_or(allowed);
    if !allowed.contains(scopes) {
        return Ok(Err(Refused::Scope));
    }
    let spent = place(token)?;
    if token.generation == 1 {
        let grant = &token.grant;
        token_families::open(tx, org, grant.family, &grant.client, grant.credential, token.scopes, &spent)
            .await?;
    }
    let next = successor(token.generation, tx.uuid(), presented.now)?;
    let started_after = rules.started_after(presented.now);
    let advanced =
        token_families::advance(tx, org, token.grant.family, &spent, &next, allowed, started_after).await?;
    if let Some(family) = advanced {
        return Ok(Ok(Rotated { refresh: current(token, &family), scopes }));
    }
    let Some(family) = token_families::find(tx, org, token.grant.family).await? else {
        return Ok(Err(Refused::Token(Reason::RefreshTokenRevoked, "unknown family")));
    };
    if family.ended_date.is_some() {
        return Ok(Err(Refused::Token(Reason::RefreshTokenRevoked, "family ended")));
    }
    if family.started_date <= started_after {
        return Ok(Err(Refused::Token(Reason::RefreshTokenExpired, "family too old")));
    }
    if in_grace(&family, token, rules.grace, tx.at()) {
        let scopes = scopes.intersection(family.scopes);
        return Ok(Ok(Rotated { refresh: current(token, &family), scopes }));
    }
    token_families::end(tx, org, token.grant.family, "replayed").await?;
    let entry = revocations::add(tx, org, Revoked::family(token.grant.family, tx.at())).await?;
    Ok(Err(Refused::Replayed(entry)))
}

/// Revokes the family of a refresh token, with any of its tokens; does nothing if it has already ended.
pub(super) async fn end(tx: &mut Tx, token: &RefreshToken) -> store::Result<Option<Revoked>> {
    let (grant, org) = (&token.grant, token.grant.organization);
    // A family that was never refreshed has no row that could be marked as ended.
    let first = place(token)?;
    token_families::open(tx, org, grant.family, &grant.client, grant.credential, token.scopes, &first)
        .await?;
    if !token_families::end(tx, org, grant.family, "revoked").await? {
        return Ok(None);
    }
    Ok(Some(revocations::add(tx, org, Revoked::family(grant.family, tx.at())).await?))
}

/// Whether a refresh would succeed now, as far as its family is concerned.
pub(super) async fn is_good(
    tx: &mut Tx,
    rules: RotationRules,
    token: &RefreshToken,
    now: Timestamp,
) -> store::Result<bool> {
    let after = rules.started_after(now);
    let Some(family) = token_families::find(tx, token.grant.organization, token.grant.family).await? else {
        return Ok(token.generation == 1 && second(token.issued)? > after);
    };
    let is_current = family.generation == token.generation && family.current_jti == token.jti;
    let may_be_used = is_current || in_grace(&family, token, rules.grace, now);
    Ok(may_be_used && family.ended_date.is_none() && family.started_date > after)
}

/// The scopes that the client has now and the token has too, if the token may be used at all.
async fn allowed(tx: &mut Tx, presented: &Presented) -> store::Result<Result<Scopes, Refused>> {
    let grant = &presented.token.grant;
    let Some(record) = clients::load(tx, grant.organization, &grant.client).await? else {
        return Ok(Err(Refused::Token(Reason::RefreshTokenRevoked, "unknown client")));
    };
    if record.disabled_date.is_some() {
        return Ok(Err(Refused::Token(Reason::ClientDisabled, "")));
    }
    if !record.has_live_secret(grant.credential, presented.now) {
        return Ok(Err(Refused::Token(Reason::RefreshTokenRevoked, "secret deleted or expired")));
    }
    if record.refresh_client_auth == RefreshClientAuth::Required && !presented.authenticated {
        return Ok(Err(Refused::NotAuthenticated));
    }
    let allowed = presented.token.scopes.intersection(record.client.scopes);
    if allowed.is_empty() {
        return Ok(Err(Refused::Token(Reason::InvalidScope, "no scope left")));
    }
    Ok(Ok(allowed))
}

/// Whether a token that is not the current one is its immediate predecessor and within the grace period. The expiry of
/// the token itself was checked before.
fn in_grace(family: &Family, token: &RefreshToken, grace: SignedDuration, now: Timestamp) -> bool {
    token.generation + 1 == family.generation
        && family.previous_jti == Some(token.jti)
        && family.rotated_date.checked_add(grace).is_ok_and(|end| now < end)
}

/// Rebuilds the current refresh token of a family from its row.
fn current(token: &RefreshToken, family: &Family) -> RefreshToken {
    RefreshToken {
        grant: token.grant.clone(),
        scopes: family.scopes,
        generation: family.generation,
        jti: family.current_jti,
        issued: family.current_issued_date.as_second(),
        expires: family.current_expires_date.as_second(),
    }
}

fn place(token: &RefreshToken) -> store::Result<TokenGeneration> {
    Ok(TokenGeneration {
        generation: token.generation,
        jti: token.jti,
        issued_date: second(token.issued)?,
        expires_date: second(token.expires)?,
    })
}

fn successor(generation: i64, jti: Uuid, now: Timestamp) -> store::Result<TokenGeneration> {
    let issued = now.as_second();
    Ok(TokenGeneration {
        generation: generation.saturating_add(1),
        jti,
        issued_date: second(issued)?,
        expires_date: second(issued.saturating_add(REFRESH_TOKEN_SECONDS))?,
    })
}

fn second(second: i64) -> store::Result<Timestamp> {
    let time = Timestamp::from_second(second);
    Ok(time.map_err(|_| domain::Error::Internal("a token's time is out of range".to_owned()))?)
}
