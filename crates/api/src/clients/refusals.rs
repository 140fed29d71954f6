//! `GET /v1/clients/{id}/refusals`

use auth::clients::parse_client_id;
use domain::{Error, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use store::refusals::Refusal;
use utoipa::ToSchema;
use uuid::Uuid;

/// A request of a client that was refused.
#[derive(Debug, Serialize, ToSchema, View)]
#[schema(as = Refusal)]
#[view(Refusal)]
pub(crate) struct RefusalView {
    /// The refusal's id.
    id: Uuid,
    /// When the request was refused.
    refused_date: Timestamp,
    /// The reason as a machine code; more codes may be added.
    #[schema(max_length = 64, pattern = "^[a-z_]+$", example = "wrong_secret")]
    reason: String,
    /// The missing scope, if that is the reason.
    #[schema(max_length = 64, example = "incidents:write")]
    scope: Option<String>,
    /// The address that the request came from.
    #[schema(max_length = 45, example = "192.0.2.1")]
    address: String,
    /// The request's id, as in the log.
    #[schema(
        max_length = 128,
        pattern = "^[A-Za-z0-9._-]{1,128}$",
        examples("01901645-2b7c-7d90-b3a1-5e2f9c8d7a60")
    )]
    request_id: String,
}

/// List a client's recent refusals
///
/// The latest first: wrong or expired secrets, tokens that had expired or were revoked, missing scopes, too many
/// requests. At most 100 refusals of the last 30 days; they appear within a few seconds. The refused request named
/// this client, but was not necessarily sent by it.
#[utoipa::path(
    get,
    path = "/v1/clients/{id}/refusals",
    operation_id = "list_client_refusals",
    tag = "Clients",
    params(crate::path::ClientId, PageParams),
    responses(
        (status = 200, description = "Refusals", body = List<RefusalView>),
        (status = 404, description = "Client not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let client = request.path(0, ResourceKind::Client, parse_client_id)?;
    let mut query = request.query();
    let page = request.page::<Uuid>(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let record = store::clients::load(&mut tx, request.organization(), &client).await?;
    record.ok_or(Error::NotFound(ResourceKind::Client))?;
    let rows =
        store::refusals::list(&mut tx, request.organization(), &client, page.after, page.limit).await?;
    let total = page.total(store::refusals::count(&mut tx, request.organization(), &client)).await?;
    Answer::list(&request.list(rows, total, |row| row.id, RefusalView::from))
}
