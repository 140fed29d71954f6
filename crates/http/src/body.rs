//! Reading a body: its size, its media type, its timeout, and the thread on which it is parsed.

use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE};

use crate::app::App;
use crate::error::{Error, Result};
use crate::{blocking, limits};

/// The media type of a JSON operation.
pub(crate) const JSON: &[&str] = &["application/json"];

/// The media types of a merge patch (RFC 7396).
pub(crate) const MERGE_PATCH: &[&str] = &["application/json", "application/merge-patch+json"];

/// Reads a whole body: 413 if it is too long, then 415 if its media type is not among `types`.
pub async fn read(
    headers: &HeaderMap,
    body: Body,
    limit_bytes: usize,
    types: &'static [&'static str],
    timeout: Duration,
) -> Result<Bytes> {
    let too_large = Error::BodyTooLarge { limit_bytes };
    if body.size_hint().lower() > limit_bytes as u64 {
        return Err(too_large);
    }
    let bytes = match tokio::time::timeout(timeout, to_bytes(body, limit_bytes)).await {
        Err(_) => return Err(Error::Timeout),
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) if is_length_limit(&error) => return Err(too_large),
        Ok(Err(error)) => return Err(Error::MalformedBody(format!("The body broke off: {error}."))),
    };
    check_type(headers, !bytes.is_empty(), types)?;
    Ok(bytes)
}

/// Parses a body: a short one on this thread, a longer one on a blocking thread, with a limit on how many at once; one that is
/// converted as [`App::convert`] does.
pub(crate) async fn parse<T: Send + 'static>(
    app: &App,
    bytes: Bytes,
    is_converted: bool,
    work: impl FnOnce(&[u8]) -> Result<T> + Send + 'static,
) -> Result<T> {
    let is_short = bytes.len() <= limits::PARSE_HERE_BYTES;
    let work = move || work(&bytes);
    match is_converted {
        true => app.convert(work).await,
        false if is_short => work(),
        false => blocking::run(app.parsing(), work).await,
    }
}

/// A body without a media type is refused. `charset` may only be UTF-8, and compressed bodies are refused.
pub(crate) fn check_type(headers: &HeaderMap, has_body: bool, types: &'static [&'static str]) -> Result<()> {
    let unsupported = || Error::UnsupportedMediaType { accept: accept(types) };
    let is_plain = |value: &[u8]| value.eq_ignore_ascii_case(b"identity");
    if headers.get(CONTENT_ENCODING).is_some_and(|value| !is_plain(value.as_bytes())) {
        return Err(Error::UnsupportedEncoding);
    }
    let Some(sent) = headers.get(CONTENT_TYPE) else {
        return if has_body { Err(unsupported()) } else { Ok(()) };
    };
    let sent = String::from_utf8_lossy(sent.as_bytes());
    let mut parts = sent.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default();
    let is_known = types.iter().any(|known| known.eq_ignore_ascii_case(media_type));
    let is_utf_8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    if is_known && is_utf_8 { Ok(()) } else { Err(unsupported()) }
}

/// The `Accept` of a 415.
fn accept(types: &'static [&'static str]) -> &'static str {
    match types {
        ["application/json", "application/merge-patch+json"] => {
            "application/json, application/merge-patch+json"
        }
        ["application/json", "application/x-www-form-urlencoded"] => {
            "application/json, application/x-www-form-urlencoded"
        }
        ["application/x-www-form-urlencoded"] => "application/x-www-form-urlencoded",
        ["application/octet-stream", ..] => "application/json, multipart/form-data, application/octet-stream",
        ["multipart/form-data"] => "multipart/form-data",
        _ => "application/json",
    }
}

fn is_length_limit(error: &axum::Error) -> bool {
    use std::error::Error as _;
    error.source().is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(content_type: Option<&str>, has_body: bool) -> bool {
        let mut headers = HeaderMap::new();
        if let Some(value) = content_type {
            headers.insert(CONTENT_TYPE, value.parse().unwrap());
        }
        check_type(&headers, has_body, JSON).is_ok()
    }

    #[test]
    fn only_json_in_utf_8_is_taken() {
        for text in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; name=ü",
        ] {
            assert!(is_taken(Some(text), true), "{text}");
        }
        for text in ["text/plain", "application/json; charset=latin1", "application/jsonx", "", "json"] {
            assert!(!is_taken(Some(text), true), "{text}");
        }
        assert!(is_taken(None, false) && !is_taken(None, true));
    }

    #[test]
    fn a_compressed_body_is_refused() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "application/json".parse().unwrap());
        headers.insert(CONTENT_ENCODING, "gzip".parse().unwrap());
        assert_eq!(check_type(&headers, true, JSON), Err(Error::UnsupportedEncoding));
        headers.insert(CONTENT_ENCODING, "identity".parse().unwrap());
        assert_eq!(check_type(&headers, true, JSON), Ok(()));
    }

    #[tokio::test]
    async fn a_long_body_is_refused_before_its_type_is_looked_at() {
        let body = |bytes: usize| Body::from(vec![b' '; bytes]);
        let read = async |body| read(&HeaderMap::new(), body, 10, JSON, Duration::from_secs(1)).await;
        assert_eq!(read(body(11)).await, Err(Error::BodyTooLarge { limit_bytes: 10 }));
        assert!(matches!(read(body(10)).await, Err(Error::UnsupportedMediaType { .. })));
        let stream = Body::new(http_body_util::StreamBody::new(futures_util::stream::iter(
            [vec![b' '; 6], vec![b' '; 6]]
                .map(|part| Ok::<_, std::io::Error>(hyper::body::Frame::data(Bytes::from(part)))),
        )));
        assert_eq!(read(stream).await, Err(Error::BodyTooLarge { limit_bytes: 10 }));
    }

    #[tokio::test]
    async fn a_slow_body_times_out() {
        let stream = Body::new(http_body_util::StreamBody::new(futures_util::stream::pending::<
            Result<hyper::body::Frame<Bytes>, std::io::Error>,
        >()));
        let read = read(&HeaderMap::new(), stream, 10, JSON, Duration::from_millis(5)).await;
        assert_eq!(read, Err(Error::Timeout));
    }
}
