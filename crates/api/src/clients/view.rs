//! A client as responses show it.

use domain::client::RefreshClientAuth;
use domain::{ClientId, OrgId};
use http::timestamp::Timestamp;
use http::word::OneOf;
use serde::Serialize;
use store::clients::{Details, Secret};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::ActorView;

/// An OAuth client of the organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Client)]
pub struct ClientView {
    /// The client's public id.
    #[schema(max_length = 128, pattern = "^bwc_[0-9A-Za-z]+$", examples("bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha"))]
    client_id: String,
    /// The display name.
    #[schema(min_length = 1, max_length = 200, examples("SIEM"))]
    name: String,
    /// The client's scopes, space-delimited.
    #[schema(max_length = 1024, examples("incidents:read incidents:write"))]
    scopes: String,
    /// Its organization.
    organization_id: OrgId,
    /// When the client was created.
    created_date: Timestamp,
    /// Who created the client.
    created_by: ActorView,
    /// Whether the client must authenticate itself when it refreshes a token.
    refresh_client_auth: RefreshClientAuthView,
    /// When the client was disabled; null if it is not.
    disabled_date: Option<Timestamp>,
    /// When one of its secrets was last used, up to a minute late.
    last_used_date: Option<Timestamp>,
    /// Its secrets, including expired ones; without the secret text.
    #[schema(max_items = 2)]
    secrets: Vec<SecretView>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

type RefreshClientAuthView = OneOf<RefreshClientAuth>;

/// A secret of a client, without the secret text.
#[derive(Serialize, ToSchema)]
#[schema(as = ClientSecret)]
pub(crate) struct SecretView {
    /// The secret's id.
    id: Uuid,
    /// When the secret was created.
    created_date: Timestamp,
    /// When the secret expires; null if it never does.
    expires_date: Option<Timestamp>,
    /// When the secret was last used, up to a minute late.
    last_used_date: Option<Timestamp>,
}

/// A new client with its secret, which is shown only once.
#[derive(Serialize, ToSchema)]
#[schema(as = ClientWithSecret)]
pub(crate) struct NewClientView {
    /// The secret text.
    #[schema(
        max_length = 128,
        pattern = "^bwk_[0-9A-Za-z]+$",
        examples("bwk_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")
    )]
    pub(super) client_secret: String,
    #[serde(flatten)]
    pub(super) client: ClientView,
}

/// An additional secret of a client, which is shown only once.
#[derive(Serialize, ToSchema)]
#[schema(as = ShownClientSecret)]
pub struct NewSecretView {
    /// The client's public id.
    #[schema(max_length = 128, pattern = "^bwc_[0-9A-Za-z]+$", examples("bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha"))]
    client_id: String,
    /// The secret text.
    #[schema(
        max_length = 128,
        pattern = "^bwk_[0-9A-Za-z]+$",
        examples("bwk_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")
    )]
    client_secret: String,
    #[serde(flatten)]
    secret: SecretView,
}

impl NewSecretView {
    /// The secret's record together with the secret text.
    pub fn new(client: &ClientId, secret: &Secret, shown: &str) -> Self {
        Self { client_id: client.to_string(), client_secret: shown.to_owned(), secret: secret.into() }
    }
}

fn timestamp(at: Option<jiff::Timestamp>) -> Option<Timestamp> {
    at.map(Timestamp::from)
}

impl From<&Secret> for SecretView {
    fn from(it: &Secret) -> Self {
        Self {
            id: it.id,
            created_date: it.created_date.into(),
            expires_date: timestamp(it.expires_date),
            last_used_date: timestamp(it.last_used_date),
        }
    }
}

impl From<Details> for ClientView {
    fn from(it: Details) -> Self {
        let last_used_date = timestamp(it.last_used_date());
        let record = it.record;
        Self {
            client_id: record.client.id.to_string(),
            name: record.client.name,
            scopes: record.client.scopes.to_string(),
            organization_id: record.client.organization,
            created_date: record.client.created_date.into(),
            created_by: it.created_by.into(),
            refresh_client_auth: record.refresh_client_auth.into(),
            disabled_date: timestamp(record.disabled_date),
            last_used_date,
            secrets: record.secrets.iter().map(SecretView::from).collect(),
            version: record.version,
        }
    }
}
