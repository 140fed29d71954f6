//! How problems are described in the OpenAPI document.

use serde_json::{Value, json};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, Ref, RefOr, Response};

use crate::problem::PROBLEM_JSON;

/// Status, name and description of the errors that operations share.
const SHARED: &[(&str, &str, &str)] = &[
    ("400", "BadRequest", "A query parameter, a header or the JSON itself is wrong."),
    ("401", "Unauthenticated", "No access token, or one that is not valid."),
    ("403", "InsufficientScope", "The access token lacks the scope."),
    ("404", "NotFound", "There is none with this id in the organization."),
    ("406", "NotAcceptable", "`Accept` refuses both JSON types in so many words."),
    ("408", "Timeout", "The body did not arrive in time."),
    ("409", "Conflict", "The first request with this Idempotency-Key is still running."),
    ("412", "PreconditionFailed", "If-Match names another version than the record's; nothing was changed."),
    ("413", "BodyTooLarge", "The body is too large."),
    ("414", "UriTooLong", "The path and query are over 8 KiB."),
    ("415", "UnsupportedMediaType", "The body's type is not supported."),
    (
        "422",
        "Invalid",
        "The body is JSON with faults, which `errors` names; or the Idempotency-Key stands for another request.",
    ),
    ("428", "PreconditionRequired", "If-Match is missing, and the operator requires it."),
    ("429", "RateLimited", "Too many requests."),
    ("431", "HeaderTooLarge", "The header is over 32 KiB."),
    ("500", "Internal", "Something went wrong in the service."),
    ("503", "Unavailable", "The register is unavailable; try again."),
];

/// The request's id in every example.
const REQUEST_ID: &str = "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60";

/// Status, code, title and detail of the problem that stands as an example.
const EXAMPLES: &[(&str, &str, &str, &str)] = &[
    ("400", "invalid_parameter", "A parameter is not valid.", "1 fault."),
    (
        "401",
        "unauthenticated",
        "An access token is required.",
        "The access token is not valid, or no longer.",
    ),
    ("403", "insufficient_scope", "The access token lacks a scope.", "This needs the scope incidents:write."),
    ("404", "not_found", "Not found", "There is none with this id in your organization."),
    ("405", "method_not_allowed", "Method not allowed", "The Allow header names the methods of this path."),
    (
        "406",
        "not_acceptable",
        "The Accept header refuses every type there is.",
        "Answers are application/json, errors application/problem+json.",
    ),
    ("408", "timeout", "The body did not arrive in time.", "Nothing was changed."),
    (
        "409",
        "in_progress",
        "The first request with this key is still running.",
        "Try again later with the same key.",
    ),
    (
        "412",
        "precondition_failed",
        "The record is another version.",
        "Nothing was changed. It is version 4: read it again.",
    ),
    ("413", "body_too_large", "The body is too large.", "At most 1048576 bytes are taken here."),
    ("414", "uri_too_long", "The path and query are too long.", "At most 8192 bytes are taken."),
    ("415", "unsupported_media_type", "The body's type is not supported.", "Send application/json."),
    ("422", "validation_failed", "The request is not valid.", "1 fault."),
    (
        "428",
        "precondition_required",
        "The change must name the version it is based on.",
        "Send the record's ETag as If-Match; `*` stands for any version.",
    ),
    ("429", "rate_limited", "Too many requests.", "Try again in 7 s."),
    ("431", "header_too_large", "The header is too large.", "At most 32768 bytes are taken."),
    ("500", "internal", "Something went wrong here.", "The log knows more under this request_id."),
    ("503", "unavailable", "The register is unavailable.", "Nothing was changed."),
];

/// Description and code of the conflicts that one operation has.
const CONFLICTS: &[(&str, &str)] = &[
    ("Already a member of the organization", "already_member"),
    ("Evaluation already superseded", "already_superseded"),
    ("Tag already associated with risk", "tag_already_associated"),
    ("The document is archived", "document_archived"),
    ("The name is taken", "name_taken"),
    ("The slug is taken", "slug_taken"),
];

/// The name of the shared response of a status.
pub(crate) fn response_name(status: &str) -> &'static str {
    SHARED.iter().find(|(known, ..)| *known == status).map_or("Internal", |(_, name, _)| name)
}

/// The shared responses.
pub(crate) fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|(_, name, description)| {
        let mut response = Response::new(*description);
        give_body(&mut response);
        (*name, response)
    })
}

/// Every error has a problem for a body.
pub(crate) fn give_body(response: &mut Response) {
    if response.content.is_empty() {
        let content = Content::new(Some(Ref::from_schema_name("Problem")));
        response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(content));
    }
}

/// The schemas of a problem and of its faults.
pub(crate) fn schemas() -> Vec<(&'static str, RefOr<Schema>)> {
    let fault = json!({
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
    });
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
            "scope": {"type": "string", "description": "The scope that is missing, with `insufficient_scope`."},
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
            "more_errors": {
                "type": "boolean", "const": true,
                "description": "There are more faults than the first 100, which `errors` names."
            }
        },
        "additionalProperties": false
    });
    [("Fault", fault), ("Problem", problem)]
        .into_iter()
        .filter_map(|(name, schema)| Some((name, RefOr::T(serde_json::from_value(schema).ok()?))))
        .collect()
}

/// The status of a shared response.
pub(crate) fn status_of(name: &str) -> &'static str {
    SHARED.iter().find(|(_, known, _)| *known == name).map_or("500", |(status, ..)| status)
}

/// Status, `error`, `code`, title and description of the errors of OAuth's endpoints that stand as examples.
const OAUTH: &[(&str, &str, &str, &str, &str)] = &[
    ("400", "invalid_request", "invalid_request", "Invalid request", "grant_type is missing."),
    (
        "401",
        "invalid_client",
        "invalid_client",
        "Invalid credentials",
        "The client credentials are missing or not valid.",
    ),
    ("403", "invalid_request", "https_required", "Invalid request", "The request came over plain HTTP."),
    ("406", "invalid_request", "not_acceptable", "Invalid request", "Answers are application/json."),
    ("408", "invalid_request", "timeout", "Invalid request", "The body did not arrive in time."),
    ("413", "invalid_request", "body_too_large", "Invalid request", "The body is over 65536 bytes."),
    ("414", "invalid_request", "uri_too_long", "Invalid request", "The path and query are too long."),
    (
        "415",
        "invalid_request",
        "unsupported_media_type",
        "Invalid request",
        "Send application/json or application/x-www-form-urlencoded.",
    ),
    ("431", "invalid_request", "header_too_large", "Invalid request", "The header is too large."),
    ("429", "temporarily_unavailable", "rate_limited", "Too many requests.", "Too many requests."),
    (
        "500",
        "server_error",
        "internal",
        "Something went wrong here.",
        "The log knows more under this request_id.",
    ),
    ("503", "temporarily_unavailable", "unavailable", "The register is unavailable.", "Try again later."),
];

/// The error that an answer of OAuth's endpoints shows.
pub(crate) fn oauth_example(status: &str) -> Option<Value> {
    let (_, error, code, title, description) = OAUTH.iter().find(|(known, ..)| *known == status)?;
    Some(json!({
        "error": error,
        "error_description": description,
        "type": format!("/docs/errors#{code}"),
        "title": title,
        "status": status.parse().unwrap_or(500),
        "code": code,
        "request_id": REQUEST_ID,
    }))
}

/// The problem that an answer shows: `description` is what the operation says of it.
pub(crate) fn example(status: &str, description: &str, path: &str) -> Value {
    let known = EXAMPLES.iter().find(|(known, ..)| *known == status);
    let (_, code, title, detail) =
        known.copied().unwrap_or(("500", "internal", "Something went wrong here.", ""));
    let (code, title) = match status {
        "404" => (code, description.split(", or ").next().unwrap_or(title)),
        "409" => CONFLICTS
            .iter()
            .find(|(text, ..)| *text == description)
            .map_or((code, title), |(text, code)| (*code, *text)),
        _ => (code, title),
    };
    let instance = if path.is_empty() || path.contains('{') { "/v1/incidents" } else { path };
    let mut problem = json!({
        "type": format!("/docs/errors#{code}"),
        "title": title,
        "status": status.parse().unwrap_or(500),
        "detail": detail,
        "instance": instance,
        "code": code,
        "request_id": REQUEST_ID,
    });
    if let (Some((name, member)), Some(members)) = (further_member(status), problem.as_object_mut()) {
        members.insert(name.to_owned(), member);
    }
    problem
}

/// What a problem of this status has beside the members of all.
fn further_member(status: &str) -> Option<(&'static str, Value)> {
    match status {
        "400" => {
            let detail = "is not known; did you mean `limit`?";
            Some(("errors", json!([{"parameter": "limt", "code": "unknown", "detail": detail}])))
        }
        "403" => Some(("scope", json!("incidents:write"))),
        "422" => {
            Some(("errors", json!([{"pointer": "#/title", "code": "required", "detail": "is required"}])))
        }
        _ => None,
    }
}
