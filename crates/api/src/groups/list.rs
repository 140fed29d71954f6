//! `GET /v1/groups`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Members, Texts};
use store::groups::GroupFilter;

use super::GroupView;

http::parameters! {
    /// The filters.
    pub(crate) struct GroupFilterParams {
        /// Groups with one of these names, without regard to case.
        name: Texts,
        /// Groups that one of these users is in, by their ids.
        member: Members,
    }
}

/// List groups
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/groups",
    operation_id = "list_groups",
    tag = "Groups",
    params(GroupFilterParams, PageParams),
    responses((status = 200, description = "Groups", body = List<GroupView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    let GroupFilterParams { name: names, member: members } = GroupFilterParams::read(&mut query);
    query.finish()?;
    let filter = GroupFilter { names, members, ..GroupFilter::default() };
    let (organization, after) = (request.organization(), page.after.as_deref());
    let mut tx = request.app.db().read().await?;
    let rows = store::groups::list(&mut tx, organization, &filter, after, page.limit).await?;
    let total = page.total(store::groups::count(&mut tx, organization, &filter)).await?;
    Answer::list(&request.list(rows, total, |group| group.name.to_string(), GroupView::from))
}
