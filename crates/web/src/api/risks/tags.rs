//! `/v1/risks/{risk_id}/tags`

use domain::json;
use domain::tag::TagReference;
use domain::{ResourceKind, RiskNumber, TagId};
use hyper::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tags::TagView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// The outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskTagAdded)]
struct AddedView {
    /// A sentence for a person.
    #[schema(value_type = String, examples("Tag added to risk"))]
    message: &'static str,
}

/// Add a tag to a risk
///
/// The risk's version does not change.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/tags",
    operation_id = "add_risk_tag",
    tag = "Risks",
    params(("risk_id" = String, Path, description = "`RSK-` and the number")),
    request_body = TagReference,
    responses(
        (status = 201, description = "Tag added to risk", body = AddedView),
        (status = 404, description = "Risk or tag not found"),
        (status = 409, description = "Tag already associated with risk"),
    )
)]
pub(crate) async fn add(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::RiskOrTag, RiskNumber::parse)?;
    request.no_query()?;
    let TagReference { tag_id: tag } = request.json(json::body).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::risks::add_tag(tx, organization, author, number, tag).await
            },
            move |()| {
                // A GET of the location returns the whole list, so this response carries no entity tag.
                let added = Answer::outcome(&AddedView { message: "Tag added to risk" })?;
                let location = Some(format!("/v1/risks/{number}/tags"));
                Ok(Answer { status: StatusCode::CREATED, location, ..added })
            },
        )
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
    params(("risk_id" = String, Path, description = "`RSK-` and the number"), PageParams),
    responses(
        (status = 200, description = "The risk's tags", body = List<TagView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let after = page.after.as_deref();
    let mut tx = request.app.db().read().await?;
    let rows = store::risks::list_tags(&mut tx, request.organization(), number, after, page.limit).await?;
    let total = page.total(store::risks::count_tags(&mut tx, request.organization(), number)).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
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
        ("risk_id" = String, Path, description = "`RSK-` and the number"),
        ("tag_id" = Uuid, Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "The tag is on the risk"),
        (status = 404, description = "Risk or tag not found"),
    )
)]
pub(crate) async fn put(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::RiskOrTag, RiskNumber::parse)?;
    let tag = request.path(1, ResourceKind::RiskOrTag, TagId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::risks::put_tag(tx, organization, author, number, tag).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
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
        ("risk_id" = String, Path, description = "`RSK-` and the number"),
        ("tag_id" = Uuid, Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "Tag removed from risk"),
        (status = 404, description = "Risk or tag not found"),
    )
)]
pub(crate) async fn remove(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::RiskOrTag, RiskNumber::parse)?;
    let tag = request.path(1, ResourceKind::RiskOrTag, TagId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::risks::remove_tag(tx, organization, author, number, tag).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}
