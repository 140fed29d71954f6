//! `/v1/documents`

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

fn access_control() -> Value {
    json!({"slug": "access-control", "title": "Access control", "items": [
        {"id": "mfa", "kind": "select", "label": "Second factor", "default": "all", "options": [
            {"id": "all", "label": "Everyone", "text": "Everyone uses one."},
            {"id": "none", "label": "Nobody", "text": "Nobody needs one.", "weakens": true}]},
        {"id": "contact", "kind": "text", "label": "Whom to call", "required": true, "max_length": 10}]})
}

async fn editor(app: &TestApp) -> TestClient {
    let client = app.client_with_scopes("documents:read documents:write").await;
    app.post("/v1/documents").bearer(&client).json(access_control()).expect(201).await;
    client
}

#[testkit::both_engines]
async fn a_document_is_created_and_read_back(app: TestApp) {
    let client = app.client_with_scopes("documents:read documents:write").await;
    let made = app.post("/v1/documents").bearer(&client).json(access_control()).expect(201).await;
    assert_eq!(made.header("location"), Some("/v1/documents/access-control"));
    let read = app.get("/v1/documents/access-control").bearer(&client).expect(200).await;
    assert_eq!(read.json(), made.json());
    assert_eq!(
        read.json()["items"][1],
        json!({"id": "contact", "kind": "text", "label": "Whom to call",
        "guidance": null, "required": true, "default": "", "max_length": 10, "multiline": false, "value": null})
    );
    assert_eq!(read.json()["status"], "draft");
    let list = app.get("/v1/documents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"][0].get("items"), None);
    let again = app.post("/v1/documents").bearer(&client).json(access_control()).expect(409).await;
    assert_eq!(again.text("code"), "slug_taken");
}

#[testkit::both_engines]
async fn every_fault_of_a_document_is_reported(app: TestApp) {
    let client = app.client_with_scopes("documents:write").await;
    let body = json!({"slug": "A b", "title": "", "template": "x", "items": [
        {"id": "mfa", "kind": "select", "label": "x", "default": "gone", "options": []},
        {"id": "mfa", "kind": "text", "label": "x", "options": [], "max_length": 0},
        {"id": "c", "kind": "table", "label": "x", "options": [], "max_length": 1},
        7]});
    let answer = app.post("/v1/documents").bearer(&client).json(body).expect(422).await;
    assert_eq!(
        answer.faults(),
        [
            "#/slug format",
            "#/title blank",
            "#/items/0/options too_few",
            "#/items/0/default unknown_option",
            "#/items/1/max_length range",
            "#/items/1/options unknown_field",
            "#/items/2/kind enum",
            "#/items/3 type",
            "#/items/1/id duplicate",
            "#/template unknown_field",
        ]
    );
}

#[testkit::both_engines]
async fn an_item_of_one_line_takes_no_line_break(app: TestApp) {
    let client = app.client().await;
    let item =
        |id: &str, multiline: bool| json!({"id": id, "kind": "text", "label": "x", "multiline": multiline});
    let body = json!({"slug": "d", "title": "D", "items": [item("one", false), item("many", true)]});
    app.post("/v1/documents").bearer(&client).json(body).expect(201).await;
    let edit = |id: &str, value: &str| {
        let edits = json!([{"node_id": id, "node_type": "text", "value": value}]);
        app.patch("/v1/documents/d").bearer(&client).json(edits)
    };
    for text in ["a\nb", "a\r\nb", "a\u{2028}b", "a\tb"] {
        assert_eq!(edit("one", text).expect(422).await.faults(), ["#/0/value control_character"], "{text:?}");
        edit("many", text).expect(200).await;
    }
    edit("one", "one line").expect(200).await;
    let mut wrong = item("one", false);
    wrong["default"] = json!("a\nb");
    let body = json!({"slug": "e", "title": "E", "items": [wrong]});
    let answer = app.post("/v1/documents").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/items/0/default control_character"]);
}

#[testkit::both_engines]
async fn edits_join_the_callers_change_set(app: TestApp) {
    let client = editor(&app).await;
    let edit = |value: &str| json!([{"node_id": "mfa", "node_type": "select", "value": value}]);
    let patch = |body: Value| app.patch("/v1/documents/access-control").bearer(&client).json(body);
    let first = patch(edit("all")).expect(200).await;
    assert_eq!((&first.json()["id"], &first.json()["proposal"]), (&json!(1), &json!(1)));
    assert_eq!(first.json()["updated_date"], Value::Null);
    let same = patch(edit("all")).expect(200).await;
    assert_eq!(same.json(), first.json());
    let second = patch(edit("none")).expect(200).await;
    assert_eq!((&second.json()["id"], second.text("created")), (&json!(1), first.text("created")));
    assert!(second.json()["updated_date"].is_string());
    let proposal = app.get("/v1/documents/access-control/proposals/1").bearer(&client).expect(200).await;
    assert_eq!(proposal.json()["missing"], json!(["contact"]));
    assert_eq!(proposal.json()["change_sets"][0]["edits_count"], 1);
    let edits = app.get("/v1/documents/access-control/proposals/1/edits").bearer(&client).expect(200).await;
    let [edit] = edits.json()["data"].as_array().unwrap().as_slice() else { panic!("{}", edits.json()) };
    assert_eq!(
        (&edit["change_set"], &edit["node_id"], &edit["value"]),
        (&json!(1), &json!("mfa"), &json!("none"))
    );
    let document = app.get("/v1/documents/access-control").bearer(&client).expect(200).await;
    assert_eq!(document.json()["open_proposal"], json!(1));
}

#[testkit::both_engines]
async fn all_edits_are_valid_or_none_is_recorded(app: TestApp) {
    let client = editor(&app).await;
    let patch = |body: Value| app.patch("/v1/documents/access-control").bearer(&client).json(body);
    let answer = patch(json!([
        {"node_id": "contact", "node_type": "text", "value": "Ada"},
        {"node_id": "gone", "node_type": "text", "value": "x"},
        {"node_id": "mfa", "node_type": "select", "value": "gone"},
        {"node_id": "contact2", "node_type": "select", "value": "all"},
    ]));
    assert_eq!(
        answer.expect(422).await.faults(),
        ["#/1/node_id unknown_item", "#/2/value unknown_option", "#/3/node_id unknown_item"]
    );
    let answer = patch(json!([
        {"node_id": "contact", "node_type": "text", "value": "Ada"},
        {"node_id": "contact", "node_type": "text", "value": "Bea"},
        {"node_id": "mfa", "node_type": "table", "value": 1},
    ]));
    assert_eq!(
        answer.expect(422).await.faults(),
        ["#/2/node_type enum", "#/2/value type", "#/1/node_id duplicate"]
    );
    let answer = patch(json!([
        {"node_id": "contact", "node_type": "text", "value": "longer than ten"},
        {"node_id": "mfa", "node_type": "text", "value": "all"},
    ]));
    assert_eq!(answer.expect(422).await.faults(), ["#/0/value too_long", "#/1/node_type kind_mismatch"]);
    assert_eq!(patch(json!([])).expect(422).await.faults(), ["# too_few"]);
    assert_eq!(patch(json!({})).expect(422).await.faults(), ["# type"]);
    let document = app.get("/v1/documents/access-control").bearer(&client).expect(200).await;
    assert_eq!(document.json()["open_proposal"], Value::Null);
}

#[testkit::both_engines]
async fn an_unknown_document_is_not_found(app: TestApp) {
    let client = editor(&app).await;
    let edit = json!([{"node_id": "mfa", "node_type": "select", "value": "all"}]);
    for slug in ["gone", "Not-A-Slug", "a--b"] {
        let answer = app.patch(&format!("/v1/documents/{slug}")).bearer(&client).json(edit.clone());
        assert_eq!(answer.expect(404).await.text("title"), "Document not found");
    }
    for number in ["1", "x", "0", "99999999999999999999"] {
        let path = format!("/v1/documents/access-control/proposals/{number}");
        assert_eq!(app.get(&path).bearer(&client).expect(404).await.text("title"), "Proposal not found");
    }
    let other = app.client_of(app.db.organization("Other").await, "documents:read").await;
    app.get("/v1/documents/access-control").bearer(&other).expect(404).await;
}
