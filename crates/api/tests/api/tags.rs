//! `/v1/tags`

use serde_json::{Value, json};
use testkit::TestApp;

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
