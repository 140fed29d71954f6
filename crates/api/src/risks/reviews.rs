//! `GET` and `POST /v1/risks/{risk_id}/reviews`

use domain::risk::{NewRiskReview, RiskReview};
use domain::{Prose, ResourceKind, RiskNumber, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use hyper::StatusCode;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::ActorView;

/// A review of a risk. It never changes.
#[derive(Serialize, ToSchema, View)]
#[schema(as = RiskReview)]
#[view(RiskReview)]
struct ReviewView {
    /// The risk's id.
    risk: RiskNumber,
    /// The review's number: counted from 1 for each risk.
    #[schema(minimum = 1)]
    number: i64,
    /// What was reviewed and found, as Markdown.
    note: Option<Prose>,
    /// Who reviewed it.
    reviewed_by: ActorView,
    /// When it was reviewed.
    reviewed_date: Timestamp,
}

/// List a risk's reviews
///
/// The latest first.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/reviews",
    operation_id = "list_risk_reviews",
    tag = "Risks",
    params(crate::path::RiskId, PageParams),
    responses(
        (status = 200, description = "Reviews", body = List<ReviewView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows = store::risks::reviews(&mut tx, organization, risk, page.after, page.limit).await?;
    let total = page.total(store::risks::count_reviews(&mut tx, organization, risk)).await?;
    Answer::list(&request.list(rows, total, |review: &RiskReview| review.number, ReviewView::from))
}

/// Record a review of a risk
///
/// The next review is due `review_every_days` later; without that, none is due. A review is no evaluation: the day of the next
/// evaluation stays.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/reviews",
    operation_id = "review_risk",
    tag = "Risks",
    params(crate::path::RiskId),
    request_body = NewRiskReview,
    responses(
        (status = 201, description = "Review recorded", body = ReviewView),
        (status = 404, description = "Risk not found"),
        (status = 409, description = "The risk is closed"),
    )
)]
pub(crate) async fn record(mut request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let new = request.json(json::body::<NewRiskReview>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::risks::review(tx, organization, author, risk, &new).await
            },
            |review| {
                // Reviews are read as a list, so this response carries no entity tag.
                let location = Some(format!("/v1/risks/{}/reviews", review.risk));
                Ok(Answer {
                    status: StatusCode::CREATED,
                    location,
                    ..Answer::outcome(&ReviewView::from(review))?
                })
            },
        )
        .await
}
