//! The header `Location`: made here only, from any text, so that no response fails because of where it leads, and none
//! leads to another site.

use auth::PublicUrl;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{HeaderMap, HeaderValue, LOCATION};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What a URI cannot have (RFC 3986), besides everything outside ASCII. Browsers read `\` as `/`.
const NOT_IN_A_URI: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// 303: another page follows.
pub fn see_other(address: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, value(address))]).into_response()
}

/// 308: the same is at another address from now on.
pub fn moved(address: &str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, value(address))]).into_response()
}

/// Puts the path of the public URL before a path of the service, as responses of the API have it. Addresses of the console
/// have it already, because its pages show them too.
pub(crate) fn under(headers: &mut HeaderMap, public_url: &PublicUrl) {
    let path = headers.get(LOCATION).filter(|_| !public_url.path().is_empty());
    let path = path.and_then(|value| value.to_str().ok());
    let whole = path.map(|path| value(&public_url.path_to(path)));
    if let Some(value) = whole {
        headers.insert(LOCATION, value);
    }
}

/// The value for an address of this service; any other address becomes `/`.
pub(crate) fn value(address: &str) -> HeaderValue {
    let is_ours = address.starts_with('/') && !address.starts_with("//");
    let encoded = utf8_percent_encode(if is_ours { address } else { "/" }, NOT_IN_A_URI).to_string();
    // Visible ASCII is always a valid value.
    HeaderValue::try_from(encoded).unwrap_or(HeaderValue::from_static("/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_is_a_uri_of_this_service() {
        for (address, expected) in [
            ("/o/acme/incidents?q=a+b&x=%C3%BC#links", "/o/acme/incidents?q=a+b&x=%C3%BC#links"),
            ("/v1/tags/[x]", "/v1/tags/[x]"),
            ("/o/ü\r\nset-cookie: a", "/o/%C3%BC%0D%0Aset-cookie:%20a"),
            ("/\\evil.example", "/%5Cevil.example"),
            ("//evil.example", "/"),
            ("https://evil.example", "/"),
            ("javascript:alert(1)", "/"),
            ("", "/"),
        ] {
            assert_eq!(value(address), expected, "{address:?}");
        }
        assert_eq!(see_other("/\0").status(), StatusCode::SEE_OTHER);
        assert_eq!(moved("/\0").headers()[LOCATION], "/%00");
    }

    proptest! {
        #[test]
        fn any_text_makes_a_value(text in any::<String>()) {
            let value = value(&text);
            prop_assert!(value.as_bytes().iter().all(u8::is_ascii_graphic));
            prop_assert!(value.as_bytes().starts_with(b"/") && !value.as_bytes().starts_with(b"//"));
        }
    }
}
