//! `/v1/incidents/{id}/notes`: the notes that speak of a time, and the order and filters of lists.

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::api::notes::{incident, note, problem, rows, texts};

#[testkit::both_engines]
async fn a_note_speaks_of_a_time_and_is_written_at_another(app: TestApp) {
    let incident = incident(&app).await;
    let ada = app.person("Ada", Role::Responder).await;
    let body = json!({"kind": "action", "text": "The sender is blocked.", "at": "2026-03-01T09:00:00+01:00", "pinned": true});
    let made = app.post(&format!("{incident}/notes")).bearer(&ada).json(body).expect(201).await;
    assert_eq!(made.header("location"), Some(format!("{incident}/notes/1").as_str()));
    let at = made.text("created_date");
    let expected = json!({
        "number": 1, "incident": "INC-0001", "kind": "action", "text": "The sender is blocked.",
        "at": "2026-03-01T08:00:00.000000Z", "pinned": true, "mentions": [],
        "author": {"type": "user", "id": ada.id, "name": "Ada"},
        "created_date": at, "edited_date": null, "edited_by": null, "revision_count": 1, "updated_date": at,
        "version": 1, "warnings": [],
    });
    assert_eq!(made.json(), &expected);
    let read = app.get(&format!("{incident}/notes/1")).bearer(&ada).expect(200).await;
    assert_eq!((read.json(), read.header("etag")), (made.json(), made.header("etag")));
    let now = note(&app, &ada, &incident, json!({"kind": "detection", "text": "Now."})).await;
    let now = app.get(&now).bearer(&ada).expect(200).await;
    assert_eq!((now.text("at"), &now.json()["pinned"]), (now.text("created_date"), &json!(false)));
}

#[testkit::both_engines]
async fn a_wrong_note_is_refused_with_every_fault(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let path = format!("{incident}/notes");
    let post = async |body: Value| app.post(&path).bearer(&client).json(body).expect(422).await;
    assert_eq!(post(json!({})).await.faults(), ["#/kind required", "#/text required"]);
    let wrong = json!({"kind": "fact", "text": "", "at": "9999-01-01T00:00:00Z", "pinned": 1, "number": 7});
    let faults =
        ["#/kind enum", "#/text blank", "#/pinned type", "#/at date_in_future", "#/number read_only"];
    assert_eq!(post(wrong).await.faults(), faults);
    let kinds = "Kind must be comment, detection, action, observation, decision, communication or evidence.";
    assert_eq!(post(json!({"kind": "fact", "text": "x"})).await.text("detail"), kinds);
    let ahead = app.db.clock.now() + jiff::SignedDuration::from_mins(6);
    let refused = post(json!({"kind": "action", "text": "x", "at": ahead.to_string()})).await;
    assert!(refused.text("detail").starts_with("At must not be in the future; it is "), "{}", refused.json());
    let ahead = app.db.clock.now() + jiff::SignedDuration::from_mins(4);
    let body = json!({"kind": "action", "text": "x", "at": ahead.to_string()});
    app.post(&path).bearer(&client).json(body).expect(201).await;
    let patch = json!({"kind": null, "at": "9999-01-01T00:00:00Z", "pinned": "yes"});
    let patch = app.patch(&format!("{path}/1")).bearer(&client).json(patch).expect(422).await;
    assert_eq!(patch.faults(), ["#/kind required", "#/pinned type", "#/at date_in_future"]);
}

#[testkit::both_engines]
async fn notes_are_listed_by_the_time_that_they_speak_of(app: TestApp) {
    let incident = incident(&app).await;
    let ada = app.person("Ada", Role::Responder).await;
    for (kind, text, hour, pinned) in [
        ("observation", "Second.", 9, false),
        ("detection", "First.", 8, true),
        ("decision", "Third.", 10, true),
        ("decision", "Also second.", 9, false),
    ] {
        let at = format!("2026-02-28T{hour:02}:00:00Z");
        note(&app, &ada, &incident, json!({"kind": kind, "text": text, "at": at, "pinned": pinned})).await;
    }
    let list = async |query: &str| rows(&app, &ada, &format!("{incident}/notes{query}")).await;
    assert_eq!(texts(&list("").await), ["First.", "Second.", "Also second.", "Third."]);
    assert_eq!(texts(&list("?sort=-at").await), ["Third.", "Also second.", "Second.", "First."]);
    assert_eq!(texts(&list("?sort=created_date").await), ["Second.", "First.", "Third.", "Also second."]);
    assert_eq!(texts(&list("?kind=decision&kind=detection").await), ["First.", "Also second.", "Third."]);
    assert_eq!(texts(&list("?pinned=true").await), ["First.", "Third."]);
    assert_eq!(texts(&list("?pinned=false&kind=decision").await), ["Also second."]);
    let wrong = app.get(&format!("{incident}/notes?pinned=yes&kind=fact&pined=1")).bearer(&ada);
    assert_eq!(wrong.expect(400).await.faults(), ["kind enum", "pinned format", "pined unknown"]);
}

#[testkit::both_engines]
async fn everybody_who_changes_the_incident_pins_and_only_the_author_edits(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, ben) = (app.person("Ada", Role::Responder).await, app.person("Ben", Role::Responder).await);
    let vera = app.person("Vera", Role::Viewer).await;
    let path = note(&app, &ada, &incident, json!({"kind": "evidence", "text": "A dump."})).await;
    let pinned = app.patch(&path).bearer(&ben).json(json!({"pinned": true})).expect(200).await;
    assert_eq!((&pinned.json()["pinned"], &pinned.json()["version"]), (&json!(true), &json!(2)));
    assert_eq!((&pinned.json()["edited_date"], &pinned.json()["revision_count"]), (&Value::Null, &json!(1)));
    let refused = app.patch(&path).bearer(&ben).json(json!({"pinned": false, "kind": "action"})).await;
    assert_eq!((refused.status, refused.text("scope")), (403, "incidents:delete"));
    let refused = app.patch(&path).bearer(&vera).json(json!({"pinned": false})).await;
    assert_eq!((refused.status, refused.text("scope")), (403, "incidents:write"));
    let moved = json!({"at": "2026-03-01T07:00:00Z", "kind": "observation"});
    let edited = app.patch(&path).bearer(&ada).json(moved).expect(200).await;
    assert_eq!((edited.text("kind"), &edited.json()["pinned"]), ("observation", &json!(true)));
    let revisions = rows(&app, &vera, &format!("{path}/revisions")).await;
    let told = revisions.iter().map(|it| ["kind", "at", "text"].map(|name| it[name].as_str().unwrap()));
    let told: Vec<_> = told.collect();
    assert_eq!(told[0], ["evidence", pinned.text("at"), "A dump."]);
    assert_eq!(told[1..], [["observation", "2026-03-01T07:00:00.000000Z", "A dump."]]);
}

#[testkit::both_engines]
async fn a_deleted_note_is_absent_and_comes_back_as_it_was(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, olga) = (app.person("Ada", Role::Responder).await, app.person("Olga", Role::Owner).await);
    let list = format!("{incident}/notes");
    let path =
        note(&app, &ada, &incident, json!({"kind": "decision", "text": "Wait.", "pinned": true})).await;
    let stale = app.delete(&path).bearer(&ada).header("if-match", "\"v7\"").await;
    assert_eq!((stale.status, stale.text("code")), (412, "precondition_failed"));
    app.delete(&path).bearer(&ada).expect(204).await;
    let gone = app.get(&path).bearer(&ada).await;
    assert_eq!(
        problem(&gone),
        json!({
            "type": "/docs/errors#not_found",
            "title": "Note not found",
            "status": 404,
            "detail": "There is none with this id in your organization.",
            "instance": path,
            "code": "not_found",
        })
    );
    assert_eq!(rows(&app, &olga, &list).await, [Value::Null; 0]);
    assert_eq!(texts(&rows(&app, &olga, &format!("{list}?deleted=only&pinned=true")).await), ["Wait."]);
    let back = app.post(&format!("{path}/restore")).bearer(&olga).expect(200).await;
    assert_eq!((back.text("text"), &back.json()["pinned"]), ("Wait.", &json!(true)));
    assert_eq!(rows(&app, &ada, &list).await, [back.json().clone()]);
}

#[testkit::both_engines]
async fn notes_are_read_as_they_were(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let ada = app.person("Ada", Role::Owner).await;
    let list = format!("{incident}/notes");
    let mut seen = Vec::new();
    let mut look = async || {
        let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
        let pinned = rows(&app, &ada, &format!("{list}?pinned=true&sort=-at")).await;
        seen.push((seq, rows(&app, &ada, &list).await, pinned));
    };
    let first = note(&app, &ada, &incident, json!({"kind": "action", "text": "One.", "pinned": true})).await;
    look().await;
    let early = json!({"kind": "action", "text": "Two.", "at": "2020-01-01T00:00:00Z"});
    note(&app, &ada, &incident, early).await;
    look().await;
    for patch in [json!({"pinned": false}), json!({"at": "2019-01-01T00:00:00Z"}), json!({"text": "One!"})] {
        app.patch(&first).bearer(&ada).json(patch).expect(200).await;
        look().await;
    }
    app.delete(&first).bearer(&ada).expect(204).await;
    look().await;
    for (seq, all, pinned) in seen {
        for (query, expected) in [("", &all), ("&pinned=true&sort=-at", &pinned)] {
            let path = format!("{list}?as_of_seq={seq}{query}");
            assert_eq!(&rows(&app, &ada, &path).await, expected, "{path}");
        }
    }
}

#[testkit::both_engines]
async fn a_reader_sees_the_notes_of_a_restricted_incident_and_nobody_else(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let (rita, ben) = (app.person("Rita", Role::Responder).await, app.person("Ben", Role::Owner).await);
    let path = note(&app, &ben, &incident, json!({"kind": "evidence", "text": "Payroll."})).await;
    let patch = json!({"restricted": true, "readers": [rita.id]});
    app.patch(&incident).bearer(&client).json(patch).expect(200).await;
    app.get(&path).bearer(&rita).expect(200).await;
    // Its author does not see it any more.
    for under in ["", "/revisions"] {
        let answer = app.get(&format!("{path}{under}")).bearer(&ben).expect(404).await;
        assert_eq!(answer.text("title"), "Incident not found");
    }
    app.patch(&path).bearer(&ben).json(json!({"text": "x"})).expect(404).await;
    app.delete(&path).bearer(&ben).expect(404).await;
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].as_i64().unwrap();
    let past = format!("{incident}/notes?as_of_seq={}", head - 1);
    assert_eq!(app.get(&past).bearer(&ben).expect(404).await.text("title"), "Incident not found");
    app.get(&past).bearer(&rita).expect(200).await;
}
