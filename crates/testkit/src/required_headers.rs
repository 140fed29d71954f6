//! The headers that every response must have.

use api::DeclaredHeaders;
use axum::http::HeaderMap;

/// What a caller asks for each time, and what they may keep.
const PRIVATE: &str = "private, no-cache";
const FOREVER: &str = "private, max-age=31536000, immutable";

/// The paths whose responses may have a secret, whatever the route table declares.
const SECRET: [&str; 4] = ["/v1/oauth/", "/v1/session", "/v1/invitations", "/v1/reset-links/"];

/// What is wrong with the headers, as sentences.
pub(crate) fn faults(
    declared: Option<&DeclaredHeaders>,
    path: &str,
    is_secure: bool,
    status: u16,
    headers: &HeaderMap,
) -> Vec<String> {
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
    let is_secret = SECRET.iter().any(|start| path.starts_with(start)) || path.ends_with("/reset-link");
    let caching = get("cache-control");
    must(!caching.is_empty(), "no Cache-Control");
    if is_secret || status >= 400 {
        must(caching == "no-store", "an error or a secret may be cached");
    }
    if is_secret {
        must(!headers.contains_key("content-encoding"), "a secret is compressed");
    } else if path.starts_with("/v1/") && status < 400 {
        must([PRIVATE, FOREVER, "no-store"].contains(&caching), "data may be cached by others");
    }
    if status < 400 {
        // OPTIONS has no route of its own.
        let declared = declared.map(|it| (it.cache_control, it.content_security_policy));
        // What is declared to be asked for each time may turn out to be what never changes.
        let caching = if caching == FOREVER { PRIVATE } else { caching };
        must(declared.is_none_or(|declared| declared == (caching, policy)), "not as the route declares");
    }
    found
}

/// The declaration about a request: literal segments of a path win over parameters.
pub(crate) fn declared<'d>(
    all: &'d [DeclaredHeaders],
    method: &str,
    path: &str,
) -> Option<&'d DeclaredHeaders> {
    let path = path.split('?').next().unwrap_or_default();
    let method = if method == "HEAD" { "GET" } else { method };
    let fits = |it: &&DeclaredHeaders| it.method == method && is_match(&it.path, path);
    all.iter().filter(fits).min_by_key(|it| it.path.matches('{').count())
}

fn is_match(template: &str, path: &str) -> bool {
    if let Some((start, _)) = template.split_once("{*") {
        return path.starts_with(start);
    }
    let (parts, segments): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    parts.len() == segments.len()
        && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment)
}
