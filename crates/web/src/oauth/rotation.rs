//! What becomes of a refresh token that is presented (RFC 9700, section 4.14.2).
//!
//! The current token of a family is exchanged: one compare-and-set puts its successor in its place.
//! A spent one means that somebody else has it too, and ends the family with its access tokens,
//! except during the grace: an answer can get lost, and a client may refresh in parallel. So for some
//! seconds the immediate predecessor gets the very same successor again, signed anew from the row.
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
use store::token_families::{self, Family, Place};
use uuid::Uuid;

use super::refresh_token::{LIFETIME_SECONDS, RefreshToken};

/// The rules of the instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// How long a predecessor still gets the same successor; zero switches it off.
    pub(super) grace: SignedDuration,
    /// After how long a family ends whatever happens; `None` for never.
    pub(super) family_lifetime: Option<SignedDuration>,
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
    Token(&'static str),
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
    let started_after = rules
        .family_lifetime
        .and_then(|lifetime| presented.now.checked_sub(lifetime).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH);
    let advanced =
        token_families::advance(tx, org, token.grant.family, &spent, &next, allowed, started_after).await?;
    if let Some(family) = advanced {
        return Ok(Ok(Rotated { refresh: current(token, &family), scopes }));
    }
    let Some(family) = token_families::find(tx, org, token.grant.family).await? else {
        return Ok(Err(Refused::Token("unknown family")));
    };
    if family.ended_date.is_some() || family.started_date <= started_after {
        return Ok(Err(Refused::Token("family ended")));
    }
    if in_grace(&family, token, rules.grace, tx.at()) {
        let scopes = scopes.intersection(family.scopes);
        return Ok(Ok(Rotated { refresh: current(token, &family), scopes }));
    }
    token_families::end(tx, org, token.grant.family, "replayed").await?;
    let entry = revocations::add(tx, org, Revoked::family(token.grant.family, tx.at())).await?;
    Ok(Err(Refused::Replayed(entry)))
}

/// The client as it is now: its scopes that the token has too, if the token may be used at all.
async fn allowed(tx: &mut Tx, presented: &Presented) -> store::Result<Result<Scopes, Refused>> {
    let grant = &presented.token.grant;
    let Some(record) = clients::load(tx, grant.organization, &grant.client).await? else {
        return Ok(Err(Refused::Token("unknown client")));
    };
    if record.disabled_date.is_some() {
        return Ok(Err(Refused::Token("client disabled")));
    }
    if !record.has_live_secret(grant.credential, presented.now) {
        return Ok(Err(Refused::Token("secret deleted or expired")));
    }
    if record.refresh_client_auth == RefreshClientAuth::Required && !presented.authenticated {
        return Ok(Err(Refused::NotAuthenticated));
    }
    let allowed = presented.token.scopes.intersection(record.client.scopes);
    if allowed.is_empty() {
        return Ok(Err(Refused::Token("no scope left")));
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

fn place(token: &RefreshToken) -> store::Result<Place> {
    Ok(Place {
        generation: token.generation,
        jti: token.jti,
        issued_date: second(token.issued)?,
        expires_date: second(token.expires)?,
    })
}

fn successor(generation: i64, jti: Uuid, now: Timestamp) -> store::Result<Place> {
    let issued = now.as_second();
    Ok(Place {
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
