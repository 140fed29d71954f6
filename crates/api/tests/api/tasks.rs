//! `/v1/incidents/{id}/tasks`: tasks as their users meet them.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

use crate::api::undo::{outcomes, request_id, undo};

pub(crate) async fn incident(app: &TestApp, client: &TestClient, title: &str) -> String {
    let body = json!({"title": title, "description": ""});
    let made = app.post("/v1/incidents").bearer(client).json(body).expect(201).await;
    format!("/v1/incidents/{}", made.text("id"))
}

/// Makes a task; returns its path.
pub(crate) async fn task(app: &TestApp, client: &TestClient, incident: &str, body: Value) -> String {
    let made = app.post(&format!("{incident}/tasks")).bearer(client).json(body).expect(201).await;
    made.header("location").unwrap().to_owned()
}

async fn patch(app: &TestApp, client: &TestClient, path: &str, body: Value) -> Answer {
    app.patch(path).bearer(client).json(body).await
}

async fn titles(app: &TestApp, client: &TestClient, path: &str) -> Vec<String> {
    let list = app.get(path).bearer(client).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

#[testkit::both_engines]
async fn a_task_is_made_done_and_deleted(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let incident = incident(&app, &client, "Phishing").await;
    let new = json!({"title": "Reset the passwords", "notes": "All of *finance*.", "owner": ada.id,
        "due": "2026-03-05T18:00:00+01:00", "mandatory": true});
    let made = app.post(&format!("{incident}/tasks")).bearer(&client).json(new).expect(201).await;
    let path = made.header("location").unwrap().to_owned();
    assert_eq!(path, format!("{incident}/tasks/1"));
    let mut shown = made.json().clone();
    let created = shown["created_date"].take();
    assert_eq!(created, shown["updated_date"].take());
    assert_eq!(
        shown,
        json!({
            "number": 1,
            "incident": {"id": "INC-0001", "title": "Phishing"},
            "risk": null,
            "title": "Reset the passwords",
            "notes": "All of *finance*.",
            "owner": {"id": ada.id, "name": "Ada", "email": "ada@x.org"},
            "due": "2026-03-05T17:00:00.000000Z",
            "mandatory": true,
            "status": "open",
            "reason": null,
            "position": 1000,
            "created_by": {"type": "client", "id": client.id, "name": made.text("/created_by/name")},
            "created_date": null,
            "done_date": null,
            "updated_date": null,
            "version": 1,
        })
    );
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.bytes, made.bytes);
    app.db.clock.advance_seconds(60);
    let done = patch(&app, &client, &path, json!({"status": "done"})).await;
    assert_eq!((done.text("status"), done.json()["version"].as_i64()), ("done", Some(2)));
    assert_eq!(done.json()["done_date"], done.json()["updated_date"]);
    let again = patch(&app, &client, &path, json!({"status": "done"})).await;
    assert_eq!(again.header("etag"), done.header("etag"));
    app.delete(&path).bearer(&client).expect(204).await;
    for answer in [
        app.get(&path).bearer(&client).expect(404).await,
        app.delete(&path).bearer(&client).expect(404).await,
        patch(&app, &client, &path, json!({"title": "x"})).await,
    ] {
        assert_eq!((answer.status, answer.text("title")), (404, "Task not found"));
    }
    let restored = app.post(&format!("{path}/restore")).bearer(&client).expect(200).await;
    assert_eq!((restored.text("status"), restored.json()["version"].as_i64()), ("done", Some(4)));
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.bytes, restored.bytes);
    app.post(&format!("{path}/restore")).bearer(&client).expect(404).await;
    app.delete(&path).bearer(&client).expect(204).await;
    let next = task(&app, &client, &incident, json!({"title": "Tell the bank"})).await;
    assert_eq!(next, format!("{incident}/tasks/2"), "a number is not used again");
}

#[testkit::both_engines]
async fn a_change_of_a_task_is_no_change_of_the_incident(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let before = app.get(&incident).bearer(&client).expect(200).await;
    app.db.clock.advance_seconds(60);
    let path = task(&app, &client, &incident, json!({"title": "Reset the passwords"})).await;
    patch(&app, &client, &path, json!({"status": "in_progress"})).await;
    app.delete(&path).bearer(&client).expect(204).await;
    let after = app.get(&incident).bearer(&client).expect(200).await;
    assert_eq!((after.header("etag"), &after.bytes), (before.header("etag"), &before.bytes));
}

#[testkit::both_engines]
async fn a_task_that_is_not_done_needs_a_reason(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let path = task(&app, &client, &incident, json!({"title": "Reset the passwords"})).await;
    let refused = patch(&app, &client, &path, json!({"status": "not_doing"})).await;
    assert_eq!(
        (refused.status, &refused.json()["errors"]),
        (
            422,
            &json!([{"pointer": "#/reason", "code": "required", "detail": "A task that is not done needs a reason."}])
        )
    );
    let refused = patch(&app, &client, &path, json!({"reason": "Why not?"})).await;
    assert_eq!(
        refused.json()["errors"],
        json!([{"pointer": "#/reason", "code": "not_in_status",
            "detail": "Reason can only be set while the task is not_doing."}])
    );
    let given_up = json!({"status": "not_doing", "reason": "The accounts are closed."});
    let given_up = patch(&app, &client, &path, given_up).await;
    assert_eq!(given_up.text("reason"), "The accounts are closed.");
    let resumed = patch(&app, &client, &path, json!({"status": "open"})).await;
    assert_eq!((resumed.status, &resumed.json()["reason"]), (200, &Value::Null));
}

#[testkit::both_engines]
async fn every_fault_of_a_task_is_told_at_once(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let tasks = format!("{incident}/tasks");
    let wrong = json!({"title": "a\nb", "owner": "ada", "due": "2026-03-05", "mandatory": "yes", "position": -1,
        "status": "done", "number": 7, "titel": "x"});
    let refused = app.post(&tasks).bearer(&client).json(wrong).expect(422).await;
    assert_eq!(
        refused.faults(),
        [
            "#/title control_character",
            "#/owner format",
            "#/due format",
            "#/mandatory type",
            "#/position range",
            "#/number read_only",
            "#/status read_only",
            "#/titel unknown_field",
        ]
    );
    let stranger = "00000000-0000-4000-8000-000000000000";
    let body = json!({"title": "Reset", "owner": stranger});
    let refused = app.post(&tasks).bearer(&client).json(body).expect(422).await;
    assert_eq!(refused.faults(), ["#/owner unknown_user"]);
    let path = task(&app, &client, &incident, json!({"title": "Reset"})).await;
    let wrong = json!({"title": " ", "owner": stranger, "status": "not_doing", "position": null});
    let refused = patch(&app, &client, &path, wrong).await;
    assert_eq!(
        refused.faults(),
        ["#/title blank", "#/position required", "#/owner unknown_user", "#/reason required"]
    );
}

#[testkit::both_engines]
async fn tasks_are_listed_in_the_order_that_people_give_them(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    for title in ["first", "second", "third"] {
        task(&app, &client, &incident, json!({"title": title})).await;
    }
    let tasks = format!("{incident}/tasks");
    assert_eq!(titles(&app, &client, &tasks).await, ["first", "second", "third"]);
    patch(&app, &client, &format!("{tasks}/3"), json!({"position": 1500})).await;
    assert_eq!(titles(&app, &client, &tasks).await, ["first", "third", "second"]);
    patch(&app, &client, &format!("{tasks}/1"), json!({"position": 2000})).await;
    // Of two with the same position the lower number comes first.
    assert_eq!(titles(&app, &client, &tasks).await, ["third", "first", "second"]);
    task(&app, &client, &incident, json!({"title": "fourth"})).await;
    assert_eq!(titles(&app, &client, &tasks).await, ["third", "first", "second", "fourth"]);
}

#[testkit::both_engines]
async fn a_member_who_left_stays_the_owner(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let incident = incident(&app, &client, "Phishing").await;
    let path = task(&app, &client, &incident, json!({"title": "Reset", "owner": ada.id})).await;
    app.delete(&format!("/v1/users/{}?duties=keep", ada.id)).bearer(&client).expect(204).await;
    let kept = patch(&app, &client, &path, json!({"title": "Reset all"})).await;
    assert_eq!((kept.status, kept.text("/owner/name")), (200, "Ada"));
    let refused = patch(&app, &client, &path, json!({"owner": ada.id})).await;
    assert_eq!(refused.faults(), ["#/owner unknown_user"]);
}

#[testkit::both_engines]
async fn tasks_go_and_come_back_with_their_incident(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let path = task(&app, &client, &incident, json!({"title": "Reset", "due": "2026-03-05T09:00:00Z"})).await;
    let before = app.get(&path).bearer(&client).expect(200).await;
    let ids = json!({"ids": [1]});
    app.post("/v1/incidents/bulk-delete").bearer(&client).json(ids.clone()).expect(200).await;
    for request in [
        app.get(&path).bearer(&client),
        app.patch(&path).bearer(&client).json(json!({"title": "x"})),
        app.delete(&path).bearer(&client),
        app.post(&format!("{incident}/tasks")).bearer(&client).json(json!({"title": "x"})),
        app.get(&format!("{incident}/tasks")).bearer(&client),
    ] {
        assert_eq!(request.expect(404).await.text("title"), "Incident not found");
    }
    assert_eq!(titles(&app, &client, "/v1/tasks").await, [""; 0]);
    app.post("/v1/incidents/restore").bearer(&client).json(ids).expect(200).await;
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.bytes, before.bytes);
    assert_eq!(titles(&app, &client, "/v1/tasks").await, ["Reset"]);
}

#[testkit::both_engines]
async fn a_mandatory_task_keeps_an_incident_open(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let task = task(&app, &client, &incident, json!({"title": "Reset", "mandatory": true})).await;
    let low = json!({"severity": "low", "reason": "One mailbox."});
    app.put(&format!("{incident}/severity")).bearer(&client).json(low).expect(200).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done.",
        "responded_date": "2026-03-01T09:00:00Z"});
    patch(&app, &client, &incident, resolve).await;
    let transitions = format!("{incident}/transitions");
    let closing = app.get(&transitions).bearer(&client).expect(200).await;
    let closing =
        closing.json()["data"].as_array().unwrap().iter().find(|it| it["to"] == "closed").unwrap().clone();
    let detail = "A mandatory task is open. You can close with an override and a reason.";
    assert_eq!(
        closing,
        json!({"to": "closed", "reopens": false, "permitted": false, "needs": [],
            "blocked_by": [{"code": "mandatory_tasks_open", "detail": detail}]})
    );
    for (request, instance) in [
        (app.patch(&incident).json(json!({"status": "closed"})), &incident),
        (app.post(&transitions).json(json!({"to": "closed"})), &transitions),
    ] {
        let refused = request.bearer(&client).expect(409).await;
        assert_eq!(
            refused.json(),
            &json!({
                "type": "/docs/errors#close_requirements",
                "title": "The incident cannot be closed yet.",
                "status": 409,
                "detail": "A mandatory task is open.",
                "instance": instance,
                "code": "close_requirements",
                "missing": [{"code": "mandatory_tasks_open", "detail": "A mandatory task is open."}],
                "request_id": refused.text("request_id"),
            })
        );
    }
    patch(&app, &client, &task, json!({"status": "not_doing", "reason": "The account is closed."})).await;
    let closed = app.post(&transitions).bearer(&client).json(json!({"to": "closed"})).expect(200).await;
    assert_eq!((closed.text("status"), &closed.json()["overridden"]), ("closed", &json!([])));
}

/// A closed incident keeps what closing required, whichever way it is changed.
#[testkit::both_engines]
async fn a_closed_incident_is_reopened_before_something_that_closing_requires_changes(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client, "Phishing").await;
    let severity = |level: &str| json!({"severity": level, "reason": "One mailbox."});
    app.put(&format!("{path}/severity")).bearer(&client).json(severity("low")).expect(200).await;
    let optional = task(&app, &client, &path, json!({"title": "Tidy up"})).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done.",
        "responded_date": "2026-03-01T09:00:00Z"});
    patch(&app, &client, &path, resolve).await;
    patch(&app, &client, &path, json!({"status": "closed"})).await;
    let mandatory = json!({"title": "Reset", "mandatory": true});
    let refusals = [
        (app.post(&format!("{path}/tasks")).json(mandatory), "mandatory_tasks_open"),
        (app.patch(&optional).json(json!({"mandatory": true})), "mandatory_tasks_open"),
        (app.put(&format!("{path}/severity")).json(severity("high")), "review_not_published"),
    ];
    for (request, missing) in refusals {
        let refused = request.bearer(&client).expect(409).await;
        assert_eq!(refused.text("code"), "close_requirements");
        assert_eq!(refused.json()["missing"][0]["code"], missing);
        assert_eq!(refused.text("title"), "The incident is closed: reopen it to change this.");
    }
    patch(&app, &client, &path, json!({"kind": "drill"})).await;
    app.put(&format!("{path}/severity")).bearer(&client).json(severity("high")).expect(200).await;
    let real = json!({"ids": [1], "operation": {"type": "update", "kind": "real"}});
    let many = app.post("/v1/incidents/bulk").bearer(&client).json(real).expect(200).await;
    let failed = &many.json()["results"][0];
    assert_eq!(
        (&failed["outcome"], &failed["problem"]["code"]),
        (&json!("failed"), &json!("close_requirements"))
    );
    task(&app, &client, &path, json!({"title": "Thank everybody"})).await;
    app.put(&format!("{path}/severity")).bearer(&client).json(severity("medium")).expect(200).await;
}

/// Undoing a reopening is no way around what closing requires.
#[testkit::both_engines]
async fn a_reopening_is_not_undone_while_a_mandatory_task_is_open(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let low = json!({"severity": "low", "reason": "One mailbox."});
    app.put(&format!("{incident}/severity")).bearer(&client).json(low).expect(200).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done.",
        "responded_date": "2026-03-01T09:00:00Z"});
    patch(&app, &client, &incident, resolve).await;
    let closed = patch(&app, &client, &incident, json!({"status": "closed"})).await;
    let back = json!({"status": "investigating", "reason": "It is not over."});
    let reopened = patch(&app, &client, &incident, back).await;
    let path = task(&app, &client, &incident, json!({"title": "Reset", "mandatory": true})).await;
    let refused = undo(&app, &client, request_id(&reopened)).await;
    assert_eq!(outcomes(&refused), (0, vec![["incident", "INC-0001", "no_longer_valid"]]));
    let reason = "It would be closed again, and a mandatory task is open.";
    assert_eq!(refused.text("/results/0/reason"), reason);
    patch(&app, &client, &path, json!({"status": "done"})).await;
    assert_eq!(outcomes(&undo(&app, &client, request_id(&reopened)).await).0, 1);
    let again = app.get(&incident).bearer(&client).expect(200).await;
    assert_eq!((again.text("status"), &again.json()["spells"]), ("closed", &closed.json()["spells"]));
}

#[testkit::both_engines]
async fn a_deleted_task_keeps_nothing_open(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    let task = task(&app, &client, &incident, json!({"title": "Reset", "mandatory": true})).await;
    let low = json!({"severity": "low", "reason": "One mailbox."});
    app.put(&format!("{incident}/severity")).bearer(&client).json(low).expect(200).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done.",
        "responded_date": "2026-03-01T09:00:00Z"});
    patch(&app, &client, &incident, resolve).await;
    assert_eq!(patch(&app, &client, &incident, json!({"status": "closed"})).await.status, 409);
    app.delete(&task).bearer(&client).expect(204).await;
    assert_eq!(patch(&app, &client, &incident, json!({"status": "closed"})).await.status, 200);
}
