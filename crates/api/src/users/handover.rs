//! `POST /v1/users/{id}/handover`

use domain::duty::{Duty, DutyCounts, Handover};
use domain::json;
use domain::{ResourceKind, Scopes, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use utoipa::ToSchema;

/// How many duties were handed over.
#[derive(Serialize, ToSchema)]
#[schema(as = HandedOver)]
struct HandedOverView {
    /// By kind.
    moved: MovedView,
}

/// Duties by kind; a kind that was not to be handed over is absent.
#[derive(Serialize, ToSchema)]
#[schema(as = MovedDuties)]
struct MovedView {
    /// Incidents with another lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    incidents: Option<i64>,
    /// Tasks of incidents with another owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    tasks: Option<i64>,
    /// Reviews with another owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    reviews: Option<i64>,
    /// Risks with another owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    risks: Option<i64>,
    /// Tasks of risks with another owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    risk_tasks: Option<i64>,
    /// Documents with another owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    documents: Option<i64>,
}

impl From<&DutyCounts> for HandedOverView {
    fn from(counts: &DutyCounts) -> Self {
        let moved = MovedView {
            incidents: counts.of(Duty::Incidents),
            tasks: counts.of(Duty::Tasks),
            reviews: counts.of(Duty::Reviews),
            risks: counts.of(Duty::Risks),
            risk_tasks: counts.of(Duty::RiskTasks),
            documents: counts.of(Duty::Documents),
        };
        Self { moved }
    }
}

/// Hand a user's duties over
///
/// Transfers the duties of this member, who may have left, to another one in one write, each record with its own
/// journal entry. `which` selects the kinds; by default all that the caller may change. Incidents that the caller
/// cannot see stay with the member. `POST /v1/undo` reverts incidents and risks.
#[utoipa::path(
    post,
    path = "/v1/users/{id}/handover",
    operation_id = "hand_over_duties",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    request_body = Handover,
    responses(
        (status = 200, description = "Duties handed over", body = HandedOverView),
        (status = 404, description = "User not found"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let from = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    let Handover { to, which } = request.json(json::body).await?;
    let scopes = request.permissions().scopes();
    let kinds = which.unwrap_or_else(|| Duty::handed_over_by(scopes));
    let needed: Scopes = kinds.iter().map(|duty| duty.writes()).collect();
    request.permissions().require(needed)?;
    // How many records there are is known only in the write, so it has a transaction of its own.
    request
        .write_rows(
            usize::MAX,
            async move |tx, organization, author| {
                store::duties::hand_over(tx, organization, author, &kinds, (from, to)).await
            },
            |moved| Answer::bulk_outcome(moved.total(), &HandedOverView::from(&moved)),
        )
        .await
}
