//! Whether a client is who it says: its id and secret against the stored hashes.
//!
//! An unknown client and a wrong secret take the same path, cost the same statements and comparisons,
//! and get the same answer. Whoever has failed too often is told to wait before anything is looked up.

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

/// A client has at most so many secrets, and so many comparisons are made for any.
const COMPARISONS: usize = 2;

/// A client that proved itself, and by which of its secrets.
#[derive(Debug)]
pub(super) struct Authenticated {
    /// The client.
    pub(super) client: Client,
    /// The secret's name.
    pub(super) secret: Uuid,
    /// What tokens remember of it.
    pub(super) credential: Uuid,
    /// All that the client has, this one included.
    pub(super) secrets: Vec<Secret>,
}

impl Authenticated {
    /// Whether the secret of this id may still be used at `now`.
    pub(super) fn has_live_secret(&self, id: Uuid, now: Timestamp) -> bool {
        self.secrets.iter().any(|secret| secret.credential == id && secret.is_live(now))
    }
}

impl AuthorizationServer {
    /// Checks a client's id and secret. Missing ones are as good as wrong ones.
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

    /// Refuses whoever has failed too often under this name.
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

    /// Counts and notes that credentials were wrong.
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

/// Which of a client's secrets this is. As many comparisons are made when there is no such client, and
/// none of them ends early.
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
