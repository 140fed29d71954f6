//! The values in the examples of the document, consistent throughout.

use serde_json::{Value, json};

/// The user Ada, owner and assignee in the examples.
const ADA: &str = "0190163d-8694-739b-aea5-966c26f8ad91";
/// The organization Acme.
const ORGANIZATION: &str = "01901637-5a1e-7c2d-9d0f-3f8a4b6c7d8e";
/// The client `siem`.
const CLIENT: &str = "bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha";
/// An id of anything else.
const OTHER: &str = "01901645-8c1d-7a34-9b26-7f0e5d4c3b2a";
/// The tag `phishing`.
const TAG: &str = "01901642-0f3b-7e11-8a52-6d1c9be07f42";

/// The explanation of an incident's severity.
const REASONING: &str = "High, because an important service failed; that the incident is contained does not lower the \
    level. Only the effects on services and people's safety are known so far, not whether administrator credentials \
    were compromised; the rest could raise the level to critical.";

/// The example of the property `name` of the schema `owner`; null means that a request omits it.
pub(super) fn of(owner: &str, name: &str, is_request: bool) -> Option<Value> {
    of_schema(owner, name)
        .or_else(|| of_severity(owner, name))
        .or_else(|| of_name(name))
        .or_else(|| of_state(name).filter(|_| !is_request))
}

/// Values for names with a special meaning in one schema.
fn of_schema(owner: &str, name: &str) -> Option<Value> {
    let value = match (owner, name) {
        ("Actor", "id") => json!(CLIENT),
        ("Actor", "name") => json!("siem"),
        ("Actor", "type") => json!("client"),
        ("Fault", "parameter" | "fields") | ("Problem", "scope") => Value::Null,
        ("IncidentFacetCounts", "assigned_to") | ("RiskFacetCounts", "owner") => {
            json!([{"value": "0190163d-8694-739b-aea5-966c26f8ad91", "label": "Ada", "count": 3}])
        }
        ("FacetCount", "value") => json!("open"),
        // Either the ids or the filter.
        ("IncidentBulk" | "RiskBulk", "ids") => Value::Null,
        ("IncidentBulk", "operation") => {
            json!({"type": "transition", "to": "dismissed", "resolution_reason": "false_positive"})
        }
        ("NewLink", "to") => json!({"type": "risk", "id": "RSK-1"}),
        ("RiskBulk", "operation") => json!({"type": "update", "owner": ADA}),
        ("LinkedRecord", "type") => json!("risk"),
        ("LinkedRecord", "title") => json!("Loss of the only data centre"),
        ("LinkedRecord", "url" | "severity" | "detected_date") => Value::Null,
        ("Organization", "id") => json!(ORGANIZATION),
        ("Organization", "name") => json!("Example Ltd"),
        ("SavedView", "owner") => json!({"type": "user", "id": ADA, "name": "Ada"}),
        ("SavedView", "filter") => json!({"status": ["new"], "assigned_to": ["me"]}),
        ("Tag" | "TagLabel", "id") => json!(TAG),
        ("Tag" | "NewTag" | "TagPatch", "description") => json!("Mail that asks for credentials."),
        ("JournalEntry" | "Spell" | "Note" | "NoteRevision" | "TimelineItem", "at") => {
            json!("2026-03-01T09:30:00.000000Z")
        }
        ("TransitionObstacle", "detail") => json!("An incident that is new cannot become closed."),
        ("TransitionOption", "to") => json!("closed"),
        ("TransitionOption", "needs") => json!([]),
        ("Transition", "to") => json!("investigating"),
        ("Transition", "resolution_reason") => Value::Null,
        ("IncidentPatch", "status" | "kind" | "resolution_reason") => Value::Null,
        ("Note" | "NewNote" | "NoteRevision", "kind") => json!("action"),
        ("JournalEntry", "kind") => json!("incident.created"),
        ("JournalSubject", "kind") => json!("incident"),
        ("JournalSubject", "id") | ("Incident" | "IncidentName", "id") => json!("INC-0001"),
        ("Task", "reason" | "done_date") | ("Review", "published_date") | ("ReviewAction", "task") => {
            Value::Null
        }
        ("TaskPatch", "status" | "reason") | ("ReviewPatch", "state") => Value::Null,
        ("JournalEntry", "payload") => json!("{\"title\":[null,\"Phishing mail to the finance team\"]}"),
        ("Risk" | "NewRisk" | "RiskPatch", "title") => json!("Loss of the only data centre"),
        ("Risk" | "NewRisk", "description") => json!("All services run in one building."),
        ("Risk", "status") => json!("open"),
        ("Document" | "NewDocument", "title") => json!("Access control policy"),
        ("Document" | "NewDocument", "description") => json!("Who may sign in to what, and how."),
        ("SelectItem" | "NewSelectItem", "id") => json!("mfa"),
        ("SelectItem" | "NewSelectItem", "default" | "value") => json!("all"),
        ("SelectItem" | "NewSelectItem", "guidance") => json!("Attackers guess passwords."),
        ("SelectItem" | "NewSelectItem", "label") => json!("Multi-factor authentication"),
        ("TextItem" | "NewTextItem", "default" | "value") => json!("security@example.org"),
        ("SelectOption" | "NewSelectOption", "guidance") => json!("The usual choice."),
        ("SelectOption" | "NewSelectOption", "text") => json!("Everyone signs in with a second factor."),
        ("RecordedEdit", "previous") => Value::Null,
        ("TokenErrorBody", "code" | "error") => json!("invalid_client"),
        ("TokenErrorBody", "type") => json!("/docs/errors#invalid_client"),
        ("TokenErrorBody", "status") => json!(401),
        ("TokenErrorBody", "title") => json!("Invalid credentials"),
        ("TokenRequestBody", "grant_type") => json!("client_credentials"),
        ("TokenRequestBody", "refresh_token") => Value::Null,
        _ => return None,
    };
    Some(value)
}

/// A severity with its answers, as docs/severity.md shows them.
fn of_severity(owner: &str, name: &str) -> Option<Value> {
    let value = match (owner, name) {
        ("BailiwickAnswers", "impact") => json!({"service": 3, "people": 0}),
        ("BailiwickAnswers", "urgency") => json!("contained"),
        ("BailiwickAnswers", "personal_data_people") => json!(0),
        ("Incident" | "IncidentSeverity" | "SeverityAssessment", "severity") => json!("high"),
        ("IncidentSeverity" | "SeverityAssessment", "severity_reasoning") => json!(REASONING),
        ("SeverityAssessment", "score") => Value::Null,
        ("SeverityAssessment", "factors") => json!([
            {"name": "service", "value": 3, "sentence": "An important service failed.", "decides": true},
            {"name": "people", "value": 0, "sentence": "Nobody was in danger.", "decides": false},
            {"name": "urgency", "value": "contained", "sentence": "The incident is contained.", "decides": true},
            {"name": "personal_data_people", "value": 0, "sentence": "No personal data was affected.", "decides": false},
        ]),
        ("IncidentMetricsLists", "missing") => json!("/v1/incidents?missing=time_to_respond&kind=real"),
        ("SeverityAssessment", "missing") => {
            json!(["data", "money", "legal", "reputation", "administrator_credentials"])
        }
        ("SeverityAssessment", "range") => json!({"best": "high", "worst": "critical"}),
        _ => return None,
    };
    Some(value)
}

/// Values for names that mean the same everywhere.
fn of_name(name: &str) -> Option<Value> {
    let value = match name {
        "access_token" => {
            json!("eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJid2NfM21KciJ9.c2lnbmF0dXJl")
        }
        // The record or page that a value refers to may not exist.
        "assigned_to_id" | "cursor" | "next_cursor" => Value::Null,
        // They belong to a change of the status or to a rare case.
        "at" | "closed_date" | "duplicate_of" | "external_ref" | "external_source" | "hold" | "override"
        | "resolved_date" => Value::Null,
        "client_id" => json!(CLIENT),
        "client_secret" => json!("bwk_9TzR2vQpXc7LmWf4NbYk8JdHs3GaUe6E0kT2b9"),
        "email" => json!("ada@example.org"),
        "error_description" => json!("The client credentials are missing or not valid."),
        "instance" => json!("/v1/incidents"),
        "message" => json!("It was contained before it was detected."),
        "note" => json!("The second site is under contract."),
        "refresh_token" => json!("eyJhbGciOiJIUzI1NiIsInR5cCI6InJ0K2p3dCJ9.eyJnZW4iOjF9.c2lnbmF0dXJl"),
        "request_id" => json!("01901645-2b7c-7d90-b3a1-5e2f9c8d7a60"),
        "scope" => json!("incidents:read incidents:write"),
        "severity_reasoning" => json!(REASONING),
        "ids" => json!([1, "INC-0002"]),
        "not_found" => json!(["INC-0002"]),
        "mentions" => json!([]),
        "occurred_date" => json!("2026-02-28T22:15:00.000000Z"),
        "detected_date" => json!("2026-03-01T08:40:00.000000Z"),
        "responded_date" => json!("2026-03-01T08:55:00.000000Z"),
        "contained_date" => json!("2026-03-01T11:20:00.000000Z"),
        "tag_id" => json!(TAG),
        "org_id" => json!(ORGANIZATION),
        "hash" => json!("5f1d7a84db00d2fce00b31a7fc73224f8ec4a6b2c1d0e9f8a7b6c5d4e3f2a1b0"),
        "payload_hash" => json!("9b74c9897bac770ffc029102a200c5de2f4a1e6b8c3d7f905a4b3c2d1e0f9a8b"),
        "prev_hash" => json!("0000000000000000000000000000000000000000000000000000000000000000"),
        "salt" => json!("3f9a1c5e7b2d4f608192a3b4c5d6e7f8"),
        _ => return None,
    };
    Some(value)
}

/// Values that the service sets: in responses only.
fn of_state(name: &str) -> Option<Value> {
    let value = match name {
        "updated_date" | "evaluated_at" | "set_date" => json!("2026-03-01T09:30:00.000000Z"),
        "owner" | "assigned_to" => json!({"id": ADA, "name": "Ada", "email": "ada@example.org"}),
        "edited_date" | "edited_by" => Value::Null,
        "deleted_date" | "as_of" | "as_of_seq" | "status_reason" | "superseded_by" | "supersedes" => {
            Value::Null
        }
        "warnings" | "missing" | "kept" => json!([]),
        "average_performance_percentage" => json!(57),
        "performance_basis_points" => json!(5_714),
        "period_days" => json!(90),
        "total_risks_evaluated" | "deleted_count" | "restored_count" | "undone_count" => json!(1),
        "open_proposal" | "proposal" => json!(3),
        "published_version" => json!(1),
        _ => return None,
    };
    Some(value)
}

/// The id in a path.
pub(super) fn path_id(path: &str, name: &str) -> Option<Value> {
    let outer = path.split("/{").next().unwrap_or_default();
    let value = match (outer, name) {
        (_, "number") => json!(1),
        (_, "external_source") => json!("siem"),
        (_, "external_ref") => json!("alert-4711"),
        (_, "tag_id") | ("/v1/tags", "id") => json!(TAG),
        ("/v1/incidents", _) => json!("INC-0001"),
        ("/v1/risks", _) => json!("RSK-1"),
        ("/v1/documents", "id" | "slug") => json!("access-control"),
        ("/v1/organizations", "id") => json!(ORGANIZATION),
        ("/v1/users", _) => json!(ADA),
        ("/v1/clients", "id") => json!(CLIENT),
        ("/v1/clients" | "/v1/invitations" | "/v1/views", _) => json!(OTHER),
        _ => return None,
    };
    Some(value)
}
