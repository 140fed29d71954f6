//! Client authentication: compares a client's id and secret with the stored hashes.
//!
//! An unknown client and a wrong secret take the same path, cost the same statements and comparisons, and get the same
//! response. A client that has failed too often must wait before anything is looked up.

use db::Db;
use domain::client::Client;
use jiff::Timestamp;
use store::clients::{ClientRecord, Secret};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::credentials::ClientCredentials;
use super::id::parse_client_id;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::refusals::{Reason, Refused};
use crate::secret::ClientSecret;
use crate::source::Source;

/// The maximum number of secrets of a client; each authentication makes this many comparisons.
const COMPARISONS: usize = 2;

/// An authenticated client and the secret it used.
#[derive(Debug)]
pub(crate) struct Authenticated {
    /// The client.
    pub(crate) client: Client,
    /// The secret's id.
    pub(crate) secret: Uuid,
    /// The id of the secret that the tokens carry.
    pub(crate) credential: Uuid,
    /// All secrets of the client, including this one.
    pub(crate) secrets: Vec<Secret>,
}

impl Authenticated {
    /// Whether the secret with this id is still valid at `now`.
    pub(crate) fn has_live_secret(&self, id: Uuid, now: Timestamp) -> bool {
        self.secrets.iter().any(|secret| secret.credential == id && secret.is_live(now))
    }
}

/// Checks a client's id and secret. Missing ones count as wrong ones.
pub(crate) async fn authenticate(
    auth: &Auth,
    sent: &ClientCredentials,
    source: &Source,
    now: Timestamp,
) -> Result<Authenticated> {
    may_try(auth, sent.name(), source, now)?;
    match check(&auth.db, sent, now).await? {
        Ok(authenticated) => {
            let client = &authenticated.client;
            auth.throttle.succeeded(client.id.as_str(), source.address);
            auth.secret_use.note(client.organization, authenticated.secret, now);
            Ok(authenticated)
        }
        Err(refused) => {
            count_failure(auth, &refused, sent.name(), source, now);
            Err(Error::InvalidCredentials)
        }
    }
}

/// Refuses the attempt if too many have failed under this name.
pub(crate) fn may_try(auth: &Auth, name: &str, source: &Source, now: Timestamp) -> Result<()> {
    auth.throttle.check(name, source.address, now).map_err(|wait| {
        let refused = Refused::new(Reason::Throttled);
        let refused = match parse_client_id(name) {
            Some(id) => refused.named(&id),
            None => refused,
        };
        auth.refusals.note(&refused, source);
        Error::Domain(wait)
    })
}

/// Counts and records a failed authentication.
pub(crate) fn count_failure(auth: &Auth, refused: &Refused, name: &str, source: &Source, now: Timestamp) {
    auth.throttle.failed(name, source.address, now);
    auth.refusals.note(refused, source);
}

/// Compares the credentials with the stored ones; the inner error is the reason of a refusal.
async fn check(db: &Db, sent: &ClientCredentials, now: Timestamp) -> Result<Result<Authenticated, Refused>> {
    let Some(id) = &sent.id else { return Ok(Err(Refused::new(Reason::CredentialsMissing))) };
    let Some(id) = parse_client_id(id) else { return Ok(Err(Refused::new(Reason::MalformedClientId))) };
    let refused = |reason: Reason| Ok(Err(Refused::new(reason).named(&id)));
    let Some(secret) = &sent.secret else { return refused(Reason::CredentialsMissing) };
    let Some(secret) = ClientSecret::parse(secret) else { return refused(Reason::MalformedSecret) };
    let record = store::clients::find(&mut db.read().await?, &id).await?;
    let credential = matching(record.as_ref(), &secret);
    let Some(record) = record else { return refused(Reason::UnknownClient) };
    let refused =
        |reason: Reason| Ok(Err(Refused::new(reason).of(record.client.organization, &record.client.id)));
    let Some(credential) = credential.and_then(|index| record.secrets.get(index)) else {
        return refused(Reason::WrongSecret);
    };
    if !credential.is_live(now) {
        return refused(Reason::SecretExpired);
    }
    if record.disabled_date.is_some() {
        return refused(Reason::ClientDisabled);
    }
    let (secret, credential) = (credential.id, credential.credential);
    Ok(Ok(Authenticated { client: record.client, secret, credential, secrets: record.secrets }))
}

/// The secret of a client that matches. The number of comparisons is the same when there is no such client, and none
/// of them ends early.
fn matching(record: Option<&ClientRecord>, secret: &ClientSecret) -> Option<usize> {
    let no_hash = [0; 32];
    let secrets = record.map(|record| record.secrets.as_slice()).unwrap_or_default();
    let hash = secret.hash();
    let mut found = None;
    for index in 0..secrets.len().max(COMPARISONS) {
        let stored = secrets.get(index).map_or(no_hash.as_slice(), |secret| &secret.hash);
        if bool::from(hash.ct_eq(stored)) {
            found = Some(index);
        }
    }
    found
}
