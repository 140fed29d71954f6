//! Putting a tag on many documents, and taking one off.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::api::bulk::assert_sound;
use crate::api::document_bulk::{archive, bulk, create, outcomes, read, undo, undone};

/// Whether the document has a tag.
async fn has(app: &TestApp, by: &TestPerson, slug: &str, tag: &str) -> bool {
    read(app, by, slug).await["tags"].as_array().unwrap().iter().any(|it| it["id"] == tag)
}

#[both_engines]
async fn a_tag_is_put_on_many_documents_and_taken_off(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    for slug in ["a", "b", "old", "full"] {
        create(&app, &ada, slug).await;
    }
    let made = app.post("/v1/tags").bearer(&ada).json(json!({"name": "keys"})).expect(201).await;
    let tag = made.text("id");
    app.put(&format!("/v1/documents/b/tags/{tag}")).bearer(&ada).expect(204).await;
    let names: Vec<String> = (0..50).map(|number| format!("t{number}")).collect();
    let full = app.patch("/v1/documents/full/properties").bearer(&ada);
    full.json(json!({"tags": names})).expect(200).await;
    archive(&app, &ada, "old").await;
    let body = |what: &str, tag: &str, is_atomic: bool| json!({"ids": ["a", "b", "old", "full", "none"], "operation": {"type": what, "tag_id": tag}, "atomic": is_atomic});
    let refused = bulk(&app, &ada, body("tag", tag, true), 409).await;
    assert_eq!(refused.json()["failed"].as_array().map(Vec::len), Some(2));
    assert!(!has(&app, &ada, "a", tag).await, "nothing was changed");
    let done = bulk(&app, &ada, body("tag", tag, false), 200).await;
    let found = outcomes(&done).into_iter().map(|[id, outcome, _]| format!("{id} {outcome}"));
    let expected = ["a changed", "b unchanged", "old failed", "full failed", "none not_found"];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let results = &done.json()["results"];
    assert_eq!(results[2]["problem"]["code"], "document_archived");
    assert_eq!(results[3]["problem"]["errors"][0]["code"], "too_many_tags");
    assert!(has(&app, &ada, "a", tag).await);
    assert_eq!(undone(&undo(&app, &ada, &done).await), [["document", "a", "undone"]]);
    assert!(!has(&app, &ada, "a", tag).await);
    let off = bulk(&app, &ada, body("untag", tag, false), 200).await;
    assert_eq!([&outcomes(&off)[0][1], &outcomes(&off)[1][1]], ["unchanged", "changed"]);
    assert!(!has(&app, &ada, "b", tag).await);
    assert_eq!(undone(&undo(&app, &ada, &off).await), [["document", "b", "undone"]]);
    assert!(has(&app, &ada, "b", tag).await);
    assert_sound(&app).await;
}

#[both_engines]
async fn a_tag_that_there_is_not_is_put_on_none(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    create(&app, &ada, "a").await;
    let operation = |operation: Value| json!({"ids": ["a"], "operation": operation});
    let nobody = "00000000-0000-4000-8000-000000000000";
    let unknown = operation(json!({"type": "tag", "tag_id": nobody}));
    assert_eq!(bulk(&app, &ada, unknown, 404).await.text("title"), "Tag not found");
    let all = operation(json!({"type": "update", "tags": ["keys"]}));
    assert_eq!(bulk(&app, &ada, all, 422).await.faults(), ["#/operation/tags read_only"]);
    let wrong = json!({"type": "update", "tags": [], "review_every_days": 0});
    let refused = bulk(&app, &ada, json!({"ids": ["a", "A b"], "operation": wrong}), 422).await;
    let mut found = refused.faults();
    found.sort();
    let all = ["#/ids/1 format", "#/operation/review_every_days range", "#/operation/tags read_only"];
    assert_eq!(found, all);
}
