//! `DELETE /v1/tags/{id}` and `POST /v1/tags/{id}/merge`

use db::Tx;
use domain::tag::{Tag, TagMerge};
use domain::{Author, Error, OrgId, ResourceKind, TagId, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::Flag;
use http::write::RespondToParts;

use super::TagView;

http::parameters! {
    /// The parameters.
    pub(crate) struct TagRemovalParams {
        /// Whether the tag is removed from the records that have it; `false` unless it is sent.
        detach: Flag,
    }
}

/// Delete a tag
///
/// A tag that incidents, risks or documents have, deleted ones too, is deleted only with `detach=true`, which removes it from all
/// of them, each with its own journal entry: many in several transactions; sent again, the request does the rest. The past
/// still shows it. `POST /v1/undo` takes the whole back; it also needs `incidents:write`, `risks:write` and
/// `documents:write`.
#[utoipa::path(
    delete,
    path = "/v1/tags/{id}",
    operation_id = "delete_tag",
    tag = "Tags",
    params(("id" = inline(TagId), Path, description = "Tag id"), TagRemovalParams),
    responses(
        (status = 204, description = "Tag deleted"),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "`tag_in_use`"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Tag, TagId::parse)?;
    let mut query = request.query();
    let detach = TagRemovalParams::read(&mut query).detach.unwrap_or(false);
    query.finish()?;
    request.no_body()?;
    remove(request, id, (None, detach), |_| Ok(Answer::no_content())).await
}

/// Merge a tag into another
///
/// Every incident, risk and document that has the tag, deleted ones too, gets the other one instead, as by `DELETE`
/// with `detach=true`. The name of the merged tag leads to the other one from then on: in filters by name, and where records
/// are tagged by name.
#[utoipa::path(
    post,
    path = "/v1/tags/{id}/merge",
    operation_id = "merge_tag",
    tag = "Tags",
    params(("id" = inline(TagId), Path, description = "Tag id")),
    request_body = TagMerge,
    responses(
        (status = 200, description = "The tag that it was merged into", body = TagView),
        (status = 404, description = "Tag not found"),
    )
)]
pub(crate) async fn merge(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Tag, TagId::parse)?;
    request.no_query()?;
    let TagMerge { into } = request.json(json::body).await?;
    let respond = |made: &[Option<Tag>]| {
        let tag = made.first().cloned().flatten().ok_or(Error::NotFound(ResourceKind::Tag))?;
        Answer::record(tag.version, &TagView::from(tag))
    };
    remove(request, id, (Some(into), true), respond).await
}

async fn remove(
    mut request: ApiRequest,
    id: TagId,
    (into, detach): (Option<TagId>, bool),
    respond: impl RespondToParts<Option<Tag>>,
) -> Result<Answer> {
    let expected = request.expected_version();
    let mut tx = request.app.db().read().await?;
    let removal =
        store::tag_removal::begin(&mut tx, request.organization(), id, into, detach, expected).await?;
    drop(tx);
    let count = removal.count();
    let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        store::tag_removal::remove(tx, organization, author, &removal, done).await
    };
    request.into_write().run_in_parts(count, part, respond).await
}
