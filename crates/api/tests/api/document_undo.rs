//! What of a document stands against undoing a change of it: only what the request changed, too.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson, both_engines};

use crate::api::document_bulk::{archive, bulk, create, read, undo, undone};

async fn patch(app: &TestApp, by: &TestPerson, slug: &str, body: Value) -> Answer {
    app.patch(&format!("/v1/documents/{slug}/properties")).bearer(by).json(body).expect(200).await
}

/// The names of its tags, and the days between its reviews.
async fn state(app: &TestApp, by: &TestPerson, slug: &str) -> (String, Value) {
    let it = read(app, by, slug).await;
    let names: Vec<_> =
        it["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    (names.join(" "), it["review_every_days"].clone())
}

#[both_engines]
async fn what_others_change_elsewhere_is_not_in_the_way_and_stays(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    for slug in ["a", "b"] {
        create(&app, &ada, slug).await;
    }
    let owners = json!({"ids": ["a", "b"], "operation": {"type": "update", "owner": ben.id}});
    let done = bulk(&app, &ada, owners, 200).await;
    app.post("/v1/documents/a/proposals").bearer(&ben).json(json!({})).expect(201).await;
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": "Eve"}]);
    app.patch("/v1/documents/a").bearer(&ben).json(edits).expect(200).await;
    patch(&app, &ben, "a", json!({"tags": ["keys"]})).await;
    patch(&app, &ben, "b", json!({"description": "Who may."})).await;
    let back = undo(&app, &ada, &done).await;
    assert_eq!(undone(&back), [["document", "a", "undone"], ["document", "b", "changed_since"]]);
    assert_eq!(read(&app, &ada, "a").await["owner"], Value::Null);
    assert_eq!(state(&app, &ada, "a").await.0, "keys", "they are Ben's change");
}

#[both_engines]
async fn fields_and_tags_of_one_request_are_changed_back_together(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    create(&app, &ada, "a").await;
    for tags in [json!(["new"]), json!(["old"])] {
        patch(&app, &ada, "a", json!({"tags": tags})).await;
    }
    let both = json!({"tags": ["new"], "review_every_days": 90});
    let changed = patch(&app, &ada, "a", both.clone()).await;
    assert_eq!(undone(&undo(&app, &ada, &changed).await), [["document", "a", "undone"]]);
    assert_eq!(state(&app, &ada, "a").await, ("old".to_owned(), json!(365)));
    // Either of them that is changed later is in the way of both.
    for later in [json!({"tags": ["new", "old"]}), json!({"review_every_days": 30})] {
        patch(&app, &ada, "a", json!({"tags": ["old"], "review_every_days": 365})).await;
        let changed = patch(&app, &ada, "a", both.clone()).await;
        patch(&app, &ada, "a", later).await;
        let before = state(&app, &ada, "a").await;
        assert_eq!(undone(&undo(&app, &ada, &changed).await), [["document", "a", "changed_since"]]);
        assert_eq!(state(&app, &ada, "a").await, before);
    }
}

#[both_engines]
async fn another_document_with_the_slug_of_one_that_was_changed_stays_as_it_is(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    create(&app, &ada, "a").await;
    let changed = patch(&app, &ada, "a", json!({"tags": ["old"], "review_every_days": 90})).await;
    app.delete("/v1/documents/a").bearer(&ada).expect(204).await;
    create(&app, &ada, "a").await;
    let tagged = patch(&app, &ada, "a", json!({"tags": ["old"]})).await;
    let back = undo(&app, &ada, &changed).await;
    assert!(undone(&back).contains(&["document", "a", "changed_since"]), "{}", back.json());
    assert_eq!(state(&app, &ada, "a").await, ("old".to_owned(), json!(365)));
    // Nor is one changed that was archived since.
    archive(&app, &ada, "a").await;
    assert_eq!(undone(&undo(&app, &ada, &tagged).await), [["document", "a", "changed_since"]]);
    app.post("/v1/documents/a/restore").bearer(&ada).expect(200).await;
    assert_eq!(undone(&undo(&app, &ada, &tagged).await), [["document", "a", "undone"]]);
}
