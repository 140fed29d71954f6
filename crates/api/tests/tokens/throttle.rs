//! After failed attempts a client has to wait, and no other client does.

use testkit::{Request, TestDb};

use super::*;

const SLOW_DOWN: &str = "429 slow_down Too many requests.";
const NO_CLIENT: &str = "401 invalid_client Invalid credentials";
const NO_GRANT: &str = "400 invalid_grant Invalid credentials";
const HERE: &str = "192.0.2.1";
const ELSEWHERE: &str = "198.51.100.7";

/// The service with a limit of failures.
async fn started(db: TestDb) -> TestApp {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await
}

fn with<'a>(app: &'a TestApp, from: &str, id: &str, secret: &str) -> Request<'a> {
    let body = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
    app.post("/v1/oauth/token").from(from).json(body)
}

/// A well-formed secret that no client has.
async fn wrong(app: &TestApp) -> String {
    app.client().await.secret
}

#[testkit::both_engines]
async fn the_eleventh_failure_waits_and_asks_the_database_nothing(db: TestDb) {
    let app = started(db).await;
    let (client, wrong) = (app.client().await, wrong(&app).await);
    for _ in 0..10 {
        assert_eq!(outcome(&with(&app, HERE, &client.id, &wrong).await), NO_CLIENT);
    }
    let statements = app.db.statements();
    let answer = with(&app, HERE, &client.id, &wrong).await;
    assert_eq!(outcome(&answer), SLOW_DOWN);
    assert_eq!((answer.header("retry-after"), answer.text("code")), (Some("10"), "rate_limited"));
    assert_eq!(app.db.statements(), statements);
    for path in ["/v1/oauth/revoke", "/v1/oauth/introspect"] {
        let request = app.post(path).from(HERE).basic(&client.id, &wrong).form(&[("token", "a")]);
        assert_eq!(outcome(&request.await), SLOW_DOWN, "{path}");
    }
    app.db.clock.advance_seconds(10);
    assert_eq!(outcome(&with(&app, HERE, &client.id, &wrong).await), NO_CLIENT, "one more");
    assert_eq!(outcome(&with(&app, HERE, &client.id, &wrong).await), SLOW_DOWN);
    app.db.clock.advance_seconds(10);
    with(&app, HERE, &client.id, &client.secret).expect(200).await;
}

#[testkit::both_engines]
async fn failures_of_others_do_not_lock_a_client_out(db: TestDb) {
    let app = started(db).await;
    let (client, neighbour, wrong) = (app.client().await, app.client().await, wrong(&app).await);
    for _ in 0..50 {
        with(&app, HERE, &client.id, &wrong).await;
        with(&app, "2001:db8::1", &client.id, &wrong).await;
    }
    assert_eq!(outcome(&with(&app, HERE, &client.id, &client.secret).await), SLOW_DOWN);
    assert_eq!(outcome(&with(&app, "2001:db8::2", &client.id, &client.secret).await), SLOW_DOWN);
    with(&app, ELSEWHERE, &client.id, &client.secret).expect(200).await;
    with(&app, "2001:db8:0:1::1", &client.id, &client.secret).expect(200).await;
    with(&app, HERE, &neighbour.id, &neighbour.secret).expect(200).await;
}

#[testkit::both_engines]
async fn junk_counts_too_and_so_do_missing_credentials(db: TestDb) {
    let app = started(db).await;
    let client = app.client().await;
    for secret in ["junk", "", "bwk_0", "junk", "junk", "junk", "junk", "junk", "junk", "junk"] {
        assert_eq!(outcome(&with(&app, HERE, &client.id, secret).await), NO_CLIENT);
    }
    assert_eq!(outcome(&with(&app, HERE, &client.id, "junk").await), SLOW_DOWN);
    let nothing =
        || app.post("/v1/oauth/token").from(ELSEWHERE).json(json!({"grant_type": "client_credentials"}));
    for _ in 0..10 {
        assert_eq!(outcome(&nothing().await), NO_CLIENT);
    }
    assert_eq!(outcome(&nothing().await), SLOW_DOWN);
    with(&app, ELSEWHERE, &client.id, &client.secret).expect(200).await;
}

#[testkit::both_engines]
async fn an_address_that_tries_many_ids_waits_but_not_the_clients_that_work_there(db: TestDb) {
    let app = started(db).await;
    let (client, newcomer, wrong) = (app.client().await, app.client().await, wrong(&app).await);
    with(&app, HERE, &client.id, &client.secret).expect(200).await;
    for n in 0..100 {
        assert_eq!(outcome(&with(&app, HERE, &format!("bwc_{n}"), &wrong).await), NO_CLIENT);
    }
    assert_eq!(outcome(&with(&app, HERE, "bwc_x", &wrong).await), SLOW_DOWN);
    assert_eq!(outcome(&with(&app, HERE, &newcomer.id, &newcomer.secret).await), SLOW_DOWN);
    with(&app, HERE, &client.id, &client.secret).expect(200).await;
    with(&app, ELSEWHERE, &newcomer.id, &newcomer.secret).expect(200).await;
}

#[testkit::both_engines]
async fn success_and_malformed_requests_never_count(db: TestDb) {
    let app = started(db).await;
    let client = app.client().await;
    for _ in 0..60 {
        with(&app, HERE, &client.id, &client.secret).expect(200).await;
        app.post("/v1/oauth/token").from(HERE).body("application/json", "{").expect(400).await;
        let body = json!({"grant_type": "client_credentials", "client_id": client.id,
                          "client_secret": client.secret, "scope": "unknown"});
        app.post("/v1/oauth/token").from(HERE).json(body).expect(400).await;
    }
}

#[testkit::both_engines]
async fn dead_refresh_tokens_wait_but_not_the_credentials_of_their_client(db: TestDb) {
    let app = started(db).await;
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    tokens(&refresh(&app, &second).await);
    let again = |token: &str| {
        let body = json!({"grant_type": "refresh_token", "refresh_token": token});
        app.post("/v1/oauth/token").from(HERE).json(body).into_future()
    };
    for _ in 0..10 {
        assert_eq!(outcome(&again(&first).await), NO_GRANT);
    }
    let statements = app.db.statements();
    assert_eq!(outcome(&again(&first).await), SLOW_DOWN);
    assert_eq!(app.db.statements(), statements);
    with(&app, HERE, &client.id, &client.secret).expect(200).await;
    for _ in 0..10 {
        assert_eq!(outcome(&again("nonsense").await), NO_GRANT);
    }
    assert_eq!(outcome(&again("nonsense").await), SLOW_DOWN);
    let other = app.client().await;
    let (_, token) = pair(&app, &other).await;
    tokens(&again(&token).await);
}
