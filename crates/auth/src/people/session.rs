//! The sessions of people.
//!
//! A session is looked up at every request, so that its end or a change of role takes effect at once and in every
//! process; a person makes few requests.

use domain::person::folded_email;
use jiff::{SignedDuration, Timestamp};
use store::sessions::Session;

use crate::auth::Auth;
use crate::caller::Caller;
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
    note_use(auth, &session, now);
    Ok(Ok(Caller {
        organization: session.organization,
        actor: session.member.actor(),
        scopes: session.member.role.scopes(),
        session: Some(session.id),
    }))
}

fn note_use(auth: &Auth, session: &Session, now: Timestamp) {
    if now.duration_since(session.last_used_date) >= NOTE_EVERY {
        auth.session_use.note(session.organization, session.id.uuid(), now);
    }
}
