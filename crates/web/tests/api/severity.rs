//! Severity by answers.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

async fn assess(app: &TestApp, caller: impl AsRef<str>, body: Value) -> Answer {
    app.post("/v1/severity/assess").bearer(caller).json(body).await
}

#[testkit::both_engines]
async fn answers_are_assessed_with_everything_that_explains_the_level(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let body =
        json!({"impact": {"service": 3, "people": 0}, "urgency": "contained", "personal_data_people": 0});
    let answer = assess(&app, &client, body).await;
    assert_eq!((answer.status, answer.header("etag")), (200, None));
    let expected = json!({
        "ruleset": "bailiwick-1",
        "severity": "high",
        "severity_reasoning": "High, because an important service failed; that the incident is contained does not \
            lower the level. Only the effects on services and people's safety are known so far, not whether \
            administrator credentials were compromised; the rest could raise the level to critical.",
        "score": null,
        "factors": [
            {"name": "service", "value": 3, "sentence": "An important service failed.", "decides": true},
            {"name": "people", "value": 0, "sentence": "Nobody was in danger.", "decides": false},
            {"name": "urgency", "value": "contained", "sentence": "The incident is contained.", "decides": true},
            {"name": "personal_data_people", "value": 0, "sentence": "No personal data was affected.",
                "decides": false},
        ],
        "missing": ["data", "money", "legal", "reputation", "administrator_credentials"],
        "range": {"best": "high", "worst": "critical"},
    });
    assert_eq!(answer.json(), &expected);
}

/// The example of docs/severity.md is what the service answers.
#[testkit::both_engines]
async fn the_documented_example_is_what_the_service_answers(app: TestApp) {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/severity.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, request) = page.split_once("-d '").unwrap();
    let (request, rest) = request.split_once("'\n").unwrap();
    let (_, response) = rest.split_once("```json\n").unwrap();
    let (response, _) = response.split_once("```").unwrap();
    let client = app.client_with_scopes("incidents:read").await;
    let answer = assess(&app, &client, serde_json::from_str(request).unwrap()).await;
    assert_eq!(answer.json(), &serde_json::from_str::<Value>(response).unwrap());
}

#[testkit::both_engines]
async fn the_scoring_system_of_cisa_is_a_second_rule_set(app: TestApp) {
    let client = app.client_with_scopes("incidents:declare").await;
    let body = json!({"ruleset": "cisa-ncisss-1", "factors": {
        "functional_impact": "significant_critical", "observed_activity": "presence",
        "location": "business_network_management", "actor": "criminal",
        "information_impact": "privacy_data_loss", "recoverability": "supplemented",
        "cross_sector_dependency": "it", "potential_impact": "moderate",
    }});
    let answer = assess(&app, &client, body).await;
    let found = |name: &str| answer.json()[name].clone();
    assert_eq!((answer.status, found("severity"), found("score")), (200, json!("high"), json!(53.17)));
    assert_eq!(found("range"), json!({"best": "high", "worst": "high"}));
    assert_eq!(found("factors")[0]["value"], "significant_critical");
    assert_eq!(found("missing"), json!([]));
}

#[testkit::both_engines]
async fn nothing_known_is_undetermined(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let answer = assess(&app, &client, json!({"impact": {}})).await;
    assert_eq!((answer.status, answer.text("severity")), (200, "undetermined"));
    assert_eq!(answer.json()["range"], json!({"best": "low", "worst": "critical"}));
    assert_eq!(answer.json()["missing"].as_array().unwrap().len(), 9);
}

#[testkit::both_engines]
async fn wrong_answers_are_refused_with_every_fault(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let body = json!({"impact": {"service": 5, "x": 1}, "urgency": "soon", "personal_data_people": -1, "factors": {}});
    let answer = assess(&app, &client, body).await;
    assert_eq!((answer.status, answer.text("code")), (422, "validation_failed"));
    assert_eq!(
        answer.faults(),
        [
            "#/factors unknown_field",
            "#/impact/service range",
            "#/impact/x unknown_field",
            "#/urgency enum",
            "#/personal_data_people range",
        ]
    );
}

#[testkit::both_engines]
async fn everyone_who_works_with_incidents_may_assess(app: TestApp) {
    let body = || json!({"impact": {"data": 1}});
    for role in [Role::Staff, Role::Viewer, Role::Responder] {
        let person = app.person(role.as_str(), role).await;
        assert_eq!(assess(&app, &person, body()).await.status, 200, "{}", role.as_str());
    }
    let other = app.client_with_scopes("risks:write").await;
    let refused = assess(&app, &other, body()).await;
    assert_eq!((refused.status, refused.text("scope")), (403, "incidents:write"));
}

/// An assessment has no version, and nothing that a repetition could do twice.
#[testkit::both_engines]
async fn an_assessment_has_no_version_and_can_be_repeated(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let ask = || app.post("/v1/severity/assess").bearer(&client).json(json!({"impact": {"data": 1}}));
    ask().header("if-match", "\"v1\"").expect(412).await;
    ask().header("if-match", "*").expect(200).await;
    let (first, second) =
        (ask().idempotency_key("k").expect(200).await, ask().idempotency_key("k").expect(200).await);
    assert_eq!((first.bytes, second.header("idempotent-replayed")), (second.bytes.clone(), None));
}
