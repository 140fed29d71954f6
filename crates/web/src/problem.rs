//! The one place where an error becomes an answer (RFC 9457).

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use domain::{Error as E, Fault, Scope};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;

use crate::error::{Error, ParameterFaults};
use crate::limits;

/// The media type of every error outside the token endpoint.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// How long to wait before trying again when the register is unavailable, in seconds.
const RETRY_UNAVAILABLE: u64 = 1;

/// The most bytes of `instance`: only a path that leads nowhere is longer.
const INSTANCE_BYTES: usize = 256;

/// An error on its way out: the front adds what only it knows, the path and the request's id.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.extensions_mut().insert(Box::new(self));
        response
    }
}

/// What an error means in HTTP.
struct Meaning<'e> {
    status: StatusCode,
    /// The part of `type` after `#`, where it is not the code.
    kind: Option<&'static str>,
    code: &'static str,
    title: String,
    detail: String,
    scope: Option<Scope>,
    violated_policies: Option<[&'static str; 1]>,
    faults: AllFaults<'e>,
    has_more_faults: bool,
    header: Option<(HeaderName, HeaderValue)>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AllFaults<'e> {
    None,
    Body(&'e [Fault]),
    Parameters(&'e ParameterFaults),
}

impl AllFaults<'_> {
    fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// The members of shapes: `type`, `title`, `status`, `detail`, `instance`, `code`, `request_id`, `errors`,
/// `more_errors`; `violated-policies` as the draft of the RateLimit fields has it.
#[derive(Serialize)]
struct Problem<'e> {
    #[serde(rename = "type")]
    kind: String,
    title: &'e str,
    status: u16,
    detail: &'e str,
    instance: &'e str,
    code: &'e str,
    request_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'e str>,
    #[serde(rename = "violated-policies", skip_serializing_if = "Option::is_none")]
    violated_policies: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "AllFaults::is_none")]
    errors: &'e AllFaults<'e>,
    /// Only where it is true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_errors: bool,
}

/// The answer for `error`; what is private goes to the log, once, here.
pub(crate) fn respond(error: &Error, path: &str, request_id: &str) -> Response {
    let instance = path.get(..path.floor_char_boundary(INSTANCE_BYTES)).unwrap_or_default();
    log(error, instance, request_id);
    let meaning = meaning(error);
    let problem = Problem {
        kind: format!("/docs/errors#{}", meaning.kind.unwrap_or(meaning.code)),
        title: &meaning.title,
        status: meaning.status.as_u16(),
        detail: &meaning.detail,
        instance,
        code: meaning.code,
        request_id,
        scope: meaning.scope.map(Scope::as_str),
        violated_policies: meaning.violated_policies,
        errors: &meaning.faults,
        more_errors: meaning.has_more_faults,
    };
    // Strings and numbers only: writing them cannot fail.
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    if let Some((name, value)) = meaning.header {
        headers.insert(name, value);
    }
    (meaning.status, headers, Body::from(body)).into_response()
}

fn log(error: &Error, path: &str, request_id: &str) {
    match error {
        Error::Domain(E::Internal(text)) => {
            tracing::error!(request_id, path, error = text, "internal error");
        }
        Error::Domain(E::Unavailable(text)) => {
            tracing::warn!(request_id, path, error = text, "unavailable");
        }
        Error::Domain(E::OutcomeUnknown) => {
            tracing::error!(request_id, path, "the outcome of a write is unknown");
        }
        _ => {}
    }
}

fn meaning(error: &Error) -> Meaning<'_> {
    match error {
        Error::Domain(error) => domain_meaning(error),
        Error::Unauthenticated { token_sent } => unauthenticated(*token_sent),
        Error::InvalidCredentials => invalid_credentials(),
        Error::InvitationNotValid => plain(
            StatusCode::NOT_FOUND,
            "invitation_not_valid",
            "The invitation is not valid.",
            "It was used or withdrawn, or has run out. Ask for another one.".to_owned(),
        ),
        Error::MalformedBody(detail) => {
            plain(StatusCode::BAD_REQUEST, "malformed_body", "The body is not JSON.", detail.clone())
        }
        Error::InvalidParameter(faults) => Meaning {
            faults: AllFaults::Parameters(faults),
            has_more_faults: faults.has_more(),
            ..plain(
                StatusCode::BAD_REQUEST,
                "invalid_parameter",
                "A parameter is not valid.",
                count_of_faults(faults.len(), faults.has_more()),
            )
        },
        Error::BodyTooLarge { limit_bytes } => plain(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            "The body is too large.",
            format!("At most {limit_bytes} bytes are taken here."),
        ),
        Error::UnsupportedMediaType { .. }
        | Error::UnsupportedEncoding
        | Error::MethodNotAllowed
        | Error::NotAcceptable
        | Error::UriTooLong
        | Error::HeaderTooLarge => refused_by_form(error),
        Error::Timeout => plain(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "The body did not arrive in time.",
            "Nothing was changed.".to_owned(),
        ),
        Error::HttpsRequired => plain(
            StatusCode::FORBIDDEN,
            "https_required",
            "HTTPS is required.",
            "The request could be read on its way. Replace any secret that it carried, and use https."
                .to_owned(),
        ),
        Error::InProgress => plain(
            StatusCode::CONFLICT,
            "in_progress",
            "The first request with this key is still running.",
            "Try again later with the same key.".to_owned(),
        ),
        Error::RateLimited { policy, retry_after_seconds } => {
            Meaning { violated_policies: Some([policy]), ..limited(*retry_after_seconds) }
        }
    }
}

/// What was refused for its method, its headers or its length.
fn refused_by_form(error: &Error) -> Meaning<'static> {
    let unsupported =
        |title, detail| plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", title, detail);
    match error {
        Error::UnsupportedMediaType { accept } => Meaning {
            header: Some((ACCEPT, HeaderValue::from_static(accept))),
            ..unsupported("The body's type is not supported.", format!("Send {accept}."))
        },
        Error::UnsupportedEncoding => Meaning {
            header: Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            ..unsupported("The body's encoding is not supported.", "Send it uncompressed.".to_owned())
        },
        Error::NotAcceptable => plain(
            StatusCode::NOT_ACCEPTABLE,
            "not_acceptable",
            "The Accept header refuses every type there is.",
            "Answers are application/json, errors application/problem+json.".to_owned(),
        ),
        Error::UriTooLong => plain(
            StatusCode::URI_TOO_LONG,
            "uri_too_long",
            "The path and query are too long.",
            format!("At most {} bytes are taken.", limits::URI_BYTES),
        ),
        Error::HeaderTooLarge => plain(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "header_too_large",
            "The header is too large.",
            format!("At most {} bytes are taken.", limits::HEADER_BYTES),
        ),
        _ => plain(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "Method not allowed",
            "The Allow header names the methods of this path.".to_owned(),
        ),
    }
}

fn domain_meaning(error: &E) -> Meaning<'_> {
    match error {
        E::NotFound(noun) => not_found(noun.title()),
        E::Conflict { code, title } => {
            plain(StatusCode::CONFLICT, code, title, "Nothing was changed.".to_owned())
        }
        E::Invalid(faults) => Meaning {
            faults: AllFaults::Body(faults),
            has_more_faults: faults.has_more(),
            ..plain(
                StatusCode::UNPROCESSABLE_ENTITY,
                "validation_failed",
                "The request is not valid.",
                count_of_faults(faults.len(), faults.has_more()),
            )
        },
        E::Outdated { current } => outdated(*current),
        E::VersionRequired => plain(
            StatusCode::PRECONDITION_REQUIRED,
            "precondition_required",
            "The change must name the version it is based on.",
            "Send the record's ETag as If-Match; `*` stands for any version.".to_owned(),
        ),
        E::Forbidden(scope) => forbidden(*scope),
        E::Unauthenticated(_) => unauthenticated(true),
        E::KeyReused => plain(
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            "The Idempotency-Key was used with another request.",
            "A key stands for one method, path and body. Use a new key.".to_owned(),
        ),
        E::Limited { retry_after_seconds } => limited(*retry_after_seconds),
        E::HeadBusy => unavailable("unavailable", "The register is busy.", "Nothing was changed."),
        E::Unavailable(_) => {
            unavailable("unavailable", "The register is unavailable.", "Nothing was changed.")
        }
        E::OutcomeUnknown => unavailable(
            "outcome_unknown",
            "The outcome is unknown.",
            "The connection broke while the change was made durable. Look before you repeat it, or repeat it with the same Idempotency-Key.",
        ),
        E::Internal(_) => plain(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong here.",
            "The log knows more under this request_id.".to_owned(),
        ),
    }
}

fn plain(status: StatusCode, code: &'static str, title: &str, detail: String) -> Meaning<'static> {
    Meaning {
        status,
        kind: None,
        code,
        title: title.to_owned(),
        detail,
        scope: None,
        violated_policies: None,
        faults: AllFaults::None,
        has_more_faults: false,
        header: None,
    }
}

fn limited(retry_after_seconds: u64) -> Meaning<'static> {
    Meaning {
        header: Some((RETRY_AFTER, HeaderValue::from(retry_after_seconds))),
        ..plain(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limited",
            "Too many requests.",
            format!("Try again in {retry_after_seconds} s."),
        )
    }
}

/// A path that leads nowhere has a type of its own: asking with another id does not help.
fn not_found(noun: &str) -> Meaning<'static> {
    let is_path = noun == domain::Noun::Path.title();
    let detail = "There is none with this id in your organization.";
    let detail = if is_path { "This path leads nowhere." } else { detail };
    Meaning {
        kind: is_path.then_some("path_not_found"),
        ..plain(StatusCode::NOT_FOUND, "not_found", &format!("{noun} not found"), detail.to_owned())
    }
}

fn outdated(current: Option<i64>) -> Meaning<'static> {
    let (status, code) = (StatusCode::PRECONDITION_FAILED, "precondition_failed");
    match current {
        Some(version) => plain(
            status,
            code,
            "The record is another version.",
            format!("Nothing was changed. It is version {version}: read it again."),
        ),
        None => plain(
            status,
            code,
            "This has no version to match.",
            "Nothing was changed. If-Match can only be `*` here.".to_owned(),
        ),
    }
}

/// RFC 6750, section 3.1: no error attribute when no token was sent.
fn unauthenticated(token_sent: bool) -> Meaning<'static> {
    let (challenge, detail) = if token_sent {
        (r#"Bearer realm="bailiwick", error="invalid_token""#, "The access token is not valid, or no longer.")
    } else {
        (r#"Bearer realm="bailiwick""#, "Send an access token: Authorization: Bearer <token>.")
    };
    Meaning {
        header: Some((WWW_AUTHENTICATE, HeaderValue::from_static(challenge))),
        ..plain(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "An access token is required.",
            detail.to_owned(),
        )
    }
}

/// A challenge is required with every 401 (RFC 9110, section 15.5.2); what to do about this one is not
/// to send a token.
fn invalid_credentials() -> Meaning<'static> {
    Meaning {
        header: Some((WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="bailiwick""#))),
        ..plain(
            StatusCode::UNAUTHORIZED,
            "invalid_credentials",
            "Invalid credentials",
            "The e-mail address, the password or the organization is wrong, or no invitation was accepted yet."
                .to_owned(),
        )
    }
}

fn forbidden(scope: Scope) -> Meaning<'static> {
    let challenge = format!(r#"Bearer realm="bailiwick", error="insufficient_scope", scope="{scope}""#);
    Meaning {
        scope: Some(scope),
        // Scopes are made of letters and colons.
        header: HeaderValue::try_from(challenge).ok().map(|value| (WWW_AUTHENTICATE, value)),
        ..plain(
            StatusCode::FORBIDDEN,
            "insufficient_scope",
            "The access token lacks a scope.",
            format!("This needs the scope {scope}."),
        )
    }
}

fn unavailable(code: &'static str, title: &str, detail: &str) -> Meaning<'static> {
    Meaning {
        header: Some((RETRY_AFTER, HeaderValue::from(RETRY_UNAVAILABLE))),
        ..plain(StatusCode::SERVICE_UNAVAILABLE, code, title, detail.to_owned())
    }
}

fn count_of_faults(count: usize, has_more: bool) -> String {
    match (count, has_more) {
        (1, false) => "1 fault.".to_owned(),
        (_, false) => format!("{count} faults."),
        (_, true) => format!("The first {count} faults of more."),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use domain::{FaultCode, Noun};
    use serde_json::{Value, json};

    use super::*;

    fn answer(error: &Error) -> (u16, HeaderMap, Value) {
        let (parts, body) = respond(error, "/v1/incidents", "r-1").into_parts();
        let body = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(to_bytes(body, usize::MAX))
            .unwrap();
        (parts.status.as_u16(), parts.headers, serde_json::from_slice(&body).unwrap())
    }

    #[test]
    fn a_fault_of_the_body_has_every_member() {
        let error = E::invalid("#/title", FaultCode::Required, "is required").into();
        let (status, headers, body) = answer(&error);
        assert_eq!((status, &headers["content-type"]), (422, &HeaderValue::from_static(PROBLEM_JSON)));
        assert_eq!(
            body,
            json!({
                "type": "/docs/errors#validation_failed",
                "title": "The request is not valid.",
                "status": 422,
                "detail": "1 fault.",
                "instance": "/v1/incidents",
                "code": "validation_failed",
                "request_id": "r-1",
                "errors": [{"pointer": "#/title", "code": "required", "detail": "is required"}],
            })
        );
    }

    #[test]
    fn a_challenge_names_an_error_only_for_a_token() {
        let (status, headers, body) = answer(&Error::Unauthenticated { token_sent: false });
        assert_eq!((status, body["code"].as_str()), (401, Some("unauthenticated")));
        assert_eq!(headers["www-authenticate"], r#"Bearer realm="bailiwick""#);
        let (_, headers, _) = answer(&Error::Unauthenticated { token_sent: true });
        assert_eq!(headers["www-authenticate"], r#"Bearer realm="bailiwick", error="invalid_token""#);
    }

    #[test]
    fn a_missing_scope_is_named_twice() {
        let (status, headers, body) = answer(&E::Forbidden(Scope::RisksWrite).into());
        assert_eq!((status, body["scope"].as_str()), (403, Some("risks:write")));
        assert!(headers["www-authenticate"].to_str().unwrap().ends_with(r#"scope="risks:write""#));
    }

    #[test]
    fn what_is_private_stays_private() {
        for error in [E::Internal("secret".into()), E::Unavailable("secret".into())] {
            let (status, headers, body) = answer(&error.into());
            assert!(!body.to_string().contains("secret"), "{body}");
            assert_eq!(status == 503, headers.contains_key("retry-after"));
        }
    }

    #[test]
    fn the_title_of_a_thing_not_found_names_the_noun() {
        let (status, _, body) = answer(&Error::not_found(Noun::RiskOrTag));
        assert_eq!((status, body["title"].as_str()), (404, Some("Risk or tag not found")));
        assert_eq!(body["type"], "/docs/errors#not_found");
        let (_, _, body) = answer(&Error::not_found(Noun::Path));
        assert_eq!(
            (&body["type"], &body["code"]),
            (&"/docs/errors#path_not_found".into(), &"not_found".into())
        );
    }

    #[test]
    fn a_caller_over_its_quota_is_told_which_policy_and_when() {
        let error = Error::RateLimited { policy: "default", retry_after_seconds: 7 };
        let (status, headers, body) = answer(&error);
        assert_eq!(
            (status, body["code"].as_str(), &headers["retry-after"]),
            (429, Some("rate_limited"), &HeaderValue::from(7))
        );
        assert_eq!(body["violated-policies"], json!(["default"]));
    }
}
