//! A task as responses show it.

use domain::task::TaskStatus;
use domain::{IncidentNumber, Line, ProseOrEmpty, Reason, RiskNumber};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::tasks::TaskDetails;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView};

/// A task of an incident or a risk.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Task, examples(json!({"title": "Reset the passwords of the finance team"})))]
#[view(TaskDetails { of, title: record_title, task: it })]
pub(crate) struct TaskView {
    /// The number: counted from 1 for each incident or risk.
    #[schema(minimum = 1)]
    number: i64,
    /// The incident that it belongs to; null for a task of a risk.
    #[view(of.incident().map(|id| IncidentNameView::new(id, record_title.clone())))]
    incident: Option<IncidentNameView>,
    /// The risk that it belongs to; null for a task of an incident.
    #[view(of.risk().map(|id| RiskNameView { id, title: record_title }))]
    risk: Option<RiskNameView>,
    /// The title, one line.
    title: Line,
    /// Notes, as Markdown.
    notes: Option<ProseOrEmpty>,
    /// Who does it.
    owner: Option<PersonView>,
    /// Until when.
    due: Option<Timestamp>,
    /// Whether the incident cannot be closed while the task is open or in progress; false for a task of a risk.
    mandatory: bool,
    /// The task's status.
    status: TaskStatusView,
    /// Why it is not done; null unless the status is `not_doing`.
    reason: Option<Reason>,
    /// The tasks of a record are listed by position, then by number.
    position: i64,
    /// Who created the task.
    created_by: ActorView,
    /// When the task was created.
    created_date: Timestamp,
    /// Since when it is done; null unless the status is `done`.
    done_date: Option<Timestamp>,
    /// When the task was last changed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

pub(crate) type TaskStatusView = OneOf<TaskStatus>;

/// An incident's id and title.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentName, examples(json!({"title": "Phishing mail to the finance team"})))]
pub(crate) struct IncidentNameView {
    /// `INC-` and the number, padded to at least four digits.
    id: IncidentNumber,
    /// The title, one line.
    title: Line,
}

/// A risk's id and title.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskName, examples(json!({"title": "Loss of the only data centre"})))]
pub(crate) struct RiskNameView {
    /// `RSK-` and the number.
    pub(crate) id: RiskNumber,
    /// The title, one line.
    pub(crate) title: Line,
}

impl IncidentNameView {
    /// The name of an incident.
    pub(crate) fn new(number: IncidentNumber, title: Line) -> Self {
        Self { id: number, title }
    }
}
