//! `GET /v1/documents/{id}/proposals/{number}`

use domain::ResourceKind;
use domain::document::{ChangeSet, Proposal, ProposalStatus};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::{ActorView, number};

/// The open changes of a document, until they are approved, rejected or withdrawn.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Proposal)]
#[view(Proposal)]
struct ProposalView {
    /// The proposal's number in the organization.
    #[schema(format = Int32, examples(3))]
    #[view(it.number)]
    proposal: i64,
    /// The document's slug.
    #[schema(max_length = 80, examples("access-control"))]
    document: String,
    /// The proposal's status.
    status: StatusView,
    /// When the proposal was opened.
    created_date: Timestamp,
    /// When the proposal was last changed.
    updated_date: Timestamp,
    /// The change sets, one per author: the first 1,000.
    #[schema(max_items = 1000)]
    change_sets: Vec<ChangeSetView>,
    /// Ids of the required items that would have no value if the proposal were approved.
    #[schema(max_items = 500, max_length = 80, examples(json!(["contact"])))]
    missing: Vec<String>,
}

type StatusView = OneOf<ProposalStatus>;

/// One author's edits in a proposal.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ChangeSet)]
#[view(ChangeSet)]
struct ChangeSetView {
    /// The change set's number in the organization.
    #[schema(format = Int32)]
    #[view(it.number)]
    id: i64,
    /// The author of the change set.
    author: ActorView,
    /// When the change set was created.
    created: Timestamp,
    /// When a later call changed the change set; null before.
    updated_date: Option<Timestamp>,
    /// The number of items that the change set edits; `GET …/edits` lists them.
    #[schema(format = Int32)]
    edits_count: i64,
}

/// Read a proposal
///
/// The authors of the proposal and the required items that lack a value. The edits are listed by `GET …/edits`.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}",
    operation_id = "read_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let proposal = store::proposals::get(&mut tx, request.organization(), &slug, number).await?;
    Answer::record(None, &ProposalView::from(proposal))
}
