//! `PATCH /v1/documents/{id}`

use domain::document::{self, Edit, NodeType, Recorded, read_edits};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

pub(super) type NodeTypeView = OneOf<NodeType>;

/// The change set and the proposal that the edits were recorded in.
#[derive(Serialize, ToSchema, View)]
#[schema(as = DocumentUpdate)]
#[view(Recorded)]
pub(super) struct RecordedView {
    /// Number of the caller's change set.
    #[schema(format = Int32)]
    #[view(it.change_set)]
    id: i64,
    /// Number of the open proposal.
    #[schema(format = Int32, examples(3))]
    proposal: i64,
    /// When the change set was created.
    created: Timestamp,
    /// When a later call changed the change set; null when this call created it.
    updated_date: Option<Timestamp>,
}

/// The edits of one call.
#[derive(ToSchema)]
#[schema(min_items = 1, max_items = 1000)]
#[expect(dead_code, reason = "it only describes the body")]
struct EditsBody(Vec<Edit>);

/// Edit a document
///
/// Records 1 to 1,000 edits, all or none, in the caller's change set of the open proposal. The published
/// text does not change until the proposal is approved. If-Match names the version of that text.
#[utoipa::path(
    patch,
    path = "/v1/documents/{id}",
    operation_id = "edit_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body(content = inline(EditsBody), description = "1 to 1,000 edits"),
    responses(
        (status = 200, description = "Documents updated", body = RecordedView),
        (status = 404, description = "Document not found"),
        (status = 409, description = "The document is archived"),
    )
)]
pub(crate) async fn edit(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let edits = request.json_of(document::MAX_EDITS, read_edits).await?;
    let expected = request.expected_version();
    let most_bytes = request.app.settings().proposal_bytes;
    request
        .write(
            async move |tx, organization, author| {
                store::proposals::edit(tx, organization, author, &slug, &expected, &edits, most_bytes).await
            },
            |recorded| Answer::outcome(&RecordedView::from(recorded)),
        )
        .await
}
