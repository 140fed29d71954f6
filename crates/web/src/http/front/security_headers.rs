//! The security and caching headers of every response.

use hyper::StatusCode;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use super::realm::Realm;

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const DENY: HeaderValue = HeaderValue::from_static("DENY");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// For responses that are not pages: allows no resources, no scripts and no framing.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// One year. Subdomains are not included: this service does not decide for them.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const ASK_EACH_TIME: HeaderValue = HeaderValue::from_static("private, no-cache");
const ASK: HeaderValue = HeaderValue::from_static("no-cache");

const VARY_DATA: HeaderValue = HeaderValue::from_static("Authorization, Accept, Accept-Encoding");
const VARY_DATA_ORIGIN: HeaderValue =
    HeaderValue::from_static("Authorization, Accept, Accept-Encoding, Origin");
const VARY_PUBLIC: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");
const VARY_PUBLIC_ORIGIN: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding, Origin");

/// How many headers are added here and later, so that the map grows only once.
const MORE: usize = 16;

/// The facts that the headers depend on.
pub(super) struct Circumstances {
    pub(super) realm: Realm,
    /// Whether the client spoke HTTPS.
    pub(super) is_secure: bool,
    /// Whether any CORS origins are allowed.
    pub(super) has_cors: bool,
}

/// Adds the headers. A page policy or caching header that a handler set stays, except that secrets are never cached.
pub(super) fn add(headers: &mut HeaderMap, status: StatusCode, it: &Circumstances) {
    headers.reserve(MORE);
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(REFERRER_POLICY, NO_REFERRER);
    headers.insert(X_FRAME_OPTIONS, DENY);
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, SAME_ORIGIN);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(NOTHING);
    if it.is_secure {
        headers.insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    match it.realm {
        Realm::SignIn | Realm::Secrets => {
            headers.insert(CACHE_CONTROL, NO_STORE);
        }
        // Errors are not cached: 404, 405 and others would be by default (RFC 9110, section 15.1).
        _ if status.is_client_error() || status.is_server_error() => {
            headers.insert(CACHE_CONTROL, NO_STORE);
        }
        Realm::Data => {
            headers.entry(CACHE_CONTROL).or_insert(ASK_EACH_TIME);
        }
        Realm::Public => {
            headers.entry(CACHE_CONTROL).or_insert(ASK);
        }
    }
    headers.insert(VARY, vary(it));
}

fn vary(it: &Circumstances) -> HeaderValue {
    match (it.realm, it.has_cors) {
        (Realm::Public, false) => VARY_PUBLIC,
        (Realm::Public, true) => VARY_PUBLIC_ORIGIN,
        (_, false) => VARY_DATA,
        (_, true) => VARY_DATA_ORIGIN,
    }
}
