//! `/v1/documents`

use domain::Role;
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
        "guidance": null, "required": true, "material": false, "risks": [], "controls": [], "default": "",
        "max_length": 10, "multiline": false, "markdown": false, "value": null})
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
    let body = json!({"slug": "A b", "title": "", "text": "x", "items": [
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
            "#/text unknown_field",
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
    let set = &proposal.json()["change_sets"][0];
    assert_eq!(
        (&proposal.json()["number"], &set["number"], &set["edits_count"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(set["created_date"], first.json()["created"]);
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

#[testkit::both_engines]
async fn a_document_has_a_template_and_properties(app: TestApp) {
    let client = app.client_with_scopes("documents:read documents:write risks:write").await;
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "Guessing", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    let mut body = access_control();
    let sent = json!({"reference": "ISMS-POL-03", "classification": "confidential", "audience": "Everyone", "language": "de-CH",
        "earlier": "3.2, by the board", "review_every_days": 365, "acknowledge_every_days": null,
        "template": "# Sign-in {#in}\r\n\r\n{{mfa}}{% if mfa == \"none\" %} {{ref:#in}}{% endif %}"});
    body.as_object_mut().unwrap().extend(sent.as_object().unwrap().clone());
    body["items"][0]["risks"] = json!(["RSK-1"]);
    body["items"][0]["controls"] = json!(["A.5.17", "A.8.5"]);
    body["items"][0]["material"] = json!(true);
    body["items"][1]["markdown"] = json!(true);
    let post = |body: Value| app.post("/v1/documents").bearer(&client).json(body);
    post(body.clone()).expect(201).await;
    let read = app.get("/v1/documents/access-control").bearer(&client).expect(200).await;
    for (name, value) in sent.as_object().unwrap() {
        assert_eq!(read.json()[name], *value, "{name}");
    }
    let items = &read.json()["items"];
    assert_eq!(items[0]["risks"], json!(["RSK-1"]));
    assert_eq!((&items[0]["controls"], &items[0]["material"]), (&json!(["A.5.17", "A.8.5"]), &json!(true)));
    assert_eq!((&items[1]["markdown"], &items[1]["material"]), (&json!(true), &json!(false)));
    let list = app.get("/v1/documents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"][0]["reference"], "ISMS-POL-03");
    assert_eq!(list.json()["data"][0].get("template"), None);
    body["slug"] = json!("another");
    assert_eq!(post(body).expect(409).await.text("code"), "reference_taken");
}

#[testkit::both_engines]
async fn an_item_of_an_unknown_kind_hides_no_other_fault(app: TestApp) {
    let client = app.client_with_scopes("documents:write").await;
    let mut body = access_control();
    body["title"] = json!(" ");
    body["items"][0] =
        json!({"id": "M", "kind": "choice", "label": "", "risks": ["x"], "options": 1, "tite": 1});
    body["items"][1]["label"] = json!(" ");
    let answer = app.post("/v1/documents").bearer(&client).json(body).expect(422).await;
    let mut faults = answer.faults();
    faults.sort();
    assert_eq!(
        faults,
        [
            "#/items/0/id format",
            "#/items/0/kind enum",
            "#/items/0/label blank",
            "#/items/0/risks/0 format",
            "#/items/0/tite unknown_field",
            "#/items/1/label blank",
            "#/title blank",
        ]
    );
    assert!(answer.json().to_string().contains("Kind must be select or text."), "{}", answer.json());
}

#[testkit::both_engines]
async fn a_template_is_checked_against_the_items(app: TestApp) {
    let client = app.client_with_scopes("documents:write").await;
    let post = |body: Value| app.post("/v1/documents").bearer(&client).json(body);
    let mut body = access_control();
    body["template"] = json!("# A\n\n{{mfa}} {{gone}}\n{% if mfa == \"some\" %}x{% endif %}\n{{ref:#b}}");
    body["language"] = json!("english language");
    body["items"][0]["risks"] = json!(["RSK-1", "RSK-1"]);
    body["items"][1]["controls"] = json!(["A 1"]);
    let answer = post(body.clone()).expect(422).await;
    assert_eq!(
        answer.faults(),
        [
            "#/language format",
            "#/items/0/risks/1 duplicate",
            "#/items/1/controls/0 format",
            "#/template template",
            "#/template template",
            "#/template template",
        ]
    );
    body["items"][0]["risks"] = json!(["RSK-1"]);
    body["items"][1]["controls"] = json!([]);
    body["language"] = json!("en");
    let answer = post(body.clone()).expect(422).await;
    assert_eq!(answer.faults(), ["#/template template"; 3]);
    let details: Vec<_> =
        (0..3).map(|at| answer.json()["errors"][at]["detail"].as_str().unwrap().to_owned()).collect();
    assert_eq!(
        details,
        [
            "Template line 3, column 9: there is no item gone.",
            "Template line 4, column 1: the item mfa has no option some.",
            "Template line 5, column 1: no heading ends with {#b}.",
        ]
    );
    body["template"] = Value::Null;
    assert_eq!(post(body).expect(422).await.faults(), ["#/items/0/risks/0 unknown_risk"]);
    let only = |members: Value| post(members);
    let answer = only(json!({"slug": "a", "title": "A"})).expect(422).await;
    assert_eq!(answer.faults(), ["#/items too_few"]);
    let answer = only(json!({"slug": "a", "title": "A", "items": []})).expect(422).await;
    assert_eq!(answer.faults(), ["#/items too_few"]);
    only(json!({"slug": "a", "title": "A", "template": "# Rule\n"})).expect(201).await;
}

#[testkit::both_engines]
async fn properties_change_by_a_merge_patch(app: TestApp) {
    let client = editor(&app).await;
    let patch = |body: Value| app.patch("/v1/documents/access-control/properties").bearer(&client).json(body);
    let body = json!({"description": "Who.", "earlier": "1.0", "review_every_days": 365, "acknowledge_every_days": 30});
    let first = patch(body.clone()).expect(200).await;
    assert_eq!((&first.json()["version"], &first.json()["review_every_days"]), (&json!(2), &json!(365)));
    assert_eq!(patch(body).expect(200).await.json(), first.json(), "nothing changed");
    let cleared = patch(json!({"acknowledge_every_days": null, "earlier": null})).expect(200).await;
    assert_eq!(
        (&cleared.json()["earlier"], &cleared.json()["acknowledge_every_days"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(cleared.json()["review_every_days"], 365);
    let read = app.get("/v1/documents/access-control").bearer(&client).expect(200).await;
    assert_eq!(read.json(), cleared.json());
    let wrong =
        json!({"title": "Other", "review_every_days": 0, "owner": "01901637-5a1e-7c2d-9d0f-3f8a4b6c7d8e"});
    assert_eq!(
        patch(wrong).expect(422).await.faults(),
        ["#/review_every_days range", "#/title unknown_field", "#/owner unknown_user"]
    );
    let old = patch(json!({"description": "Late."})).header("if-match", "\"1-x\"");
    old.expect(412).await;
}

#[testkit::both_engines]
async fn files_come_in_all_or_none_and_go_out_as_they_were(app: TestApp) {
    let client = app.client_with_scopes("documents:read documents:write").await;
    let import =
        |files: Value| app.post("/v1/documents/import").bearer(&client).json(json!({ "files": files }));
    let file = |slug: &str| {
        format!(
            "---\nslug: {slug}\ntitle: Clear desk\nreference: P-{slug}\nclassification: internal\nlanguage: en\n---\n# Rule\n"
        )
    };
    let wrong = file("c").replace("---\n#", "items: 7\n---\n#");
    let answer = import(json!([file("a"), "no file", wrong, 5, file("d") + "{{x}}"])).expect(422).await;
    let expected =
        ["#/files/1 format", "#/files/2/items type", "#/files/3 type", "#/files/4/template template"];
    assert_eq!(answer.faults(), expected);
    let answer = import(json!([file("a"), file("a"), file("b").replace("P-b", "P-a")])).expect(422).await;
    assert_eq!(answer.faults(), ["#/files/1/slug duplicate", "#/files/2/reference duplicate"]);
    app.get("/v1/documents/a").bearer(&client).expect(404).await;
    let made = import(json!([file("a"), file("b")])).expect(200).await;
    assert_eq!(made.json()["documents"][1]["slug"], "b");
    let read = app.get("/v1/documents/b/file").bearer(&client).expect(200).await;
    assert_eq!(read.header("content-type"), Some("text/markdown; charset=utf-8"));
    assert_eq!(read.bytes, file("b"));
    assert_eq!(import(json!([])).expect(422).await.faults(), ["#/files too_few"]);
}

#[testkit::both_engines]
async fn policies_of_the_library_become_documents(app: TestApp) {
    let client = app.client_with_scopes("documents:read documents:write").await;
    let library = app.get("/v1/library").bearer(&client).expect(200).await;
    let policies = library.json()["policies"].as_array().unwrap();
    let slugs: Vec<_> = policies.iter().map(|policy| policy["slug"].clone()).collect();
    let import = |body: Value| app.post("/v1/documents/import").bearer(&client).json(body);
    assert_eq!(import(json!({"library": ["gone"]})).expect(422).await.faults(), ["#/library/0 enum"]);
    let made = import(json!({ "library": slugs })).expect(200).await;
    for (made, policy) in made.json()["documents"].as_array().unwrap().iter().zip(policies) {
        assert_eq!((&made["slug"], &made["status"]), (&policy["slug"], &json!("draft")));
        assert_eq!(made["items"].as_array().unwrap().len(), policy["items_count"]);
    }
    // Its defaults may be published as they are.
    let approver = app.person("Ben", Role::Approver).await;
    for slug in slugs.iter().map(|slug| slug.as_str().unwrap()) {
        let proposals = format!("/v1/documents/{slug}/proposals");
        let opened = app.post(&proposals).bearer(&client).json(json!({})).expect(201).await;
        assert_eq!(opened.json()["missing"], json!([]), "{slug}");
        let proposal = format!("{proposals}/{}", opened.json()["number"]);
        let submit = app.post(&format!("{proposal}/submit")).bearer(&client);
        let submitted = submit.json(json!({"summary": "As it is."})).expect(200).await;
        let approval = json!({"sha256": submitted.text("sha256")});
        app.post(&format!("{proposal}/approve")).bearer(&approver).json(approval).expect(200).await;
    }
    let text = app.get("/v1/documents/data-protection/text").bearer(&client).expect(200).await;
    assert!(String::from_utf8_lossy(&text.bytes).contains("privacy@example.org"));
    let again = import(json!({"library": ["access-control"]})).expect(422).await;
    assert_eq!(again.faults(), ["#/library/0/slug duplicate"]);
    assert_eq!(import(json!({})).expect(422).await.faults(), ["#/files too_few"]);
}
