//! `POST /v1/documents/{id}/versions/{number}/acknowledgement-requests`

use axum::http::StatusCode;
use domain::acknowledgement::NewAcknowledgementRequest;
use domain::{ResourceKind, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::RequestView;
use crate::shared::number;

/// Ask people to acknowledge a document
///
/// Asks all members, those with a role, those of a group, or some by their ids, also those who join the organization, get the role
/// or enter the group later. Each has `due_days` from being asked. Who has acknowledged the document since its latest material
/// version is not asked again. The request stays in force when a newer version is published.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/versions/{number}/acknowledgement-requests",
    operation_id = "request_acknowledgements",
    tag = "Acknowledgements",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the newest version"),
    ),
    request_body = NewAcknowledgementRequest,
    responses(
        (status = 201, description = "The request", body = RequestView),
        (status = 404, description = "Document not found, or Version not found"),
        (status = 409, description = "A newer version is published (`version_superseded`), or the document is archived \
            (`document_archived`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let number = request.path(1, ResourceKind::DocumentVersion, number)?;
    request.no_query()?;
    let new = request.json(json::body::<NewAcknowledgementRequest>).await?;
    let location = Some(format!("/v1/documents/{slug}/acknowledgement-requests"));
    request
        .write(
            async move |tx, organization, author| {
                store::acknowledgements::request(tx, organization, author, (&slug, number), &new).await
            },
            // A GET of the location returns the whole list, so this response carries no entity tag.
            move |made| {
                let made = Answer::outcome(&RequestView::from(made))?;
                Ok(Answer { status: StatusCode::CREATED, location: location.clone(), ..made })
            },
        )
        .await
}
