//! The description of problems in the OpenAPI document.

use domain::ErrorCode as C;
use domain::duty::Duty;
use http::error_codes::{of_status, status};
use http::problem::{PROBLEM_JSON, UNKNOWN_REQUEST};
use hyper::StatusCode;
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, Ref, RefOr, Response};

/// The usual code, the name and the description of the errors that operations share, one for each status.
const SHARED: &[(C, &str, &str)] = &[
    (C::InvalidParameter, "BadRequest", "A query parameter, a header or the JSON itself is wrong."),
    (C::Unauthenticated, "Unauthenticated", "No access token, or one that is not valid."),
    (C::InsufficientScope, "InsufficientScope", "The access token lacks the scope."),
    (C::NotFound, "NotFound", "There is none with this id in the organization."),
    (C::NotAcceptable, "NotAcceptable", "`Accept` refuses both JSON types explicitly."),
    (C::Timeout, "Timeout", "The body did not arrive in time."),
    (
        C::InProgress,
        "Conflict",
        "The first request with this Idempotency-Key is still running, or its response is not kept any more.",
    ),
    (
        C::PreconditionFailed,
        "PreconditionFailed",
        "If-Match names another version than the record's; nothing was changed.",
    ),
    (C::BodyTooLarge, "BodyTooLarge", "The body is too large."),
    (C::UriTooLong, "UriTooLong", "The path and query are over 8 KiB."),
    (C::UnsupportedMediaType, "UnsupportedMediaType", "The body's type is not supported."),
    (
        C::ValidationFailed,
        "Invalid",
        "The body is JSON with faults, which `errors` names; or the Idempotency-Key was used for another request.",
    ),
    (
        C::PreconditionRequired,
        "PreconditionRequired",
        "If-Match is missing, and the operator or this change requires it.",
    ),
    (C::RateLimited, "RateLimited", "Too many requests."),
    (C::HeaderTooLarge, "HeaderTooLarge", "The header is over 32 KiB."),
    (C::Internal, "Internal", "Something went wrong in the service."),
    (C::Unavailable, "Unavailable", "The register is unavailable; try again."),
];

/// The request's id in every example.
pub(crate) const REQUEST_ID: &str = "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60";

/// The name of the shared response of a status.
pub(crate) fn response_name(status: &str) -> &'static str {
    SHARED.iter().find(|(code, ..)| is(*code, status)).map_or("Internal", |(_, name, _)| name)
}

/// The shared responses.
pub(crate) fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|(_, name, description)| {
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
            "type": kind("validation_failed"),
            "title": {"type": "string", "maxLength": 200, "examples": ["The request is not valid."]},
            "status": {"type": "integer", "format": "int32", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "maxLength": 4096},
            "instance": {
                "type": "string", "maxLength": 256, "description": "The path of the request.",
                "examples": ["/v1/incidents"]
            },
            "code": code("validation_failed"),
            "request_id": {
                "type": "string", "maxLength": 128, "pattern": "^[A-Za-z0-9._-]{1,128}$", "examples": [REQUEST_ID],
                "description": "As in the header X-Request-Id and in the log."
            },
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
                "type": "array", "maxItems": 10000, "items": {"type": "string", "maxLength": 23, "pattern": "^INC-[0-9]{4,19}$"},
                "description": "The incidents whose references are taken, with `external_ref_taken`."
            },
            "who": {
                "type": "array", "maxItems": 20, "items": {"$ref": "#/components/schemas/PersonName"},
                "description": "The first of those who may approve the proposal, with `four_eyes`, or who decide, with `not_decider`."
            },
            "sha256": sha256(),
            "difference": difference(),
            "difference_path": difference_path(),
            "failed": {
                "type": "array", "maxItems": 100,
                "items": {"$ref": "#/components/schemas/FailedItem"},
                "description": "The first of the records that cannot be changed, with `bulk_failed`."
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
        ("PersonName", person_name()),
        ("Problem", problem),
    ]
    .into_iter()
    .filter_map(|(name, schema)| Some((name, RefOr::T(serde_json::from_value(schema).ok()?))))
    .collect()
}

fn sha256() -> Value {
    json!({
        "type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
        "description": "The hash of the text that the proposal has by now, with `proposal_changed`, or that is published by \
            now, with `version_superseded`."
    })
}

fn difference() -> Value {
    json!({
        "type": "string", "maxLength": 16384,
        "description": "A unified diff of the text that the request names and that one; absent if the caller cannot know \
            the named text, and if it is long. With `risk_changed` the named evaluation and the latest one, the named version and the present one, or both."
    })
}

fn difference_path() -> Value {
    json!({
        "type": "string", "maxLength": 512,
        "description": "Where `GET` compares the two texts; absent if the caller cannot know the named one."
    })
}

fn person_name() -> Value {
    json!({
        "type": "object", "description": "A member of the organization.", "required": ["id", "name"],
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "name": {"type": "string", "maxLength": 200, "examples": ["Ada"]}
        },
        "additionalProperties": false
    })
}

fn kind(code: &str) -> Value {
    json!({
        "type": "string", "format": "uri-reference", "maxLength": 200, "examples": [format!("/docs/errors#{code}")],
        "description": "Where `/docs/errors` explains the code."
    })
}

fn code(example: &str) -> Value {
    json!({
        "type": "string", "maxLength": 100, "pattern": "^[a-z_]{1,100}$", "description": "Stable machine code.",
        "examples": [example]
    })
}

fn sentence() -> Value {
    json!({"type": "string", "maxLength": 4096, "description": "A sentence for a person; it may change."})
}

fn failed_item() -> Value {
    json!({
        "type": "object", "description": "A record that a bulk operation cannot change.",
        "required": ["id", "problem"],
        "properties": {
            "id": {
                "type": "string", "maxLength": 80,
                "pattern": "^(INC-[0-9]{4,19}|RSK-[0-9]{1,19}|[a-z0-9]+(-[a-z0-9]+)*)$"
            },
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
    json!({"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/Fault"}})
}

fn more_faults() -> Value {
    json!({
        "type": "boolean", "const": true,
        "description": "There are more faults than the first 100, which `errors` names."
    })
}

fn scope() -> Value {
    json!({
        "type": "string", "maxLength": 1024,
        "description": "The scopes that are missing, with spaces between, with `insufficient_scope`. Of several scopes that would do, the usual one."
    })
}

fn of_item() -> Value {
    json!({
        "type": "object",
        "description": "Why one record of many was not changed: the members of a problem that belong to it.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": kind("transition_not_allowed"),
            "title": {"type": "string", "maxLength": 200, "description": "One line for a person."},
            "status": {
                "type": "integer", "format": "int32", "minimum": 400, "maximum": 499,
                "description": "The status that the change of this record alone would have had."
            },
            "detail": {"type": "string", "maxLength": 4096, "description": "A sentence for a person."},
            "code": code("transition_not_allowed"),
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
            "pointer": {
                "type": "string", "maxLength": 256, "pattern": "^#", "description": "JSON Pointer as a URI fragment.",
                "examples": ["#/title"]
            },
            "parameter": {
                // The name as it was sent, with any characters.
                "type": "string", "maxLength": 256, "pattern": r"^[\s\S]*$",
                "description": "Name of the query parameter or header.", "examples": ["limit"]
            },
            "code": code("required"),
            "detail": sentence(),
            "fields": {
                "type": "array", "items": {"type": "string", "maxLength": 100}, "minItems": 2, "maxItems": 2,
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
            "detail": sentence()
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
pub(crate) fn status_of(name: &str) -> StatusCode {
    let shared = SHARED.iter().find(|(_, known, _)| *known == name);
    shared.map_or(StatusCode::INTERNAL_SERVER_ERROR, |(code, ..)| status(*code))
}

fn is(code: C, text: &str) -> bool {
    status(code).as_str() == text
}

/// The example of a problem in a response, but for its `instance`: `description` is that of the operation.
pub(crate) fn example(text: &str, description: &str) -> Value {
    let Some(code) = example_code(text, description) else { return Value::Null };
    let said = code.explanation();
    let noun = description.split([',', ':', '(']).next().unwrap_or_default().trim();
    let names_a_noun = match code {
        C::NotFound => noun.ends_with(" not found"),
        C::TagAlreadyAssociated => true,
        _ => false,
    };
    let title = if names_a_noun { noun } else { said.title };
    let detail = if title == "Request not found" { UNKNOWN_REQUEST } else { said.detail };
    let mut problem = json!({
        "type": format!("/docs/errors#{code}"),
        "title": title,
        "status": status(code).as_u16(),
        "detail": detail,
        "code": code,
        "request_id": REQUEST_ID,
    });
    if let (Some((name, member)), Some(members)) = (further_member(code), problem.as_object_mut()) {
        members.insert(name.to_owned(), member);
    }
    problem
}

/// The code of the example for a response: the one that its description names between backticks, or whose title it
/// repeats; else the usual one for its status.
fn example_code(status: &str, description: &str) -> Option<C> {
    let named = of_status(status).find(|code| description.contains(&format!("`{code}`")));
    let title = |code: &C| code.explanation().title.trim_end_matches('.');
    let titled = || of_status(status).find(|code| description.contains(title(code)));
    let usual = || SHARED.iter().map(|(code, ..)| *code).find(|code| is(*code, status));
    named.or_else(titled).or_else(usual)
}

/// The member that a problem with this code has in addition to the common ones.
fn further_member(code: C) -> Option<(&'static str, Value)> {
    match code {
        C::InvalidParameter => {
            let detail = "is not known; did you mean `limit`?";
            Some(("errors", json!([{"parameter": "limt", "code": "unknown", "detail": detail}])))
        }
        C::InsufficientScope => Some(("scope", json!("incidents:write"))),
        C::TransitionNotAllowed => {
            Some(("allowed", json!(["investigating", "contained", "resolved", "dismissed"])))
        }
        C::ExternalRefTaken => Some(("taken", json!(["INC-0007"]))),
        C::BulkFailed => {
            let (kind, detail) = ("/docs/errors#transition_not_allowed", "It is closed. Reopen it first.");
            let problem = json!({"type": kind, "title": "The transition is not allowed", "status": 409,
                "detail": detail, "code": "transition_not_allowed", "allowed": ["investigating"]});
            Some(("failed", json!([{"id": "INC-0007", "problem": problem}])))
        }
        C::CloseRequirements => Some((
            "missing",
            json!([{"code": "resolution_summary_missing", "detail": "It has no resolution summary."}]),
        )),
        C::FourEyes | C::NotDecider => {
            Some(("who", json!([{"id": "0198f6d2-7a4b-7c31-9e55-2f6b1a0c8d47", "name": "Ben"}])))
        }
        C::ProposalChanged | C::VersionSuperseded => {
            Some(("sha256", json!("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")))
        }
        C::RiskChanged => {
            Some(("difference", json!("- evaluation 3: 2 x 3, Medium\n+ evaluation 4: 4 x 4, Critical\n")))
        }
        C::MemberHasDuties => Some(("duties", json!({"incidents": 1, "tasks": 2}))),
        C::ValidationFailed => Some((
            "errors",
            json!([{"pointer": "#/title", "code": "required", "detail": "Title is required."}]),
        )),
        _ => None,
    }
}
