//! `GET /v1/organizations/{id}/risk-performance/series`

use domain::OrgId;
use domain::performance::{DEFAULT_PERIOD_DAYS, MOST_POINTS, Step, cutoff};
use domain::time::floor;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::error_codes::ParameterCode;
use http::query::{OneWord, Time};
use http::word::OneOf;
use lists::risk_figures;
use serde::Serialize;
use store::performance::period;
use utoipa::ToSchema;

use super::PerformanceParams;
use super::view::PointView;
use crate::organizations::read::own_organization;

http::parameters! {
    /// Which moments.
    pub(crate) struct MomentsParams {
        /// The first moment; 90 days before the last one unless it is sent.
        from: Time,
        /// The end, which is the last moment if it is so many steps from the first; unless it is sent the last full hour,
        /// or `from` if that is later.
        to: Time,
        /// How far apart the moments are.
        step: OneWord<Step> = "week",
    }
}

type StepView = OneOf<Step>;

/// The risk performance at several moments.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformanceSeries)]
struct SeriesView {
    /// The organization's id.
    org_id: OrgId,
    /// The number of days that each point looks back.
    #[schema(minimum = 1, maximum = 3650, examples(90))]
    period_days: i64,
    /// How far apart the points are.
    step: StepView,
    /// The points, the earliest first.
    #[schema(max_items = 400)]
    points: Vec<PointView>,
}

/// Series of the risk performance
///
/// Each point is what the risk performance with `as_of` of its time returns, with tag, owner and category as they were
/// then. A series has at most 400 points.
#[utoipa::path(
    get,
    path = "/v1/organizations/{id}/risk-performance/series",
    operation_id = "read_risk_performance_series",
    tag = "Organizations",
    params(("id" = inline(OrgId), Path, description = "Organization id"), MomentsParams, PerformanceParams),
    responses(
        (status = 200, description = "The series", body = SeriesView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    let mut query = request.query();
    let MomentsParams { from, to, step } = MomentsParams::read(&mut query);
    query.times(("from", from), ("to", to));
    let params = PerformanceParams::read(&mut query);
    let period_days = params.period_days.unwrap_or(DEFAULT_PERIOD_DAYS);
    let filter = params.filter(&mut query, request.actor()).unwrap_or_default();
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let now = period(&mut tx, id, period_days).await?.until;
    let hour = floor(now, 3_600);
    let to = to.unwrap_or_else(|| from.filter(|from| *from <= now).map_or(hour, |from| from.max(hour)));
    if to > now {
        return Err(Error::parameter("to", ParameterCode::Range, "must not be in the future"));
    }
    // With `to`, that was checked before.
    if from.is_some_and(|from| from > to) {
        return Err(Error::parameter("from", ParameterCode::Range, "must not be in the future"));
    }
    let step = step.unwrap_or(Step::Week);
    let Some(moments) = step.moments(from.unwrap_or_else(|| cutoff(to, DEFAULT_PERIOD_DAYS)), to) else {
        let detail = format!("must be at most {MOST_POINTS} steps before `to`");
        return Err(Error::parameter("from", ParameterCode::Range, detail));
    };
    let points =
        risk_figures::series(&request.app, &mut tx, id, (period_days, step), &filter, moments).await?;
    let points = points.into_iter().map(PointView::from).collect();
    Answer::record(None, &SeriesView { org_id: id, period_days, step: StepView::from(step), points })
}
