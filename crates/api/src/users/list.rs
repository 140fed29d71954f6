//! `GET /v1/users`

use domain::UserId;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Query, TextParam};
use store::people::MemberFilter;
use uuid::Uuid;

use super::{RoleView, UserView};

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `list` reads")]
pub(crate) struct UserFilterParams {
    /// Members with one of these roles.
    #[param(inline)]
    role: Option<Vec<RoleView>>,
    /// Members with one of these e-mail addresses, without regard to case.
    #[param(value_type = Option<Vec<TextParam>>, inline)]
    email: Option<Vec<String>>,
}

/// Reads the filters.
pub(super) fn read_filter(query: &mut Query<'_>) -> MemberFilter {
    MemberFilter { roles: query.words("role"), emails: query.texts("email") }
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
    let filter = read_filter(&mut query);
    query.finish()?;
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let mut tx = request.app.db().read().await?;
    let rows =
        store::people::list(&mut tx, request.organization(), &filter, after, page.rows_to_read()).await?;
    let position = |row: &domain::person::Member| (row.person.name.clone(), row.person.id.uuid());
    let total = page.total(store::people::count(&mut tx, request.organization(), &filter)).await?;
    Answer::list(&request.list(page.cut(rows), total, position, UserView::from))
}
