//! `GET /v1/me`, and the attribution of a person's changes.

use domain::Role;
use serde_json::json;
use testkit::TestApp;

#[testkit::both_engines]
async fn me_shows_a_client_itself(app: TestApp) {
    let client = app.client_with_scopes("risks:read incidents:read").await;
    let me = app.get("/v1/me").bearer(&client).expect(200).await;
    let expected = json!({
        "type": "client", "id": client.id, "name": "Probe", "email": null, "role": null, "roles": null,
        "organization": {"id": app.organization, "name": "Acme"},
        "scopes": ["incidents:read", "risks:read"],
    });
    assert_eq!(*me.json(), expected);
}

#[testkit::both_engines]
async fn me_shows_a_person_themselves(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let me = app.get("/v1/me").bearer(&ada).expect(200).await;
    let expected = json!({
        "type": "user", "id": ada.id, "name": "Ada", "email": "ada@x.org", "role": "responder", "roles": ["responder"],
        "organization": {"id": app.organization, "name": "Acme"},
        "scopes": ["incidents:read", "incidents:write", "incidents:declare", "risks:read", "tags:read",
            "documents:read", "documents:acknowledge", "organizations:read", "users:read"],
    });
    assert_eq!(*me.json(), expected);
}

#[testkit::both_engines]
async fn me_needs_a_token(app: TestApp) {
    let answer = app.get("/v1/me").expect(401).await;
    assert_eq!(answer.text("code"), "unauthenticated");
}

/// The register records the author of each change, a client or a person.
#[testkit::both_engines]
async fn what_a_person_changes_is_theirs(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let actor = json!({"type": "user", "id": ada.id, "name": "Ada"});
    let body = json!({"title": "Door open", "description": ""});
    let made = app.post("/v1/incidents").bearer(&ada).json(body).expect(201).await;
    assert_eq!(made.json()["opened_by"], actor);
    let auditor = app.client_with_scopes("journal:read").await;
    let journal = app.get("/v1/journal?limit=200").bearer(&auditor).expect(200).await;
    let entries = journal.json()["data"].as_array().unwrap();
    let told = entries.iter().find(|entry| entry["kind"] == "incident.created").unwrap();
    assert_eq!(told["actor"], actor);
}

/// An Idempotency-Key belongs to the person, in all their sessions.
#[testkit::both_engines]
async fn a_person_may_repeat_a_write_in_another_session(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let again = app.sign_in_person(app.organization, &ada.email, &ada.password).await;
    let body = json!({"title": "Door open", "description": ""});
    let first =
        app.post("/v1/incidents").bearer(&ada).idempotency_key("k").json(body.clone()).expect(201).await;
    let second = app.post("/v1/incidents").bearer(&again).idempotency_key("k").json(body).expect(201).await;
    assert_eq!(first.json(), second.json());
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
}

#[testkit::both_engines]
async fn a_staff_member_declares_incidents_and_an_auditor_reads_the_journal(app: TestApp) {
    let staff = app.person("Sam", Role::Staff).await;
    let body = json!({"title": "A laptop is gone", "description": ""});
    let made = app.post("/v1/incidents").bearer(&staff).json(body.clone()).expect(201).await;
    assert_eq!(made.json()["opened_by"], json!({"type": "user", "id": staff.id, "name": "Sam"}));
    let path = made.header("location").unwrap().to_owned();
    let refused = app.patch(&path).bearer(&staff).json(json!({"title": "x"})).expect(403).await;
    assert_eq!(refused.text("scope"), "incidents:write");
    app.get(&path).bearer(&staff).expect(200).await;
    let other = app.post("/v1/incidents").bearer(&app.client().await).json(body.clone()).expect(201).await;
    app.get(other.header("location").unwrap()).bearer(&staff).expect(404).await;
    let list = app.get("/v1/incidents?include_total=true").bearer(&staff).expect(200).await;
    assert_eq!((list.json()["data"].as_array().unwrap().len(), &list.json()["total"]), (1, &json!(1)));
    let auditor = app.person("Alma", Role::Auditor).await;
    app.get("/v1/journal").bearer(&auditor).expect(200).await;
    app.get(&path).bearer(&auditor).expect(200).await;
    app.post("/v1/incidents").bearer(&auditor).json(body.clone()).expect(201).await;
    let reader = app.client_with_scopes("incidents:read").await;
    let refused = app.post("/v1/incidents").bearer(&reader).json(body).expect(403).await;
    assert_eq!(refused.text("detail"), "This needs the scope incidents:write or incidents:declare.");
}

#[testkit::both_engines]
async fn a_role_allows_what_its_scopes_allow(app: TestApp) {
    let viewer = app.person("Vera", Role::Viewer).await;
    app.get("/v1/incidents").bearer(&viewer).expect(200).await;
    let refused = app.post("/v1/tags").bearer(&viewer).json(json!({"name": "x"})).expect(403).await;
    assert_eq!((refused.text("code"), refused.text("scope")), ("insufficient_scope", "tags:write"));
    app.get("/v1/journal").bearer(&viewer).expect(403).await;
}
