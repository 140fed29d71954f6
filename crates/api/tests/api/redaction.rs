//! `POST /v1/incidents/{id}/redact`: a text is taken out for good.

use domain::{OrgId, Role};
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

use crate::api::undo::{request_id, undo};

const SECRET: &str = "hunter2 \"zyzzyva\"";

async fn incident(app: &TestApp, client: &TestClient, description: &str) -> String {
    let body = json!({"title": "Phishing", "description": description});
    let made = app.post("/v1/incidents").bearer(client).json(body).expect(201).await;
    format!("/v1/incidents/{}", made.text("id"))
}

async fn redact(app: &TestApp, client: &TestClient, path: &str, body: Value) -> Answer {
    app.db.clock.advance_seconds(60);
    app.post(&format!("{path}/redact")).bearer(client).json(body).await
}

async fn verify(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    for chain in [OrgId::INSTANCE, app.organization] {
        let report = store::verify::verify(&mut tx, chain, None).await.unwrap();
        assert_eq!(report.faults, []);
    }
}

/// Every text in every table that has the text.
async fn tables_with(app: &TestApp, text: &str) -> Vec<&'static str> {
    let tables = [
        ("incident", "description"),
        ("incident", "title"),
        ("incident", "status_reason"),
        ("incident_history", "description"),
        ("incident_history", "title"),
        ("incident_history", "status_reason"),
        ("journal_entry", "payload"),
    ];
    let mut found = Vec::new();
    let mut tx = app.db.read().await.unwrap();
    for (table, column) in tables {
        let sql = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
        let rows: Vec<(String,)> = tx.query(&sql, &[]).await.unwrap();
        // In a payload it is escaped.
        let escaped = json!(text).to_string();
        let escaped = escaped.trim_matches('"');
        if rows.iter().any(|(value,)| value.contains(text) || value.contains(escaped)) {
            found.push(table);
        }
    }
    found
}

#[testkit::both_engines]
async fn a_text_is_gone_from_the_present_the_past_and_the_journal(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, &format!("It is {SECRET}.")).await;
    let patch = json!({"description": format!("It was {SECRET}, twice: {SECRET}"), "title": "Phishing wave"});
    app.patch(&path).bearer(&client).json(patch).expect(200).await;
    let take = json!({"to": "investigating", "reason": format!("{SECRET}!")});
    app.post(&format!("{path}/transitions")).bearer(&client).json(take).expect(200).await;
    app.patch(&path).bearer(&client).json(json!({"description": "Clean."})).expect(200).await;
    assert_eq!(
        tables_with(&app, SECRET).await,
        ["incident", "incident_history", "incident_history", "journal_entry"]
    );

    let body = json!({"text": SECRET, "reason": "A password was pasted."});
    let left = redact(&app, &client, &path, body.clone()).await;
    assert_eq!((left.status, left.text("description")), (200, "Clean."));
    assert_eq!((left.text("status_reason"), &left.json()["version"]), ("[redacted]!", &json!(5)));
    assert_eq!(tables_with(&app, SECRET).await, [""; 0]);
    verify(&app).await;

    let earlier = app
        .get(&format!("{path}?as_of_seq={}", seq_of(&app, &client, 3).await))
        .bearer(&client)
        .expect(200)
        .await;
    assert_eq!(earlier.text("description"), "It was [redacted], twice: [redacted]");
    let list = app.get(&format!("{path}/timeline?sort=at")).bearer(&client).expect(200).await;
    let texts: Vec<_> = list.json()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["text"].as_str().unwrap().to_owned())
        .collect();
    let without_name: Vec<_> = texts.iter().map(|text| text.split_once(' ').unwrap().1).collect();
    assert_eq!(
        without_name,
        [
            "declared the incident “Phishing”",
            "changed the title from “Phishing” to “Phishing wave” and changed the description",
            "changed the status from New to Investigating: [redacted]!",
            "changed the description",
            "redacted a text in every place: A password was pasted.",
        ]
    );

    let again = redact(&app, &client, &path, body).await;
    assert_eq!((again.status, again.faults()), (422, vec!["#/text nothing_to_redact".to_owned()]));
}

/// The number of the n-th entry about incidents.
async fn seq_of(app: &TestApp, client: &TestClient, place: usize) -> i64 {
    let list = app.get("/v1/journal?subject_kind=incident").bearer(client).expect(200).await;
    list.json()["data"][place - 1]["seq"].as_i64().unwrap()
}

#[testkit::both_engines]
async fn a_field_is_redacted_as_a_whole(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "Ada Lovelace, born in 1815").await;
    let patch = json!({"description": "Ada Lovelace", "source": "Ada Lovelace"});
    app.patch(&path).bearer(&client).json(patch).expect(200).await;
    let body = json!({"target": {"type": "incident", "field": "description"}, "reason": "Personal data."});
    let left = redact(&app, &client, &path, body.clone()).await;
    assert_eq!((left.text("description"), left.text("source")), ("[redacted]", "Ada Lovelace"));
    assert_eq!(tables_with(&app, "born in 1815").await, [""; 0]);
    verify(&app).await;
    let list = app.get(&format!("{path}/timeline?limit=1")).bearer(&client).expect(200).await;
    assert!(list.text("/data/0/text").ends_with(" redacted the description: Personal data."));
    let again = redact(&app, &client, &path, body).await;
    assert_eq!(again.faults(), ["#/target nothing_to_redact"]);
    // The text in one field only.
    let body = json!({"target": {"type": "incident", "field": "source"}, "text": "Lovelace", "reason": "r"});
    assert_eq!(redact(&app, &client, &path, body).await.text("source"), "Ada [redacted]");
    verify(&app).await;
}

/// The entry about a redaction says again what others told; a later one finds a text there too.
#[testkit::both_engines]
async fn a_redaction_of_what_a_redaction_left_verifies(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "alpha-secret and beta-secret").await;
    app.patch(&path)
        .bearer(&client)
        .json(json!({"description": "beta-secret and alpha-secret"}))
        .expect(200)
        .await;
    for text in ["alpha-secret", "beta-secret"] {
        let reason = format!("It had {}.", if text == "alpha-secret" { "beta-secret" } else { "one" });
        assert_eq!(redact(&app, &client, &path, json!({"text": text, "reason": reason})).await.status, 200);
        assert_eq!(tables_with(&app, text).await, [""; 0]);
        verify(&app).await;
    }
    let left = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(left.text("description"), "[redacted] and [redacted]");
}

/// Each redaction erases the entry about the one before and says again what that said.
#[testkit::both_engines]
async fn many_texts_of_one_entry_are_redacted_one_after_the_other(app: TestApp) {
    let client = app.client().await;
    let name = |number: usize| format!("name-{number:02}.");
    let names: Vec<String> = (0..40).map(name).collect();
    let path = incident(&app, &client, &names.concat()).await;
    let mut sizes = Vec::new();
    for name in &names {
        let body = json!({"text": name, "reason": "A name."});
        app.post(&format!("{path}/redact")).bearer(&client).json(body).expect(200).await;
        assert_eq!(tables_with(&app, name).await, [""; 0], "{name}");
        let head =
            app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].as_i64().unwrap();
        let list = app.get(&format!("/v1/journal?after={}", head - 1)).bearer(&client).expect(200).await;
        sizes.push(list.text("/data/0/payload").len());
    }
    verify(&app).await;
    // One more entry is told again.
    assert!(sizes.windows(2).all(|pair| pair[1] < pair[0] + 150), "{sizes:?}");
}

#[testkit::both_engines]
async fn neither_an_undo_nor_a_repetition_nor_an_old_form_brings_it_back(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "").await;
    let body = json!({"description": format!("It is {SECRET}.")});
    let keyed = |key: &str| app.patch(&path).bearer(&client).idempotency_key(key).json(body.clone());
    let written = keyed("k").expect(200).await;
    let form = written.header("etag").unwrap().to_owned();
    let cleaned = app.patch(&path).bearer(&client).json(json!({"description": "Clean."})).expect(200).await;
    let redaction = json!({"text": SECRET, "reason": "A password was pasted."});
    let redacted = redact(&app, &client, &path, redaction).await;
    for request in [&written, &cleaned, &redacted] {
        let undone = undo(&app, &client, request_id(request)).await;
        assert_eq!(undone.json()["undone_count"], 0, "{}", undone.json());
    }
    let undone = undo(&app, &client, request_id(&redacted)).await;
    assert_eq!(undone.text("/results/0/reason"), "What was redacted is gone for good.");
    let repeated = keyed("k").expect(409).await;
    assert_eq!(repeated.text("code"), "response_not_kept");
    let saved = app.patch(&path).bearer(&client).header("if-match", &form).json(body.clone());
    assert_eq!(saved.expect(412).await.text("code"), "precondition_failed");
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.text("description"), "Clean.");
}

/// They are stored as one text that is not the one of the response.
#[testkit::both_engines]
async fn redacted_actions_of_a_review_are_in_no_stored_response(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "").await;
    let body = json!({"actions": [{"title": SECRET}]});
    let write =
        || app.patch(&format!("{path}/review")).bearer(&client).idempotency_key("k").json(body.clone());
    write().expect(200).await;
    let target = json!({"type": "review", "number": 1, "field": "actions"});
    let left = redact(&app, &client, &path, json!({"target": target, "reason": "A password."})).await;
    assert_eq!(left.status, 200);
    assert_eq!(write().expect(409).await.text("code"), "response_not_kept");
    let mut tx = app.db.read().await.unwrap();
    let kept: Vec<(Option<Vec<u8>>,)> = tx.query("SELECT body FROM idempotency_key", &[]).await.unwrap();
    assert_eq!(kept, [(None,)]);
}

#[testkit::both_engines]
async fn what_is_wrong_is_told_at_once(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "abc").await;
    let faults = async |body: Value| redact(&app, &client, &path, body).await.faults();
    assert_eq!(faults(json!({})).await, ["#/reason required", "#/text required"]);
    assert_eq!(faults(json!({"text": "abc", "reason": " "})).await, ["#/text too_short", "#/reason blank"]);
    let same = json!({"text": "hunter2", "reason": "It was hunter2."});
    assert_eq!(faults(same).await, ["#/reason format"]);
    let target =
        json!({"target": {"type": "incident", "field": "status", "number": 1}, "reason": "r", "txt": 1});
    assert_eq!(
        faults(target).await,
        ["#/target/field enum", "#/target/number unknown_field", "#/txt unknown_field"]
    );
    assert_eq!(
        faults(json!({"target": {"type": "incident"}, "reason": "r"})).await,
        ["#/target/field required"]
    );
    assert_eq!(faults(json!({"text": "nowhere", "reason": "r"})).await, ["#/text nothing_to_redact"]);
    let ben = app.person("Ben", Role::Responder).await;
    let body = json!({"text": "abcd", "reason": "r"});
    let refused = app.post(&format!("{path}/redact")).bearer(&ben).json(body).expect(403).await;
    assert_eq!(refused.text("code"), "insufficient_scope");
}

#[testkit::both_engines]
async fn what_people_wrote_is_redacted_with_its_revisions(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "").await;
    let write = async |under: &str, body: Value| {
        app.post(&format!("{path}/{under}")).bearer(&client).json(body).expect(201).await;
    };
    write("notes", json!({"kind": "comment", "text": format!("Try {SECRET}.")})).await;
    write("notes", json!({"kind": "action", "text": format!("{SECRET} was changed.")})).await;
    write("tasks", json!({"title": "Change it", "notes": format!("Not {SECRET} again.")})).await;
    let comment = format!("{path}/notes/1");
    app.patch(&comment).bearer(&client).json(json!({"text": "Never mind."})).expect(200).await;
    let target = json!({"target": {"type": "note", "number": 1}, "text": SECRET, "reason": "A password."});
    assert_eq!(redact(&app, &client, &path, target.clone()).await.status, 200);
    let revisions = app.get(&format!("{comment}/revisions")).bearer(&client).expect(200).await;
    assert_eq!(revisions.text("/data/0/text"), "Try [redacted].");
    let entry = app.get(&format!("{path}/notes/2")).bearer(&client).expect(200).await;
    assert_eq!(entry.text("text"), format!("{SECRET} was changed."));
    verify(&app).await;
    let again = redact(&app, &client, &path, target).await;
    assert_eq!(again.faults(), ["#/text nothing_to_redact"]);
    let all = json!({"text": SECRET, "reason": "A password."});
    assert_eq!(redact(&app, &client, &path, all).await.status, 200);
    for (read, member, text) in
        [("notes/2", "text", "[redacted] was changed."), ("tasks/1", "notes", "Not [redacted] again.")]
    {
        let left = app.get(&format!("{path}/{read}")).bearer(&client).expect(200).await;
        assert_eq!(left.text(member), text);
    }
    assert_eq!(tables_with(&app, SECRET).await, [""; 0]);
    verify(&app).await;
    let list = app.get(&format!("{path}/timeline")).bearer(&client).expect(200).await;
    assert!(!String::from_utf8_lossy(&list.bytes).contains("zyzzyva"));
}

/// A form that was opened before still shows the text; saving it is refused.
#[testkit::both_engines]
async fn an_old_form_of_a_part_does_not_bring_it_back(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "").await;
    let write = async |under: &str, body: Value| {
        app.post(&format!("{path}/{under}")).bearer(&client).json(body).expect(201).await;
    };
    write("notes", json!({"kind": "comment", "text": SECRET})).await;
    write("notes", json!({"kind": "comment", "text": "Fine."})).await;
    write("notes", json!({"kind": "action", "text": SECRET})).await;
    write("tasks", json!({"title": SECRET})).await;
    let review = format!("{path}/review");
    let published = json!({"summary": SECRET, "root_cause": "None.", "state": "published"});
    app.patch(&review).bearer(&client).json(published).expect(200).await;
    app.patch(&review).bearer(&client).json(json!({"state": "draft"})).expect(200).await;
    let parts = [("notes/1", "text"), ("notes/3", "text"), ("tasks/1", "title"), ("review", "summary")];
    let etag = async |part: &str| {
        let read = app.get(&format!("{path}/{part}")).bearer(&client).expect(200).await;
        read.header("etag").unwrap().to_owned()
    };
    let mut forms = Vec::new();
    for (part, _) in parts {
        forms.push(etag(part).await);
    }
    let untouched = etag("notes/2").await;
    let all = json!({"text": SECRET, "reason": "A password."});
    assert_eq!(redact(&app, &client, &path, all).await.status, 200);
    assert_eq!(etag("notes/2").await, untouched);
    for ((part, member), form) in parts.into_iter().zip(forms) {
        let path = format!("{path}/{part}");
        let save = |form: &str| {
            app.patch(&path).bearer(&client).header("if-match", form).json(json!({member: SECRET}))
        };
        assert_eq!(save(&form).expect(412).await.text("code"), "precondition_failed", "{part}");
        let left = app.get(&path).bearer(&client).expect(200).await;
        assert_eq!(left.text(member), "[redacted]");
        save(left.header("etag").unwrap()).expect(200).await;
    }
    let revisions = app.get(&format!("{path}/notes/1/revisions")).bearer(&client).expect(200).await;
    assert_eq!(revisions.json()["data"].as_array().unwrap().len(), 2, "a redaction is no revision");
    verify(&app).await;
    // The entry about the first redaction is erased too, and says again which parts it was about.
    let all = json!({"text": "A password", "reason": "Twice."});
    assert_eq!(redact(&app, &client, &path, all).await.status, 200);
    let all = json!({"text": SECRET, "reason": "Again."});
    assert_eq!(redact(&app, &client, &path, all).await.status, 200);
    assert_eq!(tables_with(&app, SECRET).await, [""; 0]);
    verify(&app).await;
}
