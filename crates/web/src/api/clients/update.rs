//! `PATCH /v1/clients/{id}`

use db::Tx;
use domain::{Faults, Noun, client};
use store::clients::{ClientPatch, RefreshClientAuth};
use utoipa::ToSchema;

use super::ClientView;
use super::view::RefreshClientAuthView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;
use crate::json::{Fields, Json, Pointer, one_of};
use crate::oauth::secret::parse_client_id;

/// What only the service sets.
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

/// A merge patch (RFC 7396) of a client: what is absent stays.
#[derive(ToSchema)]
#[schema(as = ClientPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct ClientPatchInput {
    /// What people call it.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    name: Option<String>,
    /// What it may have, with spaces between; nothing new that the caller has not.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 1024)]
    scopes: Option<String>,
    /// Whether it must authenticate itself when it refreshes.
    #[schema(value_type = RefreshClientAuthView, required = false)]
    refresh_client_auth: Option<String>,
    /// Whether it is disabled.
    #[schema(value_type = bool, required = false)]
    disabled: Option<bool>,
}

/// Change a client
///
/// Disabling ends all its tokens, for good; once enabled it gets new ones with its secrets. A scope that
/// it loses is gone from its next refresh on. A client cannot disable itself.
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
        (status = 409, description = "A client cannot disable itself (`own_client`)"),
    )
)]
pub(crate) async fn update(mut call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::Client, parse_client_id)?;
    call.no_query()?;
    let patch = call.merge_patch(read_body).await?;
    let (organization, author, expected) = (call.organization(), call.author(), call.expected_version());
    let (app, holds) = (call.app.clone(), call.caller.scopes);
    let answer = call
        .write(async move |tx: &mut Tx| {
            let client =
                store::clients::update(tx, organization, &author, holds, &id, &expected, &patch).await?;
            Answer::record(client.record.version, &ClientView::from(client))
        })
        .await?;
    app.oauth().honour_revocations().await;
    Ok(answer)
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<ClientPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = ClientPatch {
        name: fields.patch_set_text("name", client::name),
        scopes: fields.patch_set_with("scopes", super::scopes),
        refresh_client_auth: fields.patch_set_with("refresh_client_auth", |value, at, faults| {
            one_of(value, at, faults, "must be optional or required", RefreshClientAuth::parse)
        }),
        disabled: fields.patch_set("disabled"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}
