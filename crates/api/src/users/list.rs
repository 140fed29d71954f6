//! `GET /v1/users`

use domain::{Role, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Groups, Query, Texts, Words};
use store::people::MemberFilter;
use uuid::Uuid;

use super::UserView;

http::parameters! {
    /// The filters.
    pub(crate) struct UserFilterParams {
        /// Members with one of these roles.
        role: Words<Role>,
        /// Members with one of these e-mail addresses, without regard to case.
        email: Texts,
        /// Members of one of these groups, by their ids.
        group: Groups,
    }
}

/// Reads the filters.
pub(super) fn read_filter(query: &mut Query<'_>) -> MemberFilter {
    let UserFilterParams { role: roles, email: emails, group: groups } = UserFilterParams::read(query);
    MemberFilter { roles, emails, groups }
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
