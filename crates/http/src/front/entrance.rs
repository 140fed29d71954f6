//! Refusals before any handler: requests that are malformed or too long, or that accept no available media type.

use axum::extract::Request;
use hyper::header::{ACCEPT, HOST, TRANSFER_ENCODING};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Version};

use crate::elements::elements;
use crate::error::{Error, Result};
use crate::limits;

/// The number of bytes around a header's name and value: `: ` and the end of the line.
const BETWEEN: usize = 4;

/// Checks what RFC 9112 requires of every HTTP/1.1 request, so that a proxy and this service never read different
/// requests: one `Host` (section 3.2), and no transfer coding but `chunked` (section 6.1). hyper refuses what it
/// cannot frame; this checks the rest.
pub(super) fn check_form(request: &Request) -> Result<()> {
    if request.version() != Version::HTTP_11 {
        return Ok(());
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) if host.is_empty() || is_host(host.as_bytes()) => {}
        (Some(_), None) => return Err(Error::MalformedRequest("The Host header names no host.")),
        _ => return Err(Error::MalformedRequest("HTTP/1.1 asks for one Host header.")),
    }
    let mut codings = request.headers().get_all(TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => Ok(()),
        (Some(coding), None) if coding.as_bytes().eq_ignore_ascii_case(b"chunked") => Ok(()),
        _ => Err(Error::MalformedRequest("No Transfer-Encoding is taken but chunked.")),
    }
}

/// Whether the value is a host with an optional port, without user information.
fn is_host(value: &[u8]) -> bool {
    !value.contains(&b'@') && Authority::try_from(value).is_ok()
}

/// Fails with 431, then 414.
pub(super) fn check_length(request: &Request) -> Result<()> {
    let header: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + BETWEEN).sum();
    if header > limits::HEADER_BYTES {
        return Err(Error::HeaderTooLarge);
    }
    let uri = request.uri().path_and_query().map_or(0, |it| it.as_str().len());
    if uri > limits::URI_BYTES { Err(Error::UriTooLong) } else { Ok(()) }
}

/// Fails with 406 only for a caller that explicitly refuses both JSON types (`q=0`). A caller that merely prefers
/// another type gets JSON (RFC 9110, section 12.5.1, allows it).
pub(super) fn check_accept(headers: &HeaderMap) -> Result<()> {
    // Nearly every request returns here: weights are rare.
    if headers.get_all(ACCEPT).iter().all(|value| !value.as_bytes().contains(&b';')) {
        return Ok(());
    }
    let ranges: Vec<(&str, bool)> = elements(headers, &ACCEPT).flatten().filter_map(range).collect();
    let is_refused = |subtype: &str| {
        // The most specific range that matches decides.
        let exact = ["application/", subtype].concat();
        [exact.as_str(), "application/*", "*/*"]
            .iter()
            .find_map(|wanted| ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(wanted)))
            .is_some_and(|(_, refused)| *refused)
    };
    if is_refused("json") && is_refused("problem+json") { Err(Error::NotAcceptable) } else { Ok(()) }
}

/// Whether `Accept` names `text/html` and no JSON, as browsers do: they receive errors as pages.
pub(super) fn prefers_a_page(headers: &HeaderMap) -> bool {
    // Nearly every request returns here.
    if !elements(headers, &ACCEPT).flatten().any(|range| range.starts_with("text/html")) {
        return false;
    }
    let ranges: Vec<(&str, bool)> = elements(headers, &ACCEPT).flatten().filter_map(range).collect();
    let takes = |media_type: &str| ranges.iter().any(|(range, refused)| *range == media_type && !refused);
    takes("text/html") && !takes("application/json") && !takes("application/problem+json")
}

/// A media range without parameters of its own, and whether its weight is 0.
fn range(element: &str) -> Option<(&str, bool)> {
    weighted(element).map(|(range, weight)| (range, weight <= 0.0))
}

/// A media range without parameters of its own, and its weight.
fn weighted(element: &str) -> Option<(&str, f32)> {
    let mut parts = element.split(';').map(str::trim);
    let range = parts.next()?;
    let mut weight = 1.0;
    for part in parts {
        let (name, value) = part.split_once('=')?;
        if !name.trim().eq_ignore_ascii_case("q") {
            // `application/json;version=2` is another type.
            return None;
        }
        weight = value.trim().parse().unwrap_or(1.0);
    }
    Some((range, weight))
}

/// Whether `Accept` names `one` of two media types with more weight than the `other`.
pub(crate) fn prefers(headers: &HeaderMap, one: &str, other: &str) -> bool {
    let weight = |media_type: &str| {
        let ranges = elements(headers, &ACCEPT).flatten().filter_map(weighted);
        ranges
            .filter(|(range, _)| range.eq_ignore_ascii_case(media_type))
            .map(|(_, weight)| weight)
            .fold(0.0, f32::max)
    };
    weight(one) > weight(other)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn accepts(values: &[&str]) -> bool {
        let headers = values.iter().map(|value| (ACCEPT, value.parse().unwrap())).collect();
        check_accept(&headers).is_ok()
    }

    #[test]
    fn only_a_refusal_in_so_many_words_counts() {
        for values in [
            &[][..],
            &["*/*"],
            &["text/html"],
            &["application/xml, text/html;q=0.9"],
            &["application/json;q=0"],
            &["application/problem+json;q=0, */*;q=0, application/json;q=0.001"],
            &["*/*;q=0, application/json"],
            &["application/*;q=0", "application/problem+json"],
            &["application/json;version=2;q=0, application/problem+json;q=0"],
            &["text/*;q=0"],
            &["nonsense;;;q"],
        ] {
            assert!(accepts(values), "{values:?}");
        }
        for values in [
            &["*/*;q=0"][..],
            &["application/*; q=0.000"],
            &["Application/JSON;Q=0,application/problem+json;q=0"],
            &["application/json;q=0", "text/html, application/problem+json ; q=0.0"],
            &["text/html, */*;q=0"],
            &["*/*;q=0, x/ü"],
        ] {
            assert!(!accepts(values), "{values:?}");
        }
    }

    #[test]
    fn a_browser_prefers_a_page() {
        let prefers = |value: &str| prefers_a_page(&[(ACCEPT, value.parse().unwrap())].into_iter().collect());
        assert!(prefers("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"));
        assert!(prefers("text/html"));
        for other in
            ["*/*", "application/json", "text/html;q=0, */*", "text/html, application/json", "text/*"]
        {
            assert!(!prefers(other), "{other}");
        }
    }

    #[test]
    fn a_request_names_one_host_and_no_coding_but_chunked() {
        let is_taken = |version: Version, headers: &[(&'static str, &str)]| {
            let mut request = Request::builder().version(version);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            check_form(&request.body(Body::empty()).unwrap()).is_ok()
        };
        let host = ("host", "a.example:80");
        for headers in [
            &[host][..],
            &[("host", "")],
            &[("host", "[::1]:8080")],
            &[host, ("transfer-encoding", "Chunked")],
        ] {
            assert!(is_taken(Version::HTTP_11, headers), "{headers:?}");
        }
        for headers in [
            &[][..],
            &[host, host],
            &[host, ("host", "b.example")],
            &[("host", "ada@a.example")],
            &[("host", "a b")],
            &[("host", "a/b")],
            &[host, ("transfer-encoding", "gzip, chunked")],
            &[host, ("transfer-encoding", "identity")],
            &[host, ("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
        ] {
            assert!(!is_taken(Version::HTTP_11, headers), "{headers:?}");
        }
        assert!(is_taken(Version::HTTP_10, &[]));
    }

    #[test]
    fn lengths_are_exact() {
        let asked = |uri: usize, header: usize| {
            let path = format!("/{}", "x".repeat(uri - 1));
            let value = "x".repeat(header - "x-long".len() - BETWEEN);
            let request = Request::builder().uri(path).header("x-long", value).body(Body::empty());
            check_length(&request.unwrap())
        };
        assert_eq!(asked(8 * 1024, 32 * 1024), Ok(()));
        assert_eq!(asked(8 * 1024 + 1, 32 * 1024), Err(Error::UriTooLong));
        assert_eq!(asked(8 * 1024, 32 * 1024 + 1), Err(Error::HeaderTooLarge));
    }
}
