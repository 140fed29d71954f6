//! The form of errors for programs: problems (RFC 9457).

mod description;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use domain::incident::Status;
use domain::organization::OrganizationName;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};

use crate::error::Error;
use crate::route::{Content, ErrorForm, Refusal};

use description::{AllFaults, DutiesLeft, Missing};

/// The media type of every error outside the token endpoint.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Why a request that is to be undone is not found.
pub const UNKNOWN_REQUEST: &str =
    "No request of yours with this id has changed anything in the last 15 minutes.";

/// The form for programs.
pub const FORM: ErrorForm = ErrorForm { content: Content::Json, render: respond };

/// The response carries the error itself; the front adds the path and the request's id.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.extensions_mut().insert(Box::new(self));
        response
    }
}

/// The members of a problem: `type`, `title`, `status`, `detail`, `instance`, `code`, `request_id`, `errors`,
/// `more_errors`; `organizations` if one must be chosen; `allowed` and `missing` if an incident cannot get a status;
/// `taken` if it cannot have a reference; `failed` if a bulk operation cannot change some; `duties` if a member has some; `violated-policies` as in the draft of the RateLimit fields.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<&'e [Status]>,
    #[serde(skip_serializing_if = "<[Missing]>::is_empty")]
    missing: &'e [Missing],
    #[serde(skip_serializing_if = "Option::is_none")]
    duties: Option<DutiesLeft<'e>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    taken: &'e [String],
    #[serde(skip_serializing_if = "<[FailedItem<'_>]>::is_empty")]
    failed: &'e [FailedItem<'e>],
    #[serde(skip_serializing_if = "AllFaults::is_none")]
    errors: &'e AllFaults<'e>,
    /// Present only when true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_errors: bool,
}

/// A record that a bulk operation cannot change.
#[derive(Serialize)]
pub(crate) struct FailedItem<'e> {
    id: &'e str,
    problem: ItemProblem<'e>,
}

impl<'e> FailedItem<'e> {
    pub(super) fn of(id: &'e str, error: &'e domain::Error) -> Self {
        Self { id, problem: ItemProblem::of(error) }
    }
}

/// Why one record of many was not changed: the members of a problem that belong to it.
#[derive(Serialize)]
pub struct ItemProblem<'e> {
    #[serde(rename = "type")]
    kind: String,
    title: String,
    status: u16,
    detail: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<&'e [Status]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Missing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(skip_serializing_if = "AllFaults::is_none")]
    errors: AllFaults<'e>,
    /// Present only when true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_errors: bool,
}

impl<'e> ItemProblem<'e> {
    /// The problem of an error.
    pub fn of(error: &'e domain::Error) -> Self {
        let meaning = description::domain_meaning(error);
        Self {
            kind: format!("/docs/errors#{}", meaning.kind()),
            status: meaning.status.as_u16(),
            title: meaning.title,
            detail: meaning.detail,
            code: meaning.code,
            allowed: meaning.allowed,
            missing: meaning.missing,
            scope: meaning.scope,
            errors: meaning.faults,
            more_errors: meaning.has_more_faults,
        }
    }

    /// Its schema, as a member of what became of a record.
    pub fn schema() -> RefOr<Schema> {
        let mut schema = Ref::from_schema_name("ItemProblem");
        "Why it failed; absent if it did not.".clone_into(&mut schema.description);
        RefOr::Ref(schema)
    }
}

fn respond(refusal: &Refusal<'_>) -> Response {
    let meaning = refusal.describe();
    let problem = Problem {
        kind: format!("/docs/errors#{}", meaning.kind()),
        title: &meaning.title,
        status: meaning.status.as_u16(),
        detail: &meaning.detail,
        instance: refusal.instance(),
        code: meaning.code,
        request_id: refusal.request_id,
        scope: meaning.scope.as_deref(),
        violated_policies: meaning.violated_policies,
        organizations: meaning.organizations,
        allowed: meaning.allowed,
        missing: &meaning.missing,
        duties: meaning.duties,
        taken: &meaning.taken,
        failed: &meaning.failed,
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

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use domain::{Error as E, FaultCode, ResourceKind, Scope};
    use hyper::http::Extensions;
    use serde_json::{Value, json};

    use super::*;

    fn answer(error: &Error) -> (u16, HeaderMap, Value) {
        let (parts, body) = respond(&Refusal {
            error: error.clone(),
            path: "/v1/incidents",
            request_id: "r-1",
            extensions: &Extensions::new(),
        })
        .into_parts();
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
