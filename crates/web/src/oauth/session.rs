//! People sign in with their password and send an opaque token with each request.
//!
//! A session is looked up at every request, so that its end or a change of role takes effect at once and in every
//! process; a person makes few requests. Only a hash of the token is stored.

use db::Tx;
use domain::person::folded_email;
use domain::{Author, OrgId};
use jiff::{SignedDuration, Timestamp};
use store::people::Credentials;
use store::sessions::Session;

use super::AuthorizationServer;
use super::caller::Caller;
use super::password::Password;
use super::refusals::{Reason, Refused, Source};
use super::secret::{Kind, OfSession, SessionToken};
use crate::http::error::{Error, Result};

/// The last use of a session is written when it is this much later than the stored one.
const NOTE_EVERY: SignedDuration = SignedDuration::from_secs(60);

/// The credentials of a sign-in.
pub(crate) struct SignIn {
    /// The e-mail address as it was typed.
    pub(crate) email: String,
    /// The password.
    pub(crate) password: Password,
    /// The organization to sign in to; none if the person is expected to have only one.
    pub(crate) organization: Option<OrgId>,
}

/// A new session.
pub(crate) struct SignedIn {
    /// Its token, to be shown only once.
    pub(crate) token: SessionToken,
    /// The session.
    pub(crate) session: Session,
}

/// The name under which a person's failures are counted; it is never a client id.
pub(super) fn throttled_name(email: &str) -> String {
    format!("person:{}", folded_email(email))
}

/// Whether a bearer token has the form of a session token.
pub(super) fn is_session_token(token: &str) -> bool {
    token.starts_with(OfSession::PREFIX)
}

impl AuthorizationServer {
    /// Signs a person in. An unknown person, a missing or wrong password, a person who is not a member and one who has
    /// not accepted an invitation get the same response after the same time. A person who can sign in to several
    /// organizations and names none is asked to choose one, if the password is right.
    pub(crate) async fn sign_in(&self, asked: SignIn, source: &Source) -> Result<SignedIn> {
        let (from, request_id) = (source.address, source.request_id());
        let name = throttled_name(&asked.email);
        self.throttle.check(&name, from, self.now())?;
        let mut read = self.db.read().await?;
        let choices = match asked.organization {
            Some(_) => Vec::new(),
            None => store::people::organizations(&mut read, &asked.email).await?,
        };
        // Without an organization the instance is used instead: it has no members.
        let organization = asked.organization.or_else(|| choices.first().map(|choice| choice.id));
        let organization = organization.unwrap_or(OrgId::INSTANCE);
        let found = store::people::credentials(&mut read, organization, &asked.email).await?;
        drop(read);
        let turn = self.passwords.turn().await?;
        // Other attempts may have failed while this one waited.
        self.throttle.check(&name, from, self.now())?;
        let known = found.as_ref().map(|person| person.person);
        let person = found.filter(|person| person.is_active_here);
        let stored = person.as_ref().and_then(|person| person.hash.clone());
        let (is_member, has_password) = (person.is_some(), stored.is_some());
        let checked = turn.check(asked.password, stored).await?;
        let signed_in = match person.filter(|_| checked.is_right) {
            Some(_) if choices.len() > 1 => {
                self.throttle.succeeded(&name, from);
                return Err(Error::OrganizationNeeded(choices));
            }
            Some(person) => self.start_session(organization, person, checked.rehashed, request_id).await?,
            None => None,
        };
        let Some(signed_in) = signed_in else {
            self.throttle.failed(&name, from, self.now());
            let reason = match (is_member, has_password) {
                (false, _) => "nobody who may sign in",
                (true, false) => "no password",
                (true, true) => "wrong password",
            };
            tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "sign-in refused");
            self.count_refused_sign_in(known).await?;
            return Err(Error::InvalidCredentials);
        };
        self.throttle.succeeded(&name, from);
        Ok(signed_in)
    }

    async fn start_session(
        &self,
        organization: OrgId,
        person: Credentials,
        rehashed: Option<String>,
        request_id: &str,
    ) -> Result<Option<SignedIn>> {
        let token = SessionToken::generate(&**self.db.random());
        let (hash, request, who) = (token.hash(), request_id.to_owned(), person.clone());
        let started: store::Result<Option<Session>> = self
            .db
            .write(organization, async move |tx: &mut Tx| {
                store::sessions::start(tx, organization, &request, &who, &hash).await
            })
            .await;
        let Some(session) = started? else { return Ok(None) };
        if let Some(rehashed) = rehashed {
            let author = Author::new(session.member.actor(), request_id);
            let stored: store::Result<()> = self
                .db
                .write_instance(async move |tx: &mut Tx| {
                    store::people::rehash(tx, &author, &person, &rehashed).await
                })
                .await;
            stored?;
        }
        Ok(Some(SignedIn { token, session }))
    }

    /// The caller with this session token; the inner error is the reason for a refusal.
    pub(super) async fn session_caller(
        &self,
        token: &str,
    ) -> domain::Result<std::result::Result<Caller, Refused>> {
        let now = self.now();
        let Some(token) = SessionToken::parse(token) else {
            return Ok(Err(Refused::new(Reason::AccessTokenInvalid).detail("no session token of ours")));
        };
        let mut read = self.db.read().await.map_err(|error| store::Error::from(error).0)?;
        let found = store::sessions::find(&mut read, &token.hash(), now).await.map_err(|error| error.0)?;
        let Some(session) = found else {
            let detail = "the session is unknown or has ended";
            return Ok(Err(Refused::new(Reason::AccessTokenInvalid).detail(detail)));
        };
        self.note_session_use(&session, now);
        Ok(Ok(Caller {
            organization: session.organization,
            actor: session.member.actor(),
            scopes: session.member.role.scopes(),
            session: Some(session.id),
        }))
    }

    fn note_session_use(&self, session: &Session, now: Timestamp) {
        if now.duration_since(session.last_used_date) >= NOTE_EVERY {
            self.session_use.note(session.organization, session.id.uuid(), now);
        }
    }
}
