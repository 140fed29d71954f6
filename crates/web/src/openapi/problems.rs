//! How problems are described in the OpenAPI document.

use serde_json::json;
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

/// The name of the shared response of a status.
pub(crate) fn response_name(status: &str) -> &'static str {
    SHARED.iter().find(|(known, ..)| *known == status).map_or("Internal", |(_, name, _)| name)
}

/// The shared responses.
pub(crate) fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|(status, name, description)| {
        let mut response = Response::new(*description);
        give_body(&mut response);
        let own: &[&str] = match *status {
            "401" | "403" => &["WWW-Authenticate"],
            "429" | "503" => &["Retry-After"],
            "415" => &["Accept", "Accept-Encoding", "Accept-Patch"],
            _ => &[],
        };
        for header in own.iter().chain(&["RateLimit", "RateLimit-Policy"]) {
            let target = Ref::new(format!("#/components/headers/{}", header.replace('-', "")));
            response.headers.insert((*header).to_owned(), RefOr::Ref(target));
        }
        let request_id = RefOr::Ref(Ref::new("#/components/headers/RequestId"));
        response.headers.insert("X-Request-Id".to_owned(), request_id);
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
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}}
        },
        "additionalProperties": false
    });
    [("Fault", fault), ("Problem", problem)]
        .into_iter()
        .filter_map(|(name, schema)| Some((name, RefOr::T(serde_json::from_value(schema).ok()?))))
        .collect()
}

/// The headers that answers share.
pub(crate) fn headers() -> [(&'static str, &'static str); 10] {
    [
        ("RequestId", "The caller's X-Request-Id if it matches [A-Za-z0-9._-]{1,128}, else a new UUID."),
        ("WWWAuthenticate", "The challenge (RFC 6750)."),
        ("RetryAfter", "Seconds to wait."),
        ("Accept", "What the operation takes."),
        ("AcceptEncoding", "`identity`, when the body was compressed."),
        ("AcceptPatch", "What the operation takes, when it is a patch."),
        (
            "RateLimit",
            "What the caller has left under the policy: requests `r`, and seconds `t` until all are back. On answers to \
             a caller who got known, where there is a limit.",
        ),
        ("RateLimitPolicy", "The policy: `q` requests in `w` seconds for each caller."),
        ("Location", "The path of what was made."),
        ("IdempotentReplayed", "`true` when the answer was given before, under the same Idempotency-Key."),
    ]
}
