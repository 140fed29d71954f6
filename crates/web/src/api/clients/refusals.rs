//! `GET /v1/clients/{id}/refusals`

use domain::{Error, ResourceKind};
use serde::Serialize;
use store::refusals::Refusal;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::answer::Answer;
use crate::api::shared::Moment;
use crate::api_request::ApiRequest;
use crate::error::Result;
use crate::oauth::secret::parse_client_id;
use crate::page::{List, PageParams};

/// Something a client was refused.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Refusal)]
pub(crate) struct RefusalView {
    /// Its name.
    id: Uuid,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    refused_date: Moment,
    /// Why, as a machine code; more may come.
    #[schema(max_length = 64, pattern = "^[a-z_]+$", example = "wrong_secret")]
    reason: String,
    /// The scope that was missing, if that is why.
    #[schema(max_length = 64, example = "incidents:write")]
    scope: Option<String>,
    /// The address it was asked from.
    #[schema(max_length = 45, example = "192.0.2.1")]
    address: String,
    /// The request's id, as in the log.
    #[schema(max_length = 128)]
    request_id: String,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> Self {
        Self {
            id: refusal.id,
            refused_date: refusal.refused_date.into(),
            reason: refusal.reason,
            scope: refusal.scope,
            address: refusal.address,
            request_id: refusal.request_id,
        }
    }
}

/// List what a client was refused lately
///
/// The latest first: wrong or expired secrets, tokens that had ended, missing scopes, too many requests.
/// The latest 100 of the last 30 days; they appear within a few seconds. Whoever asked named the client,
/// and need not have been it.
#[utoipa::path(
    get,
    path = "/v1/clients/{id}/refusals",
    operation_id = "list_client_refusals",
    tag = "Clients",
    params(("id" = String, Path, description = "`client_id`"), PageParams),
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
