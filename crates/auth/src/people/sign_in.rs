//! Signing a person in with their password. They get an opaque token, of which only a hash is stored.

use db::Tx;
use domain::{Author, OrgId};
use store::people::Credentials;
use store::sessions::Session;

use super::password::Password;
use super::refused_sign_in::count_refused_sign_in;
use super::session::throttled_name;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::secret::SessionToken;
use crate::source::Source;

/// The credentials of a sign-in.
pub struct SignIn {
    /// The e-mail address as it was typed.
    pub email: String,
    /// The password.
    pub password: Password,
    /// The organization to sign in to; none if the person is expected to have only one.
    pub organization: Option<OrgId>,
}

/// A new session.
pub struct SignedIn {
    /// Its token, to be shown only once.
    pub token: SessionToken,
    /// The session.
    pub session: Session,
}

/// Signs a person in. An unknown person, a missing or wrong password, a person who is not a member and one who has
/// not accepted an invitation get the same response after the same time. A person who can sign in to several
/// organizations and names none is asked to choose one, if the password is right.
pub async fn sign_in(auth: &Auth, asked: SignIn, source: &Source) -> Result<SignedIn> {
    let (from, request_id) = (source.address, source.request_id());
    let name = throttled_name(&asked.email);
    auth.throttle.check(&name, from, auth.now())?;
    let mut read = auth.db.read().await?;
    let choices = match asked.organization {
        Some(_) => Vec::new(),
        None => store::people::organizations(&mut read, &asked.email).await?,
    };
    // Without an organization the instance is used instead: it has no members.
    let organization = asked.organization.or_else(|| choices.first().map(|choice| choice.id));
    let organization = organization.unwrap_or(OrgId::INSTANCE);
    let found = store::people::credentials(&mut read, organization, &asked.email).await?;
    drop(read);
    let permit = auth.passwords.permit().await?;
    // Other attempts may have failed while this one waited.
    auth.throttle.check(&name, from, auth.now())?;
    let known = found.as_ref().map(|person| person.person);
    let person = found.filter(|person| person.is_active_here);
    let stored = person.as_ref().and_then(|person| person.hash.clone());
    let (is_member, has_password) = (person.is_some(), stored.is_some());
    let checked = permit.check(asked.password, stored).await?;
    let signed_in = match person.filter(|_| checked.is_right) {
        Some(_) if choices.len() > 1 => {
            auth.throttle.succeeded(&name, from);
            return Err(Error::OrganizationNeeded(choices));
        }
        Some(person) => start_session(auth, organization, person, checked.rehashed, request_id).await?,
        None => None,
    };
    let Some(signed_in) = signed_in else {
        auth.throttle.failed(&name, from, auth.now());
        let reason = match (is_member, has_password) {
            (false, _) => "no member who may sign in",
            (true, false) => "no password",
            (true, true) => "wrong password",
        };
        tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "sign-in refused");
        count_refused_sign_in(auth, known).await?;
        return Err(Error::InvalidCredentials);
    };
    auth.throttle.succeeded(&name, from);
    Ok(signed_in)
}

async fn start_session(
    auth: &Auth,
    organization: OrgId,
    person: Credentials,
    rehashed: Option<String>,
    request_id: &str,
) -> Result<Option<SignedIn>> {
    let token = SessionToken::generate(&**auth.db.random());
    let (hash, request, who) = (token.hash(), request_id.to_owned(), person.clone());
    let started: store::Result<Option<Session>> = auth
        .db
        .write(organization, async move |tx: &mut Tx| {
            store::sessions::start(tx, organization, &request, &who, &hash).await
        })
        .await;
    let Some(session) = started? else { return Ok(None) };
    if let Some(rehashed) = rehashed {
        let author = Author::new(session.member.actor(), request_id);
        let stored: store::Result<()> = auth
            .db
            .write_instance(async move |tx: &mut Tx| {
                store::people::rehash(tx, &author, &person, &rehashed).await
            })
            .await;
        stored?;
    }
    Ok(Some(SignedIn { token, session }))
}
