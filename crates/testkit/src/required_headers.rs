//! The headers that every response must have.

use axum::http::HeaderMap;

/// What the header lacks, in words.
pub(crate) fn faults(path: &str, is_secure: bool, status: u16, headers: &HeaderMap) -> Vec<String> {
    let get = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut found = Vec::new();
    let mut must = |is_well: bool, fault: &str| {
        if !is_well {
            found.push(fault.to_owned());
        }
    };
    must(get("x-content-type-options") == "nosniff", "no nosniff");
    must(get("x-frame-options") == "DENY", "may be framed");
    must(get("referrer-policy") == "no-referrer", "a referrer is told");
    must(get("cross-origin-resource-policy") == "same-origin", "other origins may load it");
    let policy = get("content-security-policy");
    let is_closed = policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'");
    must(is_closed, "no policy that starts from nothing");
    must(!headers.contains_key("server"), "names its server");
    must(!get("x-request-id").is_empty(), "no request id");
    must(get("vary").contains("Accept-Encoding"), "does not vary");
    let insists = headers.contains_key("strict-transport-security");
    must(insists == is_secure, "insists on HTTPS where it was not used, or does not where it was");
    let is_secret =
        ["/v1/oauth/", "/v1/session", "/v1/invitations"].iter().any(|start| path.starts_with(start));
    let caching = get("cache-control");
    must(!caching.is_empty(), "nothing about caching");
    if is_secret || status >= 400 {
        must(caching == "no-store", "may be kept");
    }
    if is_secret {
        must(!headers.contains_key("content-encoding"), "a secret is compressed");
    } else if path.starts_with("/v1/") && status < 400 {
        must(["private, no-cache", "no-store"].contains(&caching), "data may be kept");
    }
    found
}
