//! `PATCH /v1/clients/{id}`

use domain::{Faults, ResourceKind, client};
use store::clients::ClientPatch;
use utoipa::ToSchema;

use super::ClientView;
use super::view::RefreshClientAuthView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::word;
use crate::oauth::secret::parse_client_id;

/// The members that only the service sets.
pub(super) const READ_ONLY: &[&str] = &[
    "client_id",
    "client_secret",
    "organization_id",
    "created_date",
    "created_by",
    "disabled_date",
    "last_used_date",
    "secrets",
    "version",
];

/// A merge patch (RFC 7396) of a client: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = ClientPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct ClientPatchInput {
    /// The display name.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The client's scopes, space-delimited; the caller must have every one of them.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 1024)]
    scopes: Option<String>,
    /// Whether the client must authenticate itself when it refreshes a token.
    #[schema(value_type = RefreshClientAuthView, required = false)]
    refresh_client_auth: Option<String>,
    /// Whether the client is disabled.
    #[schema(value_type = bool, required = false)]
    disabled: Option<bool>,
}

/// Change a client
///
/// Disabling a client revokes all its tokens permanently; once enabled again, it can get new tokens with its secrets.
/// A removed scope is missing from the tokens of its next refresh. For the administration of clients, secrets, users
/// and invitations the removal takes effect at once. The caller must have every scope that the client has and every
/// scope that it gets. A client can neither disable itself nor remove its own `clients:admin`.
#[utoipa::path(
    patch,
    path = "/v1/clients/{id}",
    operation_id = "update_client",
    tag = "Clients",
    params(("id" = String, Path, description = "`client_id`")),
    request_body = ClientPatchInput,
    responses(
        (status = 200, description = "The client", body = ClientView),
        (status = 404, description = "Client not found"),
        (status = 409, description = "A client can neither disable itself (`own_client`) nor drop its own `clients:admin` (`own_admin_scope`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Client, parse_client_id)?;
    request.no_query()?;
    let patch = request.merge_patch(read_body).await?;
    let expected = request.expected_version();
    let app = request.app.clone();
    let answer = request
        .write(
            async move |tx, organization, author| {
                store::clients::update(tx, organization, author, &id, &expected, &patch).await
            },
            |client| Answer::record(client.record.version, &ClientView::from(client)),
        )
        .await?;
    app.oauth().honour_revocations().await;
    Ok(answer)
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<ClientPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = ClientPatch {
        name: fields.patch_set_text("name", client::name),
        scopes: fields.patch_set_with("scopes", super::scopes),
        refresh_client_auth: fields.patch_set_with("refresh_client_auth", word),
        disabled: fields.patch_set("disabled"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
