//! `/v1/documents/{id}/tags`

use domain::tag::TagReference;
use domain::{Author, OrgId, ResourceKind, TagId, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use hyper::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::tags::TagView;

/// The outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentTagAdded)]
struct AddedView {
    /// A sentence for a person.
    #[schema(value_type = String, max_length = 500, examples("Tag added to document"))]
    message: &'static str,
}

/// Add a tag to a document
///
/// The document's version does not change.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/tags",
    operation_id = "add_document_tag",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = TagReference,
    responses(
        (status = 201, description = "Tag added to document", body = AddedView),
        (status = 404, description = "Document or tag not found"),
        (status = 409, description = "Tag already associated with document, or it is archived (`document_archived`)"),
    )
)]
pub(crate) async fn add(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug_for(&request, ResourceKind::DocumentOrTag)?;
    request.no_query()?;
    let TagReference { tag_id: tag } = request.json(json::body).await?;
    let location = Some(format!("/v1/documents/{slug}/tags"));
    request
        .write(
            async move |tx, organization, author| {
                store::documents::add_tag(tx, organization, author, &slug, tag).await
            },
            move |()| {
                // A GET of the location returns the whole list, so this response carries no entity tag.
                let outcome = Answer::outcome(&AddedView { message: "Tag added to document" })?;
                Ok(Answer { status: StatusCode::CREATED, location: location.clone(), ..outcome })
            },
        )
        .await
}

/// List a document's tags
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/tags",
    operation_id = "list_document_tags",
    tag = "Documents",
    params(crate::path::DocumentId, PageParams),
    responses(
        (status = 200, description = "The document's tags", body = List<TagView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let after = page.after.as_deref();
    let rows = store::documents::list_tags(&mut tx, organization, &slug, after, page.limit).await?;
    let total = page.total(store::documents::count_tags(&mut tx, organization, &slug)).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
}

/// Put a tag on a document
///
/// Without a body. One that is on the document already stays, and nothing is journaled. The document's version does not change.
#[utoipa::path(
    put,
    path = "/v1/documents/{id}/tags/{tag_id}",
    operation_id = "put_document_tag",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "The tag is on the document"),
        (status = 404, description = "Document or tag not found"),
        (status = 409, description = "It is archived (`document_archived`)"),
    )
)]
pub(crate) async fn put(request: ApiRequest) -> Result<Answer> {
    change(request, true).await
}

/// Remove a tag from a document
///
/// The document's version does not change.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}/tags/{tag_id}",
    operation_id = "remove_document_tag",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "Tag removed from document"),
        (status = 404, description = "Document or tag not found"),
        (status = 409, description = "It is archived (`document_archived`)"),
    )
)]
pub(crate) async fn remove(request: ApiRequest) -> Result<Answer> {
    change(request, false).await
}

/// Puts the tag in the path on the document in the path, or takes it off.
async fn change(mut request: ApiRequest, is_added: bool) -> Result<Answer> {
    let missing = ResourceKind::DocumentOrTag;
    let (slug, tag) = (super::slug_for(&request, missing)?, request.path(1, missing, TagId::parse)?);
    request.no_query()?;
    request.no_body()?;
    let change = async move |tx: &mut db::Tx, organization: OrgId, author: &Author| match is_added {
        true => store::documents::put_tag(tx, organization, author, &slug, tag).await,
        false => store::documents::remove_tag(tx, organization, author, &slug, tag).await,
    };
    request.write(change, |()| Ok(Answer::no_content())).await
}
