//! `GET /v1/documents/{id}/proposals/{number}`

use domain::document::{
    ChangeSet, Conflict, ConflictingValue, Day, Next, NextAction, Proposal, ProposalField, ProposalPatch,
    ProposalStatus, RemovedReason, RemovedValue, ReportSource,
};
use domain::{Prose, Reason, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::approval_steps::StepView;
use super::kept::TakenView;
use crate::risks::report::EndView;
use crate::shared::{ActorView, PersonView, number};

/// The open changes of a document, until they are approved, rejected or withdrawn.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Proposal)]
#[view(Proposal)]
pub(crate) struct ProposalView {
    /// The proposal's number in the organization.
    #[schema(format = Int32, examples(3))]
    number: i64,
    /// The document's slug.
    #[schema(max_length = 80, examples("access-control"))]
    document: String,
    /// The proposal's status.
    status: ProposalStatusView,
    /// Whether it was opened to confirm what is published: unless something is changed in it, its approval makes no version.
    #[view(it.confirms)]
    confirm: bool,
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
    /// The items that change sets set differently.
    #[schema(max_items = 500)]
    conflicts: Vec<ConflictView>,
    /// What it changes beside the values of items: a merge patch of the document with the changed members.
    #[schema(value_type = ProposalPatch)]
    #[view(it.changes.proposed())]
    changes: Value,
    /// The same members as the document has them.
    #[schema(value_type = ProposalPatch)]
    #[view(it.changes.previous())]
    previous: Value,
    /// The values that its items do not take, the first 1,000: the item or the option is gone, or the text is too long.
    #[schema(max_items = 1000)]
    removed: Vec<RemovedView>,
    /// What it waits for, and who can do it; null once it is closed.
    next: Option<NextView>,
    /// The SHA-256 of the text that an approval publishes; of a closed proposal that of the text with which it ended.
    #[schema(max_length = 64, pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// What changed and why, as it was submitted last.
    summary: Option<Prose>,
    /// Whether everybody acknowledges the document again: as it was submitted; while it is open, what a submission proposes.
    #[view(it.is_material)]
    material: Option<bool>,
    /// Why it is material, or not, as it was submitted; null while it is open.
    material_reason: Option<Reason>,
    /// The day from which it is to hold; null is the day of the last approval. Null while it is open.
    effective_date: Option<Day>,
    /// Why it was returned, rejected or withdrawn.
    reason: Option<Reason>,
    /// The steps of its approval, in this order: those of its submission, before that those of the document.
    #[schema(max_items = 20)]
    steps: Vec<StepView>,
    /// Why an admin let authors approve it; null if they may not.
    four_eyes_waived: Option<Reason>,
    /// The text of the library that was taken into it last; null if none was.
    library: Option<TakenView>,
    /// The registers of risks that the text of a kept report was made from; null of other documents, and if the text stays.
    report: Option<ReportSourceView>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

/// The registers of risks that the text of a kept report was made from.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ReportSource)]
#[view(ReportSource)]
struct ReportSourceView {
    /// The register that the changes are told from.
    #[view(EndView::from(it.span.from))]
    from: EndView,
    /// The register that the report stands for.
    #[view(EndView::from(it.span.to))]
    to: EndView,
    /// The time zone of the days.
    #[schema(max_length = 64, examples("Europe/Berlin"))]
    #[view(it.span.time_zone)]
    time_zone: String,
}

pub(super) type ProposalStatusView = OneOf<ProposalStatus>;

type NextActionView = OneOf<NextAction>;
type RemovedReasonView = OneOf<RemovedReason>;
type ProposalFieldView = OneOf<ProposalField>;

/// What a proposal waits for.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalNext)]
#[view(Next)]
pub(super) struct NextView {
    /// What has to be done.
    action: NextActionView,
    /// The people who can do it, by name: the first 100. If nobody can, `reason` says what helps.
    #[schema(max_items = 100)]
    who: Vec<PersonView>,
    /// Why.
    #[schema(max_length = 400, examples("Someone who has changed nothing in it approves it."))]
    reason: String,
}

/// An item that change sets set differently.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalConflict)]
#[view(Conflict)]
struct ConflictView {
    /// The item's id.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The values, by change set.
    #[schema(max_items = 1000)]
    values: Vec<ConflictingValueView>,
}

/// A value that the items of a proposal do not take.
#[derive(Serialize, ToSchema, View)]
#[schema(as = RemovedValue)]
#[view(RemovedValue)]
struct RemovedView {
    /// The item's id.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The value.
    #[schema(max_length = 65_536, examples("all"))]
    value: String,
    /// What is gone: the item, its option, or room for the text.
    reason: RemovedReasonView,
}

/// One of the values of an item in conflict.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ConflictingValue)]
#[view(ConflictingValue)]
struct ConflictingValueView {
    /// The number of the change set.
    #[schema(format = Int32)]
    change_set: i64,
    /// The value.
    #[schema(max_length = 65_536, examples("all"))]
    value: String,
    /// Who set it.
    by: ActorView,
}

/// What one author changed in a proposal.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ChangeSet)]
#[view(ChangeSet)]
struct ChangeSetView {
    /// The change set's number in the organization.
    #[schema(format = Int32)]
    number: i64,
    /// The author of the change set.
    author: ActorView,
    /// When the change set was created.
    #[view(it.created)]
    created_date: Timestamp,
    /// When a later call changed the change set; null before.
    updated_date: Option<Timestamp>,
    /// The number of items that the change set edits; `GET …/edits` lists them.
    #[schema(format = Int32)]
    edits_count: i64,
    /// What else the author changed and the proposal still changes.
    #[schema(max_items = 8)]
    fields: Vec<ProposalFieldView>,
}

/// Read a proposal
///
/// The authors of the proposal, what it lacks, and the hash of its text. The edits are listed by `GET …/edits`.
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
    let draft = store::proposals::draft(&mut tx, request.organization(), &slug, number, None).await?;
    Answer::record(draft.proposal.version, &ProposalView::from(draft.proposal))
}
