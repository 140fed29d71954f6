//! The API's view of a record that was purged from the trash.

use db::Tx;
use serde_json::{Value, json};
use store::housekeeping::Taken;
use testkit::{TestApp, TestClient, author};

const SECRET: &str = "Quatschkopf";

async fn purge(app: &TestApp, trash: &str) -> u64 {
    let trash = store::REGISTRY.trash_named(trash).unwrap();
    let organization = app.organization;
    let work = async move |tx: &mut Tx| store::housekeeping::purge(tx, organization, &author(), trash).await;
    let taken: store::Result<Taken> = app.db.write_alone(organization, work).await;
    taken.unwrap().count
}

async fn entries(app: &TestApp, client: &TestClient) -> Vec<Value> {
    let feed = app.get("/v1/journal?limit=200").bearer(client).expect(200).await;
    feed.json()["data"].as_array().unwrap().clone()
}

/// Asserts that reads do not find the record or show its content.
async fn assert_gone(app: &TestApp, client: &TestClient, list: &str, id: &str, seq: i64) {
    for query in ["", "?deleted=only", "?deleted=with", &format!("?deleted=with&as_of_seq={seq}")] {
        let shown = app.get(&format!("{list}{query}")).bearer(client).expect(200).await;
        assert_eq!(shown.json()["data"], json!([]), "{list}{query}");
        app.get(&format!("{list}/{id}{query}")).bearer(client).expect(404).await;
    }
    app.patch(&format!("{list}/{id}")).bearer(client).json(json!({"title": "x"})).expect(404).await;
    for entry in entries(app, client).await {
        assert!(!entry.to_string().contains(SECRET), "{entry}");
        let is_erased = entry["subject"]["id"] == id && entry["kind"].as_str().unwrap() != purged(list);
        assert_eq!(entry["payload"].is_null(), is_erased, "{entry}");
        assert_eq!(entry["salt"].is_null(), is_erased, "{entry}");
    }
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

fn purged(list: &str) -> &'static str {
    if list.ends_with("risks") { "risk.purged" } else { "incident.purged" }
}

#[testkit::both_engines]
async fn a_purged_incident_is_not_found_in_any_way(app: TestApp) {
    let client = app.client().await;
    let body = json!({"title": SECRET, "description": SECRET, "source": SECRET});
    let made = app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    let (id, seq) = (made.text("id").to_owned(), head(&app, &client).await);
    let ids = json!({"ids": [id]});
    app.delete("/v1/incidents").bearer(&client).json(ids.clone()).expect(200).await;
    app.db.clock.advance_days(91);
    assert_eq!(purge(&app, "deleted_incidents").await, 1);
    let client = app.client().await;
    assert_gone(&app, &client, "/v1/incidents", &id, seq).await;
    for (count, again) in [
        ("restored_count", app.post("/v1/incidents/restore")),
        ("deleted_count", app.delete("/v1/incidents")),
    ] {
        let answer = again.bearer(&client).json(ids.clone()).expect(200).await;
        assert_eq!(*answer.json(), json!({count: 0, "not_found": [id]}));
    }
    let next = app.post("/v1/incidents").bearer(&client).expect(201).await;
    assert_eq!(next.text("id"), "INC-0002", "a number is never used again");
}

#[testkit::both_engines]
async fn a_purged_risk_is_not_found_in_any_way(app: TestApp) {
    let client = app.client().await;
    let rating = |likelihood, impact| json!({"likelihood": likelihood, "impact": impact});
    let body = json!({"title": SECRET, "category": SECRET, "inherent": rating(4, 5), "target": rating(2, 3)});
    app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    let path = "/v1/risks/RSK-1";
    let body = json!({"likelihood": 3, "impact": 3, "note": SECRET});
    app.post(&format!("{path}/evaluations")).bearer(&client).json(body).expect(201).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "fire"})).expect(201).await;
    let body = json!({"tag_id": tag.text("id")});
    app.post(&format!("{path}/tags")).bearer(&client).json(body).expect(201).await;
    let seq = head(&app, &client).await;
    app.delete(path).bearer(&client).expect(204).await;
    app.db.clock.advance_days(91);
    assert_eq!(purge(&app, "deleted_risks").await, 1);
    let client = app.client().await;
    assert_gone(&app, &client, "/v1/risks", "RSK-1", seq).await;
    for gone in ["evaluations", "evaluations/1", "tags"] {
        app.get(&format!("{path}/{gone}")).bearer(&client).expect(404).await;
    }
    app.delete(path).bearer(&client).expect(404).await;
    app.post(&format!("{path}/restore")).bearer(&client).expect(404).await;
    let tags = app.get("/v1/tags").bearer(&client).expect(200).await;
    assert_eq!(tags.json()["data"][0]["name"], "fire", "a tag outlives its risks");
}

async fn head(app: &TestApp, client: &TestClient) -> i64 {
    let head = app.get("/v1/journal/head").bearer(client).expect(200).await;
    head.json()["seq"].as_i64().unwrap()
}
