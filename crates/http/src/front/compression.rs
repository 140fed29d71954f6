//! Large responses are compressed if the client accepts it. Small ones cost nothing here: their length is checked
//! before anything is wrapped.

use std::convert::Infallible;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use tower::{ServiceExt, service_fn};
use tower_http::compression::Compression;

use crate::conditional::text_of;
use crate::limits::COMPRESS_FROM_BYTES;

/// Whether the body is long enough to compress. A body of unknown length is a stream, which is sent uncompressed.
pub(super) fn is_worth_it(response: &Response) -> bool {
    response.body().size_hint().exact().is_some_and(|bytes| bytes >= COMPRESS_FROM_BYTES)
}

/// Compresses the response as `Accept-Encoding` requests.
///
/// The body is already in memory and stays there in one piece, so its length is known, and HEAD returns the same
/// headers as GET. A strong ETag does not stand for the compressed bytes, so it becomes a weak one, which `If-Match`
/// accepts as well.
pub(super) async fn compress(response: Response, accept_encoding: HeaderValue) -> Response {
    let status = response.status();
    let mut asked = Request::new(());
    asked.headers_mut().insert(ACCEPT_ENCODING, accept_encoding);
    let mut response = Some(response);
    let inner = service_fn(move |_: axum::http::Request<()>| {
        std::future::ready(Ok::<_, Infallible>(response.take().unwrap_or_default()))
    });
    let (mut parts, body) = match Compression::new(inner).oneshot(asked).await {
        Ok(compressed) => compressed.into_parts(),
        Err(never) => match never {},
    };
    // A client that refuses even the uncompressed form gets it all the same.
    parts.status = status;
    if parts.headers.contains_key(CONTENT_ENCODING) {
        weaken(&mut parts.headers);
    }
    // Compressing bytes in memory cannot fail.
    let body = to_bytes(Body::new(body), usize::MAX).await.unwrap_or_default();
    Response::from_parts(parts, Body::from(body))
}

fn weaken(headers: &mut HeaderMap) {
    let Some(strong) = headers.get(ETAG).filter(|tag| !tag.as_bytes().starts_with(b"W/")) else { return };
    if let Ok(weak) = HeaderValue::from_bytes(&[b"W/", strong.as_bytes()].concat()) {
        headers.insert(ETAG, weak);
    }
}

/// A 304 repeats the ETag in the form that the caller stores, so that its cache can match the stored response (RFC
/// 9111, section 4.3.4). A client that accepts no encoding stores no weak tag.
pub(super) fn repeat_weak_tag(response: &mut Response, wanted: &Wanted) {
    if wanted.accept_encoding.is_none() {
        return;
    }
    let Some(asked) = &wanted.if_none_match else { return };
    let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok());
    if tag.is_some_and(|tag| asked.contains(&format!("W/{tag}"))) {
        weaken(response.headers_mut());
    }
}

/// The request headers that are needed once the response exists.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) accept_encoding: Option<HeaderValue>,
    /// All its lines.
    pub(super) if_none_match: Option<String>,
}

impl Wanted {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let accept_encoding = headers.get(ACCEPT_ENCODING).cloned();
        Self { accept_encoding, if_none_match: text_of(headers, IF_NONE_MATCH) }
    }
}
