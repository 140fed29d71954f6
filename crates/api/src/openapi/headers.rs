//! The response headers, each described once.

use serde_json::{Value, json};
use utoipa::openapi::{Header, ObjectBuilder, RefOr};

/// The headers that every response may have: name in the components, name on the wire.
const SHARED: [(&str, &str); 4] = [
    ("RequestId", "X-Request-Id"),
    ("RateLimit", "RateLimit"),
    ("RateLimitPolicy", "RateLimit-Policy"),
    ("Access-Control-Allow-Origin", "Access-Control-Allow-Origin"),
];

/// The name in the components, the description and the schema of each header.
fn all() -> [(&'static str, &'static str, Value); 12] {
    let text = |most: u32, pattern: &str, example: &str| json!({"type": "string", "maxLength": most, "pattern": pattern, "examples": [example]});
    let line = r"^[ -~]*$";
    [
        (
            "RequestId",
            "The caller's X-Request-Id if it matches [A-Za-z0-9._-]{1,128}, else a new UUID.",
            text(128, "^[A-Za-z0-9._-]{1,128}$", "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60"),
        ),
        (
            "RateLimit",
            "What the caller has left under the policy: requests `r`, and seconds `t` until all are back. On answers to \
             a caller who got known, where there is a limit.",
            text(200, line, r#""default";r=59999;t=60"#),
        ),
        (
            "RateLimitPolicy",
            "The policy: `q` requests in `w` seconds for each caller.",
            text(200, line, r#""default";q=60000;w=60"#),
        ),
        (
            // Under its own name: a linter looks for it among the components too.
            "Access-Control-Allow-Origin",
            "The caller's origin, if it is on the allow-list of the service; not there without one.",
            text(2_048, line, "https://console.example.org"),
        ),
        (
            "WWWAuthenticate",
            "The challenge (RFC 6750): with an `error` if a token was sent.",
            text(1_024, line, r#"Bearer realm="bailiwick", error="invalid_token""#),
        ),
        (
            "RetryAfter",
            "Seconds to wait.",
            json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": i32::MAX, "examples": [1]}),
        ),
        ("Accept", "The media types that the operation takes.", text(200, line, "application/json")),
        (
            "AcceptEncoding",
            "`identity`, when the body was compressed.",
            json!({"type": "string", "enum": ["identity"]}),
        ),
        (
            "AcceptPatch",
            "What the operation takes, when it is a patch.",
            text(200, line, "application/merge-patch+json, application/json"),
        ),
        ("Location", "The path of what was made.", text(1_024, "^/[!-~]*$", "/v1/incidents/INC-0001")),
        (
            "SearchSeq",
            "With `q`: the number of the journal entry up to which the search knows the register.",
            json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": i64::MAX, "examples": [4711]}),
        ),
        (
            "IdempotentReplayed",
            "`true` when the answer was given before, under the same Idempotency-Key.",
            json!({"type": "string", "enum": ["true"]}),
        ),
    ]
}

/// The headers for the document's components.
pub(super) fn components() -> impl Iterator<Item = (String, RefOr<Header>)> {
    all().into_iter().map(|(name, description, schema)| {
        let mut header = Header::new(ObjectBuilder::new().build());
        // The schemas above are valid.
        if let Ok(schema) = serde_json::from_value(schema) {
            header.schema = schema;
        }
        header.description = Some(description.to_owned());
        (name.to_owned(), RefOr::T(header))
    })
}

/// The headers that some errors have: name on the wire, name in the components.
pub(super) fn of_status(status: &str) -> &'static [(&'static str, &'static str)] {
    match status {
        "401" | "403" => &[("WWW-Authenticate", "WWWAuthenticate")],
        "415" => {
            &[("Accept", "Accept"), ("Accept-Encoding", "AcceptEncoding"), ("Accept-Patch", "AcceptPatch")]
        }
        "429" | "503" => &[("Retry-After", "RetryAfter")],
        _ => &[],
    }
}

/// The headers that every response may have: name on the wire, reference.
pub(super) fn shared() -> impl Iterator<Item = (&'static str, Value)> {
    SHARED.into_iter().map(|(component, name)| (name, reference(component)))
}

/// A reference to a header of the components.
pub(super) fn reference(component: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{component}")})
}
