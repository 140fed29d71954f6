//! The form of errors for programs: problems (RFC 9457).

mod details;
mod members;
mod of_error;
mod parts;
#[cfg(test)]
mod tests;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use domain::ErrorCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;

use crate::error::Error;
use crate::route::{Content, ErrorForm, Refusal};

pub use members::ItemProblem;
use members::Members;
pub use of_error::UNKNOWN_REQUEST;
pub use parts::Parts;

/// The media type of every error outside the token endpoint.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The form for programs.
pub const FORM: ErrorForm = ErrorForm { content: Content::Json, render: respond };

/// The response carries the error itself; the front adds the path and the request's id.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.extensions_mut().insert(Box::new(self));
        response
    }
}

#[derive(Serialize)]
struct Problem<'e> {
    #[serde(rename = "type")]
    link: String,
    title: &'e str,
    status: u16,
    detail: &'e str,
    instance: String,
    code: ErrorCode,
    request_id: &'e str,
    #[serde(flatten)]
    members: &'e Members<'e>,
}

fn respond(refusal: &Refusal<'_>) -> Response {
    let parts = refusal.describe();
    let problem = Problem {
        link: refusal.public_url.path_to(&parts.link()),
        title: &parts.title,
        status: parts.status.as_u16(),
        detail: &parts.detail,
        instance: refusal.instance(),
        code: parts.code,
        request_id: refusal.request_id,
        members: &parts.members,
    };
    // Strings and numbers only: serializing them cannot fail.
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    if let Some((name, value)) = parts.header {
        headers.insert(name, value);
    }
    (parts.status, headers, Body::from(body)).into_response()
}
