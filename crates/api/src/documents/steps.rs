//! The steps of a proposal: `POST /v1/documents/{id}/proposals/{number}/submit`, `…/return`, `…/withdraw`, `…/reject`,
//! `…/approve`, `…/record`.

use domain::document::{Approval, ProposalStep, RecordedDecision, StepReason, Submission};
use domain::{ResourceKind, json};
use http::answer::Answer;
use http::api_request::{ApiRequest, Read};
use http::error::Result;
use lists::proposal_step;

use super::difference::since_approved;
use super::proposal::ProposalView;
use crate::shared::number;

/// Submit a proposal
///
/// It then waits for approval. Every required item has a value by then, and its authors agree. An edit that changes the text
/// opens it again.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/submit",
    operation_id = "submit_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = Submission,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is not open (`not_next`), its authors disagree (`conflicts_open`), it changes nothing \
            (`nothing_to_publish`), or the document is archived (`document_archived`)"),
    )
)]
pub(crate) async fn submit(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<Submission>, ProposalStep::Submit).await
}

/// Return a proposal
///
/// A submitted proposal takes edits again; nothing of it is lost.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/return",
    operation_id = "return_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = StepReason,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is not submitted (`not_next`)"),
    )
)]
pub(crate) async fn give_back(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<StepReason>, ProposalStep::Return).await
}

/// Withdraw a proposal
///
/// It ends without being published; nothing of it is lost. Whoever has changed something in it may do that with
/// `documents:read`, anybody else with `documents:write`.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/withdraw",
    operation_id = "withdraw_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = StepReason,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 403, description = "Neither an author of it, nor `documents:write` (`insufficient_scope`)"),
        (status = 409, description = "It is closed (`not_next`)"),
    )
)]
pub(crate) async fn withdraw(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<StepReason>, ProposalStep::Withdraw).await
}

/// Reject a proposal
///
/// It ends without being published; nothing of it is lost.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/reject",
    operation_id = "reject_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = StepReason,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is not submitted (`not_next`)"),
    )
)]
pub(crate) async fn reject(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<StepReason>, ProposalStep::Reject).await
}

/// Approve a proposal
///
/// Approves the text whose hash is sent, in the pending step and in every later one that names the caller. With the last
/// approval that the steps need it is published. An approval is given by a person who has changed nothing in the proposal,
/// and has created no client that has, for themselves or as a deputy.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/approve",
    operation_id = "approve_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = Approval,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 403, description = "Somebody else has to approve this (`four_eyes`), or the pending step waits for others \
            (`not_in_step`)"),
        (status = 409, description = "Its text is another one by now (`proposal_changed`), it is not submitted (`not_next`), or the \
            document is archived (`document_archived`)"),
    )
)]
pub(crate) async fn approve(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<Approval>, ProposalStep::Approve).await
}

/// Record a decision on a proposal
///
/// Completes the pending step with what people decided who do not sign in, such as a board. A person who has changed nothing in
/// the proposal records it; the record says who that was.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/record",
    operation_id = "record_proposal_decision",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = RecordedDecision,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 403, description = "Somebody else has to record this (`four_eyes`)"),
        (status = 409, description = "Its text is another one by now (`proposal_changed`), it is not submitted (`not_next`), or the \
            document is archived (`document_archived`)"),
    )
)]
pub(crate) async fn record(request: ApiRequest) -> Result<Answer> {
    take(request, json::body::<RecordedDecision>, ProposalStep::Record).await
}

/// Takes a step. The text is printed and hashed before the write.
async fn take<T: Send + 'static>(
    mut request: ApiRequest,
    read: impl Read<T>,
    step: fn(T) -> ProposalStep,
) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let step = step(request.json(read).await?);
    let mut tx = request.app.db().read().await?;
    let which = (slug.as_str(), number);
    let mut draft = proposal_step::before_if_any(&mut tx, request.organization(), which, &step).await?;
    drop(tx);
    let expected = request.expected_version();
    let (app, organization, actor) = (request.app.clone(), request.organization(), request.actor().clone());
    let (document, named) = (slug.clone(), step.approved().cloned());
    let taken = request
        .write(
            async move |tx, organization, author| {
                let (which, read) = ((slug.as_str(), number), draft.take());
                store::proposals::step(
                    tx,
                    organization,
                    author,
                    which,
                    &expected,
                    (read, proposal_step::html),
                    &step,
                )
                .await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await;
    match (taken, named) {
        (Err(refusal), Some(named)) => {
            let (caller, which) = ((&app, organization, &actor), (document.as_str(), number));
            Err(since_approved(caller, which, named.as_str(), refusal).await)
        }
        (taken, _) => taken,
    }
}
