//! What is sent to change an incident: a merge patch, or a transition.

use domain::incident::{self, IncidentPatch, Kind, NewHold, ResolutionReason, Status};
use domain::{FaultCode, Faults, IncidentNumber};
use utoipa::ToSchema;
use uuid::Uuid;

use super::incidents::{ELSEWHERE, READ_ONLY};
use crate::http::json::{Fields, FromJson, Json, Pointer};
use crate::http::word::{OneOf, word};

type KindInput = OneOf<Kind>;
type ResolutionReasonInput = OneOf<ResolutionReason>;
type StatusInput = OneOf<Status>;

/// A merge patch (RFC 7396) of an incident: absent members stay as they are, null clears.
#[derive(ToSchema)]
#[schema(as = IncidentPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct IncidentPatchInput {
    /// One line, not blank.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Markdown, at most 64 KiB.
    #[schema(value_type = String, required = false, max_length = 65536)]
    description: Option<String>,
    /// What kind of event it is.
    #[schema(value_type = KindInput, required = false)]
    kind: Option<Kind>,
    /// Where it was detected.
    #[schema(max_length = 200)]
    source: Option<String>,
    /// The reference of the system that reports it.
    #[schema(min_length = 1, max_length = 200)]
    external_ref: Option<String>,
    /// The assignee's id: a member of the organization.
    assigned_to: Option<Uuid>,
    /// Whether only its readers, its assignee, who declared it and holders of `incidents:restricted` see it. They alone
    /// may change this and `readers`.
    #[schema(value_type = bool, required = false)]
    restricted: Option<bool>,
    /// The ids of the members who see it when it is restricted.
    #[schema(value_type = Vec<Uuid>, required = false, max_items = 50)]
    readers: Option<Vec<Uuid>>,
    /// When the incident began.
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_date: Option<String>,
    /// When it was detected.
    #[schema(value_type = String, required = false, format = DateTime)]
    detected_date: Option<String>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// When the incident was contained: its harm no longer grew.
    #[schema(value_type = Option<String>, format = DateTime)]
    contained_date: Option<String>,
    /// When it was resolved; only while it is resolved or closed.
    #[schema(value_type = String, required = false, format = DateTime)]
    resolved_date: Option<String>,
    /// When it was closed or dismissed; only while it is.
    #[schema(value_type = String, required = false, format = DateTime)]
    closed_date: Option<String>,
    /// Why it was resolved or dismissed; only while it is.
    #[schema(value_type = ResolutionReasonInput, required = false)]
    resolution_reason: Option<ResolutionReason>,
    /// What was found and done, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    resolution_summary: Option<String>,
    /// The incident that stands for a duplicate; only when it is dismissed as one.
    #[schema(value_type = String, required = false, pattern = "^([Ii][Nn][Cc]-)?0{0,4}[1-9][0-9]{0,13}$")]
    duplicate_of: Option<String>,
    /// The pause of the work on it.
    hold: Option<NewHoldInput>,
    /// Whether it may not be purged. Needs `incidents:delete`, and a `reason` when it changes.
    #[schema(value_type = bool, required = false)]
    legal_hold: Option<bool>,
    /// The next status; the rules are those of the transitions.
    #[schema(value_type = StatusInput, required = false)]
    status: Option<Status>,
    /// Why the status or the legal hold changes.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 2000)]
    reason: Option<String>,
    /// When the next status began; by default now.
    #[schema(value_type = String, required = false, format = DateTime)]
    at: Option<String>,
    /// Whether to close it although something is missing. Needs `incidents:override` and a `reason`.
    #[schema(value_type = bool, required = false)]
    r#override: Option<bool>,
}

/// A pause to set.
#[derive(ToSchema)]
#[schema(as = NewHold)]
#[expect(dead_code, reason = "describes the body, which `hold` reads")]
pub(crate) struct NewHoldInput {
    /// When it is over; absent or null: when somebody ends it.
    #[schema(value_type = Option<String>, format = DateTime)]
    until: Option<String>,
    /// Why.
    #[schema(min_length = 1, max_length = 2000, examples("The vendor needs until Friday."))]
    reason: String,
}

/// The next status of an incident. Absent and null mean the same.
#[derive(ToSchema)]
#[schema(as = Transition)]
#[expect(dead_code, reason = "describes the body, which `read_transition` reads")]
pub(crate) struct TransitionInput {
    /// The next status.
    to: StatusInput,
    /// Why; needed to reopen, to override, with the resolution reason `other`, and to dismiss an incident of high or
    /// critical severity.
    #[schema(min_length = 1, max_length = 2000)]
    reason: Option<String>,
    /// When the status began; by default now.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<String>,
    /// The assignee's id, to take the incident in the same call.
    assigned_to: Option<Uuid>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// Why it is resolved or dismissed.
    resolution_reason: Option<ResolutionReasonInput>,
    /// What was found and done, as Markdown, at most 64 KiB.
    #[schema(min_length = 1, max_length = 65536)]
    resolution_summary: Option<String>,
    /// The incident that stands for a duplicate.
    #[schema(pattern = "^([Ii][Nn][Cc]-)?0{0,4}[1-9][0-9]{0,13}$")]
    duplicate_of: Option<String>,
    /// Whether to close it although something is missing. Needs `incidents:override` and a `reason`.
    r#override: Option<bool>,
}

/// Reads a merge patch of an incident.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = IncidentPatch {
        title: fields.patch_set_text("title", incident::title),
        description: fields.patch_set_text("description", incident::description),
        kind: fields.patch_set_with("kind", word),
        source: fields.patch_text("source", incident::source),
        external_ref: fields.patch_text("external_ref", incident::external_ref),
        assigned_to: fields.patch("assigned_to"),
        restricted: fields.patch_set("restricted"),
        readers: fields.patch_set("readers"),
        occurred_date: fields.patch("occurred_date"),
        detected_date: fields.patch_set("detected_date"),
        responded_date: fields.patch("responded_date"),
        contained_date: fields.patch("contained_date"),
        resolved_date: fields.patch_set("resolved_date"),
        closed_date: fields.patch_set("closed_date"),
        resolution_reason: fields.patch_set_with("resolution_reason", word),
        resolution_summary: fields.patch_text("resolution_summary", incident::resolution_summary),
        duplicate_of: fields.patch_set_with("duplicate_of", incident_id),
        hold: fields.patch_with("hold", hold),
        severity: None,
        legal_hold: fields.patch_set("legal_hold"),
        external_sent: None,
        status: fields.patch_set_with("status", word),
        reason: fields.patch_set_text("reason", incident::reason),
        at: fields.patch_set("at"),
        is_override: fields.patch_set("override").unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    fields.set_elsewhere(ELSEWHERE);
    patch.check(fields.faults());
    fields.finish();
    Some(patch)
}

/// Reads a transition.
pub fn read_transition(body: Json<'_>, faults: &mut Faults) -> Option<IncidentPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let status = fields.required_with("to", word);
    let patch = IncidentPatch {
        status,
        reason: fields.optional_text("reason", incident::reason),
        at: fields.optional("at"),
        assigned_to: fields.optional("assigned_to").map(Some),
        responded_date: fields.optional("responded_date").map(Some),
        resolution_reason: fields.optional_with("resolution_reason", word),
        resolution_summary: fields
            .optional_text("resolution_summary", incident::resolution_summary)
            .map(Some),
        duplicate_of: fields.optional_with("duplicate_of", incident_id),
        is_override: fields.optional("override").unwrap_or_default(),
        ..IncidentPatch::default()
    };
    if status.is_some() {
        patch.check(fields.faults());
    }
    fields.finish();
    status.map(|_| patch)
}

fn hold(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<NewHold> {
    let mut fields = Fields::of(value, at, faults)?;
    let until = fields.optional("until");
    let reason = fields.required_text("reason", incident::reason);
    fields.read_only(&["since", "by"]);
    fields.finish();
    Some(NewHold { until, reason: reason? })
}

fn incident_id(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<IncidentNumber> {
    let text = String::from_json(value, at, faults)?;
    let number = IncidentNumber::parse(&text);
    if number.is_none() {
        faults.add(at, FaultCode::Format, "must be the id of an incident, such as INC-0001");
    }
    number
}
