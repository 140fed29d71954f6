use auth::PublicUrl;
use axum::body::to_bytes;
use domain::{Error as E, FaultCode, ResourceKind, Scope};
use hyper::http::Extensions;
use serde_json::{Value, json};

use super::*;
use crate::error_codes::ParameterCode;

fn answer(error: &Error) -> (u16, HeaderMap, Value) {
    let (parts, body) = respond(&Refusal {
        error: error.clone(),
        path: "/v1/incidents",
        public_url: &PublicUrl::new("https://bailiwick.example"),
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
    let (_, _, problem) = answer(&Error::parameter("limit", ParameterCode::Range, "must be from 1 to 200"));
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
    assert_eq!((&body["type"], &body["code"]), (&"/docs/errors#path_not_found".into(), &"not_found".into()));
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
