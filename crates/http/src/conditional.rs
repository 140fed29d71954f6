//! Conditional requests (RFC 9110, section 13).
//!
//! An entity tag is `"v<version>-<hash>"`. If-None-Match is compared with the whole tag, because a representation may
//! change while its version stays: a person's name, a risk's tags. If-Match is compared with the version alone, so
//! such a change does not block an update.
//!
//! Weak tags (`W/"…"`) count as strong ones everywhere: a proxy that compresses turns strong tags into weak ones. Some
//! proxies add an ending instead (`"…-gzip"`) and leave it there in conditions; it does not count either.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::ExpectedVersion;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use hyper::{HeaderMap, Method, StatusCode};
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{Error, Result};
use crate::error_codes::ParameterCode;

/// Bytes of the hash in a tag: 96 bits distinguish the states of one resource.
const HASH_BYTES: usize = 12;

/// The content codings that proxies apply, as they name them in entity tags.
const CODINGS: [&str; 5] = ["gzip", "br", "zstd", "zst", "deflate"];

/// The entity tag of a representation, in quotes. A resource without versions has the hash alone.
///
/// The hash need not resist people who look for collisions: a change also sets versions and times in the body, which its
/// author cannot choose.
pub fn entity_tag(version: Option<i64>, body: &[u8]) -> String {
    let digest = xxh3_128(body).to_be_bytes();
    let hash = URL_SAFE_NO_PAD.encode(digest.get(..HASH_BYTES).unwrap_or(&digest));
    match version {
        Some(version) => format!("\"v{version}-{hash}\""),
        None => format!("\"{hash}\""),
    }
}

/// The version in If-Match that a write is based on; `None` when the header was not sent.
pub(crate) fn expected_version(headers: &HeaderMap) -> Result<Option<ExpectedVersion>> {
    let Some(text) = text_of(headers, IF_MATCH) else { return Ok(None) };
    match Tags::parse(&text) {
        Some(Tags::Any) => Ok(Some(ExpectedVersion::Any)),
        // A tag that this service did not make matches no version.
        Some(Tags::These(tags)) => {
            Ok(Some(ExpectedVersion::OneOf(tags.into_iter().filter_map(version_of).collect())))
        }
        None => {
            let detail = "must be `*`, or entity tags in quotes with commas between: \"v3-…\"";
            Err(Error::parameter("If-Match", ParameterCode::Format, detail))
        }
    }
}

/// The tag without the ending that a compressing proxy has added: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;gzip`.
fn without_coding(tag: &str) -> Option<&str> {
    let tag = CODINGS.iter().find_map(|coding| tag.strip_suffix(coding))?;
    [":", ";", "--", "-"].iter().find_map(|separator| tag.strip_suffix(separator))
}

/// Reads the version of a tag such as `v3-Zk…`. The hash may be absent: only the version counts.
fn version_of(tag: &str) -> Option<i64> {
    let text = without_coding(tag).unwrap_or(tag).strip_prefix('v')?;
    let digits = text.split_once('-').map_or(text, |(digits, _)| digits);
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The If-None-Match of a read.
#[derive(Debug)]
pub(crate) struct IfNoneMatch(Option<String>);

impl IfNoneMatch {
    /// The condition of this request. Only reads have one; a malformed one is ignored.
    pub(crate) fn of(request: &Request) -> Self {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        Self(if is_read { text_of(request.headers(), IF_NONE_MATCH) } else { None })
    }

    /// The response, or 304 when the caller has it already.
    pub(crate) fn answer(&self, mut response: Response) -> Response {
        if response.status() != StatusCode::OK || !self.fits(response.headers()) {
            return response;
        }
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        // Of unknown length: a 304 may only carry the Content-Length of the 200's body (RFC 9110, section 8.6), and
        // the server would send that of an empty body.
        *response.body_mut() = Body::from_stream(futures_util::stream::empty::<Result<Bytes, Infallible>>());
        // These headers describe the body that is not sent.
        for about_the_body in [CONTENT_TYPE, CONTENT_LENGTH] {
            response.headers_mut().remove(about_the_body);
        }
        response
    }

    fn fits(&self, headers: &HeaderMap) -> bool {
        let Some(asked) = &self.0 else { return false };
        let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()) else { return false };
        match (Tags::parse(asked), Tags::parse(tag)) {
            (Some(Tags::Any), _) => true,
            (Some(Tags::These(known)), Some(Tags::These(own))) => {
                own.iter().any(|own| known.iter().any(|tag| tag == own || without_coding(tag) == Some(*own)))
            }
            _ => false,
        }
    }
}

/// All the values of a list header.
pub(crate) fn text_of(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let mut values = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let first = values.next()?.into_owned();
    Some(values.fold(first, |all, value| all + "," + &value))
}

/// The tags that a condition names.
#[derive(Debug, PartialEq, Eq)]
enum Tags<'t> {
    /// `*`
    Any,
    /// Opaque tags, without quotes and without the weakness prefix.
    These(Vec<&'t str>),
}

impl<'t> Tags<'t> {
    /// `"*" / #entity-tag`; `None` when it is neither.
    fn parse(text: &'t str) -> Option<Self> {
        const SPACE: [char; 2] = [' ', '\t'];
        let mut rest = text.trim_matches(SPACE);
        if rest == "*" {
            return Some(Self::Any);
        }
        let mut tags = Vec::new();
        loop {
            // A recipient must accept empty list elements (RFC 9110, section 5.6.1).
            rest = rest.trim_start_matches([' ', '\t', ',']);
            if rest.is_empty() {
                break;
            }
            let opened = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let (tag, after) = opened.split_once('"')?;
            if !tag.chars().all(is_tag_character) {
                return None;
            }
            tags.push(tag);
            rest = after.trim_start_matches(SPACE);
            if !rest.is_empty() && !rest.starts_with(',') {
                return None;
            }
        }
        (!tags.is_empty()).then_some(Self::These(tags))
    }
}

/// `etagc` of RFC 9110, section 8.8.3.
fn is_tag_character(it: char) -> bool {
    it == '!' || ('#'..='~').contains(&it) || it >= '\u{80}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_tells_version_and_bytes_apart() {
        let tag = entity_tag(Some(3), b"{}");
        assert!(tag.starts_with("\"v3-") && tag.ends_with('"') && tag.len() == 21, "{tag}");
        assert_eq!(tag, entity_tag(Some(3), b"{}"));
        assert_ne!(tag, entity_tag(Some(4), b"{}"));
        assert_ne!(tag, entity_tag(Some(3), b"[]"));
        assert_eq!(entity_tag(None, b"{}").len(), 18);
    }

    #[test]
    fn tags_are_read_as_the_rfc_writes_them() {
        let these = |tags: &[&'static str]| Some(Tags::These(tags.to_vec()));
        assert_eq!(Tags::parse(" * "), Some(Tags::Any));
        assert_eq!(Tags::parse(r#""a""#), these(&["a"]));
        assert_eq!(Tags::parse(r#"W/"a" , "b,c",	"" "#), these(&["a", "b,c", ""]));
        assert_eq!(Tags::parse(r#",, "a",, "#), these(&["a"]));
        for wrong in [
            "",
            ",",
            "a",
            "\"a",
            "a\"",
            r#""a" "b""#,
            r#""a"b"#,
            r#"w/"a""#,
            r#"*, "a""#,
            r#""a b""#,
            "W/",
            "''",
        ] {
            assert_eq!(Tags::parse(wrong), None, "{wrong}");
        }
    }

    fn expected(values: &[&str]) -> Result<Option<ExpectedVersion>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, value.parse().unwrap());
        }
        expected_version(&headers)
    }

    #[test]
    fn a_version_is_read_from_any_form_of_its_tag() {
        let versions = |versions: &[i64]| Ok(Some(ExpectedVersion::OneOf(versions.to_vec())));
        assert_eq!(expected(&[]), Ok(None));
        assert_eq!(expected(&["*"]), Ok(Some(ExpectedVersion::Any)));
        for text in [
            r#""v3-Zk""#,
            r#"W/"v3-Zk""#,
            r#""v3""#,
            r#""v3-Zk-gzip""#,
            r#""v3-Zk;gzip""#,
            r#""v3-Zk--br""#,
            r#"W/"v3;gzip""#,
        ] {
            assert_eq!(expected(&[text]), versions(&[3]), "{text}");
        }
        assert_eq!(expected(&[r#""v3-a", W/"v4-b""#, r#""v5""#]), versions(&[3, 4, 5]));
        for foreign in [r#""""#, r#""3""#, r#""v""#, r#""v+3""#, r#""v-3""#, r#""vx-3""#, r#""V3""#] {
            assert_eq!(expected(&[foreign]), versions(&[]), "{foreign}");
        }
        assert_eq!(expected(&["\"v99999999999999999999-a\""]), versions(&[]));
        assert!(matches!(expected(&["v3"]), Err(Error::InvalidParameter(_))));
        assert!(matches!(expected(&["\"v3\"", "*"]), Err(Error::InvalidParameter(_))));
    }

    fn status(method: Method, asked: &str, tag: &str, status: StatusCode) -> StatusCode {
        let request =
            Request::builder().method(method).header(IF_NONE_MATCH, asked).body(Body::empty()).unwrap();
        let mut response = Response::builder().status(status);
        if !tag.is_empty() {
            response = response.header(ETAG, tag);
        }
        let response = response.header(CONTENT_TYPE, "application/json").body(Body::from("{}")).unwrap();
        let answer = IfNoneMatch::of(&request).answer(response);
        assert_eq!(answer.headers().contains_key(CONTENT_TYPE), answer.status() != StatusCode::NOT_MODIFIED);
        answer.status()
    }

    #[test]
    fn the_ending_that_a_compressing_proxy_adds_does_not_count() {
        let answer = |asked: &str, tag: &str| status(Method::GET, asked, tag, StatusCode::OK);
        for own in [r#""v1-a""#, r#"W/"v1-a""#, r#""v1-a-br""#, r#""a""#] {
            let tag = own.trim_end_matches('"');
            for ending in
                ["-gzip", "--gzip", ";gzip", "-br", ";br", "-zst", "-zstd", ";zstd", "-deflate", ":gzip"]
            {
                let asked = format!("\"x\", {tag}{ending}\"");
                assert_eq!(answer(&asked, own), StatusCode::NOT_MODIFIED, "{asked} {own}");
            }
        }
        for asked in
            [r#""v1-b-gzip""#, r#""v1-agzip""#, r#""v1-a-gzip-x""#, r#""v1-a-gzip-gzip""#, r#""-gzip""#]
        {
            assert_eq!(answer(asked, r#""v1-a""#), StatusCode::OK, "{asked}");
        }
        // What the service itself sends may end so.
        assert_eq!(answer(r#""v1-a""#, r#""v1-a-gzip""#), StatusCode::OK);
    }

    #[test]
    fn only_what_the_caller_has_is_not_modified() {
        const OK: StatusCode = StatusCode::OK;
        for fits in ["*", r#""v1-a""#, r#"W/"v1-a""#, r#""x", "v1-a""#] {
            assert_eq!(status(Method::GET, fits, r#""v1-a""#, OK), StatusCode::NOT_MODIFIED, "{fits}");
            assert_eq!(status(Method::HEAD, fits, r#"W/"v1-a""#, OK), StatusCode::NOT_MODIFIED, "{fits}");
            assert_eq!(status(Method::POST, fits, r#""v1-a""#, OK), OK, "{fits}");
            assert_eq!(status(Method::GET, fits, "", OK), OK, "{fits}");
            assert_eq!(status(Method::GET, fits, r#""v1-a""#, StatusCode::CREATED), StatusCode::CREATED);
        }
        for other in [r#""v1-b""#, r#""v1""#, "v1-a", "", r#""v1-a"#] {
            assert_eq!(status(Method::GET, other, r#""v1-a""#, OK), OK, "{other}");
        }
    }
}
