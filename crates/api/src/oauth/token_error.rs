//! The errors of the OAuth endpoints: `application/json` with OAuth's `error` and `error_description`
//! (RFC 6749, section 5.2) and the members of a problem in the same object, because OAuth clients
//! refuse `application/problem+json` here.

use auth::PublicUrl;
use axum::body::Body;
use axum::response::Response;
use domain::ErrorCode as C;
use http::error::Error;
use http::error_codes::{self, is_of_oauth};
use http::route::{Content, ErrorForm, Refusal};
use hyper::StatusCode;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::{IntoResponses, ToSchema};

use super::description::Description;

const INVALID_REQUEST: &str = "Invalid request";

/// The form of errors that occur before an endpoint is reached or while it runs.
pub(crate) const ERROR_FORM: ErrorForm = ErrorForm { content: Content::Json, render: refuse };

fn refuse(refusal: &Refusal<'_>) -> Response {
    TokenError::from(refusal.error.clone()).respond(refusal.public_url, refusal.request_id)
}

/// The errors of an OAuth endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenError {
    /// The request is malformed; the text describes how.
    InvalidRequest(Description),
    /// `grant_type` is not supported.
    UnsupportedGrantType,
    /// A scope is unknown, or the client does not have it.
    InvalidScope,
    /// A token for another API was requested (RFC 8707, section 2).
    InvalidTarget,
    /// The client's credentials are missing or wrong.
    InvalidClient {
        /// Whether they were sent in the `Authorization` header; only then does the response have a challenge, because
        /// a challenge hides the error from some clients.
        by_header: bool,
    },
    /// The refresh token is invalid.
    InvalidGrant,
    /// The body is longer than 64 KiB.
    TooLarge,
    /// The body's media type is not supported.
    MediaType,
    /// The body is compressed.
    Encoding,
    /// The body did not arrive in time.
    Timeout,
    /// Too many attempts have failed before.
    Throttled {
        /// Seconds until the next attempt is checked.
        retry_after_seconds: u64,
    },
    /// The request was refused for its method, its `Accept`, its length or its transport.
    Refused {
        /// Its code, as in every problem.
        code: C,
        /// A sentence about the remedy.
        description: Description,
    },
    /// An internal error.
    Fault(domain::Error),
}

impl From<domain::Error> for TokenError {
    fn from(error: domain::Error) -> Self {
        match error {
            domain::Error::Limited { retry_after_seconds } => Self::Throttled { retry_after_seconds },
            error => Self::Fault(error),
        }
    }
}

fn refused(code: C, description: Description) -> TokenError {
    TokenError::Refused { code, description }
}

/// The errors that can occur before and while the body is read.
impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        match error {
            Error::BodyTooLarge { .. } => Self::TooLarge,
            Error::UnsupportedMediaType { .. } => Self::MediaType,
            Error::UnsupportedEncoding => Self::Encoding,
            Error::Timeout => Self::Timeout,
            Error::MalformedRequest(_) => refused(C::MalformedRequest, Description::MalformedRequest),
            Error::MethodNotAllowed { .. } => refused(C::MethodNotAllowed, Description::Method),
            Error::NotAcceptable => refused(C::NotAcceptable, Description::NotAcceptable),
            Error::UriTooLong => refused(C::UriTooLong, Description::UriTooLong),
            Error::HeaderTooLarge => refused(C::HeaderTooLarge, Description::HeaderTooLarge),
            Error::HttpsRequired => refused(C::HttpsRequired, Description::HttpsRequired),
            Error::RateLimited { retry_after_seconds, .. } => Self::Throttled { retry_after_seconds },
            Error::Domain(error) => error.into(),
            _ => Self::InvalidRequest(Description::BrokenBody),
        }
    }
}

/// An error response of an OAuth endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TokenErrorBody {
    /// The kind of error, for OAuth clients.
    #[schema(value_type = TokenErrorCode)]
    error: &'static str,
    /// A sentence for a person.
    #[schema(max_length = 200, example = "The client credentials are missing or not valid.")]
    error_description: &'static str,
    /// A link to the explanation of the error.
    #[serde(rename = "type")]
    #[schema(
        rename = "type",
        max_length = 200,
        pattern = "^(/[!-~]*)?/docs/errors#[a-z_]{1,100}$",
        example = "/docs/errors#invalid_client"
    )]
    kind: String,
    /// A short summary of the error.
    #[schema(max_length = 200, example = "Invalid credentials")]
    title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 401)]
    status: u16,
    /// The kind of error, as in every problem.
    #[schema(value_type = String, max_length = 100, pattern = "^[a-z_]{1,100}$", example = "invalid_client")]
    code: C,
    /// The request's id, as in the log.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9._-]{1,128}$")]
    request_id: String,
}

/// The values of `error` (RFC 6749, section 5.2; RFC 8707, section 2; `slow_down` as in RFC 8628).
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
    InvalidTarget,
    SlowDown,
    ServerError,
    TemporarilyUnavailable,
}

/// The errors that every OAuth endpoint may return, for the OpenAPI document.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it only describes the answers for the OpenAPI document")]
pub(super) enum TokenErrors {
    /// Invalid credentials
    #[response(status = 401, content_type = "application/json",
               headers(("WWW-Authenticate" = String, description = "Only if the request had `Authorization`")))]
    Client(#[to_schema] TokenErrorBody),
    /// The body did not arrive in time
    #[response(status = 408, content_type = "application/json")]
    Timeout(#[to_schema] TokenErrorBody),
    /// The body is over 64 KiB
    #[response(status = 413, content_type = "application/json")]
    TooLarge(#[to_schema] TokenErrorBody),
    /// Another media type
    #[response(status = 415, content_type = "application/json",
               headers(("Accept" = String, description = "The accepted media types")))]
    MediaType(#[to_schema] TokenErrorBody),
    /// Too many failed attempts, or too many requests
    #[response(status = 429, content_type = "application/json",
               headers(("Retry-After" = i32, description = "Seconds to wait")))]
    SlowDown(#[to_schema] TokenErrorBody),
    /// A fault of the service
    #[response(status = 500, content_type = "application/json")]
    Internal(#[to_schema] TokenErrorBody),
    /// The register is unavailable
    #[response(status = 503, content_type = "application/json",
               headers(("Retry-After" = i32, description = "Seconds to wait")))]
    Unavailable(#[to_schema] TokenErrorBody),
}

/// An error as HTTP shows it.
struct ErrorParts {
    status: StatusCode,
    error: &'static str,
    code: C,
    title: &'static str,
    description: Description,
    header: Option<(HeaderName, HeaderValue)>,
}

impl ErrorParts {
    fn body(&self, public_url: &PublicUrl, request_id: &str) -> TokenErrorBody {
        TokenErrorBody {
            error: self.error,
            error_description: self.description.text(),
            kind: public_url.path_to(&format!("/docs/errors#{}", self.code)),
            title: self.title,
            status: self.status.as_u16(),
            code: self.code,
            request_id: request_id.to_owned(),
        }
    }
}

impl TokenError {
    /// What an OAuth endpoint makes of a refusal; `by_header` is whether the request had an `Authorization` header.
    pub(super) fn of(error: auth::Error, by_header: bool) -> Self {
        match error {
            auth::Error::InvalidCredentials => Self::InvalidClient { by_header },
            auth::Error::InvalidGrant => Self::InvalidGrant,
            auth::Error::InvalidScope => Self::InvalidScope,
            auth::Error::InvalidTarget => Self::InvalidTarget,
            other => Error::from(other).into(),
        }
    }

    /// The response. Private details are logged here, once.
    pub(super) fn respond(&self, public_url: &PublicUrl, request_id: &str) -> Response {
        self.log(request_id);
        let meaning = self.meaning();
        let mut response = respond(&meaning.body(public_url, request_id));
        *response.status_mut() = meaning.status;
        if let Some((name, value)) = meaning.header {
            response.headers_mut().insert(name, value);
        }
        response
    }

    fn meaning(&self) -> ErrorParts {
        match self {
            Self::InvalidRequest(description) => of(C::InvalidRequest, *description),
            Self::UnsupportedGrantType => of(C::UnsupportedGrantType, Description::UnsupportedGrantType),
            Self::InvalidScope => of(C::InvalidScope, Description::InvalidScope),
            Self::InvalidTarget => of(C::InvalidTarget, Description::InvalidTarget),
            Self::InvalidClient { by_header } => ErrorParts {
                header: by_header
                    .then(|| (WWW_AUTHENTICATE, HeaderValue::from_static(r#"Basic realm="bailiwick""#))),
                ..of(C::InvalidClient, Description::InvalidClient)
            },
            Self::InvalidGrant => of(C::InvalidGrant, Description::InvalidGrant),
            Self::TooLarge => of(C::BodyTooLarge, Description::TooLarge),
            Self::MediaType => ErrorParts {
                header: Some((
                    ACCEPT,
                    HeaderValue::from_static("application/json, application/x-www-form-urlencoded"),
                )),
                ..of(C::UnsupportedMediaType, Description::MediaType)
            },
            Self::Encoding => ErrorParts {
                header: Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
                ..of(C::UnsupportedMediaType, Description::Encoding)
            },
            Self::Refused { code, description } => of(*code, *description),
            Self::Timeout => of(C::Timeout, Description::Timeout),
            Self::Throttled { retry_after_seconds } => ErrorParts {
                header: Some((RETRY_AFTER, HeaderValue::from(*retry_after_seconds))),
                ..of(C::RateLimited, Description::Throttled)
            },
            Self::Fault(error) => fault(error),
        }
    }

    /// The error that is the example for this status; `description` may name its code between backticks.
    fn example(status: &str, description: &str) -> Option<Self> {
        Some(match status {
            "400" if description.contains("`invalid_grant`") => Self::InvalidGrant,
            "400" => Self::InvalidRequest(Description::NoGrantType),
            "401" => Self::InvalidClient { by_header: true },
            "403" => Error::HttpsRequired.into(),
            "406" => Error::NotAcceptable.into(),
            "408" => Self::Timeout,
            "413" => Self::TooLarge,
            "414" => Error::UriTooLong.into(),
            "415" => Self::MediaType,
            "429" => Self::Throttled { retry_after_seconds: 7 },
            "431" => Error::HeaderTooLarge.into(),
            "500" => Self::Fault(domain::Error::Internal(String::new())),
            "503" => Self::Fault(domain::Error::Unavailable(String::new())),
            _ => return None,
        })
    }

    /// Logs an internal error.
    fn log(&self, request_id: &str) {
        match self {
            Self::Fault(domain::Error::Unavailable(text)) => {
                tracing::warn!(request_id, error = text, "unavailable");
            }
            // What is missing was logged once, when it was found.
            Self::Fault(domain::Error::HeadBusy | domain::Error::WentBack) => {}
            Self::Fault(domain::Error::OutcomeUnknown) => {
                tracing::error!(request_id, "the outcome of a refresh or a revocation is unknown");
            }
            Self::Fault(error) => tracing::error!(request_id, %error, "internal error"),
            _ => {}
        }
    }
}

/// The body of an error with this status, as an example.
pub(crate) fn error_example(status: &str, description: &str, request_id: &str) -> Option<Value> {
    let example = TokenError::example(status, description)?;
    serde_json::to_value(example.meaning().body(&PublicUrl::new(""), request_id)).ok()
}

/// The response 200 of an OAuth endpoint.
pub(super) fn respond(body: &impl Serialize) -> Response {
    // Strings, numbers and booleans: serializing them cannot fail.
    let json = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Body::from(json));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The description from the row of a code. At these endpoints a refusal has the title "Invalid request" for any code,
/// and `error` is one of the few values that OAuth clients know.
fn of(code: C, description: Description) -> ErrorParts {
    let (status, title) = (error_codes::status(code), code.explanation().title);
    let (error, title) = match (is_of_oauth(code), status.as_u16()) {
        (true, _) => (code.as_str(), title),
        (false, 429) => ("slow_down", title),
        (false, 503) => ("temporarily_unavailable", title),
        (false, 500) => ("server_error", title),
        _ => ("invalid_request", INVALID_REQUEST),
    };
    ErrorParts { status, error, code, title, description, header: None }
}

fn fault(error: &domain::Error) -> ErrorParts {
    let later = |code| ErrorParts {
        header: Some((RETRY_AFTER, HeaderValue::from_static("1"))),
        ..of(code, Description::Unavailable)
    };
    match error {
        domain::Error::Unavailable(_) | domain::Error::HeadBusy => later(C::Unavailable),
        domain::Error::OutcomeUnknown => later(C::OutcomeUnknown),
        domain::Error::WentBack => later(C::RegisterWentBack),
        _ => of(C::Internal, Description::Internal),
    }
}
