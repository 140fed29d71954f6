//! `/v1/incidents/{id}/severity`

use domain::incident::{Incident, IncidentPatch};
use domain::json::body;
use domain::severity::{Answers, Severity, SeveritySource, StatedSeverity};
use domain::{IncidentNumber, Prose, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::word::OneOf;
use serde::Serialize;
use store::View;
use utoipa::ToSchema;

use super::IncidentView;
use super::update::change;
use crate::severity::view::{AssessmentView, REASONING};

/// The severity of an incident, and why.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentSeverity, examples(json!({
    "severity": "high", "severity_reasoning": REASONING, "severity_source": "computed",
})))]
struct SeverityView {
    /// The level.
    severity: SeverityWord,
    /// The explanation: the reasoning of the rules, or the reason of the person who set it.
    severity_reasoning: Option<Prose>,
    /// How the severity came about; null before the first assessment.
    severity_source: Option<SeveritySourceWord>,
    /// The latest answers; null if there are none.
    answers: Option<Answers>,
    /// The severity calculated from these answers: the current one, or the one that was overridden.
    computed: Option<AssessmentView>,
    /// The version of the incident.
    #[schema(minimum = 1)]
    version: i64,
}

type SeverityWord = OneOf<Severity>;
type SeveritySourceWord = OneOf<SeveritySource>;

impl SeverityView {
    fn of(incident: &Incident) -> Self {
        let stated = incident.stated_severity();
        // Answers that a newer release stored are not shown: their form is not known.
        let answers = stated.answers.as_deref().and_then(Answers::from_stored);
        Self {
            severity: stated.severity.into(),
            severity_reasoning: stated.reasoning,
            severity_source: stated.source.map(OneOf),
            computed: answers.as_ref().map(|answers| answers.assess().into()),
            answers,
            version: incident.version,
        }
    }
}

/// Read the severity of an incident
///
/// The severity with its answers and their assessment. If a person has overridden the severity, `computed` is the
/// calculated one.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/severity",
    operation_id = "read_incident_severity",
    tag = "Incidents",
    params(crate::path::IncidentId),
    responses(
        (status = 200, description = "The severity", body = SeverityView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, View::now()).await?;
    Answer::record(incident.version, &SeverityView::of(&incident))
}

/// Set the severity of an incident
///
/// With answers, the severity and its reasoning are calculated as by `POST /v1/severity/assess`. With `severity` and
/// `reason`, a person sets it; the latest answers and the severity calculated from them are kept.
#[utoipa::path(
    put,
    path = "/v1/incidents/{id}/severity",
    operation_id = "set_incident_severity",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body = StatedSeverity,
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "It is closed, and closing requires more with this severity (`close_requirements`)"),
    )
)]
pub(crate) async fn set(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let severity = request.json(body).await?;
    change(request, number, IncidentPatch { severity: Some(severity), ..IncidentPatch::default() }).await
}
