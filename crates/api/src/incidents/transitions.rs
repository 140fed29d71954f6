//! `/v1/incidents/{id}/transitions`

use domain::incident::Transition;
use domain::incident::{Obstacle, Status, TransitionOption};
use domain::json;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::word::OneOf;
use serde::Serialize;
use utoipa::ToSchema;

use super::IncidentView;
use super::update::change;

/// The other statuses of an incident.
#[derive(Serialize, ToSchema)]
#[schema(as = TransitionOptions)]
struct OptionsView {
    /// One row for each status that the incident does not have.
    #[schema(max_items = 5)]
    data: Vec<OptionView>,
}

/// Another status, and whether the caller can give it to the incident now.
#[derive(Serialize, ToSchema)]
#[schema(as = TransitionOption, examples(json!({"to": "closed"})))]
struct OptionView {
    /// The status.
    to: StatusView,
    /// Whether it reopens the incident.
    reopens: bool,
    /// Whether it is possible if the members in `needs` are sent.
    permitted: bool,
    /// The members that must be sent.
    #[schema(value_type = Vec<String>, max_items = 10, max_length = 100, examples(json!(["resolution_reason"])))]
    needs: Vec<&'static str>,
    /// What blocks it.
    #[schema(max_items = 10)]
    blocked_by: Vec<ObstacleView>,
}

type StatusView = OneOf<Status>;

/// Something that blocks a transition.
#[derive(Serialize, ToSchema)]
#[schema(as = TransitionObstacle)]
struct ObstacleView {
    /// Stable machine code.
    #[schema(max_length = 100, pattern = "^[a-z_]{1,100}$", examples("transition_not_allowed"))]
    code: &'static str,
    /// A sentence for a person.
    #[schema(max_length = 2_048, examples("An incident that is new cannot become closed."))]
    detail: String,
}

impl From<TransitionOption> for OptionView {
    fn from(it: TransitionOption) -> Self {
        let obstacle = |Obstacle { code, detail }| ObstacleView { code, detail };
        Self {
            to: it.to.into(),
            reopens: it.reopens,
            permitted: it.permitted,
            needs: it.needs,
            blocked_by: it.blocked_by.into_iter().map(obstacle).collect(),
        }
    }
}

/// List the transitions of an incident
///
/// Each other status with what it requires and what blocks it, for this caller at this moment.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/transitions",
    operation_id = "list_incident_transitions",
    tag = "Incidents",
    params(crate::path::IncidentId),
    responses(
        (status = 200, description = "The transitions", body = OptionsView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let scopes = request.permissions().scopes();
    let options = store::incidents::options(&mut tx, organization, &viewer, number, scopes).await?;
    Answer::record(None, &OptionsView { data: options.into_iter().map(OptionView::from).collect() })
}

/// Change the status of an incident
///
/// "Take it" is one call: `{"to": "investigating", "assigned_to": "…"}`. With the status that the incident has already,
/// members that equal what is stored change nothing, others change it by the rules of the way in, and another `at`, `reason`
/// or `override` is 422 `not_in_status`. A status that cannot follow is 409 `transition_not_allowed` and lists those that
/// can; closing an incident that lacks something is 409 `close_requirements`. `POST /v1/undo` takes a transition back.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/transitions",
    operation_id = "change_incident_status",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body = Transition,
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "`transition_not_allowed` or `close_requirements`"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let transition: Transition = request.json(json::body).await?;
    change(request, number, transition.into()).await
}
