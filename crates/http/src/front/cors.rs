//! CORS: scripts of other origins may call the API only if the operator allowed their origin. Cookies are never
//! accepted.

use hyper::HeaderMap;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderValue,
    ORIGIN,
};

use super::methods::Methods;

/// The response headers that a script may read beyond those that browsers always expose.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, WWW-Authenticate, Deprecation, \
     Sunset, Idempotent-Replayed, Bailiwick-Search-Seq",
);

/// The request headers that a script may send.
const TAKEN: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, traceparent, tracestate",
);

/// How many seconds a browser may cache a preflight.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// The allowed origins.
#[derive(Debug)]
pub(super) struct Cors(Vec<HeaderValue>);

impl Cors {
    /// Origins as browsers send them: scheme, host and, if it is not the scheme's default, port.
    pub(super) fn new(origins: &[String]) -> Self {
        let normal = |origin: &String| origin.trim_end_matches('/').to_ascii_lowercase();
        Self(origins.iter().filter_map(|origin| HeaderValue::try_from(normal(origin)).ok()).collect())
    }

    /// Whether responses depend on the origin at all.
    pub(super) fn is_on(&self) -> bool {
        !self.0.is_empty()
    }

    /// The request's origin, if it is allowed.
    pub(super) fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if !self.is_on() {
            return None;
        }
        let origin = headers.get(ORIGIN)?;
        self.0.contains(origin).then(|| origin.clone())
    }
}

/// Whether an `OPTIONS` request is a CORS preflight.
pub(super) fn is_preflight(headers: &HeaderMap) -> bool {
    headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Allows a script of this origin to read the response.
pub(super) fn allow(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

/// Answers a preflight of an allowed origin.
pub(super) fn answer_preflight(headers: &mut HeaderMap, methods: &Methods) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods.allow.clone());
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, TAKEN);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(origins: &[&str], origin: &'static str) -> bool {
        let origins: Vec<String> = origins.iter().map(|it| (*it).to_owned()).collect();
        let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_static(origin))]);
        Cors::new(&origins).allowed(&headers).is_some()
    }

    #[test]
    fn an_origin_is_allowed_whole_or_not() {
        let listed = &["https://Console.Example.org/", "http://localhost:5173"];
        assert!(is_allowed(listed, "https://console.example.org"));
        assert!(is_allowed(listed, "http://localhost:5173"));
        for origin in [
            "null",
            "*",
            "http://console.example.org",
            "https://example.org",
            "https://console.example.org.evil.org",
            "https://console.example.org:8443",
            "http://localhost",
        ] {
            assert!(!is_allowed(listed, origin), "{origin}");
        }
        assert!(!is_allowed(&[], "http://localhost:5173"));
    }
}
