//! Guessing passwords is throttled, and costs no more than a full queue of checks.

use domain::Role;
use serde_json::json;
use testkit::{Answer, TestApp, TestDb};

async fn guess(app: &TestApp, email: &str, password: &str) -> Answer {
    let body = json!({"email": email, "password": password, "organization_id": app.organization});
    app.post("/v1/session").json(body).await
}

/// A service with the default limit of failures.
async fn counting(db: TestDb) -> TestApp {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await
}

#[testkit::both_engines]
async fn ten_failures_and_then_a_wait_known_or_not(db: TestDb) {
    let app = counting(db).await;
    let ada = app.person("Ada", Role::Owner).await;
    for email in ["ada@x.org", "nobody@x.org"] {
        for _ in 0..10 {
            assert_eq!(guess(&app, email, "not the right password").await.status, 401);
        }
        // Another spelling of the same address does not help, nor does the right password.
        for (spelled, password) in [(email.to_uppercase(), "x"), (email.to_owned(), &ada.password)] {
            let answer = guess(&app, &spelled, password).await;
            assert_eq!((answer.status, answer.text("code")), (429, "rate_limited"), "{spelled}");
            assert_eq!(answer.header("retry-after"), Some("10"));
        }
    }
    app.db.clock.advance_seconds(10);
    assert_eq!(guess(&app, &ada.email, &ada.password).await.status, 201);
}

#[testkit::both_engines]
async fn an_invitation_is_no_way_around_the_wait(db: TestDb) {
    let app = counting(db).await;
    let ada = app.person("Ada", Role::Owner).await;
    let other = app.db.organization("Other").await;
    let token = app.invite(other, "Ada", "ada@x.org", Role::Viewer).await;
    let accept = async |password: &str| {
        app.post("/v1/invitations/accept").json(json!({"token": token, "password": password})).await
    };
    for _ in 0..5 {
        let answer = accept("not the right password").await;
        assert_eq!((answer.status, answer.text("code")), (401, "invalid_credentials"));
        assert_eq!(guess(&app, &ada.email, "not the right password").await.status, 401);
    }
    assert_eq!(
        (accept(&ada.password).await.status, guess(&app, &ada.email, &ada.password).await.status),
        (429, 429)
    );
    app.db.clock.advance_seconds(10);
    assert_eq!(accept(&ada.password).await.status, 200);
}

/// Signing in rehashes a password at the current cost.
#[testkit::both_engines]
async fn a_stored_password_grows_when_it_is_next_used(db: TestDb) {
    let cost = |memory_kib| auth::people::PasswordCost { memory_kib, iterations: 1 };
    let settings = |cost| {
        let tokens = auth::Settings { password_cost: cost, ..auth::Settings::new("http://bailiwick.test") };
        (http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() }, tokens)
    };
    let second = db.second(2).await;
    let stored = async |app: &TestApp| {
        let mut read = app.db.read().await.unwrap();
        let sql = "SELECT password_hash, password_version FROM person WHERE password_hash IS NOT NULL";
        read.query_one::<(String, i64)>(sql, &[]).await.unwrap()
    };
    let (http, tokens) = settings(cost(8));
    let old = TestApp::start_with(db, http, tokens).await;
    let ada = old.person("Ada", Role::Owner).await;
    let (http, tokens) = settings(cost(16));
    let new = TestApp::start_with(second, http, tokens).await;
    assert!(stored(&old).await.0.contains("m=8,"));
    new.sign_in_person(old.organization, &ada.email, &ada.password).await;
    let (hash, version) = stored(&old).await;
    assert!(hash.contains("m=16,") && version == 1, "{hash} {version}");
    old.get("/v1/me").bearer(&ada).expect(200).await;
    old.sign_in_person(old.organization, &ada.email, &ada.password).await;
    assert!(stored(&old).await.0.contains("m=16,"));
}
