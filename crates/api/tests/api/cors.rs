//! Scripts of other origins may call only if the operator allowed their origin.

use axum::http::Method;
use serde_json::json;
use testkit::{Answer, TestApp, TestDb};

const OURS: &str = "https://console.example.org";

async fn with_cors(db: TestDb) -> TestApp {
    let cors_origins = vec![OURS.to_owned(), "http://localhost:5173".to_owned()];
    let http = http::Settings { rate_limit_per_minute: 0, cors_origins, ..http::Settings::default() };
    TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await
}

fn is_silent(answer: &Answer) -> bool {
    !answer.headers.keys().any(|name| name.as_str().starts_with("access-control-"))
}

async fn preflight(app: &TestApp, path: &str, origin: &str) -> Answer {
    let request = app.request(Method::OPTIONS, path).header("origin", origin);
    let request = request.header("access-control-request-method", "PATCH");
    request.header("access-control-request-headers", "authorization,content-type").expect(204).await
}

#[testkit::both_engines]
async fn without_a_setting_no_origin_may_call(app: TestApp) {
    let client = app.client().await;
    let answer = app.get("/v1/tags").bearer(&client).header("origin", OURS).expect(200).await;
    assert!(is_silent(&answer) && !answer.header("vary").unwrap().contains("Origin"));
    assert!(is_silent(&preflight(&app, "/v1/tags", OURS).await));
}

#[testkit::both_engines]
async fn a_named_origin_may_call_and_read(db: TestDb) {
    let app = with_cors(db).await;
    let client = app.client().await;
    let answer = app.get("/v1/tags").bearer(&client).header("origin", OURS).expect(200).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some(OURS));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    let exposed: Vec<&str> = answer.header("access-control-expose-headers").unwrap().split(", ").collect();
    for name in [
        "ETag",
        "Link",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "X-Request-Id",
        "WWW-Authenticate",
        "Deprecation",
        "Sunset",
        "Idempotent-Replayed",
    ] {
        assert!(exposed.contains(&name), "{name}");
    }
    // A script must be able to read why it was refused.
    for (path, status) in [("/v1/tags", 401), ("/v1/nothing", 404)] {
        let answer = app.get(path).header("origin", OURS).expect(status).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(OURS), "{path}");
    }
}

#[testkit::both_engines]
async fn a_preflight_needs_no_token(db: TestDb) {
    let app = with_cors(db).await;
    let answer = preflight(&app, "/v1/incidents/INC-1", OURS).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some(OURS));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, HEAD, PATCH, OPTIONS"));
    assert_eq!(answer.header("access-control-max-age"), Some("600"));
    let taken = answer.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
    for name in
        ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "traceparent"]
    {
        assert!(taken.split(", ").any(|it| it == name), "{name}");
    }
    // An OPTIONS request that is not a preflight is an ordinary one.
    let answer = app.request(Method::OPTIONS, "/v1/incidents").header("origin", OURS).expect(204).await;
    assert_eq!(answer.header("access-control-allow-methods"), None);
}

#[testkit::both_engines]
async fn another_origin_may_not(db: TestDb) {
    let app = with_cors(db).await;
    let client = app.client().await;
    for origin in
        ["null", "https://evil.example", "http://console.example.org", "https://console.example.org.evil.org"]
    {
        let answer = app.get("/v1/tags").bearer(&client).header("origin", origin).expect(200).await;
        assert!(is_silent(&answer), "{origin}");
        assert!(answer.header("vary").unwrap().contains("Origin"), "a cache must tell them apart");
        assert!(is_silent(&preflight(&app, "/v1/tags", origin).await), "{origin}");
    }
    let answer = app.get("/v1/tags").bearer(&client).expect(200).await;
    assert!(is_silent(&answer) && answer.header("vary").unwrap().contains("Origin"));
}

#[testkit::both_engines]
async fn no_origin_gets_a_token(db: TestDb) {
    let app = with_cors(db).await;
    for path in ["/v1/oauth/token", "/v1/oauth/revoke", "/v1/oauth/introspect"] {
        let answer = app.post(path).header("origin", OURS).json(json!({})).expect(400).await;
        assert!(is_silent(&answer), "{path}");
        assert!(is_silent(&preflight(&app, path, OURS).await), "{path}");
    }
}
