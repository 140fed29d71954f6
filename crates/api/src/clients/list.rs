//! `GET /v1/clients`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use jiff::Timestamp;
use store::clients::Details;

use super::ClientView;

/// List clients
///
/// The oldest first, including disabled clients.
#[utoipa::path(
    get,
    path = "/v1/clients",
    operation_id = "list_clients",
    tag = "Clients",
    params(PageParams),
    responses((status = 200, description = "Clients", body = List<ClientView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(Timestamp, String)>(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let rows = store::clients::list(&mut tx, request.organization(), page.after.clone(), page.limit).await?;
    let total = page.total(store::clients::count(&mut tx, request.organization())).await?;
    let position = |row: &Details| (row.record.client.created_date, row.record.client.id.to_string());
    Answer::list(&request.list(rows, total, position, ClientView::from))
}
