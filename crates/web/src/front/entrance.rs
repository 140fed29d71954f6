//! What is refused before any handler: a request that is too long, or that takes no answer there is.

use axum::extract::Request;
use hyper::HeaderMap;
use hyper::header::ACCEPT;

use crate::error::{Error, Result};
use crate::limits;

/// Bytes between a header's name and value and after it: `: ` and the end of the line.
const BETWEEN: usize = 4;

/// 431, then 414.
pub(super) fn check_length(request: &Request) -> Result<()> {
    let header: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + BETWEEN).sum();
    if header > limits::HEADER_BYTES {
        return Err(Error::HeaderTooLarge);
    }
    let uri = request.uri().path_and_query().map_or(0, |it| it.as_str().len());
    if uri > limits::URI_BYTES { Err(Error::UriTooLong) } else { Ok(()) }
}

/// 406 only for a caller that refuses both JSON types in so many words (`q=0`). A caller that merely
/// asks for something else gets what there is (RFC 9110, section 12.5.1, allows it).
pub(super) fn check_accept(headers: &HeaderMap) -> Result<()> {
    let values = || headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    // Nearly every request ends here: a weight is rare.
    if values().all(|value| !value.contains(';')) {
        return Ok(());
    }
    let ranges: Vec<(&str, bool)> = values().flat_map(|value| value.split(',')).filter_map(range).collect();
    let is_refused = |subtype: &str| {
        // The most exact range that matches decides.
        let exact = ["application/", subtype].concat();
        [exact.as_str(), "application/*", "*/*"]
            .iter()
            .find_map(|wanted| ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(wanted)))
            .is_some_and(|(_, refused)| *refused)
    };
    if is_refused("json") && is_refused("problem+json") { Err(Error::NotAcceptable) } else { Ok(()) }
}

/// A media range without parameters of its own, and whether its weight is 0.
fn range(element: &str) -> Option<(&str, bool)> {
    let mut parts = element.split(';').map(str::trim);
    let range = parts.next()?;
    let mut is_refused = false;
    for part in parts {
        let (name, value) = part.split_once('=')?;
        if !name.trim().eq_ignore_ascii_case("q") {
            // `application/json;version=2` speaks of something else.
            return None;
        }
        is_refused = value.trim().parse() == Ok(0.0_f32);
    }
    Some((range, is_refused))
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
        ] {
            assert!(!accepts(values), "{values:?}");
        }
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
