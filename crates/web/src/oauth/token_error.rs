//! The errors of the token endpoint: `application/json` with OAuth's `error` and `error_description`
//! (RFC 6749, section 5.2) and the members of a problem in the same object, because OAuth clients
//! refuse `application/problem+json` here.
//!
//! Descriptions come from this file alone: fixed, ASCII, never an echo of the request.

use axum::body::Body;
use axum::response::Response;
use hyper::StatusCode;
use hyper::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Error;

const INVALID_REQUEST: &str = "Invalid request";
const INVALID_CREDENTIALS: &str = "Invalid credentials";

/// What went wrong at the token endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenError {
    /// The request is malformed; the text says how.
    InvalidRequest(&'static str),
    /// `grant_type` is neither of the two.
    UnsupportedGrantType,
    /// A scope is unknown, or not the client's.
    InvalidScope,
    /// The client's credentials are missing or wrong.
    InvalidClient {
        /// Whether they came in the `Authorization` header; only then the answer has a challenge, as
        /// it hides the error from some clients.
        by_header: bool,
    },
    /// The refresh token is no good.
    InvalidGrant,
    /// The body is over 64 KiB.
    TooLarge,
    /// The body's type is neither of the two.
    MediaType,
    /// The body did not arrive in time.
    Timeout,
    /// Not the request's fault.
    Fault(domain::Error),
}

impl From<domain::Error> for TokenError {
    fn from(error: domain::Error) -> Self {
        Self::Fault(error)
    }
}

/// What can go wrong while the body is read.
impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        match error {
            Error::BodyTooLarge { .. } => Self::TooLarge,
            Error::UnsupportedMediaType { .. } => Self::MediaType,
            Error::Timeout => Self::Timeout,
            Error::Domain(error) => Self::Fault(error),
            _ => Self::InvalidRequest("The body did not arrive whole."),
        }
    }
}

impl From<store::Error> for TokenError {
    fn from(error: store::Error) -> Self {
        Self::Fault(error.0)
    }
}

/// An error of the token endpoint as it is answered.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TokenErrorBody {
    /// The kind of error, for OAuth clients.
    #[schema(value_type = TokenErrorCode)]
    error: &'static str,
    /// A sentence for a person.
    #[schema(max_length = 200)]
    error_description: &'static str,
    /// Where the kind of error is explained.
    #[serde(rename = "type")]
    #[schema(rename = "type", max_length = 200)]
    kind: String,
    /// The outcome.
    #[schema(max_length = 200, example = "Invalid credentials")]
    title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// The kind of error, as in every problem.
    #[schema(max_length = 100)]
    code: &'static str,
    /// The request's id, as in the log.
    #[schema(max_length = 128)]
    request_id: String,
}

/// The values of `error` (RFC 6749, section 5.2).
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only describes the values for the OpenAPI document")]
pub(super) enum TokenErrorCode {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    UnauthorizedClient,
    UnsupportedGrantType,
    InvalidScope,
    ServerError,
    TemporarilyUnavailable,
}

/// What an error means in HTTP.
struct Meaning {
    status: StatusCode,
    error: &'static str,
    code: &'static str,
    title: &'static str,
    description: &'static str,
    header: Option<(HeaderName, HeaderValue)>,
}

impl TokenError {
    /// The answer; what is private goes to the log, once, here.
    pub(super) fn respond(&self, request_id: &str) -> Response {
        let meaning = self.meaning(request_id);
        let body = TokenErrorBody {
            error: meaning.error,
            error_description: meaning.description,
            kind: format!("/docs/errors#{}", meaning.code),
            title: meaning.title,
            status: meaning.status.as_u16(),
            code: meaning.code,
            request_id: request_id.to_owned(),
        };
        // Strings and a number: writing them cannot fail.
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = meaning.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some((name, value)) = meaning.header {
            headers.insert(name, value);
        }
        response
    }

    fn meaning(&self, request_id: &str) -> Meaning {
        let bad = StatusCode::BAD_REQUEST;
        match self {
            Self::InvalidRequest(description) => request(bad, "invalid_request", description),
            Self::UnsupportedGrantType => request(
                bad,
                "unsupported_grant_type",
                "grant_type must be client_credentials or refresh_token.",
            ),
            Self::InvalidScope => {
                request(bad, "invalid_scope", "A requested scope is unknown or was not given to the client.")
            }
            Self::InvalidClient { by_header } => Meaning {
                status: StatusCode::UNAUTHORIZED,
                header: by_header
                    .then(|| (WWW_AUTHENTICATE, HeaderValue::from_static(r#"Basic realm="bailiwick""#))),
                ..credentials("invalid_client", "The client credentials are missing or not valid.")
            },
            Self::InvalidGrant => {
                credentials("invalid_grant", "The refresh token is not valid, or no longer.")
            }
            Self::TooLarge => Meaning {
                code: "body_too_large",
                ..request(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", "The body is over 65536 bytes.")
            },
            Self::MediaType => Meaning {
                code: "unsupported_media_type",
                header: Some((
                    ACCEPT,
                    HeaderValue::from_static("application/json, application/x-www-form-urlencoded"),
                )),
                ..request(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "invalid_request",
                    "Send application/json or application/x-www-form-urlencoded.",
                )
            },
            Self::Timeout => Meaning {
                code: "timeout",
                ..request(StatusCode::REQUEST_TIMEOUT, "invalid_request", "The body did not arrive in time.")
            },
            Self::Fault(error) => fault(error, request_id),
        }
    }
}

fn request(status: StatusCode, error: &'static str, description: &'static str) -> Meaning {
    Meaning { status, error, code: error, title: INVALID_REQUEST, description, header: None }
}

fn credentials(error: &'static str, description: &'static str) -> Meaning {
    Meaning { title: INVALID_CREDENTIALS, ..request(StatusCode::BAD_REQUEST, error, description) }
}

fn fault(error: &domain::Error, request_id: &str) -> Meaning {
    let later = |code, description, seconds: u64| Meaning {
        status: StatusCode::SERVICE_UNAVAILABLE,
        error: "temporarily_unavailable",
        code,
        title: "The register is unavailable.",
        description,
        header: Some((RETRY_AFTER, HeaderValue::from(seconds))),
    };
    match error {
        domain::Error::Unavailable(text) => {
            tracing::warn!(request_id, error = text, "unavailable");
            later("unavailable", "Try again later.", 1)
        }
        domain::Error::HeadBusy => later("unavailable", "Try again later.", 1),
        domain::Error::OutcomeUnknown => {
            tracing::error!(request_id, "the outcome of a refresh is unknown");
            later("outcome_unknown", "Try again later.", 1)
        }
        domain::Error::Limited { retry_after_seconds } => Meaning {
            status: StatusCode::TOO_MANY_REQUESTS,
            title: "Too many requests.",
            ..later("rate_limited", "Too many requests.", *retry_after_seconds)
        },
        error => {
            tracing::error!(request_id, %error, "internal error");
            Meaning {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                error: "server_error",
                code: "internal",
                title: "Something went wrong here.",
                description: "The log knows more under this request_id.",
                header: None,
            }
        }
    }
}
