//! Signing a person in with their password. They get an opaque token, of which only a hash is stored.

use super::password::{KNOWN, read_known};
use db::Tx;
use domain::organization::OrganizationName;
use domain::person::EmailAddress;
use domain::{Author, OrgId};
use macros::Body;
use macros::boxed;
use store::people::Credentials;
use store::sessions::{ConsoleSession, Session};

use super::password::Password;
use super::refused_sign_in::count_refused_sign_in;
use super::session::throttled_name;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::secret::SessionToken;
use crate::source::Source;

/// The credentials of a person.
#[derive(Body)]
pub struct SignIn {
    /// The e-mail address.
    #[body(schema = EmailAddress::SCHEMA)]
    pub email: String,
    /// The person's password.
    #[body(read = read_known, schema = KNOWN, example = "correct horse battery")]
    pub password: Password,
    /// The id of the organization to sign in to. It may be left out by a person who can sign in to one organization
    /// only.
    #[body(name = "organization_id")]
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
#[boxed]
pub async fn sign_in(auth: &Auth, asked: SignIn, source: &Source) -> Result<SignedIn> {
    let SignIn { email, password, organization } = asked;
    let choices = match organization {
        Some(_) => Vec::new(),
        None => choices(auth, &email, source).await?,
    };
    let organization = organization.unwrap_or_else(|| first(&choices));
    let proved = prove(auth, organization, &email, password, source).await?;
    if choices.len() > 1 {
        return Err(Error::OrganizationNeeded(choices));
    }
    start_session(auth, organization, proved, source).await?.ok_or(Error::InvalidCredentials)
}

/// Signs a person in to the console, which opens all their organizations; `device` is the browser, as it names itself.
/// Refusals are those of [`sign_in`].
#[boxed]
pub async fn sign_in_to_console(
    auth: &Auth,
    email: &str,
    password: Password,
    device: String,
    source: &Source,
) -> Result<(SessionToken, ConsoleSession)> {
    let choices = choices(auth, email, source).await?;
    let Proved { person, rehashed } = prove(auth, first(&choices), email, password, source).await?;
    let token = SessionToken::generate(&**auth.db.random());
    let (hash, request, who) = (token.hash(), source.request_id().to_owned(), person.clone());
    let started: store::Result<Option<ConsoleSession>> = auth
        .db
        .write_instance(async move |tx: &mut Tx| {
            store::sessions::start_console(tx, &request, &who, device.clone(), &hash).await
        })
        .await;
    let session = started?.ok_or(Error::InvalidCredentials)?;
    rehash(auth, session.author(source.request_id()), person, rehashed).await?;
    Ok((token, session))
}

/// The organizations that the person with this address can sign in to.
async fn choices(auth: &Auth, email: &str, source: &Source) -> Result<Vec<OrganizationName>> {
    auth.throttle.check(&throttled_name(email), source.address, auth.now())?;
    Ok(store::people::organizations(&mut auth.db.read().await?, email).await?)
}

/// The first of these organizations; without one the instance, which has no members.
fn first(choices: &[OrganizationName]) -> OrgId {
    choices.first().map_or(OrgId::INSTANCE, |choice| choice.id)
}

/// A person whose password was right.
struct Proved {
    person: Credentials,
    /// The hash of the password by today's parameters, if the stored one has others.
    rehashed: Option<String>,
}

/// Checks the password of a member who may sign in to this organization. A failure is counted and logged.
async fn prove(
    auth: &Auth,
    organization: OrgId,
    email: &str,
    password: Password,
    source: &Source,
) -> Result<Proved> {
    let (from, request_id, name) = (source.address, source.request_id(), throttled_name(email));
    auth.throttle.check(&name, from, auth.now())?;
    let found = store::people::credentials(&mut auth.db.read().await?, organization, email).await?;
    let permit = auth.passwords.permit().await?;
    // Other attempts may have failed while this one waited.
    auth.throttle.check(&name, from, auth.now())?;
    let known = found.as_ref().map(|person| person.person);
    let person = found.filter(|person| person.is_active_here);
    let stored = person.as_ref().and_then(|person| person.hash.clone());
    let (is_member, has_password) = (person.is_some(), stored.is_some());
    let checked = permit.check(password, stored).await?;
    if let Some(person) = person.filter(|_| checked.is_right) {
        auth.throttle.succeeded(&name, from);
        return Ok(Proved { person, rehashed: checked.rehashed });
    }
    auth.throttle.failed(&name, from, auth.now());
    let reason = match (is_member, has_password) {
        (false, _) => "no member who may sign in",
        (true, false) => "no password",
        (true, true) => "wrong password",
    };
    tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "sign-in refused");
    count_refused_sign_in(auth, known).await?;
    Err(Error::InvalidCredentials)
}

async fn start_session(
    auth: &Auth,
    organization: OrgId,
    Proved { person, rehashed }: Proved,
    source: &Source,
) -> Result<Option<SignedIn>> {
    let token = SessionToken::generate(&**auth.db.random());
    let (hash, request, who) = (token.hash(), source.request_id().to_owned(), person.clone());
    let started: store::Result<Option<Session>> = auth
        .db
        .write(organization, async move |tx: &mut Tx| {
            store::sessions::start(tx, organization, &request, &who, &hash).await
        })
        .await;
    let Some(session) = started? else { return Ok(None) };
    rehash(auth, Author::new(session.member.actor(), source.request_id()), person, rehashed).await?;
    Ok(Some(SignedIn { token, session }))
}

/// Stores the hash of a password by today's parameters.
async fn rehash(auth: &Auth, author: Author, person: Credentials, rehashed: Option<String>) -> Result<()> {
    let Some(rehashed) = rehashed else { return Ok(()) };
    let stored: store::Result<()> = auth
        .db
        .write_instance(async move |tx: &mut Tx| store::people::rehash(tx, &author, &person, &rehashed).await)
        .await;
    Ok(stored?)
}
