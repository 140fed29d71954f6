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

/// The examples of docs/severity.md and of the OpenAPI document are what the service answers.
#[testkit::both_engines]
async fn the_documented_examples_are_what_the_service_answers(app: TestApp) {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/severity.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, request) = page.split_once("-d '").unwrap();
    let (request, rest) = request.split_once("'\n").unwrap();
    let (_, response) = rest.split_once("```json\n").unwrap();
    let (response, _) = response.split_once("```").unwrap();
    let client = app.client_with_scopes("incidents:read").await;
    let answer = assess(&app, &client, serde_json::from_str(request).unwrap()).await;
    assert_eq!(answer.json(), &serde_json::from_str::<Value>(response).unwrap());
    let operation = &api::document()["paths"]["/v1/severity/assess"]["post"];
    let of =
        |at: &str| operation.pointer(&format!("{at}/content/application~1json/example")).unwrap().clone();
    let answer = assess(&app, &client, of("/requestBody")).await;
    assert_eq!(answer.json(), &of("/responses/200"));
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
            "#/impact/service range",
            "#/impact/x unknown_field",
            "#/urgency enum",
            "#/personal_data_people range",
            "#/factors unknown_field",
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

async fn incident(app: &TestApp, caller: impl AsRef<str>) -> String {
    app.post("/v1/incidents").bearer(caller).json(Value::Null).expect(201).await.text("id").to_owned()
}

fn put<'a>(app: &'a TestApp, caller: impl AsRef<str>, id: &str, body: Value) -> testkit::Request<'a> {
    app.put(&format!("/v1/incidents/{id}/severity")).bearer(caller).json(body)
}

async fn severity(app: &TestApp, caller: impl AsRef<str>, id: &str) -> Answer {
    app.get(&format!("/v1/incidents/{id}/severity")).bearer(caller).expect(200).await
}

#[testkit::both_engines]
async fn answers_give_an_incident_its_severity(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let before = severity(&app, &client, &id).await;
    let unassessed = json!({"severity": "undetermined", "severity_reasoning": null, "severity_source": null,
        "answers": null, "computed": null, "version": 1});
    assert_eq!(before.json(), &unassessed);
    let answers = json!({"ruleset": "bailiwick-1", "impact": {"service": 3}, "urgency": "spreading"});
    let set = put(&app, &client, &id, answers.clone()).expect(200).await;
    let assessed = assess(&app, &client, answers.clone()).await;
    assert_eq!(
        (set.text("id"), set.text("severity"), set.text("severity_source")),
        (&*id, "high", "computed")
    );
    assert_eq!(set.json()["severity_reasoning"], assessed.json()["severity_reasoning"]);
    let read = app.get(&format!("/v1/incidents/{id}")).bearer(&client).expect(200).await;
    assert_eq!((read.bytes, read.headers.get("etag")), (set.bytes.clone(), set.headers.get("etag")));
    let after = severity(&app, &client, &id).await;
    assert_eq!((&after.json()["answers"], &after.json()["computed"]), (&answers, assessed.json()));
    assert_eq!(after.json()["version"], 2);
    assert!(after.header("etag").unwrap().starts_with("\"v2-"), "{:?}", after.header("etag"));
    let journal = app.get("/v1/journal?after=0&limit=200").bearer(&client).expect(200).await;
    let entry = journal.json()["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&entry["kind"], &entry["subject"]["id"]), (&json!("incident.updated"), &json!(id)));
    let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
    let mut fields: Vec<_> = payload.as_object().unwrap().keys().cloned().collect();
    fields.retain(|field| field.starts_with("severity"));
    assert_eq!(fields, ["severity", "severity_answers", "severity_reasoning", "severity_source"]);
}

#[testkit::both_engines]
async fn a_manual_severity_stands_beside_the_computed_one(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    put(&app, &client, &id, json!({"impact": {"service": 3}})).expect(200).await;
    let manual = json!({"severity": "low", "reason": "It was a drill that nobody was told of."});
    let set = put(&app, &client, &id, manual).expect(200).await;
    assert_eq!((set.text("severity"), set.text("severity_source")), ("low", "manual"));
    assert_eq!(set.text("severity_reasoning"), "It was a drill that nobody was told of.");
    let read = severity(&app, &client, &id).await;
    assert_eq!((read.text("severity"), read.text("/computed/severity")), ("low", "high"));
    assert_eq!(read.json()["answers"], json!({"ruleset": "bailiwick-1", "impact": {"service": 3}}));
    let again = put(&app, &client, &id, json!({"impact": {"people": 3}})).expect(200).await;
    assert_eq!((again.text("severity"), again.text("severity_source")), ("critical", "computed"));
    // Without answers there is nothing beside it.
    let other = incident(&app, &client).await;
    put(&app, &client, &other, json!({"severity": "medium", "reason": "So."})).expect(200).await;
    let read = severity(&app, &client, &other).await;
    assert_eq!((&read.json()["answers"], &read.json()["computed"]), (&Value::Null, &Value::Null));
}

#[testkit::both_engines]
async fn a_severity_is_set_on_the_version_that_was_read(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let tag = severity(&app, &client, &id).await.header("etag").unwrap().to_owned();
    let body = || json!({"impact": {"service": 3}});
    put(&app, &client, &id, body()).header("if-match", &tag).expect(200).await;
    put(&app, &client, &id, json!({"impact": {"service": 1}})).header("if-match", &tag).expect(412).await;
    let same = put(&app, &client, &id, body()).expect(200).await;
    assert_eq!(same.json()["version"], 2, "the same answers change nothing");
    put(&app, &client, "INC-0099", body()).expect(404).await;
    let refused = put(&app, &client, &id, json!({"severity": "low"})).expect(422).await;
    assert_eq!(refused.faults(), ["#/reason required"]);
}

#[testkit::both_engines]
async fn undo_brings_the_severity_back(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    put(&app, &client, &id, json!({"impact": {"service": 3}})).expect(200).await;
    let before = severity(&app, &client, &id).await.json().clone();
    let set = put(&app, &client, &id, json!({"impact": {"people": 4}})).expect(200).await;
    let request = set.header("x-request-id").unwrap();
    let undone = app.post("/v1/undo").bearer(&client).json(json!({"request_id": request})).expect(200).await;
    assert_eq!(undone.json()["undone_count"], 1);
    let mut after = severity(&app, &client, &id).await.json().clone();
    assert_eq!(after["version"], 4);
    after["version"] = before["version"].clone();
    assert_eq!(after, before);
}

/// The reasoning belongs to the severity: a PATCH does not take it.
#[testkit::both_engines]
async fn a_patch_does_not_take_a_severity(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let patch = json!({"severity": "low", "severity_reasoning": "So.", "severity_source": "manual"});
    let answer = app.patch(&format!("/v1/incidents/{id}")).bearer(&client).json(patch).expect(422).await;
    let mut faults = answer.faults();
    faults.sort();
    assert_eq!(
        faults,
        ["#/severity read_only", "#/severity_reasoning read_only", "#/severity_source read_only"]
    );
}
