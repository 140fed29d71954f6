//! `POST /v1/documents/bulk`, and undoing what it and single changes of documents did.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

use crate::api::bulk::assert_sound;
use crate::api::undo;

pub(crate) async fn create(app: &TestApp, by: &TestPerson, slug: &str) {
    let item = json!({"id": "contact", "kind": "text", "label": "Contact", "default": "Ada"});
    let body = json!({"slug": slug, "title": slug, "items": [item], "review_every_days": 365});
    app.post("/v1/documents").bearer(by).json(body).expect(201).await;
}

async fn publish(app: &TestApp, by: &TestPerson, approver: &TestPerson, slug: &str) {
    let proposals = format!("/v1/documents/{slug}/proposals");
    let opened = app.post(&proposals).bearer(by).json(json!({})).expect(201).await;
    let proposal = format!("{proposals}/{}", opened.json()["number"]);
    let body = json!({"summary": "The first one."});
    let submitted = app.post(&format!("{proposal}/submit")).bearer(by).json(body).expect(200).await;
    let body = json!({"sha256": submitted.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(approver).json(body).expect(200).await;
}

pub(crate) async fn archive(app: &TestApp, by: &TestPerson, slug: &str) -> Answer {
    app.post(&format!("/v1/documents/{slug}/archive")).bearer(by).json(json!({})).expect(200).await
}

pub(crate) async fn bulk(app: &TestApp, by: &TestPerson, body: Value, status: u16) -> Answer {
    app.post("/v1/documents/bulk").bearer(by).json(body).expect(status).await
}

/// The id and the outcome of each, with the code or the title of its problem.
pub(crate) fn outcomes(answer: &Answer) -> Vec<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let results = answer.json()["results"].as_array().unwrap();
    let row = |it: &Value| [text(&it["id"]), text(&it["outcome"]), text(&it["problem"]["title"])];
    results.iter().map(row).collect()
}

pub(crate) async fn read(app: &TestApp, by: &TestPerson, slug: &str) -> Value {
    app.get(&format!("/v1/documents/{slug}")).bearer(by).expect(200).await.json().clone()
}

/// What became of each record of a request that was undone.
pub(crate) fn undone(answer: &Answer) -> Vec<[&str; 3]> {
    undo::outcomes(answer).1
}

pub(crate) async fn undo(app: &TestApp, by: &TestPerson, of: &Answer) -> Answer {
    undo::undo(app, by, undo::request_id(of)).await
}

fn row<'t>(id: &'t str, outcome: &'t str, problem: &'t str) -> [String; 3] {
    [id, outcome, problem].map(str::to_owned)
}

#[testkit::both_engines]
async fn properties_of_many_are_changed_and_changed_back(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    for slug in ["a", "b", "c", "d"] {
        create(&app, &ada, slug).await;
    }
    archive(&app, &ada, "c").await;
    let patch = json!({"type": "update", "owner": ben.id, "acknowledge_every_days": 180});
    app.patch("/v1/documents/b/properties")
        .bearer(&ada)
        .json(json!({"owner": ben.id, "acknowledge_every_days": 180}))
        .expect(200)
        .await;
    let body = |more: Value| {
        let mut body = json!({"ids": ["a", "b", "c", "none", "a"], "operation": patch.clone()});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let expected = [
        row("a", "changed", ""),
        row("b", "unchanged", ""),
        row("c", "failed", "The document is archived"),
        row("none", "not_found", ""),
    ];
    let tried = bulk(&app, &ada, body(json!({"dry_run": true})), 200).await;
    assert_eq!(outcomes(&tried), expected);
    let refused = bulk(&app, &ada, body(json!({"atomic": true})), 409).await;
    assert_eq!((refused.text("code"), &refused.json()["failed"][0]["id"]), ("bulk_failed", &json!("c")));
    assert_eq!(read(&app, &ada, "a").await["version"], 1, "nothing was changed");
    let done = bulk(&app, &ada, body(json!({})), 200).await;
    assert_eq!(outcomes(&done), expected);
    let a = read(&app, &ada, "a").await;
    assert_eq!((&a["owner"]["name"], &a["acknowledge_every_days"]), (&json!("Ben"), &json!(180)));
    let back = undo(&app, &ada, &done).await;
    assert_eq!(undone(&back), [["document", "a", "undone"]]);
    let a = read(&app, &ada, "a").await;
    assert_eq!((&a["owner"], &a["acknowledge_every_days"]), (&Value::Null, &Value::Null));
    assert_eq!(a["version"], 3);
    assert_eq!(undone(&undo(&app, &ada, &back).await), [["document", "a", "undone"]]);
    assert_eq!(read(&app, &ada, "a").await["owner"]["name"], "Ben", "an undo is undone, too");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_filter_names_documents_and_a_wrong_owner_is_a_fault_of_each(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    for slug in ["a", "b"] {
        create(&app, &ada, slug).await;
    }
    archive(&app, &ada, "b").await;
    let all =
        json!({"filter": {"status": "draft"}, "operation": {"type": "update", "review_every_days": 90}});
    assert_eq!(outcomes(&bulk(&app, &ada, all, 200).await), [row("a", "changed", "")]);
    assert_eq!(read(&app, &ada, "a").await["review_every_days"], 90);
    let nobody = json!({"ids": ["a"], "operation": {"type": "update", "owner": "00000000-0000-4000-8000-000000000000"}});
    let refused = bulk(&app, &ada, nobody, 200).await;
    assert_eq!(refused.json()["results"][0]["problem"]["errors"][0]["pointer"], "#/owner");
    let wrong = json!({"ids": ["A B"], "filter": {}, "operation": {"type": "update", "title": "x"}});
    let faults = bulk(&app, &ada, wrong, 422).await.faults().join(", ");
    for expected in ["#/ids/0 format", "#/filter conflict", "#/operation/title unknown_field"] {
        assert!(faults.contains(expected), "{faults}");
    }
}

#[testkit::both_engines]
async fn many_are_asked_to_acknowledge_at_once(app: TestApp) {
    let (ada, zoe) = (app.person("Ada", Role::Admin).await, app.person("Zoe", Role::Approver).await);
    for slug in ["a", "b", "draft", "old"] {
        create(&app, &ada, slug).await;
    }
    for slug in ["a", "b", "old"] {
        publish(&app, &ada, &zoe, slug).await;
    }
    archive(&app, &ada, "old").await;
    let one = json!({"who": "role", "role": "approver", "due_days": 14});
    app.post("/v1/documents/b/versions/1/acknowledgement-requests").bearer(&ada).json(one).expect(201).await;
    let ask = json!({"type": "request_acknowledgements", "who": "role", "role": "approver", "due_days": 14});
    let body = json!({"ids": ["a", "b", "draft", "old"], "operation": ask});
    let asked = bulk(&app, &ada, body, 200).await;
    let expected = [
        row("a", "changed", ""),
        row("b", "unchanged", ""),
        row("draft", "failed", "Version not found"),
        row("old", "failed", "The document is archived"),
    ];
    assert_eq!(outcomes(&asked), expected);
    let mine = app.get("/v1/me/acknowledgements").bearer(&zoe).expect(200).await;
    assert_eq!(mine.json()["data"].as_array().map(Vec::len), Some(2));
    let back = undo(&app, &ada, &asked).await;
    assert_eq!(back.json()["results"][0]["outcome"], "not_undoable");
    let group = json!({"type": "request_acknowledgements", "who": "group", "group": "00000000-0000-4000-8000-000000000000"});
    let unknown = bulk(&app, &ada, json!({"ids": ["a"], "operation": group}), 422).await;
    assert_eq!(unknown.faults(), ["#/operation/group unknown_group"]);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn archiving_is_undone_unless_the_document_was_changed_since(app: TestApp) {
    let (ada, zoe) = (app.person("Ada", Role::Admin).await, app.person("Zoe", Role::Approver).await);
    create(&app, &ada, "a").await;
    publish(&app, &ada, &zoe, "a").await;
    let before = read(&app, &ada, "a").await;
    app.post("/v1/documents/a/proposals").bearer(&ada).json(json!({})).expect(201).await;
    let archived = archive(&app, &ada, "a").await;
    let back = undo(&app, &ada, &archived).await;
    assert_eq!(undone(&back), [["proposal", "2", "not_undoable"], ["document", "a", "undone"]]);
    let after = read(&app, &ada, "a").await;
    for member in ["status", "archived_date", "next_review_date", "published_version"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    let again = archive(&app, &ada, "a").await;
    app.post("/v1/documents/a/restore").bearer(&ada).expect(200).await;
    assert_eq!(undone(&undo(&app, &ada, &again).await), [["document", "a", "already_undone"]]);
    let path = "/v1/documents/a/properties";
    let first = app.patch(path).bearer(&ada).json(json!({"review_every_days": 90})).expect(200).await;
    app.patch(path).bearer(&ada).json(json!({"description": "Who may."})).expect(200).await;
    assert_eq!(undone(&undo(&app, &ada, &first).await), [["document", "a", "changed_since"]]);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_former_owner_who_has_left_is_not_named_again(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    create(&app, &ada, "a").await;
    let path = "/v1/documents/a/properties";
    app.patch(path).bearer(&ada).json(json!({"owner": ben.id})).expect(200).await;
    let changed = app.patch(path).bearer(&ada).json(json!({"owner": ada.id})).expect(200).await;
    app.delete(&format!("/v1/users/{}", ben.id)).bearer(&ada).expect(204).await;
    let refused = undo(&app, &ada, &changed).await;
    assert_eq!(refused.json()["results"][0]["outcome"], "no_longer_valid");
    assert_eq!(read(&app, &ada, "a").await["owner"]["name"], "Ada");
}
