//! Whether a client is who it says: its id and secret against the stored hashes.
//!
//! An unknown client and a wrong secret take the same path and get the same answer.

use domain::client::Client;
use jiff::Timestamp;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::AuthorizationServer;
use super::secret::{ClientSecret, parse_client_id};
use super::token_error::TokenError;
use super::token_request::ShownClient;

/// A client that proved itself, and by which of its secrets.
pub(super) struct Authenticated {
    /// The client.
    pub(super) client: Client,
    /// The secret's name.
    pub(super) credential: Uuid,
}

impl AuthorizationServer {
    /// Checks a client's id and secret. Missing ones are as good as wrong ones.
    pub(super) async fn authenticate(
        &self,
        shown: &ShownClient,
        now: Timestamp,
    ) -> Result<Authenticated, TokenError> {
        let refused = |reason: &'static str, id: &str| {
            tracing::warn!(target: "security", client_id = id, reason, "client authentication failed");
            TokenError::InvalidClient { by_header: shown.by_header }
        };
        let (Some(id), Some(secret)) = (shown.id.as_deref(), shown.secret.as_deref()) else {
            return Err(refused("credentials missing", ""));
        };
        let Some(id) = parse_client_id(id) else { return Err(refused("no client id of ours", "")) };
        let Some(secret) = ClientSecret::parse(secret) else {
            return Err(refused("secret malformed", id.as_str()));
        };
        let mut read = self.db.read().await.map_err(store::Error::from)?;
        let record = store::clients::find(&mut read, &id).await?;
        drop(read);
        let Some(record) = record else {
            // As long as a comparison takes.
            let _ = secret.hash().ct_eq(&[0; 32]);
            return Err(refused("unknown client", id.as_str()));
        };
        let matching = record.secrets.iter().find(|stored| secret.matches(&stored.hash));
        let Some(credential) = matching else { return Err(refused("wrong secret", id.as_str())) };
        if !credential.is_live(now) {
            return Err(refused("secret expired", id.as_str()));
        }
        if record.disabled_date.is_some() {
            return Err(refused("client disabled", id.as_str()));
        }
        self.last_use.note(record.client.organization, credential.id, now);
        let credential = credential.id;
        Ok(Authenticated { client: record.client, credential })
    }
}
