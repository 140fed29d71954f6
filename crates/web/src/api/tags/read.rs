//! `GET /v1/tags/{id}`

use domain::{Noun, TagId};

use super::TagView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Read a tag
///
/// A tag of the organization.
#[utoipa::path(
    get,
    path = "/v1/tags/{id}",
    operation_id = "read_tag",
    tag = "Tags",
    params(("id" = Uuid, Path, description = "Tag id")),
    responses(
        (status = 200, description = "The tag", body = TagView),
        (status = 404, description = "Tag not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::Tag, TagId::parse)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let tag = store::tags::get(&mut tx, call.organization(), id).await?;
    Answer::record(tag.version, &TagView::from(tag))
}
