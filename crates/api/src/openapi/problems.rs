//! The description of problems in the OpenAPI document.

use domain::duty::Duty;
use http::error_codes::{self, Kind};
use http::problem::{PROBLEM_JSON, UNKNOWN_REQUEST};
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, Ref, RefOr, Response};

/// The status, usual code, name and description of the errors that operations share.
const SHARED: &[(&str, &str, &str, &str)] = &[
    ("400", "invalid_parameter", "BadRequest", "A query parameter, a header or the JSON itself is wrong."),
    ("401", "unauthenticated", "Unauthenticated", "No access token, or one that is not valid."),
    ("403", "insufficient_scope", "InsufficientScope", "The access token lacks the scope."),
    ("404", "not_found", "NotFound", "There is none with this id in the organization."),
    ("406", "not_acceptable", "NotAcceptable", "`Accept` refuses both JSON types explicitly."),
    ("408", "timeout", "Timeout", "The body did not arrive in time."),
    (
        "409",
        "in_progress",
        "Conflict",
        "The first request with this Idempotency-Key is still running, or its response is not kept any more.",
    ),
    (
        "412",
        "precondition_failed",
        "PreconditionFailed",
        "If-Match names another version than the record's; nothing was changed.",
    ),
    ("413", "body_too_large", "BodyTooLarge", "The body is too large."),
    ("414", "uri_too_long", "UriTooLong", "The path and query are over 8 KiB."),
    ("415", "unsupported_media_type", "UnsupportedMediaType", "The body's type is not supported."),
    (
        "422",
        "validation_failed",
        "Invalid",
        "The body is JSON with faults, which `errors` names; or the Idempotency-Key stands for another request.",
    ),
    (
        "428",
        "precondition_required",
        "PreconditionRequired",
        "If-Match is missing, and the operator requires it.",
    ),
    ("429", "rate_limited", "RateLimited", "Too many requests."),
    ("431", "header_too_large", "HeaderTooLarge", "The header is over 32 KiB."),
    ("500", "internal", "Internal", "Something went wrong in the service."),
    ("503", "unavailable", "Unavailable", "The register is unavailable; try again."),
];

/// The request's id in every example.
pub(crate) const REQUEST_ID: &str = "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60";

/// The name of the shared response of a status.
pub(crate) fn response_name(status: &str) -> &'static str {
    SHARED.iter().find(|(known, ..)| *known == status).map_or("Internal", |(_, _, name, _)| name)
}

/// The shared responses.
pub(crate) fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|(_, _, name, description)| {
        let mut response = Response::new(*description);
        give_body(&mut response);
        (*name, response)
    })
}

/// Sets the problem as the body of an error response.
pub(crate) fn give_body(response: &mut Response) {
    if response.content.is_empty() {
        let content = Content::new(Some(Ref::from_schema_name("Problem")));
        response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(content));
    }
}

/// The schemas of a problem and of its faults.
pub(crate) fn schemas() -> Vec<(&'static str, RefOr<Schema>)> {
    let problem = json!({
        "type": "object",
        "description": "An error (RFC 9457).",
        "required": ["type", "title", "status", "detail", "instance", "code", "request_id"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference", "examples": ["/docs/errors#validation_failed"]},
            "title": {"type": "string", "examples": ["The request is not valid."]},
            "status": {"type": "integer", "format": "int32", "minimum": 400, "maximum": 599},
            "detail": {"type": "string"},
            "instance": {"type": "string", "description": "The path of the request."},
            "code": {"type": "string", "description": "Stable machine code.", "examples": ["validation_failed"]},
            "request_id": {"type": "string", "description": "As in the header X-Request-Id and in the log."},
            "violated-policies": {
                "type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 1,
                "description": "The policies of RateLimit-Policy that are used up, with `rate_limited`."
            },
            "scope": scope(),
            "organizations": {
                "type": "array", "items": {"$ref": "#/components/schemas/OrganizationName"}, "maxItems": 100,
                "description": "The organizations of which one must be named, with `organization_needed`."
            },
            "allowed": allowed(),
            "missing": missing_requirements(),
            "duties": {"$ref": "#/components/schemas/DutyCounts"},
            "taken": {
                "type": "array", "maxItems": 10000, "items": {"type": "string", "pattern": "^INC-[0-9]{4,19}$"},
                "description": "The incidents whose references are taken, with `external_ref_taken`."
            },
            "failed": {
                "type": "array", "maxItems": 100,
                "items": {"$ref": "#/components/schemas/FailedItem"},
                "description": "The first of the incidents or risks that cannot be changed, with `bulk_failed`."
            },
            "errors": faults(),
            "more_errors": more_faults()
        },
        "additionalProperties": false
    });
    [
        ("DutyCounts", duty_counts()),
        ("FailedItem", failed_item()),
        ("Fault", fault()),
        ("ItemProblem", of_item()),
        ("MissingRequirement", missing()),
        ("Problem", problem),
    ]
    .into_iter()
    .filter_map(|(name, schema)| Some((name, RefOr::T(serde_json::from_value(schema).ok()?))))
    .collect()
}

fn failed_item() -> Value {
    json!({
        "type": "object", "description": "A record that a bulk operation cannot change.",
        "required": ["id", "problem"],
        "properties": {
            "id": {"type": "string", "pattern": "^(INC-[0-9]{4,19}|RSK-[0-9]{1,19})$"},
            "problem": {"$ref": "#/components/schemas/ItemProblem"}
        },
        "additionalProperties": false
    })
}

fn allowed() -> Value {
    json!({
        "type": "array", "items": {"$ref": "#/components/schemas/IncidentStatus"}, "maxItems": 6,
        "description": "The statuses that the incident can get, with `transition_not_allowed`."
    })
}

fn missing_requirements() -> Value {
    json!({
        "type": "array", "maxItems": 10, "items": {"$ref": "#/components/schemas/MissingRequirement"},
        "description": "What is missing to close the incident, or to keep it closed, with `close_requirements`."
    })
}

fn faults() -> Value {
    json!({"type": "array", "items": {"$ref": "#/components/schemas/Fault"}})
}

fn more_faults() -> Value {
    json!({
        "type": "boolean", "const": true,
        "description": "There are more faults than the first 100, which `errors` names."
    })
}

fn scope() -> Value {
    json!({
        "type": "string",
        "description": "The scopes that are missing, with spaces between, with `insufficient_scope`. Of several scopes that would do, the usual one."
    })
}

fn of_item() -> Value {
    json!({
        "type": "object",
        "description": "Why one record of many was not changed: the members of a problem that belong to it.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": {
                "type": "string", "format": "uri-reference", "examples": ["/docs/errors#transition_not_allowed"],
                "description": "Where `/docs/errors` explains the code."
            },
            "title": {"type": "string", "description": "One line for a person."},
            "status": {
                "type": "integer", "format": "int32", "minimum": 400, "maximum": 499,
                "description": "The status that the change of this record alone would have had."
            },
            "detail": {"type": "string", "description": "A sentence for a person."},
            "code": {
                "type": "string", "description": "Stable machine code.", "examples": ["transition_not_allowed"]
            },
            "allowed": allowed(),
            "missing": missing_requirements(),
            "scope": scope(),
            "errors": faults(),
            "more_errors": more_faults()
        },
        "additionalProperties": false
    })
}

fn fault() -> Value {
    json!({
        "type": "object",
        "description": "One fault: of the body (`pointer`), or of a parameter (`parameter`).",
        "required": ["code", "detail"],
        "properties": {
            "pointer": {"type": "string", "description": "JSON Pointer as a URI fragment.", "examples": ["#/title"]},
            "parameter": {"type": "string", "description": "Name of the query parameter or header.", "examples": ["limit"]},
            "code": {"type": "string", "description": "Stable machine code.", "examples": ["required"]},
            "detail": {"type": "string", "description": "A sentence for a person; it may change."},
            "fields": {
                "type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2,
                "description": "The fields that contradict each other."
            }
        },
        "additionalProperties": false
    })
}

fn missing() -> Value {
    json!({
        "type": "object",
        "description": "Something that is missing before an incident can be closed.",
        "required": ["code", "detail"],
        "properties": {
            "code": {"$ref": "#/components/schemas/CloseRequirement"},
            "detail": {"type": "string", "description": "A sentence for a person; it may change."}
        },
        "additionalProperties": false
    })
}

fn duty_counts() -> Value {
    let count = json!({"type": "integer", "format": "int64", "minimum": 0});
    let counts: Map<String, Value> =
        Duty::ALL.iter().map(|duty| (duty.as_str().to_owned(), count.clone())).collect();
    json!({
        "type": "object",
        "description": "How many duties of each kind the member has, with `member_has_duties`. Kinds that the caller may \
            not read are absent.",
        "properties": counts,
        "additionalProperties": false
    })
}

/// The status of a shared response.
pub(crate) fn status_of(name: &str) -> &'static str {
    SHARED.iter().find(|(_, _, known, _)| *known == name).map_or("500", |(status, ..)| status)
}

/// The example of a problem in a response: `description` is that of the operation.
pub(crate) fn example(status: &str, description: &str, path: &str) -> Value {
    let row = example_row(status, description);
    let Some(row) = row else { return Value::Null };
    let noun = description.split([',', ':', '(']).next().unwrap_or_default().trim();
    let names_a_noun = match row.code {
        "not_found" => noun.ends_with(" not found"),
        "tag_already_associated" => true,
        _ => false,
    };
    let title = if names_a_noun { noun } else { row.title };
    let detail = if title == "Request not found" { UNKNOWN_REQUEST } else { row.detail };
    let instance = if path.is_empty() || path.contains('{') { "/v1/incidents" } else { path };
    let mut problem = json!({
        "type": row.link(),
        "title": title,
        "status": row.status().as_u16(),
        "detail": detail,
        "instance": instance,
        "code": row.code,
        "request_id": REQUEST_ID,
    });
    if let (Some((name, member)), Some(members)) = (further_member(row.code), problem.as_object_mut()) {
        members.insert(name.to_owned(), member);
    }
    problem
}

/// The row of the catalogue for a response: the one whose code its description names between backticks, or whose title
/// it repeats; else the usual one for its status.
fn example_row(status: &str, description: &str) -> Option<&'static Kind> {
    let named = error_codes::of_status(status).find(|row| description.contains(&format!("`{}`", row.code)));
    let titled =
        || error_codes::of_status(status).find(|row| description.contains(row.title.trim_end_matches('.')));
    let usual =
        || SHARED.iter().find(|shared| shared.0 == status).and_then(|shared| error_codes::row(shared.1));
    named.or_else(titled).or_else(usual)
}

/// The member that a problem with this code has in addition to the common ones.
fn further_member(code: &str) -> Option<(&'static str, Value)> {
    match code {
        "invalid_parameter" => {
            let detail = "is not known; did you mean `limit`?";
            Some(("errors", json!([{"parameter": "limt", "code": "unknown", "detail": detail}])))
        }
        "insufficient_scope" => Some(("scope", json!("incidents:write"))),
        "transition_not_allowed" => {
            Some(("allowed", json!(["investigating", "contained", "resolved", "dismissed"])))
        }
        "external_ref_taken" => Some(("taken", json!(["INC-0007"]))),
        "bulk_failed" => {
            let (kind, detail) = ("/docs/errors#transition_not_allowed", "It is closed. Reopen it first.");
            let problem = json!({"type": kind, "title": "The transition is not allowed", "status": 409,
                "detail": detail, "code": "transition_not_allowed", "allowed": ["investigating"]});
            Some(("failed", json!([{"id": "INC-0007", "problem": problem}])))
        }
        "close_requirements" => Some((
            "missing",
            json!([{"code": "resolution_summary_missing", "detail": "It has no resolution summary."}]),
        )),
        "member_has_duties" => Some(("duties", json!({"incidents": 1, "tasks": 2}))),
        "validation_failed" => Some((
            "errors",
            json!([{"pointer": "#/title", "code": "required", "detail": "Title is required."}]),
        )),
        _ => None,
    }
}
