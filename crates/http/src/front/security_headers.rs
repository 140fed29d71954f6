//! The security and caching headers of every response.

use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use crate::route::{Caching, Content};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const DENY: HeaderValue = HeaderValue::from_static("DENY");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// One year. Subdomains are not included: this service does not decide for them.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

const VARY_DATA: HeaderValue = HeaderValue::from_static("Authorization, Accept, Accept-Encoding");
const VARY_DATA_ORIGIN: HeaderValue =
    HeaderValue::from_static("Authorization, Accept, Accept-Encoding, Origin");
const VARY_PAGE: HeaderValue = HeaderValue::from_static("Cookie, Accept-Encoding");
const VARY_PUBLIC: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");
const VARY_PUBLIC_ORIGIN: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding, Origin");

/// How many headers are added here and later, so that the map grows only once.
const MORE: usize = 16;

/// The facts that the headers depend on.
pub(super) struct Circumstances {
    pub(super) caching: Caching,
    pub(super) content: Content,
    /// Whether all callers get the same.
    pub(super) is_public: bool,
    /// Whether the client spoke HTTPS.
    pub(super) is_secure: bool,
    /// Whether any CORS origins are allowed.
    pub(super) has_cors: bool,
}

/// Adds the headers. No handler sets one of them.
pub(super) fn add(headers: &mut HeaderMap, it: &Circumstances) {
    headers.reserve(MORE);
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    // A form of the console is checked by the `Origin` that the browser sends, which is `null` without a referrer.
    let is_console = it.content == Content::Console;
    headers.insert(REFERRER_POLICY, if is_console { SAME_ORIGIN } else { NO_REFERRER });
    headers.insert(X_FRAME_OPTIONS, DENY);
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, SAME_ORIGIN);
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(it.content.policy()));
    if it.is_secure {
        headers.insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(it.caching.value()));
    headers.insert(VARY, if it.caching == Caching::Page { VARY_PAGE } else { vary(it) });
}

fn vary(it: &Circumstances) -> HeaderValue {
    match (it.is_public, it.has_cors) {
        (true, false) => VARY_PUBLIC,
        (true, true) => VARY_PUBLIC_ORIGIN,
        (false, false) => VARY_DATA,
        (false, true) => VARY_DATA_ORIGIN,
    }
}
