//! `PATCH /v1/clients/{id}`

use auth::clients::parse_client_id;
use domain::ResourceKind;
use domain::client::ClientPatch;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::ClientView;

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
    params(crate::path::ClientId),
    request_body = ClientPatch,
    responses(
        (status = 200, description = "The client", body = ClientView),
        (status = 404, description = "Client not found"),
        (status = 409, description = "A client can neither disable itself (`own_client`) nor drop its own `clients:admin` (`own_admin_scope`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Client, parse_client_id)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<ClientPatch>).await?;
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
    app.auth().apply_revocations().await;
    Ok(answer)
}
