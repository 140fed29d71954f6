//! `…/proposals/{number}/replace`, `…/proposals/{number}/waive-four-eyes`, `GET /v1/documents/waivers`

use domain::document::{NewReplacement, StepReason, Waiver, WaiverKind};
use domain::{ResourceKind, RiskNumber, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::proposal::ProposalView;
use crate::shared::{ActorView, PersonView, number};

type WaiverKindView = OneOf<WaiverKind>;

/// A way out of an approval or a decision that was taken. Members that do not belong to its kind are null.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ApprovalWaiver)]
#[view(Waiver)]
struct WaiverView {
    /// The number of its entry in the journal.
    #[schema(minimum = 1)]
    seq: i64,
    /// Which way out.
    kind: WaiverKindView,
    /// When.
    at: Timestamp,
    /// Who took it.
    by: ActorView,
    /// The number of the proposal.
    #[schema(format = Int32)]
    proposal: Option<i64>,
    /// The slug of the document of the proposal or the exception.
    #[schema(max_length = 80, examples("access-control"))]
    document: Option<String>,
    /// The id of the risk whose acceptance was asked for.
    risk: Option<RiskNumber>,
    /// The number of that acceptance.
    #[schema(minimum = 1)]
    acceptance: Option<i64>,
    /// The number of the exception to the document.
    #[schema(minimum = 1)]
    exception: Option<i64>,
    /// In whose place somebody acts.
    person: Option<PersonView>,
    /// Who acts instead; of kind `deputy` null if the person withdrew the deputy.
    replacement: Option<PersonView>,
    /// The last day of a deputy.
    #[schema(max_length = 10, examples("2026-03-01"))]
    until: Option<String>,
    /// Why.
    #[schema(max_length = 1000, examples("On parental leave until May."))]
    reason: Option<String>,
    /// Who decided.
    #[schema(max_length = 200, examples("The board"))]
    decided_by: Option<String>,
    /// On which day.
    #[schema(max_length = 10, examples("2026-03-01"))]
    decided_date: Option<String>,
    /// The reference of the minutes.
    #[schema(max_length = 200, examples("Minutes 2026-03, item 4"))]
    minutes: Option<String>,
    /// Whether authors may not approve since, of kind `organization`.
    four_eyes: Option<bool>,
}

/// List the ways out of approvals
///
/// Who approved in the place of others, whose decision was recorded, and where authors could approve, or those decide about the
/// acceptance of a risk or an exception to a document who had asked for it: the latest first.
#[utoipa::path(
    get,
    path = "/v1/documents/waivers",
    operation_id = "list_document_waivers",
    tag = "Documents",
    params(PageParams),
    responses((status = 200, description = "Ways out", body = List<WaiverView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows = store::proposals::waivers(&mut tx, organization, page.after, page.limit).await?;
    let total = page.total(store::proposals::count_waivers(&mut tx, organization)).await?;
    Answer::list(&request.list(rows, total, |waiver: &Waiver| waiver.seq, WaiverView::from))
}

/// Let somebody approve in another person's place
///
/// In the pending step of a submitted proposal: the member no longer approves in it, and the other one does.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/replace",
    operation_id = "replace_approver",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = NewReplacement,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is not submitted (`not_next`)"),
    )
)]
pub(crate) async fn replace(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let new = request.json(json::body::<NewReplacement>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::replace_person(tx, organization, author, which, &expected, &new).await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await
}

/// Let authors approve a proposal
///
/// Waives four eyes for one proposal, for a reason. It applies until the proposal is closed.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/waive-four-eyes",
    operation_id = "waive_four_eyes",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = StepReason,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is closed (`not_next`)"),
    )
)]
pub(crate) async fn waive_four_eyes(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let StepReason { reason } = request.json(json::body::<StepReason>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::waive_four_eyes(tx, organization, author, which, &expected, &reason).await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await
}
