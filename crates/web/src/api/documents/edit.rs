//! `PATCH /v1/documents/{id}`

use domain::Faults;
use domain::document::{self, Edit, NodeType, Recorded};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer, array};
use crate::http::timestamp::Timestamp;
use crate::http::word::{OneOf, word};

/// A selection made on an item of a document.
#[derive(ToSchema)]
#[schema(as = Edit)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct EditInput {
    /// Id of the document item that was changed.
    #[schema(examples("mfa"))]
    node_id: String,
    /// Kind of the selection: that of the item.
    node_type: NodeTypeView,
    /// With `select` the id of the selected option, with `text` the text itself.
    #[schema(examples("all"), max_length = 65536)]
    value: String,
}

pub(super) type NodeTypeView = OneOf<NodeType>;

/// The change set and the proposal that the edits were recorded in.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentUpdate)]
struct RecordedView {
    /// Number of the caller's change set.
    #[schema(format = Int32)]
    id: i64,
    /// Number of the open proposal.
    #[schema(format = Int32)]
    proposal: i64,
    /// When the change set was created.
    created: Timestamp,
    /// When a later call changed the change set; null when this call created it.
    updated_date: Option<Timestamp>,
}

impl From<Recorded> for RecordedView {
    fn from(it: Recorded) -> Self {
        Self {
            id: it.change_set,
            proposal: it.proposal,
            created: it.created.into(),
            updated_date: it.updated_date.map(Timestamp),
        }
    }
}

/// Edit a document
///
/// Records 1 to 1,000 edits, all or none, in the caller's change set of the open proposal. The published
/// text does not change until the proposal is approved. If-Match names the version of that text.
#[utoipa::path(
    patch,
    path = "/v1/documents/{id}",
    operation_id = "edit_document",
    tag = "Documents",
    params(("id" = String, Path, description = "The document slug")),
    request_body(content = Vec<EditInput>, description = "1 to 1,000 edits"),
    responses(
        (status = 200, description = "Documents updated", body = RecordedView),
        (status = 404, description = "Document not found"),
        (status = 409, description = "The document is archived"),
    )
)]
pub(crate) async fn edit(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let edits = request.json_of(document::MAX_EDITS, read_body).await?;
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

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<Vec<Edit>> {
    let elements = array(body, Pointer::ROOT, faults)?;
    document::edits_count(elements.len(), "#", faults);
    if elements.len() > document::MAX_EDITS {
        // The faults of so many edits are not listed.
        return None;
    }
    let (ids, edits): (Vec<_>, Vec<_>) = elements
        .into_iter()
        .enumerate()
        .map(|(index, element)| read_edit(element, &Pointer::ROOT.index(index), faults))
        .unzip();
    document::ids_distinct(ids.iter().map(Option::as_deref), "#", "node_id", faults);
    edits.into_iter().collect()
}

fn read_edit(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> (Option<String>, Option<Edit>) {
    let Some(mut fields) = Fields::of(value, at, faults) else { return (None, None) };
    let node_id = fields.required::<String>("node_id");
    let node_type = fields.required_with("node_type", word);
    let value = fields.required::<String>("value");
    fields.finish();
    let edit = match (&node_id, node_type, value) {
        (Some(node_id), Some(node_type), Some(value)) => {
            Some(Edit { node_id: node_id.clone(), node_type, value })
        }
        _ => None,
    };
    (node_id, edit)
}
