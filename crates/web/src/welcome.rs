//! The page at `/`, which shows a person who opens the service in a browser that it runs.

use axum::response::{IntoResponse, Response};
use hyper::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};

/// Loads nothing, runs nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// The page.
pub(crate) async fn page() -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)];
    (headers, include_str!("welcome.html")).into_response()
}
