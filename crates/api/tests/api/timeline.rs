//! `GET /v1/incidents/{id}/timeline`: what happened to an incident, in sentences for people.

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

/// Sends a change of an incident a minute after the one before.
async fn change(app: &TestApp, caller: &str, path: &str, under: &str, body: Value) {
    app.db.clock.advance_seconds(60);
    let path = format!("{path}{under}");
    let request = if under.is_empty() {
        app.patch(&path)
    } else if under == "/severity" {
        app.put(&path)
    } else {
        app.post(&path)
    };
    request.bearer(caller).json(body).expect(200).await;
}

async fn declared(app: &TestApp, caller: &str, title: &str) -> String {
    let body = json!({"title": title, "description": "Many mails."});
    let made = app.post("/v1/incidents").bearer(caller).json(body).expect(201).await;
    format!("/v1/incidents/{}", made.text("id"))
}

/// The sentences, in the order of the answer.
async fn texts(app: &TestApp, caller: &str, path: &str) -> Vec<String> {
    let list = app.get(path).bearer(caller).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
}

#[testkit::both_engines]
async fn the_timeline_tells_the_life_of_an_incident(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Responder).await);
    let (ada, ben_id) = (ada.as_ref(), ben.id.to_string());
    let path = declared(&app, ada, "Phishing wave").await;
    let severity = json!({"severity": "high", "reason": "The whole finance team got it."});
    change(&app, ada, &path, "/severity", severity).await;
    let take = json!({"to": "investigating", "assigned_to": ben_id});
    change(&app, ben.as_ref(), &path, "/transitions", take).await;
    change(&app, ben.as_ref(), &path, "", json!({"title": "Phishing wave in March", "description": "More."}))
        .await;
    let hold = json!({"hold": {"until": "2026-09-05T09:00:00Z", "reason": "The provider looks into it."}});
    change(&app, ben.as_ref(), &path, "", hold).await;
    let resolved = json!({"to": "resolved", "resolution_reason": "fixed", "resolution_summary": "Blocked."});
    change(&app, ben.as_ref(), &path, "/transitions", resolved).await;
    let closed = json!({"to": "closed", "override": true, "reason": "The board has decided."});
    change(&app, ada, &path, "/transitions", closed).await;
    let reopened = json!({"to": "investigating", "reason": "The mails came back."});
    change(&app, ada, &path, "/transitions", reopened).await;
    let restricted = json!({"restricted": true, "readers": [ben_id]});
    change(&app, ada, &path, "", restricted).await;
    let told = [
        "Ada declared the incident “Phishing wave”",
        "Ada set the severity to High: The whole finance team got it.",
        "Ben changed the status from New to Investigating and assigned the incident to themselves",
        "Ben changed the title from “Phishing wave” to “Phishing wave in March” and changed the description",
        "Ben put the incident on hold until 5 September 2026, 09:00 UTC: The provider looks into it.",
        "Ben resolved the incident as fixed, resumed the incident and added the resolution summary",
        "Ada closed the incident although no review was published: The board has decided.",
        "Ada reopened the incident as Investigating: The mails came back.",
        "Ada restricted the incident to Ben",
    ];
    let timeline = format!("{path}/timeline");
    assert_eq!(texts(&app, ada, &format!("{timeline}?sort=at")).await, told);
    let mut latest_first = told;
    latest_first.reverse();
    assert_eq!(texts(&app, ben.as_ref(), &timeline).await, latest_first);
    let berlin = texts(&app, ada, &format!("{timeline}?sort=at&time_zone=europe/berlin")).await;
    assert!(berlin[4].contains("until 5 September 2026, 11:00 CEST:"), "{}", berlin[4]);
}

#[testkit::both_engines]
async fn an_item_has_its_changes_beside_the_sentence(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let path = declared(&app, ada.as_ref(), "Fire").await;
    change(&app, ada.as_ref(), &path, "/transitions", json!({"to": "contained"})).await;
    let list = app.get(&format!("{path}/timeline?limit=1")).bearer(&ada).expect(200).await;
    let mut item = list.json()["data"][0].clone();
    assert_eq!(item["actor"], json!({"type": "user", "id": ada.id.to_string(), "name": "Ada"}));
    assert_eq!(item["text"], "Ada changed the status from New to Contained");
    assert_eq!(item["kind"], "incident.status_changed");
    let changes = item["changes"].take();
    let shown: Vec<_> = changes.as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(shown, ["Status", "Contained at", "Status since"]);
    assert_eq!(changes[0], json!({"field": "status", "label": "Status", "from": "New", "to": "Contained"}));
    assert_eq!(list.json()["has_more"], true);
}

#[testkit::both_engines]
async fn names_are_those_of_today_and_an_incident_that_is_not_seen_has_none(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Responder).await);
    let path = declared(&app, ada.as_ref(), "Once more").await;
    let original = declared(&app, ada.as_ref(), "Insider").await;
    let id = original.rsplit('/').next().unwrap().to_owned();
    let dismissed = json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": id});
    change(&app, ada.as_ref(), &path, "/transitions", dismissed).await;
    let name = json!({"name": "Ada Lovelace"});
    let admin = app.client_of(app.organization, "users:admin users:read").await;
    let _ = app.patch(&format!("/v1/users/{}", ada.id)).bearer(&admin).json(name).await;
    let timeline = format!("{path}/timeline");
    let seen = texts(&app, ben.as_ref(), &timeline).await;
    assert!(seen[0].ends_with(&format!(" dismissed the incident as a duplicate of {id}")), "{}", seen[0]);
    change(&app, ada.as_ref(), &original, "", json!({"restricted": true})).await;
    let seen = texts(&app, ben.as_ref(), &timeline).await;
    assert!(seen[0].ends_with(" dismissed the incident as a duplicate of another incident"), "{}", seen[0]);
    let answer = app.get(&timeline).bearer(&ben).expect(200).await;
    assert!(!String::from_utf8_lossy(&answer.bytes).contains(&id));
}

#[testkit::both_engines]
async fn a_wrong_parameter_is_named(app: TestApp) {
    let client = app.client().await;
    let path = declared(&app, client.as_ref(), "Fire").await;
    let wrong = format!("{path}/timeline?time_zone=Mars&sort=number&cursor=x");
    let answer = app.get(&wrong).bearer(&client).expect(400).await;
    assert_eq!(answer.faults(), ["cursor cursor", "time_zone format", "sort enum"]);
    let answer = app.get("/v1/incidents/INC-9999/timeline").bearer(&client).expect(404).await;
    assert_eq!(answer.text("title"), "Incident not found");
}

#[testkit::both_engines]
async fn what_people_wrote_stands_in_the_timeline(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let path = declared(&app, ada.as_ref(), "Fire").await;
    let write = async |body: Value| {
        app.db.clock.advance_seconds(60);
        let made = app.post(&format!("{path}/notes")).bearer(&ada).json(body).expect(201).await;
        format!("{path}/notes/{}", made.json()["number"])
    };
    let comment = write(json!({"kind": "comment", "text": "Who calls the vendor?"})).await;
    let entry = json!({"kind": "detection", "text": "Smoke.", "at": "2026-02-01T09:00:00Z", "pinned": true});
    let entry = write(entry).await;
    for pinned in [false, true] {
        // It is no item of its own.
        app.patch(&entry).bearer(&ada).json(json!({"pinned": pinned})).expect(200).await;
    }
    let gone = write(json!({"kind": "comment", "text": "Never mind."})).await;
    app.patch(&comment).bearer(&ada).json(json!({"text": "Ben calls the vendor."})).expect(200).await;
    app.delete(&gone).bearer(&ada).expect(204).await;
    let timeline = format!("{path}/timeline");
    let first = ["Smoke.", "Ada declared the incident “Fire”", "Ben calls the vendor.", "Ada deleted note 3"];
    assert_eq!(texts(&app, ada.as_ref(), &format!("{timeline}?sort=at")).await, first);
    let list = app.get(&format!("{timeline}?include_total=true")).bearer(&ada).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap();
    assert_eq!(list.json()["total"], 4);
    let types: Vec<_> = rows.iter().map(|row| row["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["change", "note", "change", "note"]);
    assert!(rows[1]["edited_date"].is_string() && rows[1]["kind"] == "comment");
    assert_eq!(
        (&rows[3]["kind"], &rows[3]["pinned"], &rows[3]["number"]),
        (&json!("detection"), &json!(true), &json!(2))
    );
    // Page by page it is the same.
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("{timeline}?limit=1{cursor}")).bearer(&ada).expect(200).await;
        pages.push(page.text("/data/0/text").to_owned());
        match page.json()["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    pages.reverse();
    assert_eq!(pages, first);
    let only = texts(&app, ada.as_ref(), &format!("{timeline}?type=note")).await;
    assert_eq!(only, ["Ben calls the vendor.", "Smoke."]);
}

#[testkit::both_engines]
async fn tags_and_tasks_are_called_by_their_names(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let path = declared(&app, ada.as_ref(), "Fire").await;
    let tag = app.post("/v1/tags").bearer(&ada).json(json!({"name": "phishing"})).expect(201).await;
    let body = json!({"tag_id": tag.text("id")});
    app.post(&format!("{path}/tags")).bearer(&ada).json(body).expect(201).await;
    let task = json!({"title": "Reset the passwords", "mandatory": true});
    app.post(&format!("{path}/tasks")).bearer(&ada).json(task).expect(201).await;
    app.patch(&format!("{path}/tasks/1")).bearer(&ada).json(json!({"status": "done"})).expect(200).await;
    let told = [
        "Ada marked the task “Reset the passwords” as done",
        "Ada added the mandatory task “Reset the passwords”",
        "Ada added the tag “phishing”",
        "Ada declared the incident “Fire”",
    ];
    assert_eq!(texts(&app, ada.as_ref(), &format!("{path}/timeline")).await, told);
}
