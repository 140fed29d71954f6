//! `GET /v1/users/{id}/duties`, and removing a member who has some.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, TestPerson};

/// A member with this name who leads an incident, owns a task and the review of it, a risk with a task, and a document; returns
/// the path of the incident too.
pub(crate) async fn busy(app: &TestApp, client: &TestClient, name: &str) -> (TestPerson, String) {
    let person = app.person(name, Role::Responder).await;
    let id = &person.id;
    let post = async |path: &str, body: Value| app.post(path).bearer(client).json(body).expect(201).await;
    let incident = json!({"title": format!("Phishing of {name}"), "description": "", "assigned_to": id});
    let incident = post("/v1/incidents", incident).await;
    let path = format!("/v1/incidents/{}", incident.text("id"));
    post(&format!("{path}/tasks"), json!({"title": "Reset the passwords", "owner": id})).await;
    app.patch(&format!("{path}/review")).bearer(client).json(json!({"owner": id})).expect(200).await;
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "Fire", "inherent": rating, "target": rating, "owner": id});
    let risk = post("/v1/risks", risk).await;
    let treatment = json!({"title": "Buy extinguishers", "owner": id});
    post(&format!("/v1/risks/{}/tasks", risk.text("id")), treatment).await;
    let slug = format!("policy-{}", name.to_lowercase());
    let items =
        json!([{"id": "contact", "kind": "text", "label": "Contact", "required": false, "default": ""}]);
    post(
        "/v1/documents",
        json!({"slug": slug, "title": "Policy", "description": "", "owner": id, "items": items}),
    )
    .await;
    (person, path)
}

pub(crate) async fn duties(app: &TestApp, caller: impl AsRef<str>, id: &str) -> Value {
    app.get(&format!("/v1/users/{id}/duties")).bearer(caller).expect(200).await.json().clone()
}

/// How many of each kind: incidents, their tasks, reviews, risks, their tasks, documents.
pub(crate) fn counts(duties: &Value) -> [Option<i64>; 6] {
    ["incidents", "tasks", "reviews", "risks", "risk_tasks", "documents"]
        .map(|kind| duties[kind]["count"].as_i64())
}

#[testkit::both_engines]
async fn the_duties_of_a_member_are_shown(app: TestApp) {
    let client = app.client().await;
    let (ada, path) = busy(&app, &client, "Ada").await;
    let shown = duties(&app, &client, &ada.id).await;
    let incident = json!({"id": "INC-0001", "title": "Phishing of Ada"});
    let task = app.get(&format!("{path}/tasks/1")).bearer(&client).expect(200).await;
    let treatment = app.get("/v1/risks/1/tasks/1").bearer(&client).expect(200).await;
    assert_eq!(
        shown,
        json!({
            "user": {"id": ada.id, "name": "Ada", "email": "ada@x.org"},
            "incidents": {"count": 1, "first": [incident]},
            "tasks": {"count": 1, "first": [task.json()]},
            "reviews": {"count": 1, "first": [{"incident": incident, "edition": 1, "state": "draft"}]},
            "risks": {"count": 1, "first": [{"id": "RSK-1", "title": "Fire"}]},
            "risk_tasks": {"count": 1, "first": [treatment.json()]},
            "documents": {"count": 1, "first": [{"slug": "policy-ada", "title": "Policy"}]},
        })
    );
    let nobody = app.person("Ben", Role::Viewer).await;
    assert_eq!(counts(&duties(&app, &client, &nobody.id).await), [Some(0); 6]);
    let unknown = app.get("/v1/users/00000000-0000-4000-8000-000000000000/duties").bearer(&client);
    assert_eq!(unknown.expect(404).await.text("title"), "User not found");
}

#[testkit::both_engines]
async fn what_is_done_is_no_duty(app: TestApp) {
    let client = app.client().await;
    let (ada, path) = busy(&app, &client, "Ada").await;
    let patch = async |path: &str, body: Value| app.patch(path).bearer(&client).json(body).expect(200).await;
    patch(&format!("{path}/tasks/1"), json!({"status": "done"})).await;
    let review = json!({"summary": "Mail.", "root_cause": "Not found.", "state": "published"});
    patch(&format!("{path}/review"), review).await;
    patch("/v1/risks/RSK-1", json!({"status": "closed", "status_reason": "Insured."})).await;
    patch("/v1/risks/RSK-1/tasks/1", json!({"status": "not_doing", "reason": "Insured."})).await;
    let [now, shown] = [[1, 0, 0, 0, 0, 1].map(Some), counts(&duties(&app, &client, &ada.id).await)];
    assert_eq!(shown, now);
    patch("/v1/risks/RSK-1/tasks/1", json!({"status": "open"})).await;
    patch(&format!("{path}/tasks/1"), json!({"status": "in_progress"})).await;
    patch(&path, json!({"status": "dismissed", "resolution_reason": "not_an_incident"})).await;
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [0, 1, 0, 0, 1, 1].map(Some));
    app.delete("/v1/risks/1").bearer(&client).expect(204).await;
    app.post("/v1/incidents/bulk-delete").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [0, 0, 0, 0, 0, 1].map(Some));
}

#[testkit::both_engines]
async fn a_caller_knows_only_of_duties_that_it_may_read(app: TestApp) {
    let client = app.client().await;
    let (ada, path) = busy(&app, &client, "Ada").await;
    busy(&app, &client, "Ben").await;
    let users = app.client_with_scopes("users:read").await;
    assert_eq!(counts(&duties(&app, &users, &ada.id).await), [None; 6]);
    let risks = app.client_with_scopes("users:read risks:read").await;
    assert_eq!(counts(&duties(&app, &risks, &ada.id).await), [None, None, None, Some(1), Some(1), None]);
    // What Ada does in a restricted incident is known to those who see it.
    app.patch(&path).bearer(&client).json(json!({"restricted": true})).expect(200).await;
    let viewer = app.person("Vera", Role::Viewer).await;
    let seen = duties(&app, &viewer, &ada.id).await;
    assert_eq!(counts(&seen), [0, 0, 0, 1, 1, 1].map(Some));
    assert!(!seen.to_string().contains("INC-0001"), "{seen}");
    for caller in [client.as_ref(), ada.as_ref()] {
        assert_eq!(counts(&duties(&app, caller, &ada.id).await), [Some(1); 6]);
    }
}

#[testkit::both_engines]
async fn a_member_with_duties_is_not_removed_unless_they_are_to_be_kept(app: TestApp) {
    let client = app.client().await;
    let (ada, _) = busy(&app, &client, "Ada").await;
    let user = format!("/v1/users/{}", ada.id);
    let refused = app.delete(&user).bearer(&client).expect(409).await;
    assert_eq!(
        refused.json(),
        &json!({
            "type": "/docs/errors#member_has_duties",
            "title": "The member has duties.",
            "status": 409,
            "detail": "The member has 1 open incident, 1 open task, 1 unpublished review, 1 open risk, \
                1 open treatment task, 1 document. Hand them over first, or send duties=keep.",
            "instance": user,
            "code": "member_has_duties",
            "duties": {"incidents": 1, "tasks": 1, "reviews": 1, "risks": 1, "risk_tasks": 1, "documents": 1},
            "request_id": refused.text("request_id"),
        })
    );
    app.get(&user).bearer(&client).expect(200).await;
    app.delete(&format!("{user}?duties=refuse")).bearer(&client).expect(409).await;
    let wrong = app.delete(&format!("{user}?duties=drop")).bearer(&client).expect(400).await;
    assert_eq!(wrong.faults(), ["duties enum"]);
    app.delete(&format!("{user}?duties=keep")).bearer(&client).expect(204).await;
    // Whoever takes over later finds what was left.
    assert_eq!(counts(&duties(&app, &client, &ada.id).await), [Some(1); 6]);
}

/// The refusal would otherwise tell that there is something.
#[testkit::both_engines]
async fn duties_that_the_caller_may_not_read_do_not_stand_against_a_removal(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let body = json!({"title": "Payroll", "description": "", "assigned_to": ada.id});
    app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"restricted": true})).expect(200).await;
    let scopes = format!("users:admin {}", Role::Viewer.scopes());
    let admin = app.client_with_scopes(&scopes).await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&admin).expect(204).await;
}
