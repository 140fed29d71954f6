//! `GET /v1/views`

use domain::SavedViewId;
use domain::saved_view::ViewedList;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Flag, Words};
use store::saved_views::SavedViewFilter;
use uuid::Uuid;

use super::SavedViewView;

http::parameters! {
    /// The filters.
    pub(crate) struct SavedViewFilterParams {
        /// Views of one of these lists.
        list: Words<ViewedList>,
        /// Whether the views are shared.
        shared: Flag,
    }
}

/// List saved views
///
/// The caller's own and the shared ones, of the lists that the caller reads. Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/views",
    operation_id = "list_views",
    tag = "Views",
    params(SavedViewFilterParams, PageParams),
    responses((status = 200, description = "Views", body = List<SavedViewView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(String, Uuid)>(&mut query);
    let SavedViewFilterParams { list, shared } = SavedViewFilterParams::read(&mut query);
    let filter = SavedViewFilter { list, shared };
    query.finish()?;
    let after = page.after.as_ref().map(|(name, id)| (name.as_str(), SavedViewId(*id)));
    let (organization, reader) = (request.organization(), request.view_reader());
    let mut tx = request.app.db().read().await?;
    let rows = store::saved_views::list(&mut tx, organization, &reader, &filter, after, page.limit).await?;
    let total = page.total(store::saved_views::count(&mut tx, organization, &reader, &filter)).await?;
    Answer::list(&request.list(rows, total, |view| (view.name.clone(), view.id.uuid()), SavedViewView::from))
}
