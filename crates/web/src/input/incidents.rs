//! What is sent about incidents.

use domain::incident::{self, DateField, Dates, Kind, Message, NewIncident};
use domain::severity::{self, Severity, StatedSeverity};
use domain::{Faults, IncidentNumber, tag};
use jiff::{SignedDuration, Timestamp};
use utoipa::ToSchema;
use uuid::Uuid;

use super::bulk;
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets; sending one is a fault.
pub(super) const READ_ONLY: &[&str] = &[
    "id",
    "category",
    "status_date",
    "status_reason",
    "severity_source",
    "opened_by",
    "first_contained_date",
    "first_resolved_date",
    "reopen_count",
    "kept",
    "spells",
    "overridden",
    "legal_hold_reason",
    "created_date",
    "updated_date",
    "version",
    "warnings",
];

/// The members that a change does not set, with the operations that do.
pub(super) const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["severity", "severity_reasoning"], "PUT /v1/incidents/{id}/severity"),
    (&["tags"], "PUT /v1/incidents/{id}/tags/{tag_id}"),
    (&["external_source"], "PUT /v1/sources/{external_source}/incidents/{external_ref}"),
];

/// The members that a creation does not set, with the operations that do.
const LATER: &[(&[&str], &str)] = &[
    (
        &[
            "status",
            "resolved_date",
            "closed_date",
            "resolution_reason",
            "resolution_summary",
            "duplicate_of",
        ],
        "POST /v1/incidents/{id}/transitions",
    ),
    (&["external_source", "external_ref"], "PUT /v1/sources/{external_source}/incidents/{external_ref}"),
    (&["kind", "restricted", "readers", "hold", "legal_hold"], "PATCH /v1/incidents/{id}"),
];

/// An incident to declare. Absent and null mean the same.
#[derive(ToSchema)]
#[schema(as = NewIncident)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewIncidentInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Phishing mail to the finance team"))]
    title: String,
    /// Markdown, at most 64 KiB; may be empty.
    #[schema(max_length = 65536, examples("Three people clicked."))]
    description: String,
    /// Where it was detected.
    #[schema(max_length = 200, examples("mail gateway"))]
    source: Option<String>,
    /// The assignee's id: a member of the organization.
    assigned_to: Option<Uuid>,
    /// When the incident began.
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_date: Option<String>,
    /// When it was detected; by default the time of creation, or `occurred_date` if that is later.
    #[schema(value_type = Option<String>, format = DateTime)]
    detected_date: Option<String>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// When the incident was contained: its harm no longer grew.
    #[schema(value_type = Option<String>, format = DateTime)]
    contained_date: Option<String>,
    /// How severe it is, as somebody has judged; it comes with its `severity_reasoning`.
    severity: Option<SeverityInput>,
    /// Why, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536, examples("Forty mailboxes were opened."))]
    severity_reasoning: Option<String>,
    /// Names of tags, without regard to case.
    #[schema(max_items = 50, value_type = Option<Vec<TagNameInput>>)]
    tags: Option<Vec<String>>,
}

/// What an external system says of an incident. Absent and null mean the same: nothing is said of the field.
#[derive(ToSchema)]
#[schema(as = IncidentMessage)]
#[expect(dead_code, reason = "describes the body, which `read_message` reads")]
pub(crate) struct MessageInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Beacon to a known command server"))]
    title: String,
    /// Markdown, at most 64 KiB; may be empty.
    #[schema(max_length = 65536, examples("Host ws-17, every 60 seconds."))]
    description: String,
    /// What kind of event it is; a real one unless this is said.
    #[schema(value_type = Option<KindInput>)]
    kind: Option<KindInput>,
    /// Where it was detected.
    #[schema(max_length = 200, examples("EDR"))]
    source: Option<String>,
    /// The assignee's id: a member of the organization.
    assigned_to: Option<Uuid>,
    /// When the incident began.
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_date: Option<String>,
    /// When it was detected; by default the time of the first message, or `occurred_date` if that is later.
    #[schema(value_type = Option<String>, format = DateTime)]
    detected_date: Option<String>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// When the incident was contained: its harm no longer grew.
    #[schema(value_type = Option<String>, format = DateTime)]
    contained_date: Option<String>,
    /// How severe it is, as somebody has judged; it comes with its `severity_reasoning`.
    severity: Option<SeverityInput>,
    /// Why, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536, examples("Forty mailboxes were opened."))]
    severity_reasoning: Option<String>,
    /// Names of tags, without regard to case.
    #[schema(max_items = 50, value_type = Option<Vec<TagNameInput>>)]
    tags: Option<Vec<String>>,
}

/// The name of a tag, one line.
#[derive(ToSchema)]
#[schema(as = TagName, value_type = String, min_length = 1, max_length = 50, examples("phishing"))]
#[expect(dead_code, reason = "describes a member of the body")]
struct TagNameInput(String);

type KindInput = OneOf<Kind>;
type SeverityInput = OneOf<Severity>;

/// Reads an incident to declare.
pub fn read_new(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewIncident> {
    if body == Json::Null {
        return Some(NewIncident::untitled());
    }
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let new = read_members(&mut fields, now, SignedDuration::ZERO);
    fields.finish();
    new
}

/// Reads a message of an external system, whose clocks may differ by `skew`.
pub fn read_message(
    body: Json<'_>,
    now: Timestamp,
    skew: SignedDuration,
    faults: &mut Faults,
) -> Option<Message> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let kind = fields.optional_with("kind", word);
    let new = read_members(&mut fields, now, skew);
    fields.finish();
    Some(Message { new: new?, kind })
}

fn read_members(fields: &mut Fields<'_, '_>, now: Timestamp, skew: SignedDuration) -> Option<NewIncident> {
    let title = fields.required_text("title", incident::title);
    let description = fields.required_text("description", incident::description);
    let source = fields.optional_text("source", incident::source);
    let assigned_to = fields.optional("assigned_to");
    let dates = Dates {
        occurred: fields.optional("occurred_date"),
        detected: fields.optional("detected_date"),
        responded: fields.optional("responded_date"),
        contained: fields.optional("contained_date"),
        ..Dates::default()
    };
    let severity = read_severity(fields);
    let tags = fields.optional::<Vec<String>>("tags").unwrap_or_default();
    tag::names(&tags, "#/tags", fields.faults());
    fields.read_only(READ_ONLY);
    fields.set_elsewhere(LATER);
    // The write checks this again with its exact time; it is checked here so that all faults are reported together.
    let pointer = |field| dates.get(field).map(|_| DateField::pointer(field));
    incident::check_dates_within(&dates, pointer, now, skew, fields.faults());
    Some(NewIncident {
        title: title?,
        description: description?,
        source,
        assigned_to,
        occurred_date: dates.occurred,
        detected_date: dates.detected,
        responded_date: dates.responded,
        contained_date: dates.contained,
        severity,
        tags,
    })
}

/// Reads a severity and its reasoning, neither of which is sent alone.
fn read_severity(fields: &mut Fields<'_, '_>) -> Option<StatedSeverity> {
    let is_sent = fields.has("severity") || fields.has("severity_reasoning");
    if !is_sent {
        fields.read_and_forget(&["severity", "severity_reasoning"]);
        return None;
    }
    let severity = fields.required_with("severity", word);
    let reasoning = fields.required_text("severity_reasoning", severity::manual_reason);
    Some(StatedSeverity::manual(severity?, reasoning?))
}

/// The ids of incidents.
#[derive(ToSchema)]
#[schema(as = IncidentIds)]
#[expect(dead_code, reason = "describes the body, which `read_ids` reads")]
pub(crate) struct IncidentIdsInput {
    /// Numbers, or ids such as `INC-0042`. Duplicates count once.
    #[schema(max_items = 10000)]
    ids: Vec<IdInput>,
}

/// An id of an incident.
#[derive(ToSchema)]
#[schema(as = IncidentId)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the body")]
pub(super) enum IdInput {
    /// The number.
    Number(i64),
    /// `INC-` and the number.
    Text(String),
}

/// Reads `{"ids": […]}`, with texts by `parse`.
pub fn read_ids(
    body: Json<'_>,
    faults: &mut Faults,
    parse: fn(&str) -> Option<IncidentNumber>,
) -> Option<Vec<IncidentNumber>> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let ids = fields.required_with("ids", |value, at, faults| bulk::ids(value, at, faults, parse));
    fields.finish();
    ids
}
