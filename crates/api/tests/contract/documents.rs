//! Decisions about PATCH /v1/documents/{id}.

use serde_json::{Value, json};
use testkit::TestApp;

use crate::contract::document;

fn select(value: &str) -> Value {
    json!({"node_id": "mfa", "node_type": "select", "value": value})
}

fn text(value: &str) -> Value {
    json!({"node_id": "contact", "node_type": "text", "value": value})
}

#[testkit::both_engines]
async fn one_to_a_thousand_edits_are_all_valid_or_none_is_recorded(app: TestApp) {
    let client = app.client().await;
    let items: Vec<Value> =
        (0..500).map(|n| json!({"id": format!("i{n}"), "kind": "text", "label": "x"})).collect();
    let body = json!({"slug": "long", "title": "Long", "items": items});
    app.post("/v1/documents").bearer(&client).json(body).expect(201).await;
    let patch = |edits: Vec<Value>| app.patch("/v1/documents/long").bearer(&client).json(edits);
    let edit = |n: usize| json!({"node_id": format!("i{n}"), "node_type": "text", "value": "v"});
    assert_eq!(patch(Vec::new()).expect(422).await.faults(), ["# too_few"]);
    assert_eq!(patch((0..1_001).map(edit).collect()).expect(422).await.faults(), ["# too_many"]);
    // A thousand edits are accepted, though the document has only half as many items.
    let answer = patch((0..1_000).map(edit).collect()).expect(422).await;
    // The first hundred of 500 faults are named.
    assert_eq!((answer.faults().len(), answer.faults()[0].as_str()), (100, "#/500/node_id unknown_item"));
    assert_eq!(answer.json()["more_errors"], true);
    let read = app.get("/v1/documents/long").bearer(&client).expect(200).await;
    assert_eq!(read.json()["open_proposal"], Value::Null, "nothing was recorded");
    patch((0..500).map(edit).collect()).expect(200).await;
}

#[testkit::both_engines]
async fn errors_name_the_element(app: TestApp) {
    let client = app.client().await;
    document(&app, &client, "d").await;
    let patch = |edits: Value| app.patch("/v1/documents/d").bearer(&client).json(edits).expect(422);
    let answer =
        patch(json!([select("all"), text("x"), {"node_id": "gone", "node_type": "text", "value": ""}])).await;
    assert_eq!(answer.faults(), ["#/2/node_id unknown_item"]);
    let answer =
        patch(json!([select("gone"), {"node_id": "contact", "node_type": "select", "value": "x"}])).await;
    assert_eq!(answer.faults(), ["#/0/value unknown_option", "#/1/node_type kind_mismatch"]);
    let answer = patch(json!([{"node_id": "mfa", "node_type": "other", "value": "all"}])).await;
    assert_eq!(answer.faults(), ["#/0/node_type enum"]);
    // The same item twice.
    assert_eq!(patch(json!([select("all"), select("none")])).await.faults(), ["#/1/node_id duplicate"]);
    assert_eq!(patch(json!([select("all"), select("all")])).await.faults(), ["#/1/node_id duplicate"]);
    assert_eq!(patch(json!([select("all"), 7, null])).await.faults(), ["#/1 type", "#/2 type"]);
}

#[testkit::both_engines]
async fn edits_join_the_one_open_proposal_and_each_caller_has_one_change_set(app: TestApp) {
    let (ada, bea) = (app.client().await, app.client().await);
    let other = document(&app, &ada, "other").await;
    let path = format!("/v1/documents/{}", document(&app, &ada, "access-control").await);
    let edit = async |client: &testkit::TestClient, edits: Value| {
        app.db.clock.advance_seconds(1);
        app.patch(&path).bearer(client).json(edits).expect(200).await.json().clone()
    };
    let first = edit(&ada, json!([select("all")])).await;
    assert_eq!(
        (&first["proposal"], &first["id"], &first["updated_date"]),
        (&json!(1), &json!(1), &Value::Null)
    );
    let second = edit(&bea, json!([select("none")])).await;
    assert_eq!(
        (&second["proposal"], &second["id"], &second["updated_date"]),
        (&json!(1), &json!(2), &Value::Null)
    );
    let third = edit(&ada, json!([text("x")])).await;
    assert_eq!(
        (&third["proposal"], &third["id"], &third["created"]),
        (&json!(1), &json!(1), &first["created"])
    );
    assert!(third["updated_date"].as_str() > second["created"].as_str());
    // The same value again records nothing.
    assert_eq!(edit(&ada, json!([text("x"), select("all")])).await, third);
    // An empty text is a value.
    let emptied = edit(&ada, json!([text("")])).await;
    assert!(emptied["updated_date"].as_str() > third["updated_date"].as_str());
    // Numbers count per organization, across documents.
    let elsewhere = app.patch(&format!("/v1/documents/{other}")).bearer(&ada).json(json!([select("all")]));
    let elsewhere = elsewhere.expect(200).await;
    assert_eq!((&elsewhere.json()["proposal"], &elsewhere.json()["id"]), (&json!(2), &json!(3)));
    let proposal = app.get(&format!("{path}/proposals/1")).bearer(&ada).expect(200).await;
    let sets = proposal.json()["change_sets"].as_array().unwrap().clone();
    let authors: Vec<_> = sets.iter().map(|set| set["author"]["id"].as_str().unwrap()).collect();
    assert_eq!(authors, [ada.id, bea.id]);
}

#[testkit::both_engines]
async fn the_published_text_does_not_change_by_an_edit(app: TestApp) {
    let client = app.client().await;
    document(&app, &client, "d").await;
    let read = async || app.get("/v1/documents/d").bearer(&client).expect(200).await.json().clone();
    let before = read().await;
    app.patch("/v1/documents/d").bearer(&client).json(json!([select("all")])).expect(200).await;
    let after = read().await;
    assert_eq!(after["items"], before["items"]);
    assert_eq!((&after["status"], &after["published_version"]), (&json!("draft"), &Value::Null));
    assert_eq!((&after["version"], &after["updated_date"]), (&before["version"], &before["updated_date"]));
    assert_eq!(after["open_proposal"], json!(1));
}

#[testkit::both_engines]
async fn an_unknown_document_is_not_found(app: TestApp) {
    let client = app.client().await;
    for slug in ["gone", "No_Slug", &"a".repeat(81), "a--b", "%00"] {
        let answer = app.patch(&format!("/v1/documents/{slug}")).bearer(&client).json(json!([select("all")]));
        assert_eq!(answer.expect(404).await.text("title"), "Document not found", "{slug}");
    }
}
