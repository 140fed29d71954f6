//! The successful responses of handlers.

mod json;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::IncidentNumber;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LINK, LOCATION};

use crate::location;
use crate::rate::ChangedRows;

/// Marks a response replayed for an Idempotency-Key.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Up to which journal entry a search knows the register.
pub(crate) const SEARCH_SEQ: HeaderName = HeaderName::from_static("bailiwick-search-seq");

/// A successful response, ready to be stored under an Idempotency-Key and to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// 200, 201, 204, or 303 for a form.
    pub status: StatusCode,
    /// The path of the created record.
    pub location: Option<String>,
    /// The entity tag of the body, in quotes; none if the body is not the representation of a readable resource.
    pub etag: Option<String>,
    /// The value of the header `Link`: the other pages of the list.
    pub link: Option<String>,
    /// Up to which journal entry the search knew the register that the response shows.
    pub search_seq: Option<i64>,
    /// JSON, or nothing with 204.
    pub body: Bytes,
    /// The incidents that the body names, besides the one at its path: without these a stored response is not replayed.
    pub incidents: Vec<IncidentNumber>,
    /// Whether this is a stored response, replayed.
    pub is_replay: bool,
    /// Whether it shows a secret: it is then encrypted when stored.
    pub is_secret: bool,
    /// How many rows a bulk operation changed; it counts as that many requests against the rate limit, and at least
    /// one.
    pub changed_rows: u64,
}

impl Answer {
    /// 204.
    pub fn no_content() -> Self {
        Self::empty(StatusCode::NO_CONTENT)
    }

    /// 303: the form did what it says, and `location` shows it.
    pub fn see_other(location: String) -> Self {
        Self { location: Some(location), ..Self::empty(StatusCode::SEE_OTHER) }
    }

    fn empty(status: StatusCode) -> Self {
        Self {
            status,
            location: None,
            etag: None,
            link: None,
            search_seq: None,
            body: Bytes::new(),
            incidents: Vec::new(),
            is_replay: false,
            is_secret: false,
            changed_rows: 1,
        }
    }
}

impl Answer {
    /// The same with the entry up to which the search knew the register, if it is of a search.
    #[must_use]
    pub fn searched(self, search_seq: Option<i64>) -> Self {
        Self { search_seq, ..self }
    }

    /// The same for a body that names these incidents. A stored response is replayed only to a caller who sees all of them.
    #[must_use]
    pub fn naming(self, incidents: impl IntoIterator<Item = IncidentNumber>) -> Self {
        Self { incidents: incidents.into_iter().collect(), ..self }
    }
}

/// The same response with the entry up to which the search knew the register, if it is of a search.
pub fn with_search_seq(mut response: Response, search_seq: Option<i64>) -> Response {
    if let Some(seq) = search_seq {
        response.headers_mut().insert(SEARCH_SEQ, HeaderValue::from(seq));
    }
    response
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let has_body = self.status != StatusCode::NO_CONTENT;
        let mut response = Response::new(if has_body { Body::from(self.body) } else { Body::empty() });
        *response.status_mut() = self.status;
        if self.changed_rows > 1 {
            response.extensions_mut().insert(ChangedRows(self.changed_rows));
        }
        let mut response = with_search_seq(response, self.search_seq);
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        headers.extend(self.location.map(|address| (LOCATION, location::value(&address))));
        // The values are made of ids, hashes, numbers and URLs, which are all visible ASCII.
        for (name, value) in [(ETAG, self.etag), (LINK, self.link)] {
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
