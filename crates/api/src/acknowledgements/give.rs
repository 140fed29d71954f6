//! `POST /v1/documents/{id}/versions/{number}/acknowledgements`

use axum::http::StatusCode;
use domain::acknowledgement::NewAcknowledgement;
use domain::{ResourceKind, Scope, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::AcknowledgementView;
use crate::documents::difference::since_acknowledged;
use crate::shared::number;

/// Acknowledge a document
///
/// Records that the caller, a person, has read and understood the text with this hash. It counts only if it is the newest one. With
/// `on_paper` it records that another member has signed; that needs `documents:write`.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/versions/{number}/acknowledgements",
    operation_id = "acknowledge_document",
    tag = "Acknowledgements",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the newest version"),
    ),
    request_body = NewAcknowledgement,
    responses(
        (status = 201, description = "The acknowledgement", body = AcknowledgementView),
        (status = 404, description = "Document not found, or Version not found"),
        (status = 409, description = "Another text is published by now (`version_superseded`), or the document is archived \
            (`document_archived`)"),
    )
)]
pub(crate) async fn give(mut request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let number = request.path(1, ResourceKind::DocumentVersion, number)?;
    request.no_query()?;
    let new = request.json(json::body::<NewAcknowledgement>).await?;
    if new.on_paper.is_some() {
        request.permissions().require(Scope::DocumentsWrite.into())?;
    }
    let (app, organization) = (request.app.clone(), request.organization());
    let (document, named) = (slug.clone(), new.sha256.clone());
    let location = Some(format!("/v1/documents/{slug}/acknowledgements"));
    let given = request
        .write(
            async move |tx, organization, author| {
                store::acknowledgements::give(tx, organization, author, (&slug, number), &new).await
            },
            move |given| {
                let given = Answer::outcome(&AcknowledgementView::from(given))?;
                Ok(Answer { status: StatusCode::CREATED, location: location.clone(), ..given })
            },
        )
        .await;
    match given {
        Err(refusal) => {
            Err(since_acknowledged((&app, organization), &document, named.as_str(), refusal).await)
        }
        given => given,
    }
}
