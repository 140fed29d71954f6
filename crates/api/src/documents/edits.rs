//! `GET /v1/documents/{id}/proposals/{number}/edits`

use domain::ResourceKind;
use domain::document::RecordedEdit;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::edit::NodeTypeView;
use crate::shared::number;

/// An edit in a change set.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedEdit)]
struct EditView {
    /// The number of the change set.
    #[schema(format = Int32)]
    change_set: i64,
    /// The item's id.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The item's kind.
    node_type: NodeTypeView,
    /// The new value.
    #[schema(max_length = 65_536, examples("all"))]
    value: String,
    /// The value in force before; null if there was none.
    #[schema(max_length = 65_536)]
    previous: Option<String>,
    /// When the value was set.
    set_date: Timestamp,
    /// Whether the value was adopted (`…/resolve`).
    adopted: bool,
}

impl From<RecordedEdit> for EditView {
    fn from(it: RecordedEdit) -> Self {
        Self {
            change_set: it.change_set,
            node_id: it.node_id,
            node_type: it.node_type.into(),
            value: it.value,
            previous: it.previous,
            set_date: it.set_date.into(),
            adopted: it.is_adopted,
        }
    }
}

/// List a proposal's edits
///
/// Which change set edits which item, when, and the previous value: by change set, then in the order of the document.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}/edits",
    operation_id = "list_edits",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        PageParams,
    ),
    responses(
        (status = 200, description = "Edits", body = List<EditView>),
        (status = 404, description = "Document not found, or Proposal not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let mut query = request.query();
    let page = request.page::<(i64, String)>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows =
        store::proposals::list_edits(&mut tx, organization, &slug, number, page.after.clone(), page.limit)
            .await?;
    let total = page.total(store::proposals::count_edits(&mut tx, organization, number)).await?;
    let position = |edit: &RecordedEdit| (edit.change_set, edit.node_id.clone());
    Answer::list(&request.list(rows, total, position, EditView::from))
}
