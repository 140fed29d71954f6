//! The challenge of a 401: it also says where a client finds out how to get a token (RFC 9728, section 5.1).

use auth::PublicUrl;
use hyper::header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE};

/// What is appended to the challenge of a 401.
pub(super) struct Challenge(String);

impl Challenge {
    /// The challenge of the API at this URL.
    pub(super) fn new(public_url: &PublicUrl) -> Self {
        Self(format!(", resource_metadata=\"{}\"", public_url.resource_metadata()))
    }

    /// Appends the URL of the metadata to a challenge that asks for a token. Appends nothing if the public URL is not a
    /// valid header value.
    pub(super) fn complete(&self, headers: &mut HeaderMap) {
        let challenge = headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
        let Some(challenge) = challenge.filter(|challenge| challenge.starts_with("Bearer ")) else { return };
        if let Ok(whole) = HeaderValue::try_from(format!("{challenge}{}", self.0)) {
            headers.insert(WWW_AUTHENTICATE, whole);
        }
    }
}
