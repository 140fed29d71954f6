//! An incident as responses show it.

use domain::incident::{self, Incident, Status, Warning};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::shared::{ActorView, PersonView};
use crate::http::as_of::AsOfShown;
use crate::http::timestamp::Timestamp;
use crate::http::word::OneOf;

/// An incident.
#[derive(Serialize, ToSchema)]
#[schema(as = Incident)]
pub(crate) struct IncidentView {
    /// `INC-` and the number, padded to at least four digits.
    #[schema(examples("INC-0001"), pattern = "^INC-[0-9]{4,}$")]
    id: String,
    /// The title, one line.
    #[schema(min_length = 1, max_length = 200, examples("Phishing mail to the finance team"))]
    title: String,
    /// The description, as Markdown.
    description: String,
    /// The incident's status.
    status: StatusView,
    /// The explanation of the severity.
    severity_reasoning: Option<String>,
    /// Where it was detected.
    source: Option<String>,
    /// The assignee.
    assigned_to: Option<PersonView>,
    /// Who declared the incident.
    opened_by: ActorView,
    /// When the incident began.
    occurred_date: Option<Timestamp>,
    /// When it was detected.
    detected_date: Timestamp,
    /// When the response began.
    responded_date: Option<Timestamp>,
    /// When the incident was contained: its harm no longer grew.
    contained_date: Option<Timestamp>,
    /// When the incident was declared.
    created_date: Timestamp,
    /// When the incident was last changed.
    updated_date: Timestamp,
    /// When the incident was deleted; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    deleted_date: Option<Timestamp>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
    /// Warnings about dates that are unlikely, but allowed.
    warnings: Vec<WarningView>,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

type StatusView = OneOf<Status>;

/// Two dates in an unlikely order.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentWarning)]
struct WarningView {
    /// Stable machine code.
    #[schema(examples("contained_before_detected"))]
    code: &'static str,
    /// The two fields.
    #[schema(value_type = Vec<String>, min_items = 2, max_items = 2)]
    fields: [&'static str; 2],
    /// A sentence for a person.
    message: String,
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code, fields: warning.fields, message: warning.message }
    }
}

impl From<Incident> for IncidentView {
    fn from(it: Incident) -> Self {
        let warnings = incident::warnings(&it.dates()).into_iter().map(WarningView::from).collect();
        Self {
            id: it.number.to_string(),
            title: it.title,
            description: it.description,
            status: it.status.into(),
            severity_reasoning: it.severity_reasoning,
            source: it.source,
            assigned_to: it.assigned_to.map(PersonView::from),
            opened_by: it.opened_by.into(),
            occurred_date: it.occurred_date.map(Timestamp),
            detected_date: it.detected_date.into(),
            responded_date: it.responded_date.map(Timestamp),
            contained_date: it.contained_date.map(Timestamp),
            created_date: it.created_date.into(),
            updated_date: it.updated_date.into(),
            deleted_date: it.deleted_date.map(Timestamp),
            version: it.version,
            warnings,
            as_of: None,
            as_of_seq: None,
        }
    }
}

impl IncidentView {
    /// The same with the requested point in time.
    pub(crate) fn seen(incident: Incident, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..Self::from(incident) }
    }
}
