//! The errors of a request. `problem.rs` turns them into responses, in one place.

use domain::fault::MOST_FAULTS;
use domain::organization::OrganizationName;
use serde::Serialize;

use crate::error_codes::ParameterCode;

/// A result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The domain's errors, and those of HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// An error that does not depend on HTTP.
    Domain(domain::Error),
    /// The caller sent no bearer token, or an invalid one.
    Unauthenticated {
        /// Whether a token was sent.
        token_sent: bool,
    },
    /// A person's credentials are wrong; the response does not say which part.
    InvalidCredentials,
    /// A person's credentials are right and valid for several organizations: one must be named.
    OrganizationNeeded(Vec<OrganizationName>),
    /// An invitation is unknown, used, withdrawn or expired.
    InvitationNotValid,
    /// A reset link is unknown, used, replaced or expired, or what it was made for has changed.
    ResetLinkNotValid,
    /// The body is not JSON. The text is shown to the caller.
    MalformedBody(String),
    /// Query parameters or headers are wrong.
    InvalidParameter(ParameterFaults),
    /// The body is longer than the operation accepts.
    BodyTooLarge {
        /// The maximum length in bytes.
        limit_bytes: usize,
    },
    /// The operation does not accept the media type of the body.
    UnsupportedMediaType {
        /// The accepted media types.
        accept: &'static str,
    },
    /// The body is compressed, which is not supported.
    UnsupportedEncoding,
    /// The request breaks a rule of HTTP/1.1 in a way that lets two recipients read different requests.
    MalformedRequest(&'static str),
    /// The path exists, but not with this method.
    MethodNotAllowed {
        /// Its methods, as `Allow` has them.
        allow: String,
    },
    /// `Accept` explicitly refuses every available media type.
    NotAcceptable,
    /// The path and query are too long.
    UriTooLong,
    /// The header block is too long.
    HeaderTooLarge,
    /// The body did not arrive in time.
    Timeout,
    /// The request came unencrypted over a network.
    HttpsRequired,
    /// Another request with the same Idempotency-Key is still running.
    InProgress,
    /// The caller has exceeded its rate limit.
    RateLimited {
        /// The name of the policy, as in `RateLimit-Policy`.
        policy: &'static str,
        /// How long to wait.
        retry_after_seconds: u64,
    },
}

impl From<domain::Error> for Error {
    fn from(error: domain::Error) -> Self {
        Self::Domain(error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Domain(error.0)
    }
}

/// What HTTP makes of a refused caller. The last three are errors of the OAuth endpoints, which have their own form.
impl From<auth::Error> for Error {
    fn from(error: auth::Error) -> Self {
        match error {
            auth::Error::Domain(error) => Self::Domain(error),
            auth::Error::Unauthenticated => Self::Unauthenticated { token_sent: true },
            auth::Error::InvalidCredentials => Self::InvalidCredentials,
            auth::Error::OrganizationNeeded(organizations) => Self::OrganizationNeeded(organizations),
            auth::Error::InvitationNotValid => Self::InvitationNotValid,
            auth::Error::ResetLinkNotValid => Self::ResetLinkNotValid,
            error @ (auth::Error::InvalidGrant | auth::Error::InvalidScope | auth::Error::InvalidTarget) => {
                Self::internal(format!("outside of the OAuth endpoints: {error}"))
            }
        }
    }
}

/// The conversion goes through the store's error, because only `store` knows what a database's error means.
impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        store::Error::from(error).into()
    }
}

impl Error {
    /// An error for one wrong parameter.
    pub fn parameter(parameter: impl Into<String>, code: ParameterCode, detail: impl Into<String>) -> Self {
        let mut faults = ParameterFaults::default();
        faults.add(&parameter.into(), code, detail);
        Self::InvalidParameter(faults)
    }

    /// The organization has no such record.
    pub fn not_found(noun: domain::ResourceKind) -> Self {
        Self::Domain(domain::Error::NotFound(noun))
    }

    /// An internal error; the text is for the log.
    pub fn internal(text: impl Into<String>) -> Self {
        Self::Domain(domain::Error::Internal(text.into()))
    }
}

/// One fault of a query parameter or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterFault {
    /// The parameter's name as it was sent, truncated to 256 bytes.
    pub parameter: String,
    /// Stable machine code.
    pub code: ParameterCode,
    /// A sentence for a person.
    pub detail: String,
}

impl ParameterFault {
    /// The fault as a sentence for a person.
    pub(crate) fn sentence(&self) -> String {
        let end = if self.detail.ends_with(['.', '?']) { "" } else { "." };
        // A name with other characters is shown in `parameter` only.
        let is_plain = self.parameter.bytes().all(|byte| byte.is_ascii_graphic());
        let name =
            if is_plain && !self.parameter.is_empty() { self.parameter.as_str() } else { "A parameter" };
        format!("{name} {}{end}", self.detail)
    }
}

/// The faults of parameters as they are collected: the first [`MOST_FAULTS`], and whether there are more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ParameterFaults {
    found: Vec<ParameterFault>,
    #[serde(skip)]
    has_more: bool,
}

impl ParameterFaults {
    /// The maximum length in bytes of a parameter's name.
    const NAME_BYTES: usize = 256;

    /// Adds a fault of one parameter.
    pub(crate) fn add(&mut self, parameter: &str, code: ParameterCode, detail: impl Into<String>) {
        if self.found.len() >= MOST_FAULTS {
            self.has_more = true;
            return;
        }
        let name = parameter.get(..parameter.floor_char_boundary(Self::NAME_BYTES)).unwrap_or_default();
        self.found.push(ParameterFault { parameter: name.to_owned(), code, detail: detail.into() });
    }

    /// Whether there are more faults than were kept.
    pub(crate) fn has_more(&self) -> bool {
        self.has_more
    }
}

impl std::ops::Deref for ParameterFaults {
    type Target = [ParameterFault];

    fn deref(&self) -> &[ParameterFault] {
        &self.found
    }
}
