//! Content negotiation and the form of requests: types, encodings, lengths, traces.

use serde_json::json;
use testkit::TestApp;

#[testkit::both_engines]
async fn only_a_refusal_in_so_many_words_is_not_acceptable(app: TestApp) {
    let client = app.client().await;
    for accept in ["text/html", "application/xml;q=0.9", "application/json;q=0", "*/*;q=0.1, text/*;q=0"] {
        app.get("/v1/tags").bearer(&client).header("accept", accept).expect(200).await;
    }
    for accept in ["*/*;q=0", "application/json;q=0, application/problem+json;q=0.0", "application/*;q=0"] {
        let answer = app.get("/v1/tags").bearer(&client).header("accept", accept).expect(406).await;
        assert_eq!(answer.text("code"), "not_acceptable");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        // The page for people is not JSON.
        app.get("/docs/errors").header("accept", accept).expect(200).await;
    }
    let answer = app.post("/v1/oauth/token").header("accept", "*/*;q=0").json(json!({})).expect(406).await;
    assert_eq!((answer.text("error"), answer.text("code")), ("invalid_request", "not_acceptable"));
}

#[testkit::both_engines]
async fn a_compressed_body_is_refused_with_what_is_taken(app: TestApp) {
    let client = app.client().await;
    for path in ["/v1/tags", "/v1/oauth/token"] {
        let request = app.post(path).bearer(&client).header("content-encoding", "gzip");
        let answer = request.json(json!({})).expect(415).await;
        assert_eq!(answer.text("code"), "unsupported_media_type");
        assert_eq!((answer.header("accept-encoding"), answer.header("accept")), (Some("identity"), None));
    }
    let request = app.post("/v1/tags").bearer(&client).header("content-encoding", "identity");
    request.json(json!({"name": "a"})).expect(201).await;
}

#[testkit::both_engines]
async fn a_patch_of_another_type_gets_the_accepted_types(app: TestApp) {
    let client = app.client().await;
    for (path, types) in [
        ("/v1/incidents/INC-1", "application/json, application/merge-patch+json"),
        ("/v1/risks/RSK-1", "application/json, application/merge-patch+json"),
        ("/v1/documents/a", "application/json"),
    ] {
        let answer =
            app.patch(path).bearer(&client).body("application/json-patch+json", "[]").expect(415).await;
        assert_eq!(
            (answer.header("accept"), answer.header("accept-patch")),
            (Some(types), Some(types)),
            "{path}"
        );
    }
    let answer = app.post("/v1/tags").bearer(&client).body("text/plain", "a").expect(415).await;
    assert_eq!((answer.header("accept"), answer.header("accept-patch")), (Some("application/json"), None));
}

#[testkit::both_engines]
async fn what_is_too_long_is_refused_before_it_is_looked_at(app: TestApp) {
    let query = "x".repeat(8 * 1024);
    let answer = app.get(&format!("/v1/tags?{query}")).expect(414).await;
    assert_eq!(answer.text("code"), "uri_too_long");
    let cookie = "x".repeat(32 * 1024);
    let answer = app.get("/v1/tags").header("cookie", &cookie).expect(431).await;
    assert_eq!(answer.text("code"), "header_too_large");
    let answer = app.post(&format!("/v1/oauth/token?{query}")).expect(414).await;
    assert_eq!((answer.text("error"), answer.text("code")), ("invalid_request", "uri_too_long"));
    let answer = app.post("/v1/oauth/token").header("cookie", &cookie).expect(431).await;
    assert_eq!((answer.text("error"), answer.text("code")), ("invalid_request", "header_too_large"));
}

#[testkit::both_engines]
async fn a_path_that_leads_nowhere_has_a_type_of_its_own(app: TestApp) {
    let client = app.client().await;
    for path in ["/v1/nothing", "/v1/tags/", "/v1//tags", "/V1/tags", "/v1/oauth/nothing", "/nothing"] {
        let answer = app.get(path).bearer(&client).expect(404).await;
        assert_eq!(
            (answer.text("type"), answer.text("code")),
            ("/docs/errors#path_not_found", "not_found"),
            "{path}"
        );
    }
    for (path, is_said) in [("/v1/tags/", true), ("/v1/nothing", false)] {
        let answer = app.get(path).bearer(&client).expect(404).await;
        assert_eq!(answer.text("detail").contains("slash"), is_said, "{path}");
    }
    let answer = app.get("/v1/tags/0190163d-8694-739b-aea5-966c26f8ad91").bearer(&client).expect(404).await;
    assert_eq!(answer.text("type"), "/docs/errors#not_found");
}

/// A malformed trace header is never a reason to refuse a request.
#[testkit::both_engines]
async fn a_malformed_trace_is_no_error(app: TestApp) {
    let client = app.client().await;
    let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for parent in
        [valid, "", "x", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", &"0".repeat(5_000)]
    {
        let request = app.get("/v1/tags").bearer(&client).header("traceparent", parent);
        request.header("tracestate", "a=1, b=2").expect(200).await;
    }
}
