//! Addresses as people write and copy them: IRIs (RFC 3987), with letters of every language.

use std::borrow::Cow;
use std::fmt::Write as _;

use idna::AsciiDenyList;

use crate::text::breaks_a_line;

/// The URI of an IRI (RFC 3987, section 3.1): its host by IDNA, all else as percent-encoded UTF-8. A text that is no IRI, or
/// whose host has no such form, keeps the characters that no URI has.
pub(super) fn to_uri(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let Some((scheme, rest)) = text.split_once("://") else { return Cow::Borrowed(text) };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let Some(authority) = with_ascii_host(authority) else { return Cow::Borrowed(text) };
    let mut uri = format!("{scheme}://");
    for letter in authority.chars().chain(path.chars()) {
        push(&mut uri, letter);
    }
    Cow::Owned(uri)
}

/// The authority with its host as DNS has it. With a user name it is refused later, whatever its host.
fn with_ascii_host(authority: &str) -> Option<Cow<'_, str>> {
    if authority.is_ascii() || authority.contains('@') {
        return Some(Cow::Borrowed(authority));
    }
    let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
    let host = idna::domain_to_ascii_cow(host.as_bytes(), AsciiDenyList::URL).ok()?;
    Some(Cow::Owned(format!("{host}{port}")))
}

/// Adds a letter. A control character or one that turns the direction of writing is in no IRI, and stays as it is.
fn push(uri: &mut String, letter: char) {
    if letter.is_ascii() || breaks_a_line(letter) {
        return uri.push(letter);
    }
    for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a string cannot fail.
        let _ = write!(uri, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_language_become_a_uri() {
        for (iri, uri) in [
            (
                "https://example.org/straße?q=ü#日本",
                "https://example.org/stra%C3%9Fe?q=%C3%BC#%E6%97%A5%E6%9C%AC",
            ),
            ("https://straße.example:8080/", "https://xn--strae-oqa.example:8080/"),
            ("http://BÜCHER。example?a=é", "http://xn--bcher-kva.example?a=%C3%A9"),
            ("https://例え.テスト", "https://xn--r8jz45g.xn--zckzah"),
            // What is encoded already is not encoded again.
            ("https://a.example/%C3%BC/ü", "https://a.example/%C3%BC/%C3%BC"),
            ("https://a.example/😀", "https://a.example/%F0%9F%98%80"),
            // A URI stays as it is.
            ("HTTPS://A_b.example/%zz", "HTTPS://A_b.example/%zz"),
        ] {
            assert_eq!(to_uri(iri), uri, "{iri}");
        }
    }

    #[test]
    fn what_is_no_iri_stays_none() {
        for text in [
            "straße",
            "https://a.example/\u{85}",
            "https://a.example/\u{202e}txt.exe",
            "https://a＠b.example",
            "https://a.example／evil.example",
            "https://a\u{2028}.example",
        ] {
            assert!(!to_uri(text).is_ascii(), "{text:?}: {}", to_uri(text));
        }
        // It is refused because of its user name.
        assert_eq!(to_uri("https://jörg:x@ü.example/"), "https://j%C3%B6rg:x@%C3%BC.example/");
    }
}
