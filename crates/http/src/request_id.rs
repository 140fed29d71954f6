//! The id of a request: in the response, in every problem, in the log and in the journal.

use axum::http::HeaderValue;
use db::Db;
use domain::undo::is_request_id;
use hyper::HeaderMap;

/// The header that carries it, both ways.
pub(crate) const X_REQUEST_ID: &str = "x-request-id";

/// The id of one request; a clone costs nothing.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The caller's, if it matches `[A-Za-z0-9._-]{1,128}`, else a new UUIDv7.
    pub(crate) fn of(headers: &HeaderMap, db: &Db) -> Self {
        match headers.get(X_REQUEST_ID) {
            Some(sent) if is_request_id(sent.as_bytes()) => Self(sent.clone()),
            _ => Self::new(db),
        }
    }

    fn new(db: &Db) -> Self {
        let mut random = [0; 10];
        (db.random())(&mut random);
        let millis = u64::try_from((db.clock())().as_millisecond()).unwrap_or(0);
        let id = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        let mut text = [0; 36];
        let text: &str = id.hyphenated().encode_lower(&mut text);
        // Hexadecimal digits and hyphens are always a valid header value.
        Self(HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("-")))
    }

    /// A fixed id.
    #[cfg(test)]
    pub(crate) fn fixed(id: &'static str) -> Self {
        Self(HeaderValue::from_static(id))
    }

    /// The id as text.
    pub(crate) fn as_str(&self) -> &str {
        // An id is always ASCII, whether generated or sent.
        self.0.to_str().unwrap_or("-")
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}
