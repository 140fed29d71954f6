//! What can go wrong with a request. `problem.rs` turns it into an answer, in one place.

use domain::organization::OrganizationName;
use serde::Serialize;

/// A result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The product's errors, and those that only HTTP knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// An error that would be the same without HTTP.
    Domain(domain::Error),
    /// The caller sent no bearer token, or one that is not good.
    Unauthenticated {
        /// Whether a token was sent.
        token_sent: bool,
    },
    /// A person's credentials are wrong; nobody is told which part of them.
    InvalidCredentials,
    /// A person's credentials are right, and open several organizations: one must be named.
    OrganizationNeeded(Vec<OrganizationName>),
    /// An invitation is unknown, was used or withdrawn, or has run out.
    InvitationNotValid,
    /// The body is not JSON. The text is for the caller.
    MalformedBody(String),
    /// Query parameters or headers are wrong.
    InvalidParameter(Vec<ParameterFault>),
    /// The body is longer than the operation takes.
    BodyTooLarge {
        /// The longest body in bytes.
        limit_bytes: usize,
    },
    /// The body has a type that the operation does not take.
    UnsupportedMediaType {
        /// What it takes.
        accept: &'static str,
    },
    /// The body is compressed, and nothing is decompressed here.
    UnsupportedEncoding,
    /// The path is known, the method is not.
    MethodNotAllowed,
    /// `Accept` refuses, in so many words, every type that there is.
    NotAcceptable,
    /// The path and query are longer than anything here.
    UriTooLong,
    /// The header block is too long.
    HeaderTooLarge,
    /// The body did not arrive in time.
    Timeout,
    /// The request came in the clear over a network.
    HttpsRequired,
    /// Another request with the same Idempotency-Key is still running.
    InProgress,
    /// The caller has no request left in its quota.
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

/// By the way of the store, which alone knows what a database's error means.
impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        store::Error::from(error).into()
    }
}

impl Error {
    /// One wrong parameter.
    pub fn parameter(parameter: impl Into<String>, code: &'static str, detail: impl Into<String>) -> Self {
        Self::InvalidParameter(vec![ParameterFault {
            parameter: parameter.into(),
            code,
            detail: detail.into(),
        }])
    }

    /// There is no such thing in this organization.
    pub fn not_found(noun: domain::Noun) -> Self {
        Self::Domain(domain::Error::NotFound(noun))
    }

    /// A fault of ours; the text is for the log.
    pub fn internal(text: impl Into<String>) -> Self {
        Self::Domain(domain::Error::Internal(text.into()))
    }
}

/// One fault of a query parameter or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterFault {
    /// The parameter's name, as it was sent.
    pub parameter: String,
    /// Stable machine code.
    pub code: &'static str,
    /// A sentence for a person.
    pub detail: String,
}
