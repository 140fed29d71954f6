//! Cookies: the session's, and the note that the next page shows. Both are bound to this host, and to the path of the
//! service: what else is on the host does not get them.

use auth::PublicUrl;
use hyper::HeaderMap;
use hyper::header::{COOKIE, HeaderValue};

/// The attributes of every cookie. `Lax`: a link from a mail opens the page as the person who is signed in.
const ATTRIBUTES: &str = "; HttpOnly; SameSite=Lax";

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

/// Which service a cookie is of, and whether its request came by HTTPS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CookieScope<'s> {
    pub(crate) public_url: &'s PublicUrl,
    pub(crate) is_secure: bool,
}

impl CookieScope<'_> {
    /// What a browser takes over HTTPS only; of a service that has the whole host, from this host only. The latter demands
    /// the path `/`, which would tell the session to everything else on the host of a service under a path.
    fn prefix(self) -> &'static str {
        match (self.is_secure, self.public_url.path()) {
            (false, _) => "",
            (true, "") => "__Host-",
            (true, _) => "__Secure-",
        }
    }

    fn attributes(self) -> String {
        let path = if self.public_url.path().is_empty() { "/" } else { self.public_url.path() };
        format!("Path={path}{ATTRIBUTES}{}", if self.is_secure { "; Secure" } else { "" })
    }
}

impl Cookie {
    fn name(self, scope: CookieScope<'_>) -> String {
        let name = match self {
            Self::Session => "bailiwick",
            Self::Done => "bailiwick-done",
            Self::Display => "bailiwick-display",
        };
        format!("{}{name}{}", scope.prefix(), scope.public_url.cookie_suffix())
    }

    /// Its value in a request. Only this pair must be text: other programs of the host may set cookies of any bytes.
    pub(crate) fn of<'h>(self, headers: &'h HeaderMap, scope: CookieScope<'_>) -> Option<&'h str> {
        let name = self.name(scope);
        let pairs =
            headers.get_all(COOKIE).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
        let mut values =
            pairs.filter_map(|pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="));
        values.find_map(|value| std::str::from_utf8(value).ok())
    }

    /// The header that sets it; the value is visible ASCII without a semicolon.
    pub(crate) fn set(self, value: &str, scope: CookieScope<'_>) -> Option<HeaderValue> {
        let age = if self == Self::Display { YEAR } else { "" };
        HeaderValue::try_from(format!("{}={value}; {}{age}", self.name(scope), scope.attributes())).ok()
    }

    /// The header that removes it.
    pub(crate) fn remove(self, scope: CookieScope<'_>) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("{}=; Max-Age=0; {}", self.name(scope), scope.attributes())).ok()
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
        let public_url = &PublicUrl::new("https://a.example");
        let (https, http) =
            (CookieScope { public_url, is_secure: true }, CookieScope { public_url, is_secure: false });
        assert_eq!(Cookie::Session.of(&headers, https), Some("y"));
        assert_eq!(Cookie::Session.of(&headers, http), Some("x"));
        assert_eq!(Cookie::Done.of(&headers, http), None);
        let set = Cookie::Session.set("v", https).unwrap();
        assert_eq!(set, "__Host-bailiwick=v; Path=/; HttpOnly; SameSite=Lax; Secure");
        let removed = Cookie::Session.remove(http).unwrap();
        assert_eq!(removed, "bailiwick=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }

    #[test]
    fn two_services_of_a_host_have_cookies_of_their_own() {
        let set = |url: &str| {
            let scope = CookieScope { public_url: &PublicUrl::new(url), is_secure: url.starts_with("https") };
            Cookie::Session.set("v", scope).unwrap()
        };
        let rest = "HttpOnly; SameSite=Lax";
        assert_eq!(
            set("https://a.example/x"),
            format!("__Secure-bailiwick.x=v; Path=/x; {rest}; Secure").as_str()
        );
        assert_eq!(
            set("https://a.example:8443"),
            format!("__Host-bailiwick_8443=v; Path=/; {rest}; Secure").as_str()
        );
        assert_eq!(set("http://127.0.0.1:8080"), format!("bailiwick_8080=v; Path=/; {rest}").as_str());
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
            let scope = CookieScope { public_url: &PublicUrl::new("http://a.example"), is_secure: false };
            assert_eq!(Cookie::Session.of(&headers, scope), Some("x"), "{values:?}");
        }
    }
}
