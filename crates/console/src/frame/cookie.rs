//! Cookies: the session's, and the note that the next page shows. Both are bound to this host.

use hyper::HeaderMap;
use hyper::header::{COOKIE, HeaderValue};

/// The attributes of every cookie. `Lax`: a link from a mail opens the page as the person who is signed in.
const ATTRIBUTES: &str = "Path=/; HttpOnly; SameSite=Lax";

/// How long a choice is kept; every other cookie ends with the browser.
const YEAR: &str = "; Max-Age=31536000";

/// A cookie of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// The token of the session.
    Session,
    /// What was just done.
    Done,
    /// How the device shows the pages.
    Display,
}

impl Cookie {
    /// The name: with the prefix that binds it to this host over HTTPS, which a browser takes only there.
    fn name(self, is_secure: bool) -> &'static str {
        match (self, is_secure) {
            (Self::Session, true) => "__Host-bailiwick",
            (Self::Session, false) => "bailiwick",
            (Self::Done, true) => "__Host-bailiwick-done",
            (Self::Done, false) => "bailiwick-done",
            (Self::Display, true) => "__Host-bailiwick-display",
            (Self::Display, false) => "bailiwick-display",
        }
    }

    /// Its value in a request. Only this pair must be text: other programs of the host may set cookies of any bytes.
    pub(crate) fn of(self, headers: &HeaderMap, is_secure: bool) -> Option<&str> {
        let name = self.name(is_secure).as_bytes();
        let pairs =
            headers.get_all(COOKIE).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
        let mut values = pairs.filter_map(|pair| pair.trim_ascii().strip_prefix(name)?.strip_prefix(b"="));
        values.find_map(|value| std::str::from_utf8(value).ok())
    }

    /// The header that sets it; the value is visible ASCII without a semicolon.
    pub(crate) fn set(self, value: &str, is_secure: bool) -> Option<HeaderValue> {
        let secure = if is_secure { "; Secure" } else { "" };
        let age = if self == Self::Display { YEAR } else { "" };
        HeaderValue::try_from(format!("{}={value}; {ATTRIBUTES}{age}{secure}", self.name(is_secure))).ok()
    }

    /// The header that removes it.
    pub(crate) fn remove(self, is_secure: bool) -> Option<HeaderValue> {
        let secure = if is_secure { "; Secure" } else { "" };
        HeaderValue::try_from(format!("{}=; Max-Age=0; {ATTRIBUTES}{secure}", self.name(is_secure))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_https_only_the_cookie_of_this_host_counts() {
        let headers: HeaderMap =
            [(COOKIE, HeaderValue::from_static("a=1; bailiwick=x; __Host-bailiwick=y;b"))]
                .into_iter()
                .collect();
        assert_eq!(Cookie::Session.of(&headers, true), Some("y"));
        assert_eq!(Cookie::Session.of(&headers, false), Some("x"));
        assert_eq!(Cookie::Done.of(&headers, false), None);
        let set = Cookie::Session.set("v", true).unwrap();
        assert_eq!(set, "__Host-bailiwick=v; Path=/; HttpOnly; SameSite=Lax; Secure");
        let removed = Cookie::Session.remove(false).unwrap();
        assert_eq!(removed, "bailiwick=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }

    #[test]
    fn a_cookie_of_another_program_hides_none_of_ours() {
        for values in [
            &[&b"name=J\xf6rg; bailiwick=x"[..]][..],
            &["name=Jörg; bailiwick=x; b=ü".as_bytes()],
            &[b"\xff", b"bailiwick=x"],
            &[b"bailiwick=\xff; bailiwick=x"],
            &[b"bailiwick-done=y;bailiwick=x;=;;"],
        ] {
            let value = |value: &&[u8]| (COOKIE, HeaderValue::from_bytes(value).unwrap());
            let headers = values.iter().map(value).collect();
            assert_eq!(Cookie::Session.of(&headers, false), Some("x"), "{values:?}");
        }
    }
}
