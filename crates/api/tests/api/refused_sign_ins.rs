//! Refused sign-ins of a person who is known: one entry for each hour in the instance's chain.

use db::Tx;
use domain::{OrgId, Role};
use serde_json::{Value, json};
use store::journal::Entry;
use testkit::{TestApp, TestDb, TestPerson};

const WRONG: &str = "not the right password";

async fn sign_in(app: &TestApp, organization: OrgId, email: &str, password: &str) -> u16 {
    let body = json!({"email": email, "password": password, "organization_id": organization});
    app.post("/v1/session").json(body).await.status
}

/// A refused sign-in.
async fn refuse(app: &TestApp, email: &str) {
    assert_eq!(sign_in(app, app.organization, email, WRONG).await, 401);
}

/// The entries of refused sign-ins after an hour, once housekeeping has run and the journal verifies.
async fn entries_an_hour_later(app: &TestApp) -> Vec<Entry> {
    app.db.clock.advance_seconds(3_600);
    let by = testkit::author();
    let append = async move |tx: &mut Tx| store::refused_sign_ins::append_entries(tx, &by, 100).await;
    app.db.write_alone(OrgId::INSTANCE, append).await.unwrap();
    let report = store::verify::verify(&mut app.db.read().await.unwrap(), OrgId::INSTANCE, None).await;
    assert_eq!(report.unwrap().faults, []);
    entries(app).await
}

async fn entries(app: &TestApp) -> Vec<Entry> {
    let mut read = app.db.read().await.unwrap();
    let entries = store::journal::list(&mut read, OrgId::INSTANCE, 0, 1_000).await.unwrap();
    entries.into_iter().filter(|entry| entry.kind == "user.sign_ins_refused").collect()
}

/// Whose refusals the entries tell of, and how many.
fn counts(entries: &[Entry]) -> Vec<(String, i64)> {
    let count = |entry: &Entry| {
        let payload: Value = serde_json::from_str(entry.payload.as_ref().unwrap()).unwrap();
        (entry.subject_id.clone(), payload["count"][1].as_i64().unwrap())
    };
    let mut counts: Vec<_> = entries.iter().map(count).collect();
    counts.sort();
    counts
}

fn count(person: &TestPerson, count: i64) -> Vec<(String, i64)> {
    vec![(person.id.clone(), count)]
}

#[testkit::both_engines]
async fn three_refusals_within_an_hour_are_one_entry_after_it(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for email in ["ada@x.org", "ADA@X.org", "ada@x.org"] {
        refuse(&app, email).await;
        app.db.clock.advance_seconds(60);
    }
    assert_eq!(entries(&app).await, []);
    let found = entries_an_hour_later(&app).await;
    let [entry] = &found[..] else { panic!("{found:?}") };
    assert_eq!((entry.subject_kind.as_str(), entry.subject_id.as_str()), ("user", ada.id.as_str()));
    let payload = r#"{"hour":[null,"2026-03-01T09:00:00.000000Z"],"count":[null,3]}"#;
    assert_eq!(entry.payload.as_deref(), Some(payload));
    // The next hour has an entry of its own, and so has another person.
    let bea = app.person("Bea", Role::Viewer).await;
    refuse(&app, "bea@x.org").await;
    refuse(&app, "ada@x.org").await;
    let mut expected = [count(&ada, 3), count(&ada, 1), count(&bea, 1)].concat();
    expected.sort();
    assert_eq!(counts(&entries_an_hour_later(&app).await), expected);
}

#[testkit::both_engines]
async fn every_wrong_password_of_a_person_counts(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let other = app.db.organization("Other").await;
    // Not a member there, though the password is right.
    assert_eq!(sign_in(&app, other, "ada@x.org", &ada.password).await, 401);
    // Without an organization.
    app.post("/v1/session").json(json!({"email": "ada@x.org", "password": WRONG})).expect(401).await;
    let change = json!({"old": WRONG, "new": "another horse battery"});
    app.post("/v1/me/password").bearer(&ada).json(change).expect(401).await;
    let token = app.invite(other, "Ada", "ada@x.org", Role::Viewer).await;
    let accept = json!({"token": token, "password": WRONG});
    app.post("/v1/invitations/accept").json(accept).expect(401).await;
    // A member who was removed, from all organizations.
    let client = app.client().await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&client).expect(204).await;
    assert_eq!(sign_in(&app, app.organization, "ada@x.org", &ada.password).await, 401);
    // A member without a password.
    let bea = app.user("Bea", "bea@x.org", Role::Viewer).await;
    refuse(&app, "bea@x.org").await;
    let mut expected = vec![(ada.id.clone(), 5), (bea.to_string(), 1)];
    expected.sort();
    assert_eq!(counts(&entries_an_hour_later(&app).await), expected);
}

#[testkit::both_engines]
async fn a_right_password_and_an_unknown_address_leave_no_entry(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    assert_eq!(sign_in(&app, app.organization, "ada@x.org", &ada.password).await, 201);
    let there = app.person_of(app.db.organization("Other").await, "Ada", Role::Viewer).await;
    let choose = json!({"email": "ada@x.org", "password": ada.password});
    app.post("/v1/session").json(choose).expect(409).await;
    let change = json!({"old": ada.password, "new": "another horse battery"});
    app.post("/v1/me/password").bearer(&there).json(change).expect(204).await;
    refuse(&app, "nobody@x.org").await;
    app.post("/v1/session").json(json!({"email": "nobody@x.org", "password": WRONG})).expect(401).await;
    assert_eq!(entries_an_hour_later(&app).await, []);
}

/// Nothing is compared while a name has to wait, so guessing on writes nothing.
#[testkit::both_engines]
async fn attempts_that_have_to_wait_are_not_counted(db: TestDb) {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    let tokens = auth::Settings::new("http://bailiwick.test");
    let app = TestApp::start_with(db, http, tokens).await;
    let ada = app.person("Ada", Role::Owner).await;
    for _ in 0..10 {
        refuse(&app, "ada@x.org").await;
    }
    let commits = app.db.commits();
    for _ in 0..5 {
        assert_eq!(sign_in(&app, app.organization, "ada@x.org", WRONG).await, 429);
    }
    assert_eq!(app.db.commits(), commits);
    assert_eq!(counts(&entries_an_hour_later(&app).await), count(&ada, 10));
}

/// Statements, round trips to PostgreSQL and commits of a refused sign-in: the minimum of a few, because the end of an
/// earlier read may be counted too.
async fn cost(app: &TestApp, body: &Value) -> (u64, u64, u64) {
    let db = &app.db;
    let mut least = (u64::MAX, u64::MAX, u64::MAX);
    for _ in 0..3 {
        let before = (db.statements(), db.round_trips(), db.commits());
        app.post("/v1/session").json(body.clone()).expect(401).await;
        let after = (db.statements(), db.round_trips(), db.commits());
        least = least.min((after.0 - before.0, after.1 - before.1, after.2 - before.2));
    }
    least
}

/// The database has as much to do for an unknown address, so the time of the response does not reveal which addresses
/// are known.
#[testkit::both_engines]
async fn a_refusal_costs_the_same_whether_the_address_is_known_or_not(app: TestApp) {
    app.person("Ada", Role::Owner).await;
    for organization in [Some(app.organization), Some(app.db.organization("Other").await), None] {
        let body = |email| match organization {
            Some(id) => json!({"email": email, "password": WRONG, "organization_id": id}),
            None => json!({"email": email, "password": WRONG}),
        };
        let known = cost(&app, &body("ada@x.org")).await;
        assert_eq!(known, cost(&app, &body("nobody@x.org")).await);
        assert_eq!(known.2, 1, "durable before the response");
    }
}

#[testkit::both_engines]
async fn a_refusal_that_cannot_be_counted_is_not_answered_as_one(app: TestApp) {
    app.person("Ada", Role::Owner).await;
    app.db.close().await;
    for email in ["ada@x.org", "nobody@x.org"] {
        let body = json!({"email": email, "password": WRONG, "organization_id": app.organization});
        let answer = app.post("/v1/session").json(body).expect(503).await;
        assert_eq!(answer.text("code"), "unavailable");
    }
}

/// Many at once, in two processes.
#[testkit::both_engines]
async fn concurrent_refusals_are_all_counted(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let second = app.beside(2).await;
    let apps = [&app, &second];
    futures_util::future::join_all((0..20).map(|n| refuse(apps[n % 2], "ada@x.org"))).await;
    assert_eq!(counts(&entries_an_hour_later(&app).await), count(&ada, 20));
}
