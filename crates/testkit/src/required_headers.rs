//! The headers that every response must have.

use axum::http::HeaderMap;

/// What is wrong with the headers, as sentences.
pub(crate) fn faults(path: &str, is_secure: bool, status: u16, headers: &HeaderMap) -> Vec<String> {
    let get = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut found = Vec::new();
    let mut must = |is_well: bool, fault: &str| {
        if !is_well {
            found.push(fault.to_owned());
        }
    };
    must(get("x-content-type-options") == "nosniff", "no X-Content-Type-Options: nosniff");
    must(get("x-frame-options") == "DENY", "other sites may frame it");
    must(get("referrer-policy") == "no-referrer", "sends a referrer");
    must(get("cross-origin-resource-policy") == "same-origin", "other origins may load it");
    let policy = get("content-security-policy");
    let is_closed = policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'");
    must(is_closed, "its content security policy does not start with default-src none");
    must(!headers.contains_key("server"), "it names the server software");
    must(!get("x-request-id").is_empty(), "no request id");
    must(get("vary").contains("Accept-Encoding"), "no Vary: Accept-Encoding");
    let requires_https = headers.contains_key("strict-transport-security");
    must(requires_https == is_secure, "HSTS is sent exactly over HTTPS");
    let is_secret =
        ["/v1/oauth/", "/v1/session", "/v1/invitations"].iter().any(|start| path.starts_with(start));
    let caching = get("cache-control");
    must(!caching.is_empty(), "no Cache-Control");
    if is_secret || status >= 400 {
        must(caching == "no-store", "an error or a secret may be cached");
    }
    if is_secret {
        must(!headers.contains_key("content-encoding"), "a secret is compressed");
    } else if path.starts_with("/v1/") && status < 400 {
        must(["private, no-cache", "no-store"].contains(&caching), "data may be cached by others");
    }
    found
}
