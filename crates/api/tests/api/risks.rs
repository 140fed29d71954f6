//! `/v1/risks`, evaluations and tags on risks

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

use crate::api::undo::{request_id, undo};

const ALL: &str = "risks:read risks:write risks:delete tags:read tags:write";

fn flood() -> Value {
    json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}})
}

async fn with_risk(app: &TestApp) -> TestClient {
    let client = app.client_with_scopes(ALL).await;
    app.post("/v1/risks").bearer(&client).json(flood()).expect(201).await;
    client
}

async fn tag(app: &TestApp, client: &TestClient, name: &str) -> String {
    let made = app.post("/v1/tags").bearer(client).json(json!({"name": name})).expect(201).await;
    made.text("id").to_owned()
}

#[testkit::both_engines]
async fn a_risk_is_created_and_read_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let ada = app.user("Ada", "ada@x.org", Role::Owner).await;
    let mut body = flood();
    body["owner"] = json!(ada.to_string());
    let made = app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    assert_eq!((made.header("location"), made.text("id")), (Some("/v1/risks/RSK-1"), "RSK-1"));
    assert_eq!(
        made.json()["inherent"],
        json!({"likelihood": 4, "impact": 5, "score": 20, "scale_version": 1, "band": "Critical"})
    );
    assert_eq!((&made.json()["current"], &made.json()["tags"]), (&Value::Null, &json!([])));
    assert_eq!((made.text("status"), made.text("/owner/name")), ("open", "Ada"));
    assert_eq!(app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await.json(), made.json());
    for id in ["RSK-0001", "rsk-1", "1"] {
        assert_eq!(app.get(&format!("/v1/risks/{id}")).bearer(&client).expect(200).await.json(), made.json());
        app.get(&format!("/v1/risks/{id}/tags")).bearer(&client).expect(200).await;
        app.get(&format!("/v1/risks/{id}/evaluations")).bearer(&client).expect(200).await;
    }
    for id in ["RSK-2", "RSK-0", "INC-1", "RSK-99999999999999999999"] {
        let answer = app.get(&format!("/v1/risks/{id}")).bearer(&client).expect(404).await;
        assert_eq!(answer.text("title"), "Risk not found", "{id}");
    }
}

#[testkit::both_engines]
async fn every_fault_of_a_risk_is_reported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let body = json!({"title": "", "inherent": {"likelihood": 11, "impact": "x", "score": 1}, "status": "open",
        "target": 5, "ownr": null});
    let answer = app.post("/v1/risks").bearer(&client).json(body).expect(422).await;
    assert_eq!(
        answer.faults(),
        [
            "#/title blank",
            "#/inherent/likelihood range",
            "#/inherent/impact type",
            "#/inherent/score unknown_field",
            "#/target type",
            "#/status read_only",
            "#/ownr unknown_field",
        ]
    );
    let mut body = flood();
    body["target"] = json!({"likelihood": 5, "impact": 5});
    let answer = app.post("/v1/risks").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/target range"]);
}

#[testkit::both_engines]
async fn a_patch_is_merged_and_checked_whole(app: TestApp) {
    let client = with_risk(&app).await;
    let patch = |body: Value| app.patch("/v1/risks/RSK-1").bearer(&client).json(body);
    let after = patch(json!({"target": {"impact": 2}, "category": "nature"})).expect(200).await;
    assert_eq!(
        after.json()["target"],
        json!({"likelihood": 2, "impact": 2, "score": 4, "scale_version": 1, "band": "Low"})
    );
    assert_eq!((after.text("category"), &after.json()["version"]), ("nature", &json!(2)));
    let answer = patch(json!({"inherent": {"likelihood": 1, "impact": 1}})).expect(422).await;
    assert_eq!(answer.faults(), ["#/target range"]);
    let answer = patch(json!({"status": "closed"})).expect(422).await;
    assert_eq!(answer.faults(), ["#/status_reason required"]);
    let closed = patch(json!({"status": "closed", "status_reason": "sold"})).expect(200).await;
    assert_eq!((closed.text("status"), closed.text("status_reason")), ("closed", "sold"));
    let answer = patch(json!({"status": "open"})).expect(422).await;
    assert_eq!(answer.faults(), ["#/status_reason required"]);
    let open = patch(json!({"status": "open", "status_reason": "bought back"})).expect(200).await;
    assert_eq!((open.text("status"), open.text("status_reason")), ("open", "bought back"));
    let answer = patch(json!({"title": null, "inherent": null, "target": {"impact": null}, "current": null}));
    assert_eq!(
        answer.expect(422).await.faults(),
        ["#/title required", "#/inherent required", "#/target/impact required", "#/current read_only"]
    );
}

#[testkit::both_engines]
async fn a_risk_may_have_no_target(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let without = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}});
    let made = app.post("/v1/risks").bearer(&client).json(without).expect(201).await;
    assert_eq!(made.json()["target"], Value::Null);
    let rating = json!({"likelihood": 3, "impact": 4});
    let it = app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating).expect(201).await;
    let (it, null) = (it.json(), &Value::Null);
    assert_eq!((&it["inherent_score"], &it["target_score"]), (&json!(20), null));
    assert_eq!(&it["performance_basis_points"], null);
    let patch = |target: Value| app.patch("/v1/risks/RSK-1").bearer(&client).json(json!({"target": target}));
    let answer = patch(json!({"impact": 3})).expect(422).await;
    assert_eq!(answer.faults(), ["#/target/likelihood required"]);
    assert_eq!(patch(json!({})).expect(422).await.faults().len(), 2);
    let planned = patch(json!({"likelihood": 2, "impact": 3})).expect(200).await;
    assert_eq!(
        planned.json()["target"],
        json!({"likelihood": 2, "impact": 3, "score": 6, "scale_version": 1, "band": "Medium"})
    );
    let given_up = patch(Value::Null).expect(200).await;
    assert_eq!(given_up.json()["target"], Value::Null);
    undo(&app, &client, request_id(&given_up)).await;
    let again = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(again.json()["target"], planned.json()["target"]);
}

#[testkit::both_engines]
async fn a_risk_is_deleted_and_restored(app: TestApp) {
    let client = with_risk(&app).await;
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    for answer in [
        app.get("/v1/risks/RSK-1").bearer(&client).await,
        app.delete("/v1/risks/RSK-1").bearer(&client).await,
        app.get("/v1/risks/RSK-1/evaluations").bearer(&client).await,
        app.get("/v1/risks/RSK-1/tags").bearer(&client).await,
    ] {
        assert_eq!((answer.status, answer.text("title")), (404, "Risk not found"));
    }
    let only = app.get("/v1/risks?deleted=only").bearer(&client).expect(200).await;
    assert_eq!(only.text("/data/0/id"), "RSK-1");
    let restored = app.post("/v1/risks/RSK-1/restore").bearer(&client).expect(200).await;
    assert_eq!(restored.text("id"), "RSK-1");
    app.post("/v1/risks/RSK-1/restore").bearer(&client).expect(404).await;
    assert_eq!(app.get("/v1/risks").bearer(&client).expect(200).await.text("/data/0/id"), "RSK-1");
}

#[testkit::both_engines]
async fn several_deleted_risks_are_restored_one_by_one_or_together(app: TestApp) {
    let client = app.client_with_scopes(&format!("{ALL} organizations:read")).await;
    for _ in 1..=3 {
        let risk = app.post("/v1/risks").bearer(&client).json(flood()).expect(201).await;
        let evaluations = format!("/v1/risks/{}/evaluations", risk.text("id"));
        let rating = json!({"likelihood": 3, "impact": 4});
        app.post(&evaluations).bearer(&client).json(rating).expect(201).await;
    }
    let shown = async || {
        let list = app.get("/v1/risks?sort=number").bearer(&client).expect(200).await;
        let of = |risk: &Value| (risk["id"].clone(), risk["current"]["score"].clone());
        list.json()["data"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    let performance = async || app.get(&path).bearer(&client).expect(200).await.json().clone();
    let (before, measured) = (shown().await, performance().await);
    let delete = json!({"ids": [1, 2, 3], "operation": {"type": "delete"}});
    app.post("/v1/risks/bulk").bearer(&client).json(delete.clone()).expect(200).await;
    assert!(shown().await.is_empty());
    app.post("/v1/risks/RSK-2/restore").bearer(&client).expect(200).await;
    assert_eq!(shown().await, before[1..2]);
    for id in ["RSK-1", "RSK-3"] {
        app.post(&format!("/v1/risks/{id}/restore")).bearer(&client).expect(200).await;
    }
    assert_eq!((shown().await, performance().await), (before.clone(), measured.clone()));
    let deleted = app.post("/v1/risks/bulk").bearer(&client).json(delete).expect(200).await;
    undo(&app, &client, request_id(&deleted)).await;
    assert_eq!((shown().await, performance().await), (before, measured), "the undo restores all of them");
}

#[testkit::both_engines]
async fn an_evaluation_is_the_current_rating(app: TestApp) {
    let client = with_risk(&app).await;
    let evaluate = |body: Value| app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(body);
    let made = evaluate(json!({"likelihood": 3, "impact": 4, "note": "after the audit"})).expect(201).await;
    assert_eq!(made.header("location"), Some("/v1/risks/RSK-1/evaluations/1"));
    assert_eq!((&made.json()["score"], &made.json()["performance_basis_points"]), (&json!(12), &json!(5714)));
    assert_eq!(made.text("evaluated_at"), made.text("created_date"));
    assert_eq!(made.json()["evaluator"], json!({"type": "client", "id": client.id, "name": "Probe"}));
    let risk = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(
        risk.json()["current"],
        json!({"likelihood": 3, "impact": 4, "score": 12, "scale_version": 1, "band": "High", "evaluation": 1,
            "evaluated_at": made.text("evaluated_at"), "performance_basis_points": 5714})
    );
    assert_eq!(risk.json()["version"], json!(1));
    let second = evaluate(json!({"likelihood": 2, "impact": 3, "supersedes": 1})).expect(201).await;
    assert_eq!((&second.json()["number"], &second.json()["supersedes"]), (&json!(2), &json!(1)));
    let first = app.get("/v1/risks/RSK-1/evaluations/1").bearer(&client).expect(200).await;
    assert_eq!(first.json()["superseded_by"], json!(2));
    let again = evaluate(json!({"likelihood": 2, "impact": 3, "supersedes": 1})).expect(409).await;
    assert_eq!(again.text("code"), "already_superseded");
    let page = app.get("/v1/risks/RSK-1/evaluations?limit=1").bearer(&client).expect(200).await;
    assert_eq!(page.json()["data"][0]["number"], json!(2));
    let path = format!("/v1/risks/RSK-1/evaluations?cursor={}", page.text("next_cursor"));
    let last = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((&last.json()["data"][0]["number"], &last.json()["has_more"]), (&json!(1), &json!(false)));
}

#[testkit::both_engines]
async fn every_fault_of_an_evaluation_is_reported(app: TestApp) {
    let client = with_risk(&app).await;
    let evaluate = |body: Value| app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(body);
    let answer = evaluate(json!({"likelihood": 0, "evaluated_at": "9999-01-01T00:00:00Z", "score": 3}));
    assert_eq!(
        answer.expect(422).await.faults(),
        ["#/likelihood range", "#/impact required", "#/evaluated_at date_in_future", "#/score read_only"]
    );
    let answer = evaluate(json!({"likelihood": 1, "impact": 1, "supersedes": 7})).expect(422).await;
    assert_eq!(answer.faults(), ["#/supersedes unknown_evaluation"]);
    for number in ["1", "x", "0"] {
        let answer =
            app.get(&format!("/v1/risks/RSK-1/evaluations/{number}")).bearer(&client).expect(404).await;
        assert_eq!(answer.text("title"), "Evaluation not found");
    }
}

#[testkit::both_engines]
async fn a_tag_goes_on_a_risk_once(app: TestApp) {
    let client = with_risk(&app).await;
    let tag = tag(&app, &client, "phishing").await;
    let add = |risk: &str, tag: &str| {
        app.post(&format!("/v1/risks/{risk}/tags")).bearer(&client).json(json!({"tag_id": tag}))
    };
    let added = add("RSK-1", &tag).expect(201).await;
    assert_eq!(added.json(), &json!({"message": "Tag added to risk"}));
    assert_eq!(added.header("location"), Some("/v1/risks/RSK-1/tags"));
    let again = add("RSK-1", &tag).expect(409).await;
    assert_eq!(
        (again.text("title"), again.text("code")),
        ("Tag already associated with risk", "tag_already_associated")
    );
    let unknown = "0190163d-8694-739b-aea5-966c26f8ad91";
    for (risk, tag) in [("RSK-1", unknown), ("RSK-2", &tag), ("RSK-01", &tag), ("x", &tag)] {
        let answer = add(risk, tag).expect(404).await;
        assert_eq!(answer.text("title"), "Risk or tag not found", "{risk} {tag}");
    }
    assert_eq!(add("RSK-1", "x").expect(422).await.faults(), ["#/tag_id format"]);
    let risk = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(risk.json()["tags"], json!([{"id": tag, "name": "phishing", "color": "#64748b"}]));
    assert_eq!(risk.json()["version"], json!(1));
    let list = app.get("/v1/risks/RSK-1/tags").bearer(&client).expect(200).await;
    assert_eq!(list.text("/data/0/name"), "phishing");
}

#[testkit::both_engines]
async fn a_tag_comes_off_a_risk(app: TestApp) {
    let client = with_risk(&app).await;
    let tag = tag(&app, &client, "phishing").await;
    let path = format!("/v1/risks/RSK-1/tags/{tag}");
    let missing = app.delete(&path).bearer(&client).expect(404).await;
    assert_eq!(missing.text("title"), "Risk or tag not found");
    let add = || app.post("/v1/risks/RSK-1/tags").bearer(&client).json(json!({"tag_id": tag}));
    add().expect(201).await;
    app.delete(&path).bearer(&client).expect(204).await;
    assert_eq!(app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await.json()["tags"], json!([]));
    add().expect(201).await;
    let malformed = app.delete("/v1/risks/RSK-1/tags/x").bearer(&client).expect(404).await;
    assert_eq!(malformed.text("title"), "Risk or tag not found");
}

#[testkit::both_engines]
async fn a_risk_is_read_as_it_was(app: TestApp) {
    let client = app.client_with_scopes(&format!("{ALL} journal:read")).await;
    app.post("/v1/risks").bearer(&client).json(flood()).expect(201).await;
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    let body = json!({"likelihood": 3, "impact": 4});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(body).expect(201).await;
    app.patch("/v1/risks/RSK-1").bearer(&client).json(json!({"title": "Fire"})).expect(200).await;
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    let then = app.get(&format!("/v1/risks/RSK-1?as_of_seq={seq}")).bearer(&client).expect(200).await;
    assert_eq!((then.text("title"), &then.json()["current"]), ("Flood", &Value::Null));
    let list = app.get(&format!("/v1/risks?as_of_seq={seq}")).bearer(&client).expect(200).await;
    assert_eq!((list.text("/data/0/title"), &list.json()["as_of_seq"]), ("Flood", &seq));
}

#[testkit::both_engines]
async fn a_deletion_is_replayed_by_its_key(app: TestApp) {
    let client = with_risk(&app).await;
    let delete = || app.delete("/v1/risks/RSK-1").bearer(&client).idempotency_key("k");
    delete().expect(204).await;
    let replayed = delete().expect(204).await;
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert!(replayed.bytes.is_empty());
}

#[testkit::both_engines]
async fn no_risk_crosses_organizations(app: TestApp) {
    let client = with_risk(&app).await;
    let tag = tag(&app, &client, "phishing").await;
    let other = app.client_of(app.db.organization("Other").await, ALL).await;
    for path in ["/v1/risks/RSK-1", "/v1/risks/RSK-1/tags", "/v1/risks/RSK-1/evaluations"] {
        app.get(path).bearer(&other).expect(404).await;
    }
    app.post("/v1/risks").bearer(&other).json(flood()).expect(201).await;
    let answer =
        app.post("/v1/risks/RSK-1/tags").bearer(&other).json(json!({"tag_id": tag})).expect(404).await;
    assert_eq!(answer.text("title"), "Risk or tag not found");
}
