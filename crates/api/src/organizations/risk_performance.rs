//! `GET /v1/organizations/{id}/risk-performance`

use domain::OrgId;
use domain::performance::{DEFAULT_PERIOD_DAYS, PERIOD_DAYS};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::{Parameter, Query};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};

use super::read::own_organization;

/// The achieved share of the planned risk reduction.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformance)]
struct PerformanceView {
    /// The organization's id.
    org_id: OrgId,
    /// The number of days looked back.
    #[schema(value_type = i32, minimum = 1, maximum = 3650, examples(90))]
    period_days: i64,
    /// The number of risks with a target, including closed ones, whose latest evaluation is in the period. Deleted risks
    /// do not count.
    #[schema(value_type = i32, examples(1))]
    total_risks_evaluated: i64,
    /// The average performance of those evaluations in per cent, rounded half up; 0 if there are none.
    #[schema(value_type = i32, minimum = 0, maximum = 100, examples(57))]
    average_performance_percentage: i64,
}

http::parameters! {
    /// The query parameters.
    pub(crate) struct PerformanceParams {
        /// The number of days to look back.
        period_days: Days = 90,
    }
}

/// A number of days, which clients know as one of 32 bits.
pub(crate) struct Days;

impl Parameter for Days {
    type Value = Option<i64>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<i64> {
        query.integer(name, *PERIOD_DAYS.start(), *PERIOD_DAYS.end())
    }

    fn schema() -> RefOr<Schema> {
        let days = ObjectBuilder::new().schema_type(Type::Integer);
        let days = days.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)));
        days.minimum(Some(*PERIOD_DAYS.start())).maximum(Some(*PERIOD_DAYS.end())).into()
    }
}

/// Risk performance of the organization
///
/// A risk's performance is the share of the planned reduction of its score that its latest evaluation achieved:
/// (inherent - current) / (inherent - target), limited to the range from 0 to 1.
#[utoipa::path(
    get,
    path = "/v1/organizations/{id}/risk-performance",
    operation_id = "read_risk_performance",
    tag = "Organizations",
    params(("id" = inline(OrgId), Path, description = "Organization id"), PerformanceParams),
    responses(
        (status = 200, description = "Risk performance metrics", body = PerformanceView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    let mut query = request.query();
    let period_days = PerformanceParams::read(&mut query).period_days.unwrap_or(DEFAULT_PERIOD_DAYS);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let figure = store::performance::get(&mut tx, id, period_days).await?;
    let view = PerformanceView {
        org_id: id,
        period_days,
        total_risks_evaluated: figure.total_risks_evaluated,
        average_performance_percentage: figure.average_performance_percentage,
    };
    Answer::record(None, &view)
}
