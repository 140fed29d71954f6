//! The service in the test's own process.

use serde_json::json;
use testkit::{TestApp, both_engines};

#[both_engines]
async fn a_signed_in_client_is_answered(app: TestApp) {
    let client = app.client_with_scopes("organizations:read").await;
    let path = format!("/v1/organizations/{}", app.organization);
    let answer = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(answer.text("name"), "Acme");
    app.get(&path).expect(401).await;
    app.get("/v1/users").bearer(&client).expect(403).await;
}

#[both_engines]
async fn faults_are_listed_as_pointer_and_code(app: TestApp) {
    let client = app.client_with_scopes("users:admin").await;
    let answer =
        app.post("/v1/users").bearer(&client).json(json!({"name": "", "king": true})).expect(422).await;
    assert!(answer.faults().contains(&"#/king unknown_field".to_owned()), "{:?}", answer.faults());
}

#[both_engines]
async fn a_second_process_knows_the_tokens_of_the_first(app: TestApp) {
    let client = app.client_with_scopes("organizations:read").await;
    let second = app.beside(2).await;
    second.get(&format!("/v1/organizations/{}", app.organization)).bearer(&client).expect(200).await;
}

#[both_engines]
async fn a_token_ends_with_the_clock_of_the_test(app: TestApp) {
    let client = app.client_with_scopes("organizations:read").await;
    app.db.clock.advance_seconds(3600);
    app.get(&format!("/v1/organizations/{}", app.organization)).bearer(&client).expect(401).await;
}
