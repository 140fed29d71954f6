//! `/v1/journal`

use domain::Role;
use serde_json::json;
use testkit::TestApp;

#[testkit::both_engines]
async fn an_entry_has_the_change_and_its_request_id(app: TestApp) {
    let client = app.client_with_scopes("journal:read incidents:write").await;
    let before = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    app.post("/v1/incidents").bearer(&client).header("x-request-id", "r-7").expect(201).await;
    let answer = app.get(&format!("/v1/journal?after={before}")).bearer(&client).expect(200).await;
    let entry = &answer.json()["data"][0];
    assert_eq!(entry["kind"], "incident.created");
    assert_eq!(entry["request_id"], "r-7");
    assert_eq!(entry["subject"], json!({"kind": "incident", "id": "INC-0001"}));
    assert_eq!(entry["actor"], json!({"type": "client", "id": client.id, "name": "Probe"}));
    let payload: serde_json::Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
    assert_eq!(payload["title"], json!([null, "Untitled incident"]));
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await;
    assert_eq!((&head.json()["seq"], &head.json()["hash"]), (&entry["seq"], &entry["hash"]));
}

#[testkit::both_engines]
async fn the_journal_is_read_in_pages(app: TestApp) {
    let client = app.client_with_scopes("journal:read incidents:write").await;
    for _ in 0..3 {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    let mut seqs = Vec::new();
    let mut path = "/v1/journal?after=1&limit=2".to_owned();
    loop {
        let page = app.get(&path).bearer(&client).expect(200).await;
        seqs.extend(
            page.json()["data"].as_array().unwrap().iter().map(|entry| entry["seq"].as_i64().unwrap()),
        );
        match page.json().get("next_cursor").and_then(serde_json::Value::as_str) {
            Some(cursor) => path = format!("/v1/journal?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    let expected: Vec<i64> = (2..=seqs.last().copied().unwrap()).collect();
    assert_eq!(seqs, expected);
    assert!(seqs.len() >= 3);
    let both = format!("{path}&after=1");
    assert_eq!(app.get(&both).bearer(&client).expect(400).await.faults(), ["after conflict"]);
    assert_eq!(app.get("/v1/journal?after=-1").bearer(&client).expect(400).await.faults(), ["after range"]);
}

#[testkit::both_engines]
async fn the_latest_entries_of_a_record_come_first(app: TestApp) {
    let client = app.client().await;
    for title in ["a", "b"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "c"})).expect(200).await;
    let kinds = async |query: &str| {
        let answer = app.get(&format!("/v1/journal?{query}")).bearer(&client).expect(200).await;
        let rows = answer.json()["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let of_first = "subject_kind=incident&subject_id=INC-0001";
    assert_eq!(kinds(of_first).await, ["incident.created", "incident.updated"]);
    assert_eq!(kinds(&format!("{of_first}&sort=-seq")).await, ["incident.updated", "incident.created"]);
    // A client is an actor, but no person.
    assert_eq!(kinds("kind=incident.created&actor=me").await, ["incident.created"; 2]);
    for (query, fault) in [
        ("sort=-seq&after=1", "after conflict"),
        ("kind=incident.create", "kind enum"),
        ("subject_kind=incidents", "subject_kind enum"),
        ("from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "to range"),
    ] {
        let answer = app.get(&format!("/v1/journal?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), [fault], "{query}");
    }
    let answer = app.get("/v1/risks?owner=me").bearer(&client).expect(400).await;
    assert_eq!(answer.faults(), ["owner not_a_person"]);
}

#[testkit::both_engines]
async fn an_entry_that_names_an_incident_that_the_caller_does_not_see_is_shown_without_payload(app: TestApp) {
    let (ada, eve) = (app.person("Ada", Role::Admin).await, app.person("Eve", Role::Auditor).await);
    for _ in 0..2 {
        app.post("/v1/incidents").bearer(&ada).expect(201).await;
    }
    let duplicate = json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": "INC-0001"});
    app.post("/v1/incidents/INC-0002/transitions").bearer(&ada).json(duplicate).expect(200).await;
    let path = "/v1/journal?subject_id=INC-0002&sort=-seq&limit=1";
    let seen = app.get(path).bearer(&eve).expect(200).await.json()["data"][0].clone();
    assert!(seen["payload"].as_str().unwrap().contains(r#""duplicate_of":[null,1]"#), "{seen}");
    app.patch("/v1/incidents/INC-0001").bearer(&ada).json(json!({"restricted": true})).expect(200).await;
    let hidden = app.get(path).bearer(&eve).expect(200).await.json()["data"][0].clone();
    assert_eq!((&hidden["payload"], &hidden["salt"]), (&json!(null), &json!(null)));
    for member in ["seq", "kind", "subject", "payload_hash", "hash"] {
        assert_eq!(hidden[member], seen[member], "{member}");
    }
    assert_eq!(app.get(path).bearer(&ada).expect(200).await.json()["data"][0], seen);
}
