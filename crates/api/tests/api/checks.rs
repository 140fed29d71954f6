//! The checks before any handler, and their order.

use serde_json::json;
use testkit::{CHALLENGE, INVALID_TOKEN, TestApp};

#[testkit::both_engines]
async fn without_a_token_nothing_is_revealed(app: TestApp) {
    // The path's id, the query and the body are wrong too: 401 comes first.
    let answer = app.patch("/v1/incidents/x?y=1").body("text/plain", "{").expect(401).await;
    assert_eq!(answer.header("www-authenticate"), Some(CHALLENGE));
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    assert_eq!(answer.json()["code"], "unauthenticated");
    let answer = app.get("/v1/incidents").bearer("nonsense").expect(401).await;
    assert_eq!(answer.header("www-authenticate"), Some(INVALID_TOKEN));
}

#[testkit::both_engines]
async fn a_missing_scope_comes_before_everything_in_the_request(app: TestApp) {
    let reader = app.client_with_scopes("incidents:read").await;
    let answer = app.patch("/v1/incidents/x?y=1").bearer(&reader).body("text/plain", "{").expect(403).await;
    assert_eq!((answer.text("code"), answer.text("scope")), ("insufficient_scope", "incidents:write"));
    let challenge = answer.header("www-authenticate").unwrap();
    assert!(challenge.ends_with(r#"error="insufficient_scope", scope="incidents:write""#), "{challenge}");
}

#[testkit::both_engines]
async fn path_then_query_then_body(app: TestApp) {
    let client = app.client().await;
    let patch = |path: &str| app.patch(path).bearer(&client);
    let answer = patch("/v1/incidents/x?y=1").body("text/plain", "{").expect(404).await;
    assert_eq!(answer.text("title"), "Incident not found");
    let answer = patch("/v1/incidents/INC-1?y=1").body("text/plain", "{").expect(400).await;
    assert_eq!((answer.text("code"), answer.faults()), ("invalid_parameter", vec!["y unknown".to_owned()]));
    let long = "x".repeat(1024 * 1024 + 1);
    let answer = patch("/v1/incidents/INC-1").body("text/plain", long).expect(413).await;
    assert_eq!(answer.text("code"), "body_too_large");
    let answer = patch("/v1/incidents/INC-1").body("text/plain", "{").expect(415).await;
    assert_eq!(answer.text("code"), "unsupported_media_type");
    assert_eq!(answer.header("accept"), Some("application/json, application/merge-patch+json"));
    let answer = patch("/v1/incidents/INC-1").body("application/json", "{").expect(400).await;
    assert_eq!(answer.text("code"), "malformed_body");
    let answer = patch("/v1/incidents/INC-1").body("application/json", "").expect(400).await;
    assert_eq!(answer.text("code"), "malformed_body");
    let answer = patch("/v1/incidents/INC-1").json(json!({"titel": 1})).expect(422).await;
    assert_eq!(answer.faults(), ["#/titel unknown_field"]);
    patch("/v1/incidents/INC-1").json(json!({"title": "x"})).expect(404).await;
}

#[testkit::both_engines]
async fn a_known_path_names_its_methods(app: TestApp) {
    let answer = app.put("/v1/incidents").expect(405).await;
    assert_eq!(answer.header("allow"), Some("GET, HEAD, POST, DELETE, OPTIONS"));
    assert_eq!(answer.text("code"), "method_not_allowed");
    assert_eq!(answer.text("detail"), "This path takes GET, HEAD, POST, DELETE, OPTIONS.");
    let answer = app.get("/v1/nothing").expect(404).await;
    assert_eq!((answer.text("title"), answer.text("instance")), ("Path not found", "/v1/nothing"));
}

#[testkit::both_engines]
async fn a_request_id_is_taken_or_made(app: TestApp) {
    let answer = app.get("/v1/incidents").header("x-request-id", "caller-1").expect(401).await;
    assert_eq!((answer.header("x-request-id"), answer.text("request_id")), (Some("caller-1"), "caller-1"));
    let answer = app.get("/v1/incidents").header("x-request-id", "a b").expect(401).await;
    let made = answer.text("request_id");
    assert_eq!(made.len(), 36, "{made}");
    assert_eq!(answer.header("x-request-id"), Some(made));
}

#[testkit::both_engines]
async fn the_service_reports_its_health(app: TestApp) {
    assert_eq!(app.get("/healthz").expect(200).await.json(), &json!({"status": "ok"}));
    assert_eq!(app.get("/readyz").expect(200).await.json(), &json!({"status": "ok"}));
}

#[testkit::both_engines]
async fn a_register_that_went_back_is_read_and_not_written(app: TestApp) {
    let client = app.client().await;
    let declare =
        || app.post("/v1/incidents").bearer(&client).json(json!({"title": "One", "description": ""}));
    declare().expect(201).await;
    // Another process has the journal end before, as a server does that has not received all of it.
    let sql = "UPDATE organization_head SET seq = seq - 1 WHERE organization = $1";
    let (other, organization) = (app.db.second(7).await, app.organization.uuid());
    let back = async move |tx: &mut db::Tx| tx.execute(sql, &[&organization]).await;
    other.write_instance::<u64, db::Error, _>(back).await.unwrap();
    app.get("/readyz").expect(200).await;
    let answer = declare().expect(503).await;
    assert_eq!(answer.text("code"), "register_went_back");
    assert!(answer.header("retry-after").is_some());
    assert_eq!(app.get("/readyz").expect(503).await.text("code"), "register_went_back");
    app.get("/healthz").expect(200).await;
    assert_eq!(app.get("/v1/incidents").bearer(&client).expect(200).await.json()["data"][0]["title"], "One");
}
