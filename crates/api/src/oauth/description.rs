//! Every sentence that can be an `error_description`. The sentences are fixed, so that no input is repeated, and use
//! only the characters that RFC 6749, section 5.2, allows.

macro_rules! descriptions {
    ($($name:ident = $text:literal;)*) => {
        /// A sentence for people who read an error of an OAuth endpoint.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Description {
            $($name,)*
        }

        impl Description {
            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The sentence.
            pub(super) fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

descriptions! {
    BrokenBody = "The body did not arrive whole.";
    Encoding = "Send the body uncompressed.";
    Header = "The Authorization header is malformed.";
    HeaderTooLarge = "The header is over 32768 bytes.";
    HttpsRequired = "The request could be read on its way. Replace its secret, and use https.";
    Internal = "The log has the details under this request_id.";
    InvalidClient = "The client credentials are missing or not valid.";
    InvalidGrant = "The refresh token is not valid, or no longer.";
    InvalidScope = "A requested scope is unknown or was not given to the client.";
    InvalidTarget = "The requested resource is not this API.";
    MalformedRequest = "Send one Host header, and no Transfer-Encoding but chunked.";
    MediaType = "Send application/json or application/x-www-form-urlencoded.";
    Method = "Send POST.";
    NoGrantType = "grant_type is missing.";
    NoRefreshToken = "refresh_token is missing.";
    NoToken = "token is missing.";
    NotAcceptable = "The answer is application/json, which the Accept header refuses.";
    NotAString = "A parameter is not a string.";
    NotAnObject = "The body is not a JSON object.";
    Repeated = "A parameter is repeated.";
    Throttled = "Too many attempts. Wait before the next one.";
    Timeout = "The body did not arrive in time.";
    TooManyParameters = "There are over 1000 parameters.";
    TooLarge = "The body is over 65536 bytes.";
    TwoClients = "The header and the body name different clients.";
    TwoMethods = "The client authenticates in the header and in the body.";
    Unavailable = "Try again later.";
    UnsupportedGrantType = "grant_type must be client_credentials or refresh_token.";
    UriTooLong = "The path and query are over 8192 bytes.";
}

#[cfg(test)]
mod tests {
    use super::Description;

    #[test]
    fn every_description_is_of_the_characters_that_oauth_allows() {
        for description in Description::ALL {
            let text = description.text();
            let is_allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
            assert!(!text.is_empty() && text.len() <= 200 && text.bytes().all(is_allowed), "{text}");
        }
    }
}
