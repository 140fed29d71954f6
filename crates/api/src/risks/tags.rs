//! `/v1/risks/{risk_id}/tags`

use domain::risk::Risk;
use domain::tag::TagReference;
use domain::{RiskNumber, TagId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use serde::Serialize;
use utoipa::ToSchema;

use crate::listed;
use crate::tags::TagView;

/// The outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskTagAdded)]
struct AddedView {
    /// A sentence for a person.
    #[schema(value_type = String, max_length = 500, examples("Tag added to risk"))]
    message: &'static str,
}

/// Add a tag to a risk
///
/// The risk's version does not change. Its id has one form in this path: `RSK-1`.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/tags",
    operation_id = "add_risk_tag",
    tag = "Risks",
    params(crate::path::RiskId),
    request_body = TagReference,
    responses(
        (status = 201, description = "Tag added to risk", body = AddedView),
        (status = 404, description = "Risk or tag not found"),
        (status = 409, description = "Tag already associated with risk"),
    )
)]
pub(crate) async fn add(request: ApiRequest) -> Result<Answer> {
    listed::add_tag::<Risk, _>(request, RiskNumber::parse_written, AddedView { message: "Tag added to risk" })
        .await
}

/// List a risk's tags
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/tags",
    operation_id = "list_risk_tags",
    tag = "Risks",
    params(crate::path::RiskId, PageParams),
    responses(
        (status = 200, description = "The risk's tags", body = List<TagView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    listed::list_tags::<Risk>(request).await
}

/// Put a tag on a risk
///
/// Without a body. One that is on the risk already stays, and nothing is journaled. The risk's version does not change.
#[utoipa::path(
    put,
    path = "/v1/risks/{risk_id}/tags/{tag_id}",
    operation_id = "put_risk_tag",
    tag = "Risks",
    params(
        crate::path::RiskId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "The tag is on the risk"),
        (status = 404, description = "Risk or tag not found"),
    )
)]
pub(crate) async fn put(request: ApiRequest) -> Result<Answer> {
    listed::change_tag::<Risk>(request, true).await
}

/// Remove a tag from a risk
///
/// The risk's version does not change.
#[utoipa::path(
    delete,
    path = "/v1/risks/{risk_id}/tags/{tag_id}",
    operation_id = "remove_risk_tag",
    tag = "Risks",
    params(
        crate::path::RiskId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "Tag removed from risk"),
        (status = 404, description = "Risk or tag not found"),
    )
)]
pub(crate) async fn remove(request: ApiRequest) -> Result<Answer> {
    listed::change_tag::<Risk>(request, false).await
}
