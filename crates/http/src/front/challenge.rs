//! The challenge of a 401: it also says where a client finds out how to get a token (RFC 9728, section 5.1).

use auth::Issuer;
use hyper::header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE};

use crate::well_known::resource_metadata_url;

/// What is appended to the challenge of a 401.
pub(super) struct Challenge(String);

impl Challenge {
    /// The challenge of this issuer's API.
    pub(super) fn new(issuer: &Issuer) -> Self {
        Self(format!(", resource_metadata=\"{}\"", resource_metadata_url(issuer)))
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
