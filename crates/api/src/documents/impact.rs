//! `GET /v1/documents/{id}/proposals/{number}/impact`

use domain::incident::Status;
use domain::risk::RiskStatus;
use domain::severity::Severity;
use domain::{IncidentNumber, ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::links::OpenIncident;
use store::proposals::{ConcernedRisk, Impact, WeakeningOption};
use utoipa::ToSchema;

use crate::shared::{PersonView, number};

type RiskStatusView = OneOf<RiskStatus>;
type SeverityView = OneOf<Severity>;
type StatusView = OneOf<Status>;

/// What the approval of a proposal, as it is, has an effect on. Of a closed proposal it is nothing.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ProposalImpact)]
#[view(Impact)]
struct ImpactView {
    /// The chosen options that make the policy weaker, of the items that it changes, in the order of the text.
    #[schema(max_items = 500)]
    weakening: Vec<WeakeningView>,
    /// The risks that the changed and removed items concern, by number: the first 100. Null without `risks:read`.
    #[schema(max_items = 100)]
    risks: Option<Vec<RiskImpactView>>,
    /// How many risks they concern. Null without `risks:read`.
    #[schema(minimum = 0, examples(3))]
    risk_count: Option<i64>,
    /// Whether everybody acknowledges the document again.
    #[view(it.is_material)]
    material: bool,
    /// How many people have acknowledged the document and must do so again.
    #[schema(minimum = 0, examples(40))]
    acknowledge_again: i64,
    /// Those people, by name: the first 100. Callers who do not see everybody who is asked see themselves.
    #[schema(max_items = 100)]
    people: Vec<PersonView>,
}

/// A chosen option that makes the policy weaker.
#[derive(Serialize, ToSchema, View)]
#[schema(as = WeakeningOption)]
#[view(WeakeningOption)]
struct WeakeningView {
    /// The item's id.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The item's label.
    #[schema(max_length = 200, examples("Second factor"))]
    label: String,
    /// The option's id.
    #[schema(max_length = 80, examples("admins"))]
    #[view(it.option.id.clone())]
    option: String,
    /// The option's label.
    #[schema(max_length = 200, examples("Administrators"))]
    #[view(it.option.label.clone())]
    option_label: String,
    /// The value that the document has; null if it has none.
    #[schema(max_length = 65_536, examples("all"))]
    previous: Option<String>,
}

/// A risk that changed items concern.
#[derive(Serialize, ToSchema, View)]
#[schema(as = RiskImpact)]
#[view(ConcernedRisk)]
struct RiskImpactView {
    /// The risk's id.
    #[view(it.number)]
    id: RiskNumber,
    /// The risk's title.
    #[schema(max_length = 200, examples("Loss of the only data centre"))]
    title: String,
    /// The risk's status.
    status: RiskStatusView,
    /// The ids of the items that concern it.
    #[schema(max_items = 1000, max_length = 80, examples(json!(["mfa"])))]
    node_ids: Vec<String>,
    /// How many open incidents, of those that the caller may read, are linked to the risk.
    #[schema(minimum = 0)]
    open_incidents: i64,
    /// Those incidents, the latest first: the first 20.
    #[schema(max_items = 20)]
    incidents: Vec<OpenIncidentView>,
}

/// An incident that is not closed or dismissed.
#[derive(Serialize, ToSchema, View)]
#[schema(as = OpenIncident)]
#[view(OpenIncident)]
struct OpenIncidentView {
    /// The incident's id.
    #[view(it.number)]
    id: IncidentNumber,
    /// The incident's title.
    #[schema(max_length = 200)]
    title: String,
    /// The incident's status.
    status: StatusView,
    /// The incident's severity.
    severity: SeverityView,
}

/// Read the impact of a proposal
///
/// What an approval of the proposal, as it is, has an effect on: options that make the policy weaker, risks with their open
/// incidents, and people who must acknowledge the document again.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}/impact",
    operation_id = "read_proposal_impact",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    responses(
        (status = 200, description = "The impact", body = ImpactView),
        (status = 404, description = "Document not found, or Proposal not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let caller = (request.actor(), request.permissions().scopes());
    let impact = store::proposals::impact(&mut tx, organization, &draft, caller).await?;
    Answer::record(None, &ImpactView::from(impact))
}
