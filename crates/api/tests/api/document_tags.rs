//! The tags on documents.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const DOCUMENT: &str = "/v1/documents/locks";
/// An id that nobody has.
const NOBODY: &str = "0190163d-8694-739b-aea5-966c26f8ad91";
const TAGS: &str = "/v1/documents/locks/tags";

async fn tag(app: &TestApp, person: &TestPerson, name: &str) -> String {
    let made = app.post("/v1/tags").bearer(&person.token).json(json!({"name": name})).expect(201).await;
    made.text("id").to_owned()
}

/// A document with these tags.
async fn written(app: &TestApp, person: &TestPerson, slug: &str, tags: Value) -> Value {
    let body = json!({"slug": slug, "title": slug, "template": "Lock it.\n", "tags": tags});
    app.post("/v1/documents").bearer(&person.token).json(body).expect(201).await.json().clone()
}

/// The names of a document's tags, and its version.
async fn names(app: &TestApp, person: &TestPerson, document: &str) -> (Vec<String>, i64) {
    let read = app.get(document).bearer(&person.token).expect(200).await;
    let names = |rows: &Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    let listed = app.get(&format!("{document}/tags")).bearer(&person.token).expect(200).await;
    assert_eq!(names(&listed.json()["data"]), names(&read.json()["tags"]));
    (names(&read.json()["tags"]), read.json()["version"].as_i64().unwrap())
}

#[both_engines]
async fn a_document_is_made_with_tags_and_gets_others(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    tag(&app, &ada, "Access").await;
    let made = written(&app, &ada, "locks", json!(["doors", "access", "DOORS"])).await;
    assert_eq!((&made["tags"][0]["name"], &made["tags"][1]["name"]), (&json!("Access"), &json!("doors")));
    let patch = async |body: Value, status| {
        let path = format!("{DOCUMENT}/properties");
        app.patch(&path).bearer(&ada.token).json(body).expect(status).await
    };
    let patched = patch(json!({"tags": ["keys", "access"]}), 200).await;
    assert_eq!((&patched.json()["tags"][1]["name"], &patched.json()["version"]), (&json!("keys"), &json!(1)));
    let head = app.get("/v1/journal/head").bearer(&ada.token).expect(200).await.json()["seq"].clone();
    patch(json!({"tags": ["ACCESS", "Keys"]}), 200).await;
    let same = app.get("/v1/journal/head").bearer(&ada.token).expect(200).await;
    assert_eq!(same.json()["seq"], head, "nothing was changed");
    let both = patch(json!({"tags": [], "earlier": "3.2"}), 200).await;
    assert_eq!((&both.json()["tags"], &both.json()["version"]), (&json!([]), &json!(2)));
    let many: Vec<String> = (0..51).map(|number| format!("t{number}")).collect();
    let refused = patch(json!({"tags": many, "earlier": 1}), 422).await;
    assert_eq!(refused.faults(), ["#/tags too_many", "#/earlier type"]);
    // Who may not make tags takes those that there are.
    let client = app.client_with_scopes("documents:read documents:write").await;
    let path = format!("{DOCUMENT}/properties");
    let body = json!({"tags": ["keys", "unknown"], "owner": NOBODY});
    let refused = app.patch(&path).bearer(&client).json(body).expect(422).await;
    let mut faults = refused.faults();
    faults.sort();
    assert_eq!(faults, ["#/owner unknown_user", "#/tags/1 unknown_tag"]);
    assert_eq!(names(&app, &ada, DOCUMENT).await, (vec![], 2));
}

#[both_engines]
async fn a_tag_goes_on_a_document_once_and_comes_off(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    written(&app, &ada, "locks", json!([])).await;
    let keys = tag(&app, &ada, "keys").await;
    let add = async |path: &str, status| {
        app.post(path).bearer(&ada.token).json(json!({"tag_id": keys})).expect(status).await
    };
    let added = add(TAGS, 201).await;
    assert_eq!((added.text("message"), added.header("location")), ("Tag added to document", Some(TAGS)));
    assert_eq!(add(TAGS, 409).await.text("code"), "tag_already_associated");
    assert_eq!(add("/v1/documents/none/tags", 404).await.text("title"), "Document or tag not found");
    assert_eq!(names(&app, &ada, DOCUMENT).await, (vec!["keys".to_owned()], 1));
    let one = format!("{TAGS}/{keys}");
    app.put(&one).bearer(&ada.token).expect(204).await;
    app.delete(&one).bearer(&ada.token).expect(204).await;
    app.delete(&one).bearer(&ada.token).expect(404).await;
    app.put(&one).bearer(&ada.token).expect(204).await;
    let entries = app.get("/v1/journal?subject_kind=document&limit=200").bearer(&ada.token).expect(200).await;
    let kinds: Vec<_> =
        entries.json()["data"].as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
    let count = |kind: &str| kinds.iter().filter(|it| *it == kind).count();
    assert_eq!((count("document.tag_added"), count("document.tag_removed")), (2, 1));
    // An archived document stays as it is, and a slug that is used again begins without tags.
    app.post(&format!("{DOCUMENT}/archive")).bearer(&ada.token).json(json!({})).expect(200).await;
    assert_eq!(app.delete(&one).bearer(&ada.token).expect(409).await.text("code"), "document_archived");
    written(&app, &ada, "draft", json!(["keys"])).await;
    app.delete("/v1/documents/draft").bearer(&ada.token).expect(204).await;
    assert_eq!(written(&app, &ada, "draft", json!([])).await["tags"], json!([]));
}

#[both_engines]
async fn a_tag_that_goes_takes_its_documents_along_and_back(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let (old, new) = (tag(&app, &ada, "old").await, tag(&app, &ada, "new").await);
    written(&app, &ada, "locks", json!(["old"])).await;
    written(&app, &ada, "doors", json!(["old", "new"])).await;
    let used = app.delete(&format!("/v1/tags/{old}")).bearer(&ada.token).expect(409).await;
    assert_eq!(used.text("code"), "tag_in_use");
    let all = async || {
        let [locks, doors] = [DOCUMENT, "/v1/documents/doors"].map(|document| names(&app, &ada, document));
        [locks.await.0.join(" "), doors.await.0.join(" ")]
    };
    let undo = async |request: &testkit::Answer| {
        let body = json!({"request_id": request.header("x-request-id").unwrap()});
        let undone = app.post("/v1/undo").bearer(&ada.token).json(body).expect(200).await;
        let outcomes = undone.json()["results"].as_array().unwrap().clone();
        outcomes.iter().map(|it| it["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let merge = app.post(&format!("/v1/tags/{old}/merge")).bearer(&ada.token).json(json!({"into": new}));
    let merged = merge.expect(200).await;
    assert_eq!(all().await, ["new", "new"]);
    assert_eq!(undo(&merged).await, ["undone", "undone", "undone"]);
    assert_eq!(all().await, ["old", "new old"]);
    let deleted = app.delete(&format!("/v1/tags/{old}?detach=true")).bearer(&ada.token).expect(204).await;
    assert_eq!(all().await, ["", "new"]);
    // What was changed since stays, and a change of another kind is not in the way.
    app.delete(&format!("/v1/documents/doors/tags/{new}")).bearer(&ada.token).expect(204).await;
    let patch = app.patch(&format!("{DOCUMENT}/properties")).bearer(&ada.token);
    patch.json(json!({"earlier": "3.2"})).expect(200).await;
    let mut outcomes = undo(&deleted).await;
    outcomes.sort();
    assert_eq!(outcomes, ["changed_since", "undone", "undone"]);
    assert_eq!(all().await, ["old", ""]);
}
