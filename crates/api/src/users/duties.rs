//! `GET /v1/users/{id}/duties`

use domain::duty::Duty;
use domain::review::ReviewState;
use domain::{Line, ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::word::OneOf;
use serde::Serialize;
use store::duties::{DutiesOf, NamedDocument, NamedReview};
use utoipa::ToSchema;

use crate::shared::PersonView;
use crate::tasks::view::{IncidentNameView, RiskNameView, TaskView};

/// What a member is responsible for. Each list has the number of all of them, and the first 50.
#[derive(Serialize, ToSchema)]
#[schema(as = Duties)]
struct DutiesView {
    /// The member, also one who has left.
    user: PersonView,
    /// The open incidents that the member leads; null without `incidents:read`.
    incidents: Option<IncidentDutiesView>,
    /// The tasks of incidents that the member owns and that are open or in progress; null without `incidents:read`.
    tasks: Option<TaskDutiesView>,
    /// The reviews that the member owns and that are not published; null without `incidents:read`.
    reviews: Option<ReviewDutiesView>,
    /// The open risks that the member owns; null without `risks:read`.
    risks: Option<RiskDutiesView>,
    /// The tasks of risks that the member owns and that are open or in progress; null without `risks:read`.
    risk_tasks: Option<TaskDutiesView>,
    /// The documents that the member owns and that are not archived; null without `documents:read`.
    documents: Option<DocumentDutiesView>,
}

/// Open incidents that a member leads.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentDuties)]
struct IncidentDutiesView {
    /// How many there are.
    count: i64,
    /// The latest first; `GET /v1/incidents?assigned_to=…&category=open` has them all.
    #[schema(max_items = 50)]
    first: Vec<IncidentNameView>,
}

/// Open tasks of a member.
#[derive(Serialize, ToSchema)]
#[schema(as = TaskDuties)]
struct TaskDutiesView {
    /// How many there are.
    count: i64,
    /// By due date; `GET /v1/tasks?owner=…&status=open&status=in_progress` has all of incidents and risks.
    #[schema(max_items = 50)]
    first: Vec<TaskView>,
}

/// Reviews that a member has to get written.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewDuties)]
struct ReviewDutiesView {
    /// How many there are.
    count: i64,
    /// By their latest incident, the latest first.
    #[schema(max_items = 50)]
    first: Vec<ReviewNameView>,
}

/// A review by the name of its incident.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewName)]
struct ReviewNameView {
    /// The incident.
    incident: IncidentNameView,
    /// The edition that is not published yet.
    #[schema(minimum = 1)]
    edition: i64,
    /// Its state.
    state: ReviewStateView,
}

type ReviewStateView = OneOf<ReviewState>;

/// Open risks that a member owns.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskDuties)]
struct RiskDutiesView {
    /// How many there are.
    count: i64,
    /// The latest first; `GET /v1/risks?owner=…&status=open` has them all.
    #[schema(max_items = 50)]
    first: Vec<RiskNameView>,
}

/// Documents that a member owns.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentDuties)]
struct DocumentDutiesView {
    /// How many there are.
    count: i64,
    /// By slug; `GET /v1/documents?owner=…` has them all.
    #[schema(max_items = 50)]
    first: Vec<DocumentNameView>,
}

/// A document's slug and title.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentName, examples(json!({"title": "Access control policy"})))]
struct DocumentNameView {
    /// The name in addresses.
    #[schema(max_length = 80, examples("access-control"))]
    slug: String,
    /// The title, one line.
    title: Line,
}

impl From<NamedReview> for ReviewNameView {
    fn from(it: NamedReview) -> Self {
        let incident = IncidentNameView::new(it.incident, it.incident_title);
        Self { incident, edition: it.edition, state: it.state.into() }
    }
}

impl From<NamedDocument> for DocumentNameView {
    fn from(NamedDocument { slug, title }: NamedDocument) -> Self {
        Self { slug, title }
    }
}

impl From<DutiesOf> for DutiesView {
    fn from(it: DutiesOf) -> Self {
        let count = |duty| it.counts.of(duty);
        let incident = |(number, title)| IncidentNameView::new(number, title);
        let risk = |(id, title)| RiskNameView { id, title };
        Self {
            incidents: count(Duty::Incidents).map(|count| {
                let first = it.incidents.into_iter().map(incident).collect();
                IncidentDutiesView { count, first }
            }),
            tasks: count(Duty::Tasks).map(|count| {
                let first = it.tasks.into_iter().map(TaskView::from).collect();
                TaskDutiesView { count, first }
            }),
            reviews: count(Duty::Reviews).map(|count| {
                let first = it.reviews.into_iter().map(ReviewNameView::from).collect();
                ReviewDutiesView { count, first }
            }),
            risks: count(Duty::Risks).map(|count| {
                let first = it.risks.into_iter().map(risk).collect();
                RiskDutiesView { count, first }
            }),
            risk_tasks: count(Duty::RiskTasks).map(|count| {
                let first = it.risk_tasks.into_iter().map(TaskView::from).collect();
                TaskDutiesView { count, first }
            }),
            documents: count(Duty::Documents).map(|count| {
                let first = it.documents.into_iter().map(DocumentNameView::from).collect();
                DocumentDutiesView { count, first }
            }),
            user: it.person.into(),
        }
    }
}

/// Read a user's duties
///
/// The duties of a member: open incidents, tasks, reviews, risks and documents, as far as the caller may read them. It
/// also works for former members.
#[utoipa::path(
    get,
    path = "/v1/users/{id}/duties",
    operation_id = "read_duties",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    responses(
        (status = 200, description = "The duties", body = DutiesView),
        (status = 404, description = "User not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let kinds = Duty::known_to(request.permissions().scopes());
    let mut tx = request.app.db().read().await?;
    let duties = store::duties::get(&mut tx, organization, &viewer, &kinds, id).await?;
    Answer::record(None, &DutiesView::from(duties))
}
