//! `GET /v1/tasks`: the tasks of all incidents that the caller sees, and when they are due.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

use crate::api::tasks::{incident, task};

async fn list(app: &TestApp, caller: impl AsRef<str>, query: &str) -> Value {
    app.get(&format!("/v1/tasks{query}")).bearer(caller).expect(200).await.json().clone()
}

fn titles(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect()
}

/// One task for each due date; the title is the date.
async fn tasks_due(app: &TestApp, client: &TestClient, incident: &str, dates: &[&str]) {
    for due in dates {
        task(app, client, incident, json!({"title": due, "due": due})).await;
    }
}

async fn set_time_zone(app: &TestApp, client: &TestClient, zone: &str) {
    let path = format!("/v1/organizations/{}", app.organization);
    app.patch(&path).bearer(client).json(json!({"time_zone": zone})).expect(200).await;
}

#[testkit::both_engines]
async fn what_is_due_is_decided_in_the_time_zone_of_the_organization(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    // The clock of the tests stands at nine on Sunday, 1 March 2026, in UTC: Sunday evening in Auckland.
    assert_eq!(app.db.clock.now().to_string(), "2026-03-01T09:00:00Z");
    let dates = [
        "2026-02-22T23:59:59Z",
        "2026-02-23T00:00:00Z",
        "2026-02-28T11:30:00Z",
        "2026-03-01T08:00:00Z",
        "2026-03-01T23:59:59Z",
        "2026-03-02T00:00:00Z",
    ];
    tasks_due(&app, &client, &incident, &dates).await;
    task(&app, &client, &incident, json!({"title": "some day"})).await;
    let overdue = list(&app, &client, "?due=overdue").await;
    assert_eq!((titles(&overdue), &overdue["time_zone"]), (dates[..3].to_vec(), &json!("UTC")));
    let week = list(&app, &client, "?due=week").await;
    assert_eq!((titles(&week), &week["time_zone"]), (dates[1..5].to_vec(), &json!("UTC")));
    set_time_zone(&app, &client, "Pacific/Auckland").await;
    let overdue = list(&app, &client, "?due=overdue").await;
    assert_eq!((titles(&overdue), &overdue["time_zone"]), (dates[..2].to_vec(), &json!("Pacific/Auckland")));
    let week = list(&app, &client, "?due=week").await;
    assert_eq!(titles(&week), dates[..4].to_vec());
    assert_eq!(list(&app, &client, "").await.get("time_zone"), None);
}

#[testkit::both_engines]
async fn what_is_done_is_not_overdue(app: TestApp) {
    let client = app.client().await;
    let incident = incident(&app, &client, "Phishing").await;
    tasks_due(&app, &client, &incident, &["2026-02-24T09:00:00Z", "2026-02-25T09:00:00Z"]).await;
    let path = format!("{incident}/tasks/1");
    app.patch(&path).bearer(&client).json(json!({"status": "done"})).expect(200).await;
    let overdue = list(&app, &client, "?due=overdue").await;
    assert_eq!(titles(&overdue), ["2026-02-25T09:00:00Z"]);
    let done = list(&app, &client, "?due=overdue&status=done&include_total=true").await;
    assert_eq!((titles(&done), &done["total"]), (vec![], &json!(0)));
    assert_eq!(titles(&list(&app, &client, "?due=week&status=done").await), ["2026-02-24T09:00:00Z"]);
}

#[testkit::both_engines]
async fn my_tasks_are_those_of_the_incidents_that_i_see(app: TestApp) {
    let client = app.client().await;
    let (ada, ben) = (app.person("Ada", Role::Responder).await, app.person("Ben", Role::Responder).await);
    let (open, secret) =
        (incident(&app, &client, "Phishing").await, incident(&app, &client, "Payroll").await);
    for (place, due) in [(&open, "2026-03-03T09:00:00Z"), (&secret, "2026-03-02T09:00:00Z")] {
        task(&app, &client, place, json!({"title": place, "owner": ada.id, "due": due})).await;
    }
    task(&app, &client, &open, json!({"title": "nobody's"})).await;
    let restrict = json!({"restricted": true, "readers": [ben.id]});
    app.patch(&secret).bearer(&client).json(restrict).expect(200).await;
    let mine = list(&app, &ada, "?owner=me&include_total=true").await;
    assert_eq!((titles(&mine), &mine["total"]), (vec![open.as_str()], &json!(1)));
    assert_eq!(mine["data"][0]["incident"], json!({"id": "INC-0001", "title": "Phishing"}));
    let hers = list(&app, &ben, &format!("?owner={}&include_total=true", ada.id)).await;
    assert_eq!((titles(&hers), &hers["total"]), (vec![secret.as_str(), open.as_str()], &json!(2)));
    assert_eq!(titles(&list(&app, &ben, "?owner=none").await), ["nobody's"]);
    let reader = json!({"readers": [ada.id]});
    app.patch(&secret).bearer(&client).json(reader).expect(200).await;
    assert_eq!(titles(&list(&app, &ada, "?owner=me&sort=-due").await), [open.as_str(), secret.as_str()]);
}

#[testkit::both_engines]
async fn a_wrong_filter_is_refused(app: TestApp) {
    let client = app.client().await;
    let wrong = "/v1/tasks?due=later&owner=me&status=closed&sort=title";
    let refused = app.get(wrong).bearer(&client).expect(400).await;
    assert_eq!(refused.faults(), ["status enum", "due enum", "owner not_a_person", "sort enum"]);
}
