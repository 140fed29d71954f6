//! What becomes of a refresh token that is presented (RFC 9700, section 4.14.2).
//!
//! The current token of a family is exchanged: one compare-and-set puts its successor in its place.
//! A spent one means that somebody else has it too, and ends the family with its access tokens,
//! except during the grace: an answer can get lost, and a client may refresh in parallel. So for some
//! seconds the immediate predecessor gets the very same successor again, signed again from the row.
//! The grace does not start again when it is used, and it is over once the successor is spent, for
//! then the predecessor is no longer immediate.
//!
//! Everything runs behind the organization's head, so of several parallel refreshes one rotates and
//! the others find its successor.

use db::Tx;
use domain::Scopes;
use jiff::{SignedDuration, Timestamp};
use store::clients::{self, RefreshClientAuth};
use store::revocations::{self, Revoked};
use store::token_families::{self, Family, TokenGeneration};
use uuid::Uuid;

use super::refresh_token::{LIFETIME_SECONDS, RefreshToken};
use super::refusals::Reason;

/// The rules of the instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// How long a predecessor still gets the same successor; zero switches it off.
    pub(super) grace: SignedDuration,
    /// After how long a family ends whatever happens; `None` for never.
    pub(super) family_lifetime: Option<SignedDuration>,
}

impl Rules {
    /// Families that started then or before have ended.
    fn started_after(self, now: Timestamp) -> Timestamp {
        let start = self.family_lifetime.and_then(|lifetime| now.checked_sub(lifetime).ok());
        start.unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// A refresh token that was verified, and what is asked for it.
#[derive(Debug, Clone)]
pub(super) struct Presented {
    /// The token.
    pub(super) token: RefreshToken,
    /// Whether its client has authenticated itself.
    pub(super) authenticated: bool,
    /// The scopes wanted for the access token; `None` for all that may be had.
    pub(super) scopes: Option<Scopes>,
    /// The time of the request.
    pub(super) now: Timestamp,
}

/// What the caller gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rotated {
    /// The refresh token that takes the presented one's place.
    pub(super) refresh: RefreshToken,
    /// The scopes of the access token to go with it.
    pub(super) scopes: Scopes,
}

/// Why the caller gets nothing. Nothing but the last changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// The client must authenticate itself and did not.
    NotAuthenticated,
    /// A scope was asked for that the token or the client does not have.
    Scope,
    /// The token is no good; the text is for the log.
    Token(Reason, &'static str),
    /// The token was spent before. Its family ended, and the entry goes to the deny-list.
    Replayed(Revoked),
}

/// Decides about a presented refresh token and records the outcome.
pub(super) async fn rotate(
    tx: &mut Tx,
    rules: Rules,
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

/// Ends the family of a refresh token, whichever of its tokens this is; nothing if it has ended.
pub(super) async fn end(tx: &mut Tx, token: &RefreshToken) -> store::Result<Option<Revoked>> {
    let (grant, org) = (&token.grant, token.grant.organization);
    // What never was refreshed has no row that could say that it has ended.
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
    rules: Rules,
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

/// The client as it is now: its scopes that the token has too, if the token may be used at all.
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

/// Whether a token that is not the current one is its immediate predecessor and still in time. The
/// token itself has not expired; that was checked before.
fn in_grace(family: &Family, token: &RefreshToken, grace: SignedDuration, now: Timestamp) -> bool {
    token.generation + 1 == family.generation
        && family.previous_jti == Some(token.jti)
        && family.rotated_date.checked_add(grace).is_ok_and(|end| now < end)
}

/// The current refresh token of a family, from its row.
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
        expires_date: second(issued.saturating_add(LIFETIME_SECONDS))?,
    })
}

fn second(second: i64) -> store::Result<Timestamp> {
    let time = Timestamp::from_second(second);
    Ok(time.map_err(|_| domain::Error::Internal("a token's time is out of range".to_owned()))?)
}
