//! Every sentence that an `error_description` may be. Fixed, so that nothing that was sent comes back,
//! and of the characters that RFC 6749, section 5.2, allows.

/// A sentence for a person who reads an error of an OAuth endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Description {
    BrokenBody,
    Encoding,
    Header,
    HeaderTooLarge,
    HttpsRequired,
    Internal,
    InvalidClient,
    InvalidGrant,
    InvalidScope,
    InvalidTarget,
    MediaType,
    Method,
    NoGrantType,
    NoRefreshToken,
    NoToken,
    NotAcceptable,
    NotAString,
    NotAnObject,
    Repeated,
    Throttled,
    Timeout,
    TooLarge,
    TwoClients,
    TwoMethods,
    Unavailable,
    UnsupportedGrantType,
    UriTooLong,
}

impl Description {
    /// The sentence.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::BrokenBody => "The body did not arrive whole.",
            Self::Encoding => "Send the body uncompressed.",
            Self::Header => "The Authorization header is malformed.",
            Self::HeaderTooLarge => "The header is over 32768 bytes.",
            Self::HttpsRequired => "The request could be read on its way. Replace its secret, and use https.",
            Self::Internal => "The log knows more under this request_id.",
            Self::InvalidClient => "The client credentials are missing or not valid.",
            Self::InvalidGrant => "The refresh token is not valid, or no longer.",
            Self::InvalidScope => "A requested scope is unknown or was not given to the client.",
            Self::InvalidTarget => "The requested resource is not this API.",
            Self::MediaType => "Send application/json or application/x-www-form-urlencoded.",
            Self::Method => "Send POST.",
            Self::NoGrantType => "grant_type is missing.",
            Self::NoRefreshToken => "refresh_token is missing.",
            Self::NoToken => "token is missing.",
            Self::NotAcceptable => "The answer is application/json, which the Accept header refuses.",
            Self::NotAString => "A parameter is not a string.",
            Self::NotAnObject => "The body is not a JSON object.",
            Self::Repeated => "A parameter is repeated.",
            Self::Throttled => "Too many attempts. Wait before the next one.",
            Self::Timeout => "The body did not arrive in time.",
            Self::TooLarge => "The body is over 65536 bytes.",
            Self::TwoClients => "The header and the body name different clients.",
            Self::TwoMethods => "The client authenticates in the header and in the body.",
            Self::Unavailable => "Try again later.",
            Self::UnsupportedGrantType => "grant_type must be client_credentials or refresh_token.",
            Self::UriTooLong => "The path and query are over 8192 bytes.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Description::*;

    #[test]
    fn every_description_is_of_the_characters_that_oauth_allows() {
        let all = [
            BrokenBody,
            Encoding,
            Header,
            HeaderTooLarge,
            HttpsRequired,
            Internal,
            InvalidClient,
            InvalidGrant,
            InvalidScope,
            InvalidTarget,
            MediaType,
            Method,
            NoGrantType,
            NoRefreshToken,
            NoToken,
            NotAcceptable,
            NotAString,
            NotAnObject,
            Repeated,
            Throttled,
            Timeout,
            TooLarge,
            TwoClients,
            TwoMethods,
            Unavailable,
            UnsupportedGrantType,
            UriTooLong,
        ];
        // They are numbered in their order, and this is the last.
        assert_eq!(all.len(), UriTooLong as usize + 1, "a description is missing here");
        for description in all {
            let text = description.text();
            let is_allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
            assert!(!text.is_empty() && text.len() <= 200 && text.bytes().all(is_allowed), "{text}");
        }
    }
}
