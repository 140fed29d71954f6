//! The issuer of tokens and their audience, both derived from the configured public URL, never from a request.

/// The issuer of tokens and their audience.
#[derive(Debug, Clone)]
pub struct Issuer {
    url: String,
    api: String,
}

impl Issuer {
    /// The issuer at this public URL.
    pub fn new(public_url: &str) -> Self {
        let url = public_url.trim_end_matches('/').to_owned();
        let api = format!("{url}/v1");
        Self { url, api }
    }

    /// The issuer's name in tokens: the public URL, without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The audience of access tokens: the URL of the API.
    pub fn api(&self) -> &str {
        &self.api
    }
}
