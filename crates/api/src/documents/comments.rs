//! `/v1/documents/{id}/proposals/{number}/comments`

use domain::document::{NewProposalComment, ProposalComment, Suggestion};
use domain::{Prose, ResourceKind, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use hyper::StatusCode;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::edit::RecordedView;
use crate::shared::{ActorView, number};

/// A comment on a proposal, or a reply to one.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalComment)]
#[view(ProposalComment)]
struct CommentView {
    /// The number of the proposal.
    #[schema(format = Int32, examples(3))]
    proposal: i64,
    /// The comment: 1 is the first of the proposal.
    #[schema(format = Int32, minimum = 1, examples(2))]
    number: i64,
    /// The comment that it replies to; null if it is no reply.
    #[schema(format = Int32, minimum = 1)]
    reply_to: Option<i64>,
    /// The id of the item that it is about; null if it is about the whole proposal.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: Option<String>,
    /// What it says, as Markdown.
    text: Prose,
    /// The value that it suggests for an item.
    #[view(it.suggestion().map(SuggestionView::from))]
    suggestion: Option<SuggestionView>,
    /// Who wrote it.
    author: ActorView,
    /// When it was written.
    created_date: Timestamp,
    /// Who resolved it.
    resolved_by: Option<ActorView>,
    /// When it was resolved; null while it is open.
    resolved_date: Option<Timestamp>,
}

/// A value that a comment suggests for an item.
#[derive(Serialize, ToSchema, View)]
#[schema(as = SuggestedValue)]
#[view(Suggestion)]
struct SuggestionView {
    /// The id of the item.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The id of an option, or the text.
    #[schema(max_length = 65_536, examples("all"))]
    value: String,
}

/// List a proposal's comments
///
/// The oldest first, replies among them.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}/comments",
    operation_id = "list_proposal_comments",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        PageParams,
    ),
    responses(
        (status = 200, description = "Comments", body = List<CommentView>),
        (status = 404, description = "Document not found, or Proposal not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let which = (slug.as_str(), number);
    let rows = store::proposals::comments(&mut tx, organization, which, page.after, page.limit).await?;
    let total = page.total(store::proposals::count_comments(&mut tx, organization, number)).await?;
    Answer::list(&request.list(rows, total, |comment: &ProposalComment| comment.number, CommentView::from))
}

/// Comment on a proposal
///
/// Comments stay with the proposal and stop nothing: it can be submitted and approved while they are open. A comment may suggest a
/// value for an item (`…/adopt`).
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/comments",
    operation_id = "comment_on_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = NewProposalComment,
    responses(
        (status = 201, description = "The comment", body = CommentView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "The proposal is closed (`not_next`)"),
    )
)]
pub(crate) async fn write(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let new = request.json(json::body::<NewProposalComment>).await?;
    let location = Some(format!("/v1/documents/{slug}/proposals/{number}/comments"));
    request
        .write(
            async move |tx, organization, author| {
                store::proposals::comment(tx, organization, author, (&slug, number), &new).await
            },
            // Comments are read as a list, so this response carries no entity tag.
            move |comment| {
                let answer = Answer::outcome(&CommentView::from(comment))?;
                Ok(Answer { status: StatusCode::CREATED, location: location.clone(), ..answer })
            },
        )
        .await
}

/// Resolve a comment
///
/// One that is resolved stays as it is.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/comments/{comment}/resolve",
    operation_id = "resolve_proposal_comment",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        ("comment" = i64, Path, minimum = 1, description = "Number of the comment"),
    ),
    responses(
        (status = 200, description = "The comment", body = CommentView),
        (status = 404, description = "Document not found, Proposal not found, or Comment not found"),
    )
)]
pub(crate) async fn resolve(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let comment = request.path(2, ResourceKind::Comment, crate::shared::number)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::resolve_comment(tx, organization, author, which, comment).await
            },
            |comment| Answer::outcome(&CommentView::from(comment)),
        )
        .await
}

/// Adopt a suggestion
///
/// The value that the comment suggests becomes an edit of the caller, and the comment is resolved. Who suggested it is no author
/// of the proposal and may still approve it.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/comments/{comment}/adopt",
    operation_id = "adopt_suggestion",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        ("comment" = i64, Path, minimum = 1, description = "Number of the comment"),
    ),
    responses(
        (status = 200, description = "Where the edit is recorded", body = RecordedView),
        (status = 404, description = "Document not found, Proposal not found, Comment not found, or Suggestion not found"),
        (status = 409, description = "The proposal is closed (`not_next`), or the document is archived"),
    )
)]
pub(crate) async fn adopt(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let comment = request.path(2, ResourceKind::Comment, crate::shared::number)?;
    request.no_query()?;
    request.no_body()?;
    let most_bytes = request.app.settings().proposal_bytes;
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::adopt(tx, organization, author, which, comment, most_bytes).await
            },
            |recorded| Answer::outcome(&RecordedView::from(recorded)),
        )
        .await
}
