//! Forms of other sites are refused: a browser tells where a request comes from, and a form of the console comes from the
//! console (OWASP, Cross-Site Request Forgery Prevention, "Fetch Metadata").

use http::Error;
use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, ORIGIN};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a form that does not come from a page of this origin. Browsers that do not send `Sec-Fetch-Site` send
/// `Origin`; what sends neither is no browser.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), Error> {
    let is_ours = match headers.get(SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => origin_is_host(headers),
    };
    match is_ours {
        true => Ok(()),
        false => Err(Error::MalformedRequest("The form does not come from a page of this service.")),
    }
}

fn origin_is_host(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(ORIGIN), text(HOST)) else { return false };
    let authority = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        check(&headers.collect()).is_ok()
    }

    #[test]
    fn only_forms_of_this_origin_are_taken() {
        let (host, origin) = (("host", "a.example"), ("origin", "https://a.example"));
        assert!(is_taken(&[host, ("sec-fetch-site", "same-origin")]));
        assert!(is_taken(&[host, origin]));
        assert!(is_taken(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]));
        for site in ["cross-site", "same-site", "none"] {
            assert!(!is_taken(&[host, origin, ("sec-fetch-site", site)]), "{site}");
        }
        for other in ["https://b.example", "null", "https://a.example.evil", "a.example", ""] {
            assert!(!is_taken(&[host, ("origin", other)]), "{other}");
        }
        assert!(!is_taken(&[host]) && !is_taken(&[origin]) && !is_taken(&[]));
    }
}
