//! The sessions of people.
//!
//! A session is looked up at every request, so that its end or a change of roles takes effect at once and in every
//! process; a person makes few requests.

use domain::person::folded_email;
use domain::{OrgId, SessionId};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use store::sessions::ConsoleSession;

use crate::auth::Auth;
use crate::caller::Caller;
use crate::error::Result;
use crate::refusals::{Reason, Refused};
use crate::secret::{Kind, OfSession, SessionToken};

/// The last use of a session is written when it is this much later than the stored one.
const NOTE_EVERY: SignedDuration = SignedDuration::from_secs(60);

/// The name under which a person's failures are counted; it is never a client id.
pub(super) fn throttled_name(email: &str) -> String {
    format!("person:{}", folded_email(email))
}

/// Whether a bearer token has the form of a session token.
pub(crate) fn is_session_token(token: &str) -> bool {
    token.starts_with(OfSession::PREFIX)
}

/// The caller with this session token; the inner error is the reason for a refusal.
pub(crate) async fn caller(auth: &Auth, token: &str) -> domain::Result<Result<Caller, Refused>> {
    let now = auth.now();
    let Some(token) = SessionToken::parse(token) else {
        return Ok(Err(Refused::new(Reason::AccessTokenInvalid).detail("no session token of ours")));
    };
    let mut read = auth.db.read().await.map_err(|error| store::Error::from(error).0)?;
    let found = store::sessions::find(&mut read, &token.hash(), now).await.map_err(|error| error.0)?;
    let Some(session) = found else {
        let detail = "the session is unknown or has ended";
        return Ok(Err(Refused::new(Reason::AccessTokenInvalid).detail(detail)));
    };
    note_use(auth, session.organization, session.id, session.last_used_date, now);
    Ok(Ok(Caller {
        organization: session.organization,
        actor: session.member.actor(),
        scopes: session.member.roles.scopes(),
        session: Some(session.id),
    }))
}

/// The session in the console with this token, if it lives. Unless the page only asks whether something has changed
/// (`is_watching`), this use prolongs it.
#[boxed]
pub async fn console_session(auth: &Auth, token: &str, is_watching: bool) -> Result<Option<ConsoleSession>> {
    let now = auth.now();
    let Some(token) = SessionToken::parse(token) else { return Ok(None) };
    let found = store::sessions::find_console(&mut auth.db.read().await?, &token.hash(), now).await?;
    if let Some(session) = found.as_ref().filter(|_| !is_watching) {
        note_use(auth, OrgId::INSTANCE, session.id, session.last_used_date, now);
    }
    Ok(found)
}

fn note_use(auth: &Auth, organization: OrgId, id: SessionId, last_used: Timestamp, now: Timestamp) {
    if now.duration_since(last_used) >= NOTE_EVERY {
        auth.session_use.note(organization, id.uuid(), now);
    }
}
