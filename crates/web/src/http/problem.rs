//! The one place where an error becomes a response (RFC 9457).

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use domain::organization::OrganizationName;
use domain::{Error as E, Fault, ResourceKind, Scope, Scopes};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;

use crate::docs::{errors, html};
use crate::http::error::{Error, ParameterFault, ParameterFaults};

/// The media type of every error outside the token endpoint.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Why a request that is to be undone is not found.
pub(crate) const UNKNOWN_REQUEST: &str =
    "No request of yours with this id has changed anything in the last 15 minutes.";

/// The `Retry-After` in seconds when the register is unavailable.
const RETRY_UNAVAILABLE: u64 = 1;

/// The maximum length in bytes of `instance`: only an unknown path is longer.
const INSTANCE_BYTES: usize = 256;

/// The response carries the error itself; the front adds the path and the request's id.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.extensions_mut().insert(Box::new(self));
        response
    }
}

/// An error as HTTP shows it.
struct Description<'e> {
    status: StatusCode,
    /// The part of `type` after `#`, where it is not the code.
    kind: Option<&'static str>,
    code: &'static str,
    /// The title of the code's row in `docs/errors/`, unless a more specific one is set.
    title: String,
    detail: String,
    scope: Option<String>,
    violated_policies: Option<[&'static str; 1]>,
    organizations: Option<&'e [OrganizationName]>,
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

/// The members of a problem: `type`, `title`, `status`, `detail`, `instance`, `code`, `request_id`, `errors`,
/// `more_errors`; `organizations` if one must be chosen; `violated-policies` as in the draft of the RateLimit fields.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    organizations: Option<&'e [OrganizationName]>,
    #[serde(skip_serializing_if = "AllFaults::is_none")]
    errors: &'e AllFaults<'e>,
    /// Present only when true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_errors: bool,
}

/// The response for `error`. Private details are logged here, once. A browser receives a page.
pub(crate) fn respond(error: &Error, path: &str, request_id: &str, as_page: bool) -> Response {
    let instance = path.get(..path.floor_char_boundary(INSTANCE_BYTES)).unwrap_or_default();
    log(error, instance, request_id);
    let meaning = meaning(error);
    if as_page {
        return page(meaning, request_id);
    }
    let problem = Problem {
        kind: format!("/docs/errors#{}", meaning.kind.unwrap_or(meaning.code)),
        title: &meaning.title,
        status: meaning.status.as_u16(),
        detail: &meaning.detail,
        instance,
        code: meaning.code,
        request_id,
        scope: meaning.scope.as_deref(),
        violated_policies: meaning.violated_policies,
        organizations: meaning.organizations,
        errors: &meaning.faults,
        more_errors: meaning.has_more_faults,
    };
    // Strings and numbers only: serializing them cannot fail.
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    if let Some((name, value)) = meaning.header {
        headers.insert(name, value);
    }
    (meaning.status, headers, Body::from(body)).into_response()
}

/// The problem as a page for people: what happened, and where it is explained.
fn page(meaning: Description<'_>, request_id: &str) -> Response {
    let mut main = String::from("<h1>");
    html::escape(&meaning.title, &mut main);
    main.push_str("</h1>\n<p class=\"lead\">");
    html::escape(&meaning.detail, &mut main);
    let (kind, status) = (meaning.kind.unwrap_or(meaning.code), meaning.status.as_u16());
    // Request ids are made of letters, digits, dots, underscores and hyphens.
    main.push_str(&format!(
        "</p>\n<p>Status {status}, <a href=\"/docs/errors#{kind}\"><code>{kind}</code></a>. The request's id is \
         <code>{request_id}</code>.</p>\n"
    ));
    let mut response = html::answer(&status.to_string(), &main).into_response();
    *response.status_mut() = meaning.status;
    if let Some((name, value)) = meaning.header {
        response.headers_mut().insert(name, value);
    }
    response
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

fn meaning(error: &Error) -> Description<'_> {
    match error {
        Error::Domain(error) => domain_meaning(error),
        Error::Unauthenticated { token_sent } => unauthenticated(*token_sent),
        Error::InvalidCredentials => invalid_credentials(),
        Error::OrganizationNeeded(organizations) => {
            Description { organizations: Some(organizations), ..of("organization_needed") }
        }
        Error::InvitationNotValid => of("invitation_not_valid"),
        Error::MalformedBody(detail) => with_detail("malformed_body", detail.clone()),
        Error::InvalidParameter(faults) => Description {
            faults: AllFaults::Parameters(faults),
            has_more_faults: faults.has_more(),
            ..with_detail(
                "invalid_parameter",
                first_of(faults.first().map(ParameterFault::sentence), faults.len(), faults.has_more()),
            )
        },
        Error::BodyTooLarge { limit_bytes } => {
            with_detail("body_too_large", format!("At most {limit_bytes} bytes are taken here."))
        }
        Error::UnsupportedMediaType { accept } => Description {
            header: Some((ACCEPT, HeaderValue::from_static(accept))),
            ..with_detail("unsupported_media_type", format!("Send {accept}."))
        },
        Error::UnsupportedEncoding => Description {
            header: Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            title: "The body's encoding is not supported.".to_owned(),
            ..with_detail("unsupported_media_type", "Send it uncompressed.".to_owned())
        },
        Error::MalformedRequest(detail) => with_detail("malformed_request", (*detail).to_owned()),
        Error::MethodNotAllowed => of("method_not_allowed"),
        Error::NotAcceptable => of("not_acceptable"),
        Error::UriTooLong => of("uri_too_long"),
        Error::HeaderTooLarge => of("header_too_large"),
        Error::Timeout => of("timeout"),
        Error::HttpsRequired => of("https_required"),
        Error::InProgress => of("in_progress"),
        Error::RateLimited { policy, retry_after_seconds } => {
            Description { violated_policies: Some([policy]), ..limited(*retry_after_seconds) }
        }
    }
}

fn domain_meaning(error: &E) -> Description<'_> {
    match error {
        E::NotFound(ResourceKind::Request) => {
            Description { detail: UNKNOWN_REQUEST.to_owned(), ..not_found(ResourceKind::Request.title()) }
        }
        E::NotFound(noun) => not_found(noun.title()),
        E::Conflict { code, title } => conflict(code, title),
        E::Invalid(faults) => Description {
            faults: AllFaults::Body(faults),
            has_more_faults: faults.has_more(),
            ..with_detail(
                "validation_failed",
                first_of(faults.first().map(Fault::sentence), faults.len(), faults.has_more()),
            )
        },
        E::Outdated { current } => outdated(*current),
        E::VersionRequired => of("precondition_required"),
        E::Forbidden(missing) => forbidden(*missing),
        E::ForbiddenWithoutAny(scopes) => forbidden_without_any(scopes),
        E::Unauthenticated(_) => unauthenticated(true),
        E::KeyReused => of("idempotency_key_reused"),
        E::Limited { retry_after_seconds } => limited(*retry_after_seconds),
        E::HeadBusy => {
            Description { title: "The register is busy.".to_owned(), ..retried(of("unavailable")) }
        }
        E::Unavailable(_) => retried(of("unavailable")),
        E::OutcomeUnknown => retried(of("outcome_unknown")),
        E::Internal(_) => of("internal"),
    }
}

/// The description from the row of a code.
fn of(code: &'static str) -> Description<'static> {
    let row = errors::row(code);
    let text = |text: fn(&errors::Kind) -> &'static str| row.map(text).unwrap_or_default().to_owned();
    Description {
        status: row.map_or(StatusCode::INTERNAL_SERVER_ERROR, errors::Kind::status),
        kind: None,
        code,
        title: text(|row| row.title),
        detail: text(|row| row.detail),
        scope: None,
        violated_policies: None,
        organizations: None,
        faults: AllFaults::None,
        has_more_faults: false,
        header: None,
    }
}

/// The same with a detail of this one error.
fn with_detail(code: &'static str, detail: String) -> Description<'static> {
    Description { detail, ..of(code) }
}

/// A conflict has the description of its code's row; the rule's own text is added where it is more specific.
fn conflict(code: &'static str, said: &str) -> Description<'static> {
    let said = said.trim_end_matches('.');
    let meaning = of(code);
    let detail = match meaning.title.trim_end_matches('.') == said {
        true => meaning.detail,
        false => format!("{said}. Nothing was changed."),
    };
    Description { detail, ..of(code) }
}

fn limited(retry_after_seconds: u64) -> Description<'static> {
    Description {
        header: Some((RETRY_AFTER, HeaderValue::from(retry_after_seconds))),
        ..with_detail("rate_limited", format!("Try again in {retry_after_seconds} s."))
    }
}

/// An unknown path has a type of its own, because another id does not help.
fn not_found(noun: &str) -> Description<'static> {
    let row = if noun == ResourceKind::Path.title() { "path_not_found" } else { "not_found" };
    Description { kind: Some(row), code: "not_found", title: format!("{noun} not found"), ..of(row) }
}

fn outdated(current: Option<i64>) -> Description<'static> {
    let code = "precondition_failed";
    match current {
        Some(version) => {
            with_detail(code, format!("Nothing was changed. It is version {version}: read it again."))
        }
        None => Description {
            title: "This has no version to match.".to_owned(),
            ..with_detail(code, "Nothing was changed. If-Match can only be `*` here.".to_owned())
        },
    }
}

/// RFC 6750, section 3.1: no error attribute when no token was sent.
fn unauthenticated(token_sent: bool) -> Description<'static> {
    if token_sent {
        let challenge = HeaderValue::from_static(r#"Bearer realm="bailiwick", error="invalid_token""#);
        return Description { header: Some((WWW_AUTHENTICATE, challenge)), ..of("unauthenticated") };
    }
    let challenge = HeaderValue::from_static(r#"Bearer realm="bailiwick""#);
    let detail = "Send an access token: Authorization: Bearer <token>.".to_owned();
    Description { header: Some((WWW_AUTHENTICATE, challenge)), ..with_detail("unauthenticated", detail) }
}

/// A challenge is required with every 401 (RFC 9110, section 15.5.2); this one does not ask for a token.
fn invalid_credentials() -> Description<'static> {
    Description {
        header: Some((WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="bailiwick""#))),
        ..of("invalid_credentials")
    }
}

fn forbidden(missing: Scopes) -> Description<'static> {
    let challenge = format!(r#"Bearer realm="bailiwick", error="insufficient_scope", scope="{missing}""#);
    let noun = if missing.iter().count() == 1 { "scope" } else { "scopes" };
    Description {
        scope: Some(missing.to_string()),
        // Scopes are made of letters and colons, separated by spaces.
        header: HeaderValue::try_from(challenge).ok().map(|value| (WWW_AUTHENTICATE, value)),
        ..with_detail("insufficient_scope", format!("This needs the {noun} {missing}."))
    }
}

/// `scope` names the usual one of the scopes, since a client requests one; the detail names all.
fn forbidden_without_any(scopes: &[Scope]) -> Description<'static> {
    let names = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ");
    let usual = scopes.iter().take(1).copied().collect();
    Description { detail: format!("This needs the scope {names}."), ..forbidden(usual) }
}

/// The same with a `Retry-After`.
fn retried(meaning: Description<'static>) -> Description<'static> {
    Description { header: Some((RETRY_AFTER, HeaderValue::from(RETRY_UNAVAILABLE))), ..meaning }
}

/// The first fault as a sentence, and the number of the others.
fn first_of(first: Option<String>, count: usize, has_more: bool) -> String {
    let first = first.unwrap_or_default();
    match (count, has_more) {
        (0 | 1, false) => first,
        (2, false) => format!("{first} There is 1 more fault."),
        (_, false) => format!("{first} There are {} more faults.", count - 1),
        (_, true) => format!("{first} There are over {} more faults.", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use domain::{FaultCode, ResourceKind};
    use serde_json::{Value, json};

    use super::*;

    fn answer(error: &Error) -> (u16, HeaderMap, Value) {
        let (parts, body) = respond(error, "/v1/incidents", "r-1", false).into_parts();
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
                "detail": "Title is required.",
                "instance": "/v1/incidents",
                "code": "validation_failed",
                "request_id": "r-1",
                "errors": [{"pointer": "#/title", "code": "required", "detail": "Title is required."}],
            })
        );
    }

    #[test]
    fn the_first_fault_is_told_in_words_and_the_others_are_counted() {
        let detail = |count: usize| {
            let mut faults = domain::Faults::new();
            for _ in 0..count {
                faults.add("#/title", FaultCode::Blank, "must not be blank");
            }
            answer(&E::Invalid(faults).into()).2
        };
        assert_eq!(detail(1)["detail"], "Title must not be blank.");
        assert_eq!(detail(2)["detail"], "Title must not be blank. There is 1 more fault.");
        assert_eq!(detail(100)["detail"], "Title must not be blank. There are 99 more faults.");
        assert_eq!(detail(100).get("more_errors"), None);
        assert_eq!(detail(101)["detail"], "Title must not be blank. There are over 99 more faults.");
        assert_eq!(detail(101)["more_errors"], true);
        let (_, _, problem) = answer(&Error::parameter("limit", "range", "must be from 1 to 200"));
        assert_eq!(problem["detail"], "limit must be from 1 to 200.");
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
        let (status, headers, body) = answer(&E::Forbidden(Scope::RisksWrite.into()).into());
        assert_eq!((status, body["scope"].as_str()), (403, Some("risks:write")));
        assert_eq!(body["detail"], "This needs the scope risks:write.");
        assert!(headers["www-authenticate"].to_str().unwrap().ends_with(r#"scope="risks:write""#));
        let several = [Scope::TagsRead, Scope::RisksWrite].into_iter().collect();
        let (_, headers, body) = answer(&E::Forbidden(several).into());
        assert_eq!(body["scope"], "risks:write tags:read");
        assert_eq!(body["detail"], "This needs the scopes risks:write tags:read.");
        assert!(headers["www-authenticate"].to_str().unwrap().ends_with(r#"scope="risks:write tags:read""#));
    }

    #[test]
    fn of_several_scopes_that_would_do_all_are_told_and_one_is_asked_for() {
        let error = E::ForbiddenWithoutAny(&[Scope::IncidentsWrite, Scope::IncidentsDeclare]).into();
        let (status, headers, body) = answer(&error);
        assert_eq!((status, body["scope"].as_str()), (403, Some("incidents:write")));
        assert_eq!(body["detail"], "This needs the scope incidents:write or incidents:declare.");
        assert!(headers["www-authenticate"].to_str().unwrap().ends_with(r#"scope="incidents:write""#));
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
        let (status, _, body) = answer(&Error::not_found(ResourceKind::RiskOrTag));
        assert_eq!((status, body["title"].as_str()), (404, Some("Risk or tag not found")));
        assert_eq!(body["type"], "/docs/errors#not_found");
        let (_, _, body) = answer(&Error::not_found(ResourceKind::Path));
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
