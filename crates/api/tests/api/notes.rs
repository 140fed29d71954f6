//! `/v1/incidents/{id}/notes`: what people write about an incident, with comments as the example.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

use crate::api::undo::{outcomes, request_id, undo};

/// The path of an incident that a client declared.
pub(crate) async fn incident(app: &TestApp) -> String {
    let client = app.client().await;
    let body = json!({"title": "Phishing", "description": ""});
    let made = app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    format!("/v1/incidents/{}", made.text("id"))
}

/// A problem without what differs from request to request.
pub(crate) fn problem(answer: &Answer) -> Value {
    let mut problem = answer.json().clone();
    problem.as_object_mut().unwrap().remove("request_id").unwrap();
    problem
}

/// The path of a new note.
pub(crate) async fn note(app: &TestApp, by: &TestPerson, incident: &str, body: Value) -> String {
    let made = app.post(&format!("{incident}/notes")).bearer(by).json(body).expect(201).await;
    made.header("location").unwrap().to_owned()
}

async fn comment(app: &TestApp, by: &TestPerson, incident: &str, text: &str) -> String {
    note(app, by, incident, json!({"kind": "comment", "text": text})).await
}

pub(crate) async fn rows(app: &TestApp, by: impl AsRef<str>, path: &str) -> Vec<Value> {
    app.get(path).bearer(by).expect(200).await.json()["data"].as_array().unwrap().clone()
}

pub(crate) fn texts(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["text"].as_str().unwrap()).collect()
}

#[testkit::both_engines]
async fn a_comment_is_written_edited_and_shown_with_whom_it_mentions(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, ben) = (app.person("Ada", Role::Responder).await, app.person("Ben", Role::Viewer).await);
    let before = app.get(&incident).bearer(&ada).expect(200).await;
    let body = json!({"kind": "comment", "text": "Did **you** click it?", "mentions": [ben.id]});
    let path = format!("{incident}/notes");
    let made = app.post(&path).bearer(&ada).json(body).expect(201).await;
    assert_eq!(made.header("location"), Some(format!("{path}/1").as_str()));
    let person = json!({"id": ben.id, "name": "Ben", "email": "ben@x.org"});
    let author = json!({"type": "user", "id": ada.id, "name": "Ada"});
    let at = made.text("created_date").to_owned();
    let expected = json!({
        "number": 1, "incident": "INC-0001", "kind": "comment", "text": "Did **you** click it?", "at": at, "pinned": false,
        "mentions": [person], "author": author,
        "created_date": at, "edited_date": null, "edited_by": null, "revision_count": 1, "updated_date": at,
        "version": 1, "warnings": [],
    });
    assert_eq!(made.json(), &expected);
    app.db.clock.advance_seconds(60);
    let patch = json!({"text": "Did you click it, and when?"});
    let edited = app.patch(&format!("{path}/1")).bearer(&ada).json(patch).expect(200).await;
    let edit = edited.text("edited_date").to_owned();
    assert!(edit > at && edited.text("updated_date") == edit);
    assert_eq!(edited.json()["edited_by"], author);
    assert_eq!(edited.json()["mentions"], json!([person]), "what is absent stays");
    assert_eq!((&edited.json()["revision_count"], &edited.json()["version"]), (&json!(2), &json!(2)));
    let read = app.get(&format!("{path}/1")).bearer(&ben).expect(200).await;
    assert_eq!(read.json(), edited.json());
    // Comments do not touch the record.
    let after = app.get(&incident).bearer(&ada).expect(200).await;
    assert_eq!(after.header("etag"), before.header("etag"));
    // Today's name.
    let rename = json!({"name": "Benjamin"});
    app.patch(&format!("/v1/users/{}", ben.id)).bearer(&app.client().await).json(rename).expect(200).await;
    let read = app.get(&format!("{path}/1")).bearer(&ben).expect(200).await;
    assert_eq!(read.text("/mentions/0/name"), "Benjamin");
}

#[testkit::both_engines]
async fn the_revisions_say_what_stood_before_who_wrote_it_and_when(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, olga) = (app.person("Ada", Role::Responder).await, app.person("Olga", Role::Owner).await);
    let path = comment(&app, &ada, &incident, "One account.").await;
    let mut written = vec![app.get(&path).bearer(&ada).await.text("created_date").to_owned()];
    for (by, body) in [
        (&ada, json!({"text": "Two accounts."})),
        (&olga, json!({"text": "Two accounts; passwords removed.", "mentions": [ada.id]})),
        (&olga, json!({"text": "Two accounts; passwords removed."})),
    ] {
        app.db.clock.advance_seconds(60);
        let edited = app.patch(&path).bearer(by).json(body).expect(200).await;
        written.push(edited.text("edited_date").to_owned());
    }
    // Deleting and restoring is no edit.
    app.delete(&path).bearer(&olga).expect(204).await;
    app.post(&format!("{path}/restore")).bearer(&olga).expect(200).await;
    let revisions = app.get(&format!("{path}/revisions?include_total=true")).bearer(&ada).expect(200).await;
    let actor = |person: &TestPerson, name: &str| json!({"type": "user", "id": person.id, "name": name});
    let mention = json!([{"id": ada.id, "name": "Ada", "email": "ada@x.org"}]);
    assert_eq!(
        revisions.json(),
        &json!({
            "data": [
                {"revision": 1, "kind": "comment", "text": "One account.", "at": written[0], "mentions": [], "written_by": actor(&ada, "Ada"),
                    "written_date": written[0]},
                {"revision": 2, "kind": "comment", "text": "Two accounts.", "at": written[0], "mentions": [], "written_by": actor(&ada, "Ada"),
                    "written_date": written[1]},
                {"revision": 3, "kind": "comment", "text": "Two accounts; passwords removed.", "at": written[0], "mentions": mention,
                    "written_by": actor(&olga, "Olga"), "written_date": written[2]},
            ],
            "has_more": false,
            "total": 3,
        })
    );
    let one = app.get(&path).bearer(&ada).expect(200).await;
    assert_eq!((&one.json()["revision_count"], &one.json()["version"]), (&json!(3), &json!(5)));
}

#[testkit::both_engines]
async fn only_its_author_and_holders_of_incidents_delete_change_a_comment(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, ben) = (app.person("Ada", Role::Responder).await, app.person("Ben", Role::Responder).await);
    let olga = app.person("Olga", Role::Owner).await;
    let path = comment(&app, &ada, &incident, "Mine.").await;
    let head = app.get(&path).bearer(&ada).await.json().clone();
    for answer in [
        app.patch(&path).bearer(&ben).json(json!({"text": "His."})).await,
        app.delete(&path).bearer(&ben).await,
    ] {
        assert_eq!(
            problem(&answer),
            json!({
                "type": "/docs/errors#insufficient_scope",
                "title": "The access token lacks a scope.",
                "status": 403,
                "detail": "This needs the scope incidents:delete.",
                "instance": path,
                "code": "insufficient_scope",
                "scope": "incidents:delete",
            })
        );
    }
    app.patch(&path).bearer(&ben).json(json!({})).expect(200).await;
    assert_eq!(app.get(&path).bearer(&ada).await.json(), &head);
    let edited = app.patch(&path).bearer(&olga).json(json!({"text": "Hers."})).expect(200).await;
    assert_eq!((edited.text("/author/name"), edited.text("/edited_by/name")), ("Ada", "Olga"));
    app.delete(&path).bearer(&ada).expect(204).await;
    let second = comment(&app, &ada, &incident, "Mine again.").await;
    assert!(second.ends_with("/notes/2"), "{second}: a number is never used twice");
    app.delete(&second).bearer(&olga).expect(204).await;
}

#[testkit::both_engines]
async fn a_deleted_comment_is_absent_but_for_those_who_delete(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, olga) = (app.person("Ada", Role::Responder).await, app.person("Olga", Role::Owner).await);
    let (list, path) = (format!("{incident}/notes"), comment(&app, &ada, &incident, "Gone.").await);
    comment(&app, &ada, &incident, "Stays.").await;
    app.db.clock.advance_seconds(60);
    app.delete(&path).bearer(&ada).header("if-match", "\"v1\"").expect(204).await;
    for (method, under) in [("GET", ""), ("GET", "/revisions"), ("PATCH", ""), ("DELETE", "")] {
        let request = app.request(method.parse().unwrap(), &format!("{path}{under}")).bearer(&ada);
        let request = if method == "PATCH" { request.json(json!({"text": "Back."})) } else { request };
        let answer = request.expect(404).await;
        assert_eq!(answer.text("title"), "Note not found", "{method} {under}");
    }
    assert_eq!(texts(&rows(&app, &ada, &list).await), ["Stays."]);
    let refused = app.get(&format!("{list}?deleted=with")).bearer(&ada).expect(403).await;
    assert_eq!(refused.text("scope"), "incidents:delete");
    app.post(&format!("{path}/restore")).bearer(&ada).expect(403).await;
    let gone = rows(&app, &olga, &format!("{list}?deleted=only")).await;
    assert_eq!(texts(&gone), ["Gone."]);
    assert_eq!(gone[0]["deleted_date"], gone[0]["updated_date"]);
    assert_eq!(texts(&rows(&app, &olga, &format!("{list}?deleted=with")).await), ["Gone.", "Stays."]);
    let restored = app.post(&format!("{path}/restore")).bearer(&olga).expect(200).await;
    assert_eq!((restored.json().get("deleted_date"), restored.text("text")), (None, "Gone."));
    let again = app.post(&format!("{path}/restore")).bearer(&olga).expect(404).await;
    assert_eq!(again.text("title"), "Note not found");
    assert_eq!(texts(&rows(&app, &ada, &list).await), ["Gone.", "Stays."]);
}

#[testkit::both_engines]
async fn comments_come_and_go_with_their_incident(app: TestApp) {
    let incident = incident(&app).await;
    let (ada, olga) = (app.person("Ada", Role::Responder).await, app.person("Olga", Role::Owner).await);
    let path = comment(&app, &ada, &incident, "Stays.").await;
    let gone = comment(&app, &ada, &incident, "Gone.").await;
    app.delete(&gone).bearer(&ada).expect(204).await;
    let list = format!("{incident}/notes");
    let before = rows(&app, &olga, &format!("{list}?deleted=with")).await;
    let ids = json!({"ids": [1]});
    app.post("/v1/incidents/bulk-delete").bearer(&olga).json(ids.clone()).expect(200).await;
    for read in [list.clone(), format!("{list}?deleted=with"), path.clone(), format!("{path}/revisions")] {
        assert_eq!(
            app.get(&read).bearer(&olga).expect(404).await.text("title"),
            "Incident not found",
            "{read}"
        );
    }
    let write = app.patch(&path).bearer(&ada).json(json!({"text": "No."})).expect(404).await;
    assert_eq!(write.text("title"), "Incident not found");
    app.post("/v1/incidents/restore").bearer(&olga).json(ids).expect(200).await;
    assert_eq!(rows(&app, &olga, &format!("{list}?deleted=with")).await, before);
}

#[testkit::both_engines]
async fn a_mention_is_a_member_and_gives_no_access(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app).await;
    let (ben, staff) = (app.person("Ben", Role::Viewer).await, app.person("Sam", Role::Staff).await);
    let path = format!("{incident}/notes");
    let nobody = "00000000-0000-7000-8000-000000000000";
    let refused = app
        .post(&path)
        .bearer(&client)
        .json(json!({"kind": "comment", "text": "?", "mentions": [ben.id, nobody]}))
        .await;
    assert_eq!((refused.status, refused.faults()), (422, vec!["#/mentions/1 unknown_user".to_owned()]));
    assert_eq!(refused.text("detail"), "No member of the organization has this id.");
    let restrict = json!({"restricted": true});
    app.patch(&incident).bearer(&client).json(restrict).expect(200).await;
    let body = json!({"kind": "comment", "text": "Look.", "mentions": [ben.id, staff.id, ben.id]});
    let made = app.post(&path).bearer(&client).json(body).expect(201).await;
    let warning = |person: &TestPerson, name: &str| {
        json!({"code": "mention_without_access", "user": person.id,
            "message": format!("{name} does not see this incident, and the mention does not change that.")})
    };
    assert_eq!(made.json()["warnings"], json!([warning(&ben, "Ben"), warning(&staff, "Sam")]));
    assert_eq!(made.json()["mentions"].as_array().unwrap().len(), 2, "each once");
    app.get(&path).bearer(&ben).expect(404).await;
    // The warning is about today.
    app.patch(&incident).bearer(&client).json(json!({"readers": [ben.id]})).expect(200).await;
    let read = app.get(&format!("{path}/1")).bearer(&ben).expect(200).await;
    assert_eq!(read.json()["warnings"], json!([warning(&staff, "Sam")]));
    app.delete(&format!("/v1/users/{}", staff.id)).bearer(&client).expect(204).await;
    let read = app.get(&format!("{path}/1")).bearer(&ben).expect(200).await;
    assert_eq!(read.text("/warnings/0/message"), "Sam is not a member of the organization any more.");
    // Who has left stays mentioned, and nobody else who has left can be.
    let keep = json!({"text": "Look here.", "mentions": [staff.id]});
    app.patch(&format!("{path}/1")).bearer(&client).json(keep).expect(200).await;
    let anew =
        app.post(&path).bearer(&client).json(json!({"kind": "comment", "text": "?", "mentions": [staff.id]}));
    assert_eq!(anew.expect(422).await.faults(), ["#/mentions/0 unknown_user"]);
}

#[testkit::both_engines]
async fn a_wrong_comment_is_refused_with_every_fault(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let path = format!("{incident}/notes");
    let post = async |body: Value| app.post(&path).bearer(&client).json(body).expect(422).await.faults();
    assert_eq!(post(json!({})).await, ["#/kind required", "#/text required"]);
    assert_eq!(
        post(json!({"kind": "comment", "text": " \n", "mentions": ["ada"], "author": "me", "txt": 1})).await,
        ["#/text blank", "#/mentions/0 format", "#/author read_only", "#/txt unknown_field"]
    );
    assert_eq!(post(json!({"kind": "comment", "text": "x".repeat(65_537)})).await, ["#/text too_long"]);
    app.post(&path)
        .bearer(&client)
        .json(json!({"kind": "comment", "text": "x".repeat(65_536)}))
        .expect(201)
        .await;
    let nobody = "00000000-0000-7000-8000-000000000000";
    let body = json!({"text": null, "mentions": [nobody], "version": 3});
    let patch = app.patch(&format!("{path}/1")).bearer(&client).json(body).expect(422).await;
    assert_eq!(patch.faults(), ["#/text required", "#/version read_only", "#/mentions/0 unknown_user"]);
    assert_eq!(patch.text("detail"), "Text cannot be cleared. There are 2 more faults.");
}

#[testkit::both_engines]
async fn comments_are_read_as_they_were(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let ada = app.person("Ada", Role::Owner).await;
    let list = format!("{incident}/notes");
    let mut seen = Vec::new();
    let mut look = async || {
        let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
        let all = rows(&app, &ada, &format!("{list}?deleted=with")).await;
        seen.push((seq, rows(&app, &ada, &list).await, all));
    };
    let first = comment(&app, &ada, &incident, "One.").await;
    look().await;
    comment(&app, &ada, &incident, "Two.").await;
    look().await;
    app.patch(&first).bearer(&ada).json(json!({"text": "One!", "mentions": [ada.id]})).expect(200).await;
    look().await;
    app.delete(&first).bearer(&ada).expect(204).await;
    look().await;
    app.post(&format!("{first}/restore")).bearer(&ada).expect(200).await;
    look().await;
    for (seq, present, all) in seen {
        let past = format!("{list}?as_of_seq={seq}&include_total=true");
        let answer = app.get(&past).bearer(&ada).expect(200).await;
        assert_eq!(answer.json()["data"], json!(present), "{seq}");
        assert_eq!((&answer.json()["total"], &answer.json()["as_of_seq"]), (&json!(present.len()), &seq));
        assert_eq!(rows(&app, &ada, &format!("{past}&deleted=with")).await, all, "{seq}");
        for row in &all {
            let path = format!("{list}/{}?as_of_seq={seq}&deleted=with", row["number"]);
            let mut one = app.get(&path).bearer(&ada).expect(200).await.json().clone();
            one.as_object_mut().unwrap().retain(|name, _| !name.starts_with("as_of"));
            assert_eq!(&one, row, "{path}");
        }
    }
    // Before there was an incident, there were no comments on it.
    app.get(&format!("{list}?as_of_seq=0")).bearer(&ada).expect(404).await;
}

#[testkit::both_engines]
async fn the_latest_comment_comes_first_if_asked_for(app: TestApp) {
    let incident = incident(&app).await;
    let ada = app.person("Ada", Role::Responder).await;
    for text in ["One.", "Two.", "Three."] {
        comment(&app, &ada, &incident, text).await;
    }
    let list = async |query: &str| rows(&app, &ada, &format!("{incident}/notes{query}")).await;
    assert_eq!(texts(&list("").await), ["One.", "Two.", "Three."]);
    assert_eq!(texts(&list("?sort=-created_date&limit=2").await), ["Three.", "Two."]);
    assert_eq!(texts(&list("?sort=created_date&limit=1").await), ["One."]);
}

#[testkit::both_engines]
async fn the_journal_keeps_what_was_said(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let path = format!("{incident}/notes/1");
    let body = json!({"kind": "comment", "text": "One."});
    app.post(&format!("{incident}/notes")).bearer(&client).json(body).expect(201).await;
    app.patch(&path).bearer(&client).json(json!({"text": "Two."})).expect(200).await;
    app.delete(&path).bearer(&client).expect(204).await;
    app.post(&format!("{path}/restore")).bearer(&client).expect(200).await;
    let entries = rows(&app, &client, "/v1/journal?subject_id=INC-0001").await;
    let told = entries.iter().map(|entry| {
        let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
        (entry["kind"].as_str().unwrap(), payload["notes/1/text"].clone())
    });
    assert_eq!(
        told.skip(1).collect::<Vec<_>>(),
        [
            ("incident.note_added", json!([null, "One."])),
            ("incident.note_updated", json!(["One.", "Two."])),
            ("incident.note_deleted", Value::Null),
            ("incident.note_restored", Value::Null),
        ]
    );
}

#[testkit::both_engines]
async fn a_comment_is_not_undone(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let body = json!({"kind": "comment", "text": "One."});
    let made = app.post(&format!("{incident}/notes")).bearer(&client).json(body).expect(201).await;
    let undone = undo(&app, &client, request_id(&made)).await;
    assert_eq!(outcomes(&undone), (0, vec![["incident", "INC-0001", "not_undoable"]]));
}

#[testkit::both_engines]
async fn a_member_of_other_kinds_is_refused(app: TestApp) {
    let (client, incident) = (app.client().await, incident(&app).await);
    let path = format!("{incident}/notes");
    let at = "2026-02-01T09:00:00Z";
    let post = async |body: Value| app.post(&path).bearer(&client).json(body).expect(422).await;
    let refused = post(json!({"kind": "comment", "text": "x", "at": at, "pinned": false})).await;
    assert_eq!(refused.faults(), ["#/at not_of_kind", "#/pinned not_of_kind"]);
    assert!(refused.text("detail").starts_with("At does not belong to a note of the kind comment."));
    let refused = post(json!({"kind": "action", "text": "x", "mentions": []})).await;
    assert_eq!(refused.faults(), ["#/mentions not_of_kind"]);
    for (kind, patch, faults) in [
        ("comment", json!({"kind": "action", "at": at}), vec!["#/at not_of_kind", "#/kind not_of_kind"]),
        (
            "action",
            json!({"kind": "comment", "mentions": []}),
            vec!["#/mentions not_of_kind", "#/kind not_of_kind"],
        ),
    ] {
        let made = app.post(&path).bearer(&client).json(json!({"kind": kind, "text": "x"})).expect(201).await;
        let note = made.header("location").unwrap();
        let refused = app.patch(note).bearer(&client).json(patch).expect(422).await;
        assert_eq!(refused.faults(), faults, "{kind}");
    }
}

#[testkit::both_engines]
async fn staff_comment_on_what_they_declared_and_write_nothing_else(app: TestApp) {
    let (sam, ada) = (app.person("Sam", Role::Staff).await, app.person("Ada", Role::Responder).await);
    let body = json!({"title": "Lost badge", "description": ""});
    let made = app.post("/v1/incidents").bearer(&sam).json(body).expect(201).await;
    let (own, others) = (format!("/v1/incidents/{}", made.text("id")), incident(&app).await);
    let path = comment(&app, &sam, &own, "It is at the gate.").await;
    app.patch(&path).bearer(&sam).json(json!({"text": "It was at the gate."})).expect(200).await;
    app.delete(&path).bearer(&sam).expect(204).await;
    let action = json!({"kind": "action", "text": "Blocked."});
    let refused = app.post(&format!("{own}/notes")).bearer(&sam).json(action).expect(403).await;
    assert_eq!(refused.text("scope"), "incidents:write");
    let others = format!("{others}/notes");
    app.post(&others).bearer(&sam).json(json!({"kind": "comment", "text": "?"})).expect(404).await;
    let pinned = note(&app, &ada, &own, json!({"kind": "evidence", "text": "A picture."})).await;
    let refused = app.patch(&pinned).bearer(&sam).json(json!({"pinned": true})).expect(403).await;
    assert_eq!(refused.text("scope"), "incidents:write");
    app.delete(&pinned).bearer(&sam).expect(403).await;
}

#[testkit::both_engines]
async fn a_viewer_declares_incidents_and_comments_only_on_those(app: TestApp) {
    let of_others = incident(&app).await;
    let viewer = app.person("Ben", Role::Viewer).await;
    let body = json!({"title": "A lost badge", "description": ""});
    let made = app.post("/v1/incidents").bearer(&viewer).json(body).expect(201).await;
    let own = format!("/v1/incidents/{}", made.text("id"));
    let written = comment(&app, &viewer, &own, "Found it.").await;
    app.patch(&written).bearer(&viewer).json(json!({"text": "Found."})).expect(200).await;
    let action = json!({"kind": "action", "text": "x"});
    app.post(&format!("{own}/notes")).bearer(&viewer).json(action).expect(403).await;

    let body = json!({"kind": "comment", "text": "x"});
    let refused = app.post(&format!("{of_others}/notes")).bearer(&viewer).json(body).expect(403).await;
    assert_eq!(refused.text("detail"), "This needs the scope incidents:write.");
    assert!(rows(&app, &viewer, &format!("{of_others}/notes")).await.is_empty());
    app.patch(&own).bearer(&viewer).json(json!({"title": "x"})).expect(403).await;
}
