//! `/v1/risks/{risk_id}/tasks`: the treatment of a risk as tasks, beside those of incidents.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use crate::api::tasks::{incident, task};
use crate::api::undo::{outcomes, request_id, undo};

/// Registers a risk; returns its path.
async fn risk(app: &TestApp, client: &TestClient, title: &str) -> String {
    let rating = json!({"likelihood": 2, "impact": 2});
    let body = json!({"title": title, "inherent": rating, "target": rating});
    let made = app.post("/v1/risks").bearer(client).json(body).expect(201).await;
    format!("/v1/risks/{}", made.text("id"))
}

async fn list(app: &TestApp, caller: impl AsRef<str>, path: &str) -> Value {
    app.get(path).bearer(caller).expect(200).await.json().clone()
}

/// The titles of the tasks of a list, each with the id of its record.
fn rows(list: &Value) -> Vec<[&str; 2]> {
    list["data"].as_array().unwrap().iter().map(row).collect()
}

fn row(task: &Value) -> [&str; 2] {
    let record = if task["risk"].is_null() { &task["incident"] } else { &task["risk"] };
    [task["title"].as_str().unwrap(), record["id"].as_str().unwrap()]
}

#[both_engines]
async fn a_treatment_task_is_made_done_deleted_and_restored(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Owner).await;
    let fire = risk(&app, &client, "Fire").await;
    let before = app.get(&fire).bearer(&client).expect(200).await;
    let new = json!({"title": "Buy extinguishers", "owner": ada.id, "due": "2026-03-05T18:00:00Z"});
    let made = app.post(&format!("{fire}/tasks")).bearer(&client).json(new).expect(201).await;
    let path = format!("{fire}/tasks/1");
    assert_eq!(made.header("location"), Some(path.as_str()));
    let shown = made.json();
    assert_eq!(
        (&shown["risk"], &shown["incident"]),
        (&json!({"id": "RSK-1", "title": "Fire"}), &Value::Null)
    );
    assert_eq!((&shown["mandatory"], &shown["position"]), (&json!(false), &json!(1000)));
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.bytes, made.bytes);
    app.db.clock.advance_seconds(60);
    let done = app.patch(&path).bearer(&client).json(json!({"status": "done"})).expect(200).await;
    assert_eq!(done.json()["done_date"], done.json()["updated_date"]);
    app.delete(&path).bearer(&client).expect(204).await;
    assert_eq!(app.get(&path).bearer(&client).expect(404).await.text("title"), "Task not found");
    let deleted = app.get(&format!("{path}?deleted=only")).bearer(&client).expect(200).await;
    assert_eq!(deleted.text("status"), "done");
    let restored = app.post(&format!("{path}/restore")).bearer(&client).expect(200).await;
    assert_eq!(restored.json()["version"], 4);
    assert_eq!(task(&app, &client, &fire, json!({"title": "Test them"})).await, format!("{fire}/tasks/2"));
    let tasks = list(&app, &client, &format!("{fire}/tasks?include_total=true")).await;
    assert_eq!(rows(&tasks), [["Buy extinguishers", "RSK-1"], ["Test them", "RSK-1"]]);
    assert_eq!(tasks["total"], 2);
    // The risk itself is as it was.
    let after = app.get(&fire).bearer(&client).expect(200).await;
    assert_eq!((after.header("etag"), &after.bytes), (before.header("etag"), &before.bytes));
    let mut tx = app.db.read().await.unwrap();
    assert_eq!(store::verify::verify(&mut tx, app.organization, None).await.unwrap().faults, []);
}

#[both_engines]
async fn a_treatment_task_is_never_mandatory_and_closing_waits_for_none(app: TestApp) {
    let client = app.client().await;
    let fire = risk(&app, &client, "Fire").await;
    let new = json!({"title": "Buy extinguishers", "mandatory": true});
    let refused = app.post(&format!("{fire}/tasks")).bearer(&client).json(new).expect(422).await;
    assert_eq!(refused.faults(), ["#/mandatory not_of_kind"]);
    let path = task(&app, &client, &fire, json!({"title": "Buy extinguishers"})).await;
    let wrong =
        json!({"mandatory": true, "status": "not_doing", "owner": "00000000-0000-4000-8000-000000000000"});
    let refused = app.patch(&path).bearer(&client).json(wrong).expect(422).await;
    assert_eq!(refused.faults(), ["#/owner unknown_user", "#/reason required", "#/mandatory not_of_kind"]);
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch(&fire).bearer(&client).json(closed).expect(200).await;
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.text("status"), "open");
}

#[both_engines]
async fn the_list_of_tasks_has_those_of_risks_and_incidents_in_one_order(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Owner).await;
    let (phishing, fire) = (incident(&app, &client, "Phishing").await, risk(&app, &client, "Fire").await);
    for (record, title, day) in
        [(&phishing, "b", "02-25"), (&fire, "a", "02-24"), (&fire, "c", "02-26"), (&phishing, "d", "03-20")]
    {
        let due = format!("2026-{day}T09:00:00Z");
        task(&app, &client, record, json!({"title": title, "due": due, "owner": ada.id})).await;
    }
    let all = [["a", "RSK-1"], ["b", "INC-0001"], ["c", "RSK-1"], ["d", "INC-0001"]];
    let mine = list(&app, &ada, "/v1/tasks?owner=me&include_total=true").await;
    assert_eq!((rows(&mine), &mine["total"]), (all.to_vec(), &json!(4)));
    let overdue = list(&app, &ada, "/v1/tasks?owner=me&due=overdue").await;
    assert_eq!(rows(&overdue), all[..3]);
    let (mut path, mut paged) = ("/v1/tasks?limit=1&sort=-due".to_owned(), Vec::new());
    loop {
        let page = list(&app, &ada, &path).await;
        paged.extend(rows(&page).into_iter().map(|[title, _]| title.to_owned()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/tasks?limit=1&sort=-due&cursor={cursor}");
    }
    assert_eq!(paged, ["d", "c", "b", "a"]);
    let risks_only = app.client_with_scopes("risks:read").await;
    assert_eq!(rows(&list(&app, &risks_only, "/v1/tasks").await), [["a", "RSK-1"], ["c", "RSK-1"]]);
    let incidents_only = app.client_with_scopes("incidents:read").await;
    let seen = list(&app, &incidents_only, "/v1/tasks").await;
    assert_eq!(rows(&seen), [["b", "INC-0001"], ["d", "INC-0001"]]);
    // With the risk its tasks are gone, and with it they come back.
    app.delete(&fire).bearer(&client).expect(204).await;
    assert_eq!(rows(&list(&app, &ada, "/v1/tasks?owner=me").await), [["b", "INC-0001"], ["d", "INC-0001"]]);
    app.get(&format!("{fire}/tasks/1")).bearer(&client).expect(404).await;
    app.get(&format!("{fire}/tasks")).bearer(&client).expect(404).await;
    app.post(&format!("{fire}/restore")).bearer(&client).expect(200).await;
    assert_eq!(rows(&list(&app, &ada, "/v1/tasks?owner=me").await), all);
}

/// Entries of the risk tell of its tasks, but are no changes of the risk.
#[both_engines]
async fn a_task_of_a_risk_does_not_stand_against_an_undo(app: TestApp) {
    let client = app.client().await;
    let fire = risk(&app, &client, "Fire").await;
    let renamed = app.patch(&fire).bearer(&client).json(json!({"title": "Fires"})).expect(200).await;
    let new = json!({"title": "Buy extinguishers"});
    let made = app.post(&format!("{fire}/tasks")).bearer(&client).json(new).expect(201).await;
    assert_eq!(made.text("/risk/title"), "Fires");
    let entries = list(&app, &client, "/v1/journal?subject_kind=risk&subject_id=RSK-1&limit=200").await;
    let entries = entries["data"].as_array().unwrap();
    let entry = entries.iter().find(|entry| entry["kind"] == "risk.task_created").unwrap();
    let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
    assert_eq!(payload["tasks/1/title"], json!([null, "Buy extinguishers"]));
    let refused = undo(&app, &client, request_id(&made)).await;
    assert_eq!(outcomes(&refused), (0, vec![["risk", "RSK-1", "not_undoable"]]));
    let undone = undo(&app, &client, request_id(&renamed)).await;
    assert_eq!(outcomes(&undone), (1, vec![["risk", "RSK-1", "undone"]]));
    let kept = list(&app, &client, &format!("{fire}/tasks")).await;
    assert_eq!(rows(&kept), [["Buy extinguishers", "RSK-1"]]);
}
