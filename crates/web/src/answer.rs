//! What a handler answers when it could do what was asked.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use serde::Serialize;

use crate::error::{Error, Result};

/// Says that an answer was given before, under the same Idempotency-Key.
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A successful answer, ready to be stored under an Idempotency-Key and to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// 200, 201 or 204.
    pub status: StatusCode,
    /// The path of what was made.
    pub location: Option<String>,
    /// JSON, or nothing with 204.
    pub body: Bytes,
    /// Whether it was given before.
    pub is_replay: bool,
}

impl Answer {
    /// 200 with a body.
    pub fn ok(view: &impl Serialize) -> Result<Self> {
        Self::with(StatusCode::OK, None, view)
    }

    /// 201 with a body and the path of what was made.
    pub fn created(location: String, view: &impl Serialize) -> Result<Self> {
        Self::with(StatusCode::CREATED, Some(location), view)
    }

    /// 204.
    pub fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, location: None, body: Bytes::new(), is_replay: false }
    }

    fn with(status: StatusCode, location: Option<String>, view: &impl Serialize) -> Result<Self> {
        // Most answers are records of this size.
        let mut body = Vec::with_capacity(1_024);
        serde_json::to_writer(&mut body, view).map_err(|error| Error::internal(error.to_string()))?;
        Ok(Self { status, location, body: body.into(), is_replay: false })
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let has_body = self.status != StatusCode::NO_CONTENT;
        let mut response = Response::new(if has_body { Body::from(self.body) } else { Body::empty() });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // A location is made of ids and slugs, which are all visible ASCII.
        if let Some(Ok(location)) = self.location.map(HeaderValue::try_from) {
            headers.insert(LOCATION, location);
        }
        if self.is_replay {
            headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}
