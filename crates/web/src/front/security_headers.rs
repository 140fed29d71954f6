//! The headers that every answer carries, whatever it is: for browsers and for caches.

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

/// For what is no page: nothing is loaded, nothing runs, nothing frames it.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// A year. Other names below the host are not ours to decide on.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const ASK_EACH_TIME: HeaderValue = HeaderValue::from_static("private, no-cache");
const ASK: HeaderValue = HeaderValue::from_static("no-cache");

const VARY_DATA: HeaderValue = HeaderValue::from_static("Authorization, Accept, Accept-Encoding");
const VARY_DATA_ORIGIN: HeaderValue =
    HeaderValue::from_static("Authorization, Accept, Accept-Encoding, Origin");
const VARY_PUBLIC: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");
const VARY_PUBLIC_ORIGIN: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding, Origin");

/// How many headers are added here and after, so that the map grows once.
const MORE: usize = 16;

/// What an answer's headers depend on.
pub(super) struct Circumstances {
    pub(super) realm: Realm,
    /// Whether the client spoke HTTPS.
    pub(super) is_secure: bool,
    /// Whether there are origins that may call.
    pub(super) has_cors: bool,
}

/// Adds them. What a handler said itself about its page or about caching stands, except that nobody keeps a secret.
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
        // A refusal is nothing to keep: 404, 405 and others would be by default (RFC 9110, section 15.1).
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
