//! `GET /v1/users`

use domain::{Role, UserId};
use uuid::Uuid;

use super::{RoleView, UserView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `list` reads")]
pub(crate) struct UserFilterParams {
    /// Members with one of these roles.
    #[param(inline)]
    role: Option<Vec<RoleView>>,
}

/// List users
///
/// The members of the organization, sorted by name.
#[utoipa::path(
    get,
    path = "/v1/users",
    operation_id = "list_users",
    tag = "Users",
    params(UserFilterParams, PageParams),
    responses((status = 200, description = "Users", body = List<UserView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(String, Uuid)>(&mut query);
    let roles: Vec<Role> = query.words("role");
    query.finish()?;
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let mut tx = request.app.db().read().await?;
    let rows =
        store::people::list(&mut tx, request.organization(), &roles, after, page.rows_to_read()).await?;
    let position = |row: &domain::person::Member| (row.person.name.clone(), row.person.id.uuid());
    let total = page.total(store::people::count(&mut tx, request.organization(), &roles)).await?;
    Answer::list(&request.list(page.cut(rows), total, position, UserView::from))
}
