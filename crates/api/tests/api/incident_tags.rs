//! `/v1/incidents/{id}/tags`

use domain::Role;
use serde_json::json;
use testkit::{Answer, TestApp, TestClient};

async fn tag(app: &TestApp, client: &TestClient, name: &str) -> String {
    let made = app.post("/v1/tags").bearer(client).json(json!({"name": name})).expect(201).await;
    made.text("id").to_owned()
}

async fn incident(app: &TestApp, client: &TestClient) -> String {
    app.post("/v1/incidents").bearer(client).expect(201).await.text("id").to_owned()
}

fn ids(list: &Answer) -> Vec<&str> {
    list.json()["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[testkit::both_engines]
async fn an_incident_shows_its_tags_and_is_found_by_them(app: TestApp) {
    let client = app.client().await;
    let (cloud, access) = (tag(&app, &client, "Cloud").await, tag(&app, &client, "access").await);
    let (one, other) = (incident(&app, &client).await, incident(&app, &client).await);
    for (id, tag) in [(&one, &cloud), (&one, &access), (&other, &cloud)] {
        let body = json!({"tag_id": tag});
        let path = format!("/v1/incidents/{id}/tags");
        let added = app.post(&path).bearer(&client).json(body).expect(201).await;
        assert_eq!(added.json(), &json!({"message": "Tag added to incident"}));
        assert_eq!((added.header("location"), added.header("etag")), (Some(path.as_str()), None));
    }
    let label = |id: &str, name: &str| json!({"id": id, "name": name, "color": "#64748b"});
    let labels = json!([label(&access, "access"), label(&cloud, "Cloud")]);
    let shown = app.get(&format!("/v1/incidents/{one}")).bearer(&client).expect(200).await;
    assert_eq!((&shown.json()["tags"], &shown.json()["version"]), (&labels, &json!(1)));
    let patched = app.patch(&format!("/v1/incidents/{one}")).bearer(&client).json(json!({"title": "New"}));
    assert_eq!(patched.expect(200).await.json()["tags"], labels);
    let list = app.get("/v1/incidents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"][1]["tags"], labels);
    let found = async |query: &str| {
        let list = app.get(&format!("/v1/incidents?{query}&include_total=true")).bearer(&client).await;
        assert_eq!(list.json()["total"], json!(ids(&list).len()), "{query}");
        ids(&list).join(" ")
    };
    assert_eq!(found(&format!("tag={cloud}")).await, format!("{other} {one}"));
    assert_eq!(found(&format!("tag={access}&tag={cloud}&tag_mode=all")).await, one);
    assert_eq!(found(&format!("tag={access}&tag={cloud}&tag_mode=any")).await, format!("{other} {one}"));
    let tags = app.get(&format!("/v1/incidents/{one}/tags?include_total=true")).bearer(&client).await;
    assert_eq!((ids(&tags), &tags.json()["total"]), (vec![access.as_str(), cloud.as_str()], &json!(2)));
    let path = format!("/v1/incidents/{one}/tags/{cloud}");
    app.delete(&path).bearer(&client).expect(204).await;
    let gone = app.delete(&path).bearer(&client).expect(404).await;
    assert_eq!(gone.text("title"), "Incident or tag not found");
    assert_eq!(found(&format!("tag={cloud}")).await, other);
}

/// A program that repeats itself does no harm: the second PUT changes nothing, and nothing is journaled.
#[testkit::both_engines]
async fn a_tag_is_put_on_once(app: TestApp) {
    let client = app.client().await;
    let (cloud, id) = (tag(&app, &client, "Cloud").await, incident(&app, &client).await);
    let risk = json!({"title": "Fire", "inherent": {"likelihood": 4, "impact": 5},
        "target": {"likelihood": 1, "impact": 2}});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    for (record, missing) in [
        (format!("/v1/incidents/{id}"), "Incident or tag not found"),
        ("/v1/risks/RSK-1".to_owned(), "Risk or tag not found"),
    ] {
        let put = |tag: &str| app.put(&format!("{record}/tags/{tag}")).bearer(&client);
        put(&cloud).expect(204).await;
        let head = app.get("/v1/journal/head").bearer(&client).expect(200).await;
        put(&cloud).expect(204).await;
        assert_eq!(app.get("/v1/journal/head").bearer(&client).await.json()["seq"], head.json()["seq"]);
        let tags = app.get(&format!("{record}/tags")).bearer(&client).expect(200).await;
        assert_eq!(ids(&tags), [cloud.as_str()]);
        let unknown = put("0190163d-8694-739b-aea5-966c26f8ad91").expect(404).await;
        assert_eq!(unknown.text("title"), missing);
    }
}

#[testkit::both_engines]
async fn what_is_wrong_with_a_tag_is_told(app: TestApp) {
    let client = app.client().await;
    let (cloud, id) = (tag(&app, &client, "Cloud").await, incident(&app, &client).await);
    let add = |id: &str, body| app.post(&format!("/v1/incidents/{id}/tags")).bearer(&client).json(body);
    add(&id, json!({"tag_id": cloud})).expect(201).await;
    let again = add("1", json!({"tag_id": cloud})).expect(409).await;
    assert_eq!(
        (again.text("title"), again.text("code")),
        ("Tag already associated with incident", "tag_already_associated")
    );
    let unknown = json!({"tag_id": "0190163d-8694-739b-aea5-966c26f8ad91"});
    for (incident, body) in [(id.as_str(), unknown), ("INC-0099", json!({"tag_id": cloud}))] {
        let missing = add(incident, body).expect(404).await;
        assert_eq!(missing.text("title"), "Incident or tag not found");
    }
    assert_eq!(add(&id, json!({"tag_id": "x"})).expect(422).await.faults(), ["#/tag_id format"]);
    assert_eq!(
        add(&id, json!({"name": "x"})).expect(422).await.faults(),
        ["#/tag_id required", "#/name unknown_field"]
    );
    // The tags of an incident are no member of its patch.
    let path = format!("/v1/incidents/{id}");
    let patch = app.patch(&path).bearer(&client).json(json!({"tags": []})).expect(422).await;
    assert_eq!(patch.faults(), ["#/tags read_only"]);
}

#[testkit::both_engines]
async fn a_restricted_incident_keeps_its_tags_to_itself(app: TestApp) {
    let client = app.client().await;
    let (cloud, id) = (tag(&app, &client, "Cloud").await, incident(&app, &client).await);
    let body = json!({"tag_id": cloud});
    app.post(&format!("/v1/incidents/{id}/tags")).bearer(&client).json(body.clone()).expect(201).await;
    app.patch(&format!("/v1/incidents/{id}"))
        .bearer(&client)
        .json(json!({"restricted": true}))
        .expect(200)
        .await;
    let stranger = app.person("Sam", Role::Responder).await;
    app.get(&format!("/v1/incidents/{id}/tags")).bearer(&stranger).expect(404).await;
    app.post(&format!("/v1/incidents/{id}/tags")).bearer(&stranger).json(body).expect(404).await;
    app.delete(&format!("/v1/incidents/{id}/tags/{cloud}")).bearer(&stranger).expect(404).await;
    let list = app.get(&format!("/v1/incidents?tag={cloud}&include_total=true")).bearer(&stranger).await;
    assert_eq!((ids(&list).len(), &list.json()["total"]), (0, &json!(0)));
}

#[testkit::both_engines]
async fn a_tag_that_was_added_or_removed_is_undone(app: TestApp) {
    let client = app.client().await;
    let (cloud, id) = (tag(&app, &client, "Cloud").await, incident(&app, &client).await);
    let (path, body) = (format!("/v1/incidents/{id}/tags"), json!({"tag_id": cloud}));
    let shown = async || {
        let list = app.get(&path).bearer(&client).expect(200).await;
        ids(&list).len()
    };
    let undo = async |done: &Answer| {
        let body = json!({"request_id": done.header("x-request-id").unwrap()});
        let undone = app.post("/v1/undo").bearer(&client).json(body).expect(200).await;
        assert_eq!(undone.json()["undone_count"], 1);
    };
    let added = app.post(&path).bearer(&client).json(body.clone()).expect(201).await;
    undo(&added).await;
    assert_eq!(shown().await, 0);
    app.post(&path).bearer(&client).json(body).expect(201).await;
    let removed = app.delete(&format!("{path}/{cloud}")).bearer(&client).expect(204).await;
    undo(&removed).await;
    assert_eq!(shown().await, 1);
}
