//! `GET /v1/users`

use domain::UserId;
use uuid::Uuid;

use super::UserView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// List users
///
/// The members of the organization, sorted by name.
#[utoipa::path(
    get,
    path = "/v1/users",
    operation_id = "list_users",
    tag = "Users",
    params(PageParams),
    responses((status = 200, description = "Users", body = List<UserView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(String, Uuid)>(&mut query);
    query.finish()?;
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let mut tx = request.app.db().read().await?;
    let rows = store::people::list(&mut tx, request.organization(), after, page.rows_to_read()).await?;
    let position = |row: &domain::person::Member| (row.person.name.clone(), row.person.id.uuid());
    let total = page.total(store::people::count(&mut tx, request.organization())).await?;
    Answer::list(&request.list(page.cut(rows), total, position, UserView::from))
}
