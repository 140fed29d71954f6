//! Responses that show a secret: neither proxies nor browsers may store them.

use axum::response::{IntoResponse, Response};
use hyper::header::{CACHE_CONTROL, HeaderValue};

use crate::http::answer::Answer;

/// A response with `Cache-Control: no-store`.
pub(crate) struct NoStore(pub(crate) Answer);

impl IntoResponse for NoStore {
    fn into_response(self) -> Response {
        let mut response = self.0.into_response();
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}
