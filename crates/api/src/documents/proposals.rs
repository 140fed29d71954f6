//! `GET` and `POST /v1/documents/{id}/proposals`

use domain::document::{Proposal, ProposalOpening};
use domain::{Prose, Reason};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::proposal::{ProposalStatusView, ProposalView};

/// A proposal in a list: what became of it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalSummary)]
#[view(Proposal)]
struct ProposalSummaryView {
    /// The proposal's number in the organization.
    #[schema(format = Int32, examples(3))]
    number: i64,
    /// The document's slug.
    #[schema(max_length = 80, examples("access-control"))]
    document: String,
    /// The proposal's status.
    status: ProposalStatusView,
    /// When the proposal was opened.
    created_date: Timestamp,
    /// When the proposal was last changed.
    updated_date: Timestamp,
    /// What changed and why, as it was submitted last.
    summary: Option<Prose>,
    /// Why it was returned, rejected or withdrawn.
    reason: Option<Reason>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

/// List a document's proposals
///
/// The latest first, without their change sets.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals",
    operation_id = "list_proposals",
    tag = "Documents",
    params(crate::path::DocumentId, PageParams),
    responses(
        (status = 200, description = "Proposals", body = List<ProposalSummaryView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows = store::proposals::list(&mut tx, organization, &slug, page.after, page.limit).await?;
    let total = page.total(store::proposals::count(&mut tx, organization, &slug)).await?;
    Answer::list(&request.list(rows, total, |proposal| proposal.number, ProposalSummaryView::from))
}

/// Open a proposal
///
/// It is empty, or a copy of one that was rejected or withdrawn, with its authors. The first edit of a document opens one too.
/// With `confirm` it has the published text approved again: unless something is changed in it, its approval makes no version
/// and asks nobody to acknowledge it again.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals",
    operation_id = "open_proposal",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = Option<ProposalOpening>,
    responses(
        (status = 201, description = "Proposal opened", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "The document has an open proposal (`proposal_open`) or is archived, or the other proposal is not \
            rejected or withdrawn (`not_next`)"),
    )
)]
pub(crate) async fn open(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let opening = request.json_or_null(ProposalOpening::read).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::proposals::open(tx, organization, author, &slug, opening).await
            },
            |proposal| {
                let location = format!("/v1/documents/{}/proposals/{}", proposal.document, proposal.number);
                Answer::created(location, proposal.version, &ProposalView::from(proposal))
            },
        )
        .await
}
