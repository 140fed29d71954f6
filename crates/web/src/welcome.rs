//! The page at `/`, which shows a person who opens the service in a browser that it runs.

use axum::response::{IntoResponse, Response};
use hyper::header::CONTENT_TYPE;

/// The page.
pub(crate) async fn page() -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("welcome.html")).into_response()
}
