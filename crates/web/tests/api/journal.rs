//! `/v1/journal`

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
