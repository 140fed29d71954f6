//! The reasons of refusals: logged each time, and listed for each client (`GET /v1/clients/{id}/refusals`).
//!
//! The list is collected in memory and written about once a second, so that a refusal does not cost a write. It is
//! best effort: when there are more than fit, some are lost, and so is the last second when a process is killed.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::extract::Request;
use db::{Db, Tx};
use domain::{ClientId, OrgId, Scopes};
use store::refusals::{KEPT, Refusal};
use uuid::Uuid;

use super::{AuthorizationServer, Grant};
use crate::http::peer::Peer;
use crate::http::request_id::RequestId;

/// The maximum number of clients with refusals waiting to be written.
const CLIENTS: usize = 1_000;

/// The same for client ids that were only claimed: whether they exist is checked when the refusals are written.
const NAMED: usize = 100;

/// The reason of a refusal. The codes are part of the API; within `/v1` codes are only added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reason {
    /// No client id, or no secret.
    CredentialsMissing,
    /// What was sent cannot be a client id.
    MalformedClientId,
    /// What was sent cannot be a secret: truncated, or mistyped.
    MalformedSecret,
    /// No client has this id.
    UnknownClient,
    /// A well-formed secret, but not one of this client.
    WrongSecret,
    /// A secret of this client that has expired.
    SecretExpired,
    /// The secret is right, but the client is disabled.
    ClientDisabled,
    /// The client must authenticate itself when it refreshes, and did not.
    AuthenticationRequired,
    /// Too many failed attempts before.
    Throttled,
    /// An unknown scope was requested, or one that the client does not have.
    InvalidScope,
    /// A token for another API was requested.
    InvalidTarget,
    /// Not a refresh token that was issued here.
    RefreshTokenInvalid,
    /// The refresh token is more than 7 days old.
    RefreshTokenExpired,
    /// The refresh token was used before; its family was revoked.
    RefreshTokenSpent,
    /// The refresh token's family was revoked, or the secret that it derives from was deleted.
    RefreshTokenRevoked,
    /// The refresh token was issued to another client.
    RefreshTokenOfAnother,
    /// Not an access token that was issued here.
    AccessTokenInvalid,
    /// The access token is more than 900 seconds old.
    AccessTokenExpired,
    /// The access token was revoked before it expired.
    AccessTokenRevoked,
    /// The access token is valid but lacks the scope of the operation.
    InsufficientScope,
    /// Too many requests.
    RateLimited,
}

impl Reason {
    /// The stable machine code.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::CredentialsMissing => "credentials_missing",
            Self::MalformedClientId => "malformed_client_id",
            Self::MalformedSecret => "malformed_secret",
            Self::UnknownClient => "unknown_client",
            Self::WrongSecret => "wrong_secret",
            Self::SecretExpired => "secret_expired",
            Self::ClientDisabled => "client_disabled",
            Self::AuthenticationRequired => "authentication_required",
            Self::Throttled => "throttled",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::RefreshTokenInvalid => "refresh_token_invalid",
            Self::RefreshTokenExpired => "refresh_token_expired",
            Self::RefreshTokenSpent => "refresh_token_spent",
            Self::RefreshTokenRevoked => "refresh_token_revoked",
            Self::RefreshTokenOfAnother => "refresh_token_of_another_client",
            Self::AccessTokenInvalid => "access_token_invalid",
            Self::AccessTokenExpired => "access_token_expired",
            Self::AccessTokenRevoked => "access_token_revoked",
            Self::InsufficientScope => "insufficient_scope",
            Self::RateLimited => "rate_limited",
        }
    }
}

/// Where a request comes from, and its id.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The client's address.
    pub(crate) address: IpAddr,
    /// The request's id; none outside of the HTTP layers.
    pub(crate) request_id: Option<RequestId>,
}

impl Source {
    /// Where this request comes from.
    pub(crate) fn of(request: &Request) -> Self {
        let request_id = request.extensions().get::<RequestId>().cloned();
        Self { address: Peer::of(request).address, request_id }
    }

    /// The request's id as text.
    pub(crate) fn request_id(&self) -> &str {
        self.request_id.as_ref().map_or("-", RequestId::as_str)
    }
}

/// A refusal: its reason, and the refused client as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The reason.
    pub(crate) reason: Reason,
    /// More details for the log; fixed texts, never input.
    pub(crate) detail: &'static str,
    /// The client that was named, authenticated or not.
    pub(crate) client: Option<ClientId>,
    /// The client's organization, if the client exists.
    pub(crate) organization: Option<OrgId>,
    /// The id of the token, if this service issued it. A token itself is never logged.
    pub(crate) jti: Option<Uuid>,
    /// The missing scopes.
    pub(crate) scope: Option<Scopes>,
}

impl Refused {
    /// A refusal of an unknown client.
    pub(crate) fn new(reason: Reason) -> Self {
        Self { reason, detail: "", client: None, organization: None, jti: None, scope: None }
    }

    /// The same with more details for the log.
    pub(crate) fn detail(self, detail: &'static str) -> Self {
        Self { detail, ..self }
    }

    /// The same for a client that was named but not authenticated.
    pub(crate) fn named(self, client: &ClientId) -> Self {
        Self { client: Some(client.clone()), ..self }
    }

    /// The same of a known client.
    pub(crate) fn of(self, organization: OrgId, client: &ClientId) -> Self {
        Self { organization: Some(organization), ..self.named(client) }
    }

    /// The same for a token of this service.
    pub(crate) fn token(self, grant: &Grant, jti: Uuid) -> Self {
        Self { jti: Some(jti), ..self.of(grant.organization, &grant.client) }
    }

    /// The same for missing scopes.
    pub(crate) fn scope(self, missing: Scopes) -> Self {
        Self { scope: Some(missing), ..self }
    }
}

impl AuthorizationServer {
    /// Adds a refusal to the log, the metrics and the client's list.
    pub(crate) fn note_refusal(&self, refused: &Refused, source: &Source) {
        self.metrics.refused(refused.reason);
        let reason = refused.reason.as_str();
        let (address, request_id) = (source.address, source.request_id());
        let client_id = refused.client.as_ref().map(ClientId::as_str);
        let jti = refused.jti.map(tracing::field::display);
        let scope = refused.scope.map(|missing| missing.to_string());
        let detail = Some(refused.detail).filter(|detail| !detail.is_empty());
        tracing::warn!(target: "security", reason, client_id, %address, jti, scope = scope.as_deref(), detail, request_id, "refused");
        let Some(client) = &refused.client else { return };
        let now = self.now();
        let refusal = Refusal {
            id: self.uuid(now),
            refused_date: now,
            reason: reason.to_owned(),
            scope,
            address: address.to_string(),
            request_id: request_id.to_owned(),
        };
        self.refusals.add(refused.organization, client, refusal);
    }

    /// Writes the refusals since the last call. A clean shutdown calls it too.
    pub async fn write_refusals(&self) {
        self.refusals.flush(&self.db).await;
    }
}

/// Refusals that are not written yet.
#[derive(Debug, Default)]
pub(super) struct Refusals(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    of_clients: HashMap<(OrgId, ClientId), Vec<Refusal>>,
    of_named: HashMap<ClientId, Vec<Refusal>>,
}

impl Refusals {
    fn add(&self, org: Option<OrgId>, client: &ClientId, refusal: Refusal) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match org {
            Some(org) => push(&mut waiting.of_clients, CLIENTS, (org, client.clone()), refusal),
            None => push(&mut waiting.of_named, NAMED, client.clone(), refusal),
        }
    }

    /// Writes the waiting refusals, one small write per client. What cannot be written is lost: retrying would add
    /// load to a database that already has problems.
    async fn flush(&self, db: &Db) {
        let Waiting { mut of_clients, of_named } =
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for (client, refusals) in of_named {
            match organization(db, &client).await {
                Ok(Some(org)) => of_clients.entry((org, client)).or_default().extend(refusals),
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "refusals could not be written"),
            }
        }
        for ((org, client), refusals) in of_clients {
            let result: store::Result<()> = db
                .write(org, async move |tx: &mut Tx| store::refusals::add(tx, org, &client, &refusals).await)
                .await;
            if let Err(error) = result {
                tracing::warn!(%org, error = %error.0, "refusals could not be written");
            }
        }
    }
}

async fn organization(db: &Db, client: &ClientId) -> domain::Result<Option<OrgId>> {
    let mut read = db.read().await.map_err(|error| store::Error::from(error).0)?;
    let record = store::clients::find(&mut read, client).await.map_err(|error| error.0)?;
    Ok(record.map(|record| record.client.organization))
}

/// Appends and keeps only the newest entries, up to the limit.
fn push<K: Eq + std::hash::Hash>(
    waiting: &mut HashMap<K, Vec<Refusal>>,
    most: usize,
    key: K,
    refusal: Refusal,
) {
    if waiting.len() >= most && !waiting.contains_key(&key) {
        return;
    }
    let refusals = waiting.entry(key).or_default();
    if refusals.len() >= KEPT {
        refusals.remove(0);
    }
    refusals.push(refusal);
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn refusal(n: u128) -> Refusal {
        Refusal {
            id: Uuid::from_u128(n),
            refused_date: Timestamp::UNIX_EPOCH,
            reason: "wrong_secret".to_owned(),
            scope: None,
            address: "192.0.2.1".to_owned(),
            request_id: "r".to_owned(),
        }
    }

    #[test]
    fn what_waits_is_bounded_and_the_newest_stay() {
        let refusals = Refusals::default();
        let (org, client) = (OrgId(Uuid::nil()), ClientId("bwc_a".to_owned()));
        for n in 0..1_000 {
            refusals.add(Some(org), &client, refusal(n));
        }
        for n in 0..10_000 {
            refusals.add(Some(org), &ClientId(format!("bwc_{n}")), refusal(n));
            refusals.add(None, &ClientId(format!("bwc_{n}")), refusal(n));
        }
        let waiting = refusals.0.lock().unwrap();
        assert_eq!((waiting.of_clients.len(), waiting.of_named.len()), (CLIENTS, NAMED));
        let of_client = &waiting.of_clients[&(org, client)];
        let first = Uuid::from_u128(u128::try_from(1_000 - KEPT).unwrap());
        assert_eq!((of_client.len(), of_client[0].id), (KEPT, first));
    }
}
