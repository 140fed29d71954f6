//! Decisions about POST /v1/risks/{risk_id}/tags.

use serde_json::json;
use testkit::TestApp;

use crate::contract::risk;

#[testkit::both_engines]
async fn a_risk_id_is_rsk_and_the_number_without_padding(app: TestApp) {
    let client = app.client().await;
    let id = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let body = json!({"tag_id": tag.text("id")});
    let add = |risk: &str| app.post(&format!("/v1/risks/{risk}/tags")).bearer(&client).json(body.clone());
    let others = [
        "1",
        "RSK-01",
        "RSK-0001",
        "rsk-1",
        "RSK-0",
        "RSK--1",
        "RSK-",
        "RSK-1.0",
        "INC-1",
        "RSK-+1",
        "%52SK-2",
        "RSK-99999999999999999999",
        "RSK-1%20",
    ];
    for other in others {
        assert_eq!(add(other).expect(404).await.text("title"), "Risk or tag not found", "{other}");
    }
    add(&id).expect(201).await;
}

#[testkit::both_engines]
async fn a_tag_is_associated_once_until_it_is_removed(app: TestApp) {
    let client = app.client().await;
    let id = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let tag = tag.text("id");
    let path = format!("/v1/risks/{id}/tags");
    let add = || app.post(&path).bearer(&client).json(json!({"tag_id": tag}));
    add().expect(201).await;
    let again = add().expect(409).await;
    assert_eq!(
        (again.text("title"), again.text("code")),
        ("Tag already associated with risk", "tag_already_associated")
    );
    app.delete(&format!("{path}/{tag}")).bearer(&client).expect(204).await;
    app.delete(&format!("{path}/{tag}")).bearer(&client).expect(404).await;
    add().expect(201).await;
    // A deleted risk is not found.
    app.delete(&format!("/v1/risks/{id}")).bearer(&client).expect(204).await;
    assert_eq!(add().expect(404).await.text("title"), "Risk or tag not found");
}

#[testkit::both_engines]
async fn an_unknown_tag_is_404_and_a_malformed_one_422(app: TestApp) {
    let client = app.client().await;
    let id = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    let add = |tag: serde_json::Value| {
        app.post(&format!("/v1/risks/{id}/tags")).bearer(&client).json(json!({"tag_id": tag}))
    };
    let unknown = add(json!("0190163d-8694-739b-aea5-966c26f8ad91")).expect(404).await;
    assert_eq!(unknown.text("title"), "Risk or tag not found");
    let other = app.client_of(app.db.organization("Other").await, "tags:write").await;
    let foreign = app.post("/v1/tags").bearer(&other).json(json!({"name": "a"})).expect(201).await;
    assert_eq!(add(foreign.json()["id"].clone()).expect(404).await.text("title"), "Risk or tag not found");
    assert_eq!(add(json!("x")).expect(422).await.faults(), ["#/tag_id format"]);
    assert_eq!(add(json!(1)).expect(422).await.faults(), ["#/tag_id type"]);
    assert_eq!(add(json!(null)).expect(422).await.faults(), ["#/tag_id required"]);
}
