//! `POST /v1/me/password`: what changing the own password requires, and what it ends.

use domain::{OrgId, Role};
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestDb, TestPerson};

const NEW: &str = "another horse battery";

async fn change(app: &TestApp, token: impl AsRef<str>, old: &str, new: &str) -> Answer {
    app.post("/v1/me/password").bearer(token).json(json!({"old": old, "new": new})).await
}

async fn status(app: &TestApp, token: impl AsRef<str>) -> u16 {
    app.get("/v1/me").bearer(token).await.status
}

async fn sign_in(app: &TestApp, person: &TestPerson, password: &str) -> u16 {
    let body = json!({"email": person.email, "password": password, "organization_id": person.organization});
    app.post("/v1/session").json(body).await.status
}

#[testkit::both_engines]
async fn another_password_ends_the_other_sessions_everywhere_and_not_this_one(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let bea = app.person("Bea", Role::Owner).await;
    let second = app.sign_in_person(app.organization, &ada.email, &ada.password).await;
    let there = app.person_of(app.db.organization("Other").await, "Ada", Role::Viewer).await;
    let answer = change(&app, &ada, &ada.password, NEW).await;
    assert_eq!((answer.status, answer.bytes.len()), (204, 0));
    assert_eq!((status(&app, &ada).await, status(&app, &bea).await), (200, 200));
    assert_eq!((status(&app, &second).await, status(&app, &there).await), (401, 401));
    assert_eq!((sign_in(&app, &ada, &ada.password).await, sign_in(&app, &ada, NEW).await), (401, 201));
    // Once more, from the session that continued.
    assert_eq!(change(&app, &ada, NEW, &ada.password).await.status, 204);
    assert_eq!((status(&app, &ada).await, sign_in(&app, &ada, &ada.password).await), (200, 201));
}

#[testkit::both_engines]
async fn another_password_is_journaled_as_the_persons_own_doing_and_nothing_of_it_is_kept(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let body = json!({"old": ada.password, "new": NEW});
    let ask = || app.post("/v1/me/password").bearer(&ada).idempotency_key("k").json(body.clone());
    ask().expect(204).await;
    let mut read = app.db.read().await.unwrap();
    let entries = store::journal::list(&mut read, OrgId::INSTANCE, 0, 1_000).await.unwrap();
    let last = entries.last().unwrap();
    assert_eq!((last.kind.as_str(), last.actor.id.as_str()), ("user.password_set", ada.id.as_str()));
    assert_eq!(last.subject_id, ada.id);
    let report = store::verify::verify(&mut read, OrgId::INSTANCE, None).await.unwrap();
    assert_eq!(report.faults, []);
    let (kept,): (i64,) = read.query_one("SELECT count(*) FROM idempotency_key", &[]).await.unwrap();
    assert_eq!(kept, 0, "a hash of the request would be a hash of the password");
    drop(read);
    ask().expect(401).await;
}

#[testkit::both_engines]
async fn without_the_old_password_nothing_changes(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let second = app.sign_in_person(app.organization, &ada.email, &ada.password).await;
    let refused = change(&app, &ada, "not the right password", NEW).await;
    assert_eq!((refused.status, refused.text("code")), (401, "invalid_credentials"));
    assert_eq!((status(&app, &ada).await, status(&app, &second).await), (200, 200));
    assert_eq!((sign_in(&app, &ada, NEW).await, sign_in(&app, &ada, &ada.password).await), (401, 201));
    let client = app.client().await;
    let refused = change(&app, &client, &ada.password, NEW).await;
    assert_eq!((refused.status, refused.text("title")), (404, "Session not found"));
    app.post("/v1/me/password").json(json!({"old": ada.password, "new": NEW})).expect(401).await;
}

#[testkit::both_engines]
async fn every_fault_of_a_new_password_is_reported(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let faults =
        async |body: Value| app.post("/v1/me/password").bearer(&ada).json(body).expect(422).await.faults();
    assert_eq!(faults(json!({"key": 1})).await, ["#/old required", "#/new required", "#/key unknown_field"]);
    assert_eq!(faults(json!({"old": ada.password, "new": "short"})).await, ["#/new too_short"]);
    assert_eq!(faults(json!({"old": ada.password, "new": "aaaaaaaaaaaaa"})).await, ["#/new guessable"]);
    let long = "x".repeat(129);
    assert_eq!(faults(json!({"old": long, "new": NEW})).await, ["#/old too_long"]);
    let request = app.post("/v1/me/password").bearer(&ada).header("if-match", "\"v1-x\"");
    let refused = request.json(json!({"old": ada.password, "new": NEW})).await;
    assert_eq!((refused.status, refused.text("code")), (412, "precondition_failed"));
    assert_eq!(sign_in(&app, &ada, &ada.password).await, 201, "it is the old one still");
}

/// A session that was left open cannot be used to guess the password.
#[testkit::both_engines]
async fn guessing_the_old_password_waits_as_signing_in_does(db: TestDb) {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    let tokens = auth::Settings::new("http://bailiwick.test");
    let app = TestApp::start_with(db, http, tokens).await;
    let ada = app.person("Ada", Role::Owner).await;
    for _ in 0..5 {
        assert_eq!(change(&app, &ada, "not the right password", NEW).await.status, 401);
        assert_eq!(sign_in(&app, &ada, "not the right password").await, 401);
    }
    let answer = change(&app, &ada, &ada.password, NEW).await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("10")));
    assert_eq!(sign_in(&app, &ada, &ada.password).await, 429);
    app.db.clock.advance_seconds(10);
    assert_eq!(change(&app, &ada, &ada.password, NEW).await.status, 204);
}

/// Of two concurrent changes from the same old password one succeeds.
#[testkit::both_engines]
async fn two_changes_at_once_do_not_both_count(app: TestApp) {
    let second = app.beside(2).await;
    let ada = app.person("Ada", Role::Owner).await;
    let (one, other) = tokio::join!(
        change(&app, &ada, &ada.password, NEW),
        change(&second, &ada, &ada.password, "yet another one")
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!([[204, 401], [204, 409]].contains(&statuses), "{statuses:?}");
    assert_eq!(status(&app, &ada).await, 200);
}
