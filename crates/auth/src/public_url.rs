//! The public URL, from which every address of the service is made that a response contains. It is configured, and never
//! taken from a request.
//!
//! Handlers, routes, cursors and stored responses know paths of the service, which begin with `/v1` or `/o`. The path of
//! the public URL is added where an address leaves the service: by the front to `Location` and to problems, by the
//! console to the addresses of its pages, by [`PublicUrl::to`] to whole URLs. It is taken away once, before routing.

/// The public URL of the service: the issuer of its tokens.
#[derive(Debug, Clone)]
pub struct PublicUrl {
    url: String,
    /// Where in `url` its path begins.
    path_at: usize,
    api: String,
}

impl PublicUrl {
    /// The service at this URL, with or without a slash at its end.
    pub fn new(url: &str) -> Self {
        let url = url.trim_end_matches('/').to_owned();
        let host_at = url.find("://").map_or(0, |at| at + 3);
        let path_at = url.get(host_at..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| host_at + at);
        let api = format!("{url}/v1");
        Self { url, path_at, api }
    }

    /// The URL without a slash at its end: the issuer in tokens (`iss`).
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// The URL of the API: the audience of access tokens (`aud`).
    pub fn api(&self) -> &str {
        &self.api
    }

    /// The path of the URL, without a slash at its end; empty if the service has the whole host.
    pub fn path(&self) -> &str {
        self.url.get(self.path_at..).unwrap_or_default()
    }

    /// The URL of a path of the service.
    pub fn to(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The path on the host of a path of the service.
    pub fn path_to(&self, path: &str) -> String {
        format!("{}{path}", self.path())
    }

    /// The path of the service, of a path on the host: proxies pass either on.
    pub fn path_within<'p>(&self, path: &'p str) -> &'p str {
        match path.strip_prefix(self.path()) {
            Some("") => "/",
            Some(rest) if rest.starts_with('/') => rest,
            _ => path,
        }
    }

    /// The URL of the API's metadata: the well-known part goes between host and path (RFC 9728, section 3.1).
    pub fn resource_metadata(&self) -> String {
        let (origin, path) = self.api.split_at_checked(self.path_at).unwrap_or_default();
        format!("{origin}/.well-known/oauth-protected-resource{path}")
    }

    /// What the names of cookies end with, so that several services of one host differ, whose cookies a browser does not
    /// keep apart by port. Empty for a service that has the whole host and the port of its scheme.
    pub fn cookie_suffix(&self) -> String {
        let origin = self.url.get(..self.path_at).unwrap_or_default();
        let port = origin.rsplit_once(':').map(|(_, port)| port);
        let port = port.filter(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
        let token = |byte: char| if byte.is_ascii_alphanumeric() { byte } else { '.' };
        let path: String = self.path().chars().map(token).collect();
        port.map_or(path.clone(), |port| format!("_{port}{path}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_part_goes_between_host_and_path() {
        for (url, expected) in [
            ("https://a.example", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("http://[::1]:8080/x/y", "http://[::1]:8080/.well-known/oauth-protected-resource/x/y/v1"),
            ("https://v1.example/v1", "https://v1.example/.well-known/oauth-protected-resource/v1/v1"),
        ] {
            assert_eq!(PublicUrl::new(url).resource_metadata(), expected);
        }
    }

    #[test]
    fn a_path_is_added_and_taken_away() {
        let under = PublicUrl::new("https://a.example:8443/x/y/");
        assert_eq!((under.path(), under.api()), ("/x/y", "https://a.example:8443/x/y/v1"));
        assert_eq!(under.to("/docs"), "https://a.example:8443/x/y/docs");
        assert_eq!(under.path_to("/docs"), "/x/y/docs");
        for (sent, path) in [
            ("/x/y/docs", "/docs"),
            ("/x/y/", "/"),
            ("/x/y", "/"),
            ("/docs", "/docs"),
            ("/x/yz", "/x/yz"),
            ("/x/y/x/y/docs", "/x/y/docs"),
        ] {
            assert_eq!(under.path_within(sent), path, "{sent}");
        }
        let whole = PublicUrl::new("https://a.example");
        assert_eq!(
            (whole.path(), whole.path_to("/docs"), whole.path_within("/docs")),
            ("", "/docs".into(), "/docs")
        );
        assert_eq!(PublicUrl::new("").to("/docs"), "/docs");
    }

    #[test]
    fn services_of_one_host_have_cookies_of_their_own() {
        for (url, suffix) in [
            ("https://a.example", ""),
            ("http://[::1]", ""),
            ("http://127.0.0.1:8080", "_8080"),
            ("http://[::1]:8080", "_8080"),
            ("https://a.example/x-y/z", ".x.y.z"),
            ("https://a.example:8443/x", "_8443.x"),
        ] {
            assert_eq!(PublicUrl::new(url).cookie_suffix(), suffix, "{url}");
        }
    }
}
