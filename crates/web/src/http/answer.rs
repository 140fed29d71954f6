//! The successful responses of handlers.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LINK, LOCATION};
use serde::Serialize;

use crate::http::conditional::entity_tag;
use crate::http::error::{Error, Result};
use crate::http::page::List;
use crate::http::rate::ChangedRows;

/// Marks a response replayed for an Idempotency-Key.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A successful response, ready to be stored under an Idempotency-Key and to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// 200, 201 or 204.
    pub status: StatusCode,
    /// The path of the created record.
    pub location: Option<String>,
    /// The entity tag of the body, in quotes; none if the body is not the representation of a readable resource.
    pub etag: Option<String>,
    /// The value of the header `Link`: the other pages of the list.
    pub link: Option<String>,
    /// JSON, or nothing with 204.
    pub body: Bytes,
    /// Whether this is a stored response, replayed.
    pub is_replay: bool,
    /// Whether it shows a secret: it is then encrypted when stored.
    pub is_secret: bool,
    /// How many rows a bulk operation changed; it counts as that many requests against the rate limit, and at least
    /// one.
    pub changed_rows: u64,
}

impl Answer {
    /// 200 with one record as GET returns it, after a read or a change. `version` is the record's version; without one
    /// the entity tag is a hash alone.
    pub fn record(version: impl Into<Option<i64>>, view: &impl Serialize) -> Result<Self> {
        let answer = Self::outcome(view)?;
        Ok(Self { etag: Some(entity_tag(version.into(), &answer.body)), ..answer })
    }

    /// 201 with the path of the created record, and the record just as a GET of that path returns it.
    pub fn created(location: String, version: impl Into<Option<i64>>, view: &impl Serialize) -> Result<Self> {
        Ok(Self { status: StatusCode::CREATED, location: Some(location), ..Self::record(version, view)? })
    }

    /// 201 with the path of the created record, and a secret that a GET of that path does not return.
    pub(crate) fn shown_once(location: String, view: &impl Serialize) -> Result<Self> {
        let answer = Self::outcome(view)?;
        Ok(Self { status: StatusCode::CREATED, location: Some(location), is_secret: true, ..answer })
    }

    /// 200 with a page of a list.
    pub(crate) fn list<T: Serialize>(list: &List<T>) -> Result<Self> {
        Ok(Self { link: Some(list.link.clone()), ..Self::record(None, list)? })
    }

    /// 200 with the outcome of a write that does not return a record.
    pub fn outcome(view: &impl Serialize) -> Result<Self> {
        // Most answers are records of this size.
        let mut body = Vec::with_capacity(1_024);
        serde_json::to_writer(&mut body, view).map_err(|error| Error::internal(error.to_string()))?;
        Ok(Self { body: body.into(), ..Self::empty(StatusCode::OK) })
    }

    /// 200 with the outcome of a bulk operation and the number of rows it changed.
    pub(crate) fn bulk_outcome(changed_rows: i64, view: &impl Serialize) -> Result<Self> {
        Ok(Self { changed_rows: changed_rows.unsigned_abs(), ..Self::outcome(view)? })
    }

    /// 204.
    pub fn no_content() -> Self {
        Self::empty(StatusCode::NO_CONTENT)
    }

    fn empty(status: StatusCode) -> Self {
        Self {
            status,
            location: None,
            etag: None,
            link: None,
            body: Bytes::new(),
            is_replay: false,
            is_secret: false,
            changed_rows: 1,
        }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let has_body = self.status != StatusCode::NO_CONTENT;
        let mut response = Response::new(if has_body { Body::from(self.body) } else { Body::empty() });
        *response.status_mut() = self.status;
        if self.changed_rows > 1 {
            response.extensions_mut().insert(ChangedRows(self.changed_rows));
        }
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // The values are made of ids, slugs, numbers and URLs, which are all visible ASCII.
        for (name, value) in [(LOCATION, self.location), (ETAG, self.etag), (LINK, self.link)] {
            if let Some(Ok(value)) = value.map(HeaderValue::try_from) {
                headers.insert(name, value);
            }
        }
        if self.is_replay {
            headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}
