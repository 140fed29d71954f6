//! `POST /v1/users/{id}/handover`

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

use crate::api::duties::{busy, counts, duties};
use crate::api::undo::{outcomes, request_id, undo};

async fn hand_over(app: &TestApp, caller: impl AsRef<str>, from: &TestPerson, body: Value) -> Answer {
    app.db.clock.advance_seconds(60);
    app.post(&format!("/v1/users/{}/handover", from.id)).bearer(caller).json(body).await
}

/// Kind and subject of each journal entry after this one.
async fn entries(app: &TestApp, caller: impl AsRef<str>, after: i64) -> Vec<String> {
    let list = app.get(&format!("/v1/journal?after={after}")).bearer(caller).expect(200).await;
    let entries = list.json()["data"].as_array().unwrap().clone();
    let text = |entry: &Value, at: &str| entry.pointer(at).unwrap().as_str().unwrap().to_owned();
    entries.iter().map(|entry| format!("{} {}", text(entry, "/kind"), text(entry, "/subject/id"))).collect()
}

#[testkit::both_engines]
async fn everything_goes_to_another_member_in_one_write(app: TestApp) {
    let client = app.client().await;
    let (ada, incident) = busy(&app, &client, "Ada").await;
    let (ben, _) = busy(&app, &client, "Ben").await;
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].as_i64().unwrap();
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id})).await;
    assert_eq!(
        (moved.status, moved.json()),
        (
            200,
            &json!({"moved": {"incidents": 1, "tasks": 1, "reviews": 1, "risks": 1, "risk_tasks": 1, "documents": 1}})
        )
    );
    assert_eq!(
        entries(&app, &client, head).await,
        [
            "incident.updated INC-0001",
            "incident.task_updated INC-0001",
            "incident.review_updated INC-0001",
            "risk.updated RSK-1",
            "risk.task_updated RSK-1",
            "document.updated policy-ada",
        ]
    );
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [Some(0); 6]);
    assert_eq!(counts(&duties(&app, &client, &ben.id).await), [Some(2); 6]);
    let task = app.get(&format!("{incident}/tasks/1")).bearer(&client).expect(200).await;
    assert_eq!((task.text("/owner/name"), task.json()["version"].as_i64()), ("Ben", Some(2)));
    let lead = app.get(&incident).bearer(&client).expect(200).await;
    assert_eq!((lead.text("/assigned_to/name"), lead.json()["version"].as_i64()), ("Ben", Some(2)));
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&client).expect(204).await;
}

#[testkit::both_engines]
async fn the_duties_of_one_who_has_left_are_handed_over_too(app: TestApp) {
    let client = app.client().await;
    let (ada, _) = busy(&app, &client, "Ada").await;
    let ben = app.person("Ben", Role::Owner).await;
    app.delete(&format!("/v1/users/{}?duties=keep", ada.id)).bearer(&client).expect(204).await;
    let refused = hand_over(&app, &client, &ben, json!({"to": ada.id})).await;
    assert_eq!((refused.status, refused.faults()), (422, vec!["#/to unknown_user".to_owned()]));
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id})).await;
    assert_eq!(moved.json()["moved"]["risks"], 1);
    assert_eq!(counts(&duties(&app, &client, &ben.id).await), [Some(1); 6]);
}

#[testkit::both_engines]
async fn some_kinds_can_be_chosen_and_only_those_that_the_caller_may_change(app: TestApp) {
    let client = app.client().await;
    let (ada, _) = busy(&app, &client, "Ada").await;
    let ben = app.person("Ben", Role::Owner).await;
    let some = hand_over(&app, &client, &ada, json!({"to": ben.id, "which": ["tasks", "documents"]})).await;
    assert_eq!(some.json(), &json!({"moved": {"tasks": 1, "documents": 1}}));
    let rita = app.person("Rita", Role::Responder).await;
    let refused = hand_over(&app, &rita, &ada, json!({"to": ben.id, "which": ["incidents", "risks"]})).await;
    assert_eq!((refused.status, refused.text("scope")), (403, "risks:write"));
    let rest = hand_over(&app, &rita, &ada, json!({"to": ben.id})).await;
    assert_eq!(rest.json(), &json!({"moved": {"incidents": 1, "tasks": 0, "reviews": 1}}));
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [0, 0, 0, 1, 1, 0].map(Some));
}

#[testkit::both_engines]
async fn a_restricted_incident_that_the_caller_does_not_see_stays(app: TestApp) {
    let client = app.client().await;
    let (ada, incident) = busy(&app, &client, "Ada").await;
    app.patch(&incident).bearer(&client).json(json!({"restricted": true})).expect(200).await;
    let (ben, rita) = (app.person("Ben", Role::Owner).await, app.person("Rita", Role::Responder).await);
    let moved = hand_over(&app, &rita, &ada, json!({"to": ben.id})).await;
    assert_eq!(moved.json(), &json!({"moved": {"incidents": 0, "tasks": 0, "reviews": 0}}));
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [Some(1); 6]);
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id})).await;
    assert_eq!(moved.json()["moved"]["incidents"], 1);
    app.get(&incident).bearer(&ben).expect(200).await;
}

#[testkit::both_engines]
async fn many_duties_are_handed_over_in_batches(app: TestApp) {
    let client = app.client().await;
    let (ada, ben) = (app.person("Ada", Role::Owner).await, app.person("Ben", Role::Owner).await);
    let made = app.post("/v1/incidents").bearer(&client).json(json!({"title": "a", "description": ""}));
    made.expect(201).await;
    for number in 0..205 {
        let task = json!({"title": format!("{number}"), "owner": ada.id});
        app.post("/v1/incidents/1/tasks").bearer(&client).json(task).expect(201).await;
    }
    let shown = duties(&app, &client, &ada.id).await;
    assert_eq!(
        (&shown["tasks"]["count"], shown["tasks"]["first"].as_array().unwrap().len()),
        (&json!(205), 50)
    );
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id, "which": ["tasks"]})).await;
    assert_eq!(moved.json(), &json!({"moved": {"tasks": 205}}));
    assert_eq!(duties(&app, &client, &ben.id).await["tasks"]["count"], 205);
}

#[testkit::both_engines]
async fn a_handover_to_the_same_member_changes_nothing(app: TestApp) {
    let client = app.client().await;
    let (ada, incident) = busy(&app, &client, "Ada").await;
    let before = app.get(&incident).bearer(&client).expect(200).await;
    let moved = hand_over(&app, &client, &ada, json!({"to": ada.id, "which": ["incidents"]})).await;
    assert_eq!(moved.json(), &json!({"moved": {"incidents": 0}}));
    assert_eq!(app.get(&incident).bearer(&client).expect(200).await.bytes, before.bytes);
}

#[testkit::both_engines]
async fn a_wrong_handover_is_refused(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Owner).await;
    let wrong = json!({"which": ["tasks", "cats", "tasks", 7], "too": ada.id});
    let refused = hand_over(&app, &client, &ada, wrong).await;
    assert_eq!(
        refused.faults(),
        ["#/to required", "#/which/1 enum", "#/which/2 duplicate", "#/which/3 type", "#/too unknown_field"]
    );
    let none = hand_over(&app, &client, &ada, json!({"to": ada.id, "which": []})).await;
    assert_eq!(none.faults(), ["#/which too_few"]);
    let unknown = app.post("/v1/users/00000000-0000-4000-8000-000000000000/handover").bearer(&client);
    let unknown = unknown.json(json!({"to": ada.id})).expect(404).await;
    assert_eq!(unknown.text("title"), "User not found");
}

/// What can be undone is: an incident, of which a part was handed over too, is changed back by another handover.
#[testkit::both_engines]
async fn a_handover_is_undone_for_incidents_risks_and_documents(app: TestApp) {
    let client = app.client().await;
    let (ada, _) = busy(&app, &client, "Ada").await;
    let ben = app.person("Ben", Role::Owner).await;
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id, "which": ["incidents", "risks"]})).await;
    let undone = undo(&app, &client, request_id(&moved)).await;
    let expected = vec![["incident", "INC-0001", "undone"], ["risk", "RSK-1", "undone"]];
    assert_eq!(outcomes(&undone), (2, expected));
    let moved = hand_over(&app, &client, &ada, json!({"to": ben.id})).await;
    let undone = undo(&app, &client, request_id(&moved)).await;
    let expected = vec![
        ["incident", "INC-0001", "not_undoable"],
        ["risk", "RSK-1", "not_undoable"],
        ["document", "policy-ada", "undone"],
    ];
    assert_eq!(outcomes(&undone), (1, expected));
}
