//! Client authentication: compares a client's id and secret with the stored hashes.
//!
//! An unknown client and a wrong secret take the same path, cost the same statements and comparisons, and get the same
//! response. A client that has failed too often must wait before anything is looked up.

use domain::client::Client;
use jiff::Timestamp;
use store::clients::{ClientRecord, Secret};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::AuthorizationServer;
use super::parameters::ShownClient;
use super::refusals::{Reason, Refused, Source};
use super::secret::{ClientSecret, parse_client_id};
use super::token_error::TokenError;

/// The maximum number of secrets of a client; each authentication makes this many comparisons.
const COMPARISONS: usize = 2;

/// An authenticated client and the secret it used.
#[derive(Debug)]
pub(super) struct Authenticated {
    /// The client.
    pub(super) client: Client,
    /// The secret's id.
    pub(super) secret: Uuid,
    /// The id of the secret that the tokens carry.
    pub(super) credential: Uuid,
    /// All secrets of the client, including this one.
    pub(super) secrets: Vec<Secret>,
}

impl Authenticated {
    /// Whether the secret with this id is still valid at `now`.
    pub(super) fn has_live_secret(&self, id: Uuid, now: Timestamp) -> bool {
        self.secrets.iter().any(|secret| secret.credential == id && secret.is_live(now))
    }
}

impl AuthorizationServer {
    /// Checks a client's id and secret. Missing ones count as wrong ones.
    pub(super) async fn authenticate(
        &self,
        shown: &ShownClient,
        source: &Source,
        now: Timestamp,
    ) -> Result<Authenticated, TokenError> {
        self.may_try(shown.name(), source, now)?;
        match self.prove(shown, now).await? {
            Ok(authenticated) => {
                let client = &authenticated.client;
                self.throttle.succeeded(client.id.as_str(), source.address);
                self.last_use.note(client.organization, authenticated.secret, now);
                Ok(authenticated)
            }
            Err(refused) => {
                self.failed(&refused, shown.name(), source, now);
                Err(TokenError::InvalidClient { by_header: shown.by_header })
            }
        }
    }

    /// Refuses the attempt if too many have failed under this name.
    pub(super) fn may_try(&self, name: &str, source: &Source, now: Timestamp) -> Result<(), TokenError> {
        self.throttle.check(name, source.address, now).map_err(|wait| {
            let refused = Refused::new(Reason::Throttled);
            let refused = match parse_client_id(name) {
                Some(id) => refused.named(&id),
                None => refused,
            };
            self.note_refusal(&refused, source);
            TokenError::from(wait)
        })
    }

    /// Counts and records a failed authentication.
    pub(super) fn failed(&self, refused: &Refused, name: &str, source: &Source, now: Timestamp) {
        self.throttle.failed(name, source.address, now);
        self.note_refusal(refused, source);
    }

    async fn prove(
        &self,
        shown: &ShownClient,
        now: Timestamp,
    ) -> Result<Result<Authenticated, Refused>, TokenError> {
        let Some(id) = &shown.id else { return Ok(Err(Refused::new(Reason::CredentialsMissing))) };
        let Some(id) = parse_client_id(id) else { return Ok(Err(Refused::new(Reason::MalformedClientId))) };
        let refused = |reason: Reason| Ok(Err(Refused::new(reason).named(&id)));
        let Some(secret) = &shown.secret else { return refused(Reason::CredentialsMissing) };
        let Some(secret) = ClientSecret::parse(secret) else { return refused(Reason::MalformedSecret) };
        let record = store::clients::find(&mut self.read().await?, &id).await?;
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
}

/// The secret of a client that matches. The number of comparisons is the same when there is no such client, and none
/// of them ends early.
fn matching(record: Option<&ClientRecord>, secret: &ClientSecret) -> Option<usize> {
    let nobody = [0; 32];
    let secrets = record.map(|record| record.secrets.as_slice()).unwrap_or_default();
    let hash = secret.hash();
    let mut found = None;
    for index in 0..secrets.len().max(COMPARISONS) {
        let stored = secrets.get(index).map_or(nobody.as_slice(), |secret| &secret.hash);
        if bool::from(hash.ct_eq(stored)) {
            found = Some(index);
        }
    }
    found
}
