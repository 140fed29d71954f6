//! `/v1/tags`

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

#[testkit::both_engines]
async fn a_tag_is_created_and_read_back(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write").await;
    let made = app.post("/v1/tags").bearer(&client).json(json!({"name": "phishing"})).expect(201).await;
    let location = format!("/v1/tags/{}", made.text("id"));
    assert_eq!(made.header("location"), Some(location.as_str()));
    assert_eq!((made.text("color"), &made.json()["description"]), ("#64748b", &Value::Null));
    assert_eq!(app.get(&location).bearer(&client).expect(200).await.json(), made.json());
    let taken = app.post("/v1/tags").bearer(&client).json(json!({"name": "PHISHING"})).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    let other = app.client_of(app.db.organization("Other").await, "tags:read tags:write").await;
    assert_eq!(app.get(&location).bearer(&other).expect(404).await.text("title"), "Tag not found");
    app.post("/v1/tags").bearer(&other).json(json!({"name": "phishing"})).expect(201).await;
}

#[testkit::both_engines]
async fn every_fault_of_a_tag_is_reported(app: TestApp) {
    let client = app.client_with_scopes("tags:write").await;
    let body = json!({"name": "x".repeat(51), "color": "red", "description": 1, "colour": "#64748b"});
    let answer = app.post("/v1/tags").bearer(&client).json(body).expect(422).await;
    assert_eq!(
        answer.faults(),
        ["#/name too_long", "#/color format", "#/description type", "#/colour unknown_field"]
    );
    assert!(answer.text("/errors/3/detail").contains("`color`"));
}

#[testkit::both_engines]
async fn tags_are_listed_by_name_in_pages(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write").await;
    for name in ["b", "A", "c"] {
        app.post("/v1/tags").bearer(&client).json(json!({"name": name})).expect(201).await;
    }
    let first = app.get("/v1/tags?limit=2").bearer(&client).expect(200).await;
    assert_eq!((first.text("/data/0/name"), first.text("/data/1/name")), ("A", "b"));
    let path = format!("/v1/tags?cursor={}", first.text("next_cursor"));
    let last = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((last.text("/data/0/name"), &last.json()["has_more"]), ("c", &json!(false)));
}

#[testkit::both_engines]
async fn a_tag_is_found_by_its_name(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write").await;
    for name in ["Phishing", "Straße", "fire"] {
        app.post("/v1/tags").bearer(&client).json(json!({"name": name})).expect(201).await;
    }
    let found = async |query: &str| {
        let list = app.get(&format!("/v1/tags?include_total=true&{query}")).bearer(&client).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap();
        assert_eq!(list.json()["total"], rows.len());
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("name=PHISHING").await, ["Phishing"]);
    assert_eq!(found("name=stra%C3%9Fe&name=FIRE").await, ["fire", "Straße"]);
    assert_eq!(found("name=phish").await, Vec::<String>::new());
    let csv = app.get("/v1/tags/export?name=fire").bearer(&client).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&csv.bytes).lines().count(), 2);
}

#[testkit::both_engines]
async fn a_tag_is_changed_by_a_patch_and_that_is_undone(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write").await;
    let made = app.post("/v1/tags").bearer(&client).json(json!({"name": "phishing"})).expect(201).await;
    app.post("/v1/tags").bearer(&client).json(json!({"name": "fire"})).expect(201).await;
    let path = format!("/v1/tags/{}", made.text("id"));
    let patch = json!({"name": "Phishing", "color": "#dc2626", "description": "Mail."});
    let changed = app.patch(&path).bearer(&client).json(patch.clone()).expect(200).await;
    assert_eq!((changed.text("name"), &changed.json()["version"]), ("Phishing", &json!(2)));
    let again = app.patch(&path).bearer(&client).json(patch).expect(200).await;
    assert_eq!(again.json()["version"], 2, "nothing was changed");
    let taken = app.patch(&path).bearer(&client).json(json!({"name": "FIRE"})).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    let undone = undo(&app, &client, &changed).await;
    assert_eq!(undone, ["tag undone"]);
    let read = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((read.text("name"), read.text("color")), ("phishing", "#64748b"));
    assert_eq!((&read.json()["description"], &read.json()["version"]), (&Value::Null, &json!(3)));
}

/// The kinds of records that undoing the request of an answer is about, with what became of each.
async fn undo(app: &TestApp, client: &TestClient, of: &Answer) -> Vec<String> {
    let body = json!({"request_id": of.header("x-request-id").unwrap()});
    let undone = app.post("/v1/undo").bearer(client).json(body).expect(200).await;
    let results = undone.json()["results"].as_array().unwrap().iter();
    results
        .map(|it| format!("{} {}", it["type"].as_str().unwrap(), it["outcome"].as_str().unwrap()))
        .collect()
}

/// Two tags, `old` on an incident and a risk, and both on a second incident.
async fn two_tags(app: &TestApp, client: &TestClient) -> [String; 2] {
    let mut ids = Vec::new();
    for names in [json!(["old"]), json!(["old", "new"])] {
        let body = json!({"title": "A", "description": "", "tags": names});
        app.post("/v1/incidents").bearer(client).json(body).expect(201).await;
    }
    for name in ["old", "new"] {
        let found = app.get(&format!("/v1/tags?name={name}")).bearer(client).expect(200).await;
        ids.push(found.text("/data/0/id").to_owned());
    }
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "A risk", "description": "", "inherent": rating, "target": rating});
    let risk = app.post("/v1/risks").bearer(client).json(risk).expect(201).await;
    let path = format!("/v1/risks/{}/tags", risk.text("id"));
    app.post(&path).bearer(client).json(json!({"tag_id": ids[0]})).expect(201).await;
    ids.try_into().unwrap()
}

/// The names of the tags of the incidents 1 and 2 and of the risk 1, today and after a journal entry.
async fn names(app: &TestApp, client: &TestClient, query: &str) -> Vec<String> {
    let mut all = Vec::new();
    for path in ["incidents/1", "incidents/2", "risks/RSK-1"] {
        let read = app.get(&format!("/v1/{path}{query}")).bearer(client).expect(200).await;
        let tags = read.json()["tags"].as_array().unwrap().iter();
        all.push(tags.map(|tag| tag["name"].as_str().unwrap()).collect::<Vec<_>>().join(" "));
    }
    all
}

#[testkit::both_engines]
async fn a_merged_tag_goes_over_to_the_other_and_its_name_leads_there(app: TestApp) {
    let client = app
        .client_with_scopes(
            "tags:read tags:write incidents:read incidents:write risks:read risks:write journal:read",
        )
        .await;
    let [old, new] = two_tags(&app, &client).await;
    let before = names(&app, &client, "").await;
    assert_eq!(before, ["old", "new old", "old"]);
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].as_i64().unwrap();
    let path = format!("/v1/tags/{old}/merge");
    for wrong in [&old, &"00000000-0000-4000-8000-000000000000".to_owned()] {
        let refused = app.post(&path).bearer(&client).json(json!({"into": wrong})).expect(422).await;
        assert_eq!(refused.faults(), ["#/into unknown_tag"]);
    }
    let merged = app.post(&path).bearer(&client).json(json!({"into": new})).expect(200).await;
    assert_eq!(merged.text("name"), "new");
    assert_eq!(names(&app, &client, "").await, ["new", "new", "new"]);
    assert_eq!(names(&app, &client, &format!("?as_of_seq={seq}")).await, before, "the past stays");
    app.get(&format!("/v1/tags/{old}")).bearer(&client).expect(404).await;
    let found = app.get("/v1/tags?name=OLD").bearer(&client).expect(200).await;
    assert_eq!(found.text("/data/0/name"), "new");
    let taken = app.post("/v1/tags").bearer(&client).json(json!({"name": "Old"})).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    let body = json!({"title": "B", "description": "", "tags": ["old", "new"]});
    let declared = app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    assert_eq!(declared.json()["tags"].as_array().unwrap().len(), 1);
    let outcomes = undo(&app, &client, &merged).await;
    assert_eq!(outcomes, ["tag undone", "incident undone", "incident undone", "risk undone"]);
    assert_eq!(names(&app, &client, "").await, before);
    app.post(&path).bearer(&client).json(json!({"into": new})).expect(200).await;
    // A tag may get the name of one that was merged into it.
    let renamed = app.patch(&format!("/v1/tags/{new}")).bearer(&client).json(json!({"name": "old"}));
    assert_eq!(renamed.expect(200).await.text("name"), "old");
}

#[testkit::both_engines]
async fn a_tag_in_use_is_deleted_only_with_detach_and_comes_back(app: TestApp) {
    let client = app
        .client_with_scopes("tags:read tags:write incidents:read incidents:write risks:read risks:write")
        .await;
    let [old, _] = two_tags(&app, &client).await;
    let path = format!("/v1/tags/{old}");
    assert_eq!(app.delete(&path).bearer(&client).expect(409).await.text("code"), "tag_in_use");
    let deleted = app.delete(&format!("{path}?detach=true")).bearer(&client).expect(204).await;
    assert_eq!(names(&app, &client, "").await, ["", "new", ""]);
    app.delete(&format!("{path}?detach=true")).bearer(&client).expect(404).await;
    // The name is free, and taken again by the undo's time.
    let other = app.post("/v1/tags").bearer(&client).json(json!({"name": "old"})).expect(201).await;
    let outcomes = undo(&app, &client, &deleted).await;
    assert_eq!(outcomes[..2], ["tag no_longer_valid", "incident no_longer_valid"]);
    app.delete(&format!("/v1/tags/{}", other.text("id"))).bearer(&client).expect(204).await;
    let outcomes = undo(&app, &client, &deleted).await;
    assert!(outcomes.iter().all(|it| it.ends_with(" undone")), "{outcomes:?}");
    assert_eq!(names(&app, &client, "").await, ["old", "new old", "old"]);
}
