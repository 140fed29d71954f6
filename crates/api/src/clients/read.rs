//! `GET /v1/clients/{id}`

use auth::clients::parse_client_id;
use domain::ResourceKind;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::ClientView;

/// Read a client
///
/// Returns a client of the organization.
#[utoipa::path(
    get,
    path = "/v1/clients/{id}",
    operation_id = "read_client",
    tag = "Clients",
    params(crate::path::ClientId),
    responses(
        (status = 200, description = "The client", body = ClientView),
        (status = 404, description = "Client not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Client, parse_client_id)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let client = store::clients::get(&mut tx, request.organization(), &id).await?;
    Answer::record(client.record.version, &ClientView::from(client))
}
