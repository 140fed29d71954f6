//! The reporting of refusals: no details to the refused caller, everything but secrets to the log, and the recent
//! refusals of its clients to the organization.

use std::io::Write;
use std::sync::{Arc, Mutex};

use testkit::{Request, TestDb};
use tracing_subscriber::fmt::MakeWriter;

use super::request::disable;
use super::*;

fn with<'a>(app: &'a TestApp, id: &str, secret: &str) -> Request<'a> {
    let body = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
    app.post("/v1/oauth/token").json(body)
}

/// The bytes of a response without what differs between any two requests.
fn comparable(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap().replace(answer.text("request_id"), "")
}

#[testkit::both_engines]
async fn an_unknown_client_and_a_wrong_secret_cost_and_get_the_same(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let disabled = app.client().await;
    disable(&app, app.organization, &disabled.id).await;
    let mut seen = Vec::new();
    for (id, secret) in [
        (client.id.as_str(), other.secret.as_str()),
        ("bwc_000000000000000000000000", client.secret.as_str()),
        (disabled.id.as_str(), disabled.secret.as_str()),
        (disabled.id.as_str(), other.secret.as_str()),
    ] {
        for path in ["/v1/oauth/token", "/v1/oauth/revoke", "/v1/oauth/introspect"] {
            let form = [("grant_type", "client_credentials"), ("token", "x")];
            let (statements, commits) = (app.db.statements(), app.db.commits());
            let answer = app.post(path).basic(id, secret).form(&form).await;
            let cost = (app.db.statements() - statements, app.db.commits() - commits);
            let mut headers: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
            headers.sort();
            seen.push((answer.status, comparable(&answer), headers, cost));
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "{seen:#?}");
}

/// The log as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// The lines since the last call.
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[testkit::both_engines]
async fn every_refusal_is_in_the_log_once_and_no_token_or_secret_is(app: TestApp) {
    let (client, other) = (app.client().await, app.client_with_scopes("tags:read").await);
    let (access, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    tokens(&refresh(&app, &second).await);
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::TRACE);
    let guard = testkit::log_to(subscriber.with_writer(log.clone()).with_ansi(false).finish());
    let post = || app.post("/v1/oauth/token").from("192.0.2.1").header("x-request-id", "who-asked");
    let form = |fields: &[(&str, &str)]| post().form(fields);
    let grant = ("grant_type", "client_credentials");
    let id = ("client_id", client.id.as_str());
    let cut = &client.secret[..20];
    let refresh_with = |token: &str, id: &str| {
        form(&[("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", id)])
    };
    let path = format!("/v1/organizations/{}", app.organization);
    let api =
        |token: &str| app.get(&path).from("192.0.2.1").header("x-request-id", "who-asked").bearer(token);
    let own = [grant, id, ("client_secret", client.secret.as_str())];
    let and = |name: &'static str, value: &'static str| [own.as_slice(), &[(name, value)]].concat();
    for (reason, request) in [
        ("credentials_missing", form(&[grant, id])),
        ("malformed_client_id", form(&[grant, ("client_id", "me"), ("client_secret", &client.secret)])),
        ("malformed_secret", form(&[grant, id, ("client_secret", cut)])),
        ("unknown_client", form(&[grant, ("client_id", "bwc_x"), ("client_secret", &client.secret)])),
        ("wrong_secret", form(&[grant, id, ("client_secret", &other.secret)])),
        ("credentials_missing", form(&[grant]).header("authorization", &format!("Bearer {access}"))),
        ("invalid_scope", form(&and("scope", "everything"))),
        ("invalid_target", form(&and("resource", "https://other.test"))),
        ("refresh_token_invalid", refresh_with(&access, "")),
        ("refresh_token_of_another_client", refresh_with(&second, &other.id)),
        ("refresh_token_spent", refresh_with(&first, "")),
        ("refresh_token_revoked", refresh_with(&second, "")),
        ("access_token_invalid", api(&second)),
        ("access_token_revoked", api(&access)),
        ("insufficient_scope", api(&other.token)),
    ] {
        log.lines();
        let answer = request.await;
        assert!((400..=403).contains(&answer.status), "{reason}: {}", answer.json());
        let lines = log.lines();
        let events: Vec<_> = lines.iter().filter(|line| line.contains("security")).collect();
        assert_eq!(events.len(), 1, "{reason}: {lines:#?}");
        for part in [reason, "192.0.2.1", "who-asked", "WARN"] {
            assert!(events[0].contains(part), "{reason}: {part} is missing in {}", events[0]);
        }
        let text = lines.join("\n");
        for secret in [&client.secret, &other.secret, &access, &other.token, &first, &second] {
            // The signature of a token, or the random part of a secret, would be enough to use it.
            let telling = secret.rsplit('.').next().unwrap();
            assert!(!text.contains(telling) && !text.contains(cut), "{reason}: {text}");
        }
    }
    drop(guard);
}

/// Reasons and scopes of a client's refusals, the latest first.
async fn listed(app: &TestApp, admin: &TestClient, client: &str) -> Vec<(String, Value)> {
    app.app().auth().write_refusals().await;
    let path = format!("/v1/clients/{client}/refusals?limit=200");
    let answer = app.get(&path).bearer(admin).expect(200).await;
    let rows = answer.json()["data"].as_array().unwrap();
    rows.iter().map(|row| (row["reason"].as_str().unwrap().to_owned(), row["scope"].clone())).collect()
}

#[testkit::both_engines]
async fn an_organization_sees_what_its_client_was_refused(db: TestDb) {
    let http = http::Settings { rate_limit_per_minute: 1_000, ..http::Settings::default() };
    let oauth = auth::Settings { failures_before_wait: 3, ..auth::Settings::new("http://bailiwick.test") };
    let app = TestApp::start_with(db, http, oauth).await;
    let admin = app.client_with_scopes("clients:admin").await;
    let client = app.client_with_scopes("organizations:read").await;
    let id = client.id.as_str();
    let next = || app.db.clock.advance_seconds(60);
    let (access, first) = pair(&app, &client).await;
    assert_eq!(listed(&app, &admin, id).await, []);
    with(&app, id, &admin.secret).expect(401).await;
    next();
    with(&app, id, "bwk_cut").expect(401).await;
    next();
    app.get("/v1/tags").bearer(&client).expect(403).await;
    next();
    tokens(&refresh(&app, &first).await);
    next();
    refresh(&app, &first).await;
    next();
    app.get(&format!("/v1/organizations/{}", app.organization)).bearer(&access).expect(401).await;
    next();
    app.db.clock.advance_seconds(900);
    app.get("/v1/tags").bearer(&client.token).expect(401).await;
    next();
    expire_secrets(&app, id).await;
    with(&app, id, &client.secret).expect(401).await;
    next();
    for _ in 0..3 {
        with(&app, id, "junk").await;
    }
    next();
    for _ in 0..3 {
        with(&app, id, &client.secret).await;
    }
    app.db.clock.advance_seconds(1);
    with(&app, id, &client.secret).expect(429).await;
    app.db.clock.advance_seconds(1);
    let admin = TestClient { token: app.sign_in(&admin.id, &admin.secret).await, ..admin };
    let listed = listed(&app, &admin, id).await;
    let reasons: Vec<_> = listed.iter().map(|(reason, _)| reason.as_str()).collect();
    assert_eq!(reasons[0], "throttled");
    assert_eq!(&reasons[1..4], ["secret_expired"; 3]);
    assert_eq!(&reasons[4..7], ["malformed_secret"; 3]);
    assert_eq!(
        &reasons[7..],
        [
            "secret_expired",
            "access_token_expired",
            "access_token_revoked",
            "refresh_token_spent",
            "insufficient_scope",
            "malformed_secret",
            "wrong_secret"
        ]
    );
    assert_eq!(listed[11].1, "tags:read");
    assert!(listed.iter().enumerate().all(|(index, (_, scope))| index == 11 || scope.is_null()));
}

#[testkit::both_engines]
async fn refusals_cost_no_write_each_and_are_capped(app: TestApp) {
    let admin = app.client_with_scopes("clients:admin").await;
    let client = app.client_with_scopes("tags:read").await;
    let commits = app.db.commits();
    for n in 0..150 {
        app.db.clock.advance_seconds(1);
        let request = with(&app, &client.id, &admin.secret).from("2001:db8::1");
        request.header("x-request-id", &format!("r{n}")).expect(401).await;
    }
    assert_eq!(app.db.commits(), commits);
    app.app().auth().write_refusals().await;
    app.app().auth().write_refusals().await;
    assert_eq!(app.db.commits(), commits + 1);
    app.db.clock.advance_seconds(1);
    with(&app, &client.id, &admin.secret).header("x-request-id", "last").expect(401).await;
    app.app().auth().write_refusals().await;
    assert_eq!(count(&app, "client_refusal").await, 100);
    let path = format!("/v1/clients/{}/refusals?limit=200", client.id);
    let answer = app.get(&path).bearer(&admin).expect(200).await;
    let rows = answer.json()["data"].as_array().unwrap();
    assert_eq!(
        (rows.len(), &rows[0]["request_id"], &rows[99]["request_id"]),
        (100, &json!("last"), &json!("r51"))
    );
    assert_eq!((&rows[0]["address"], &rows[1]["address"]), (&json!("127.0.0.1"), &json!("2001:db8::1")));
    assert_eq!(rows[0]["refused_date"], domain::time::format(app.db.clock.now()));
}

#[testkit::both_engines]
async fn of_clients_that_are_none_nothing_is_kept(app: TestApp) {
    let client = app.client().await;
    for id in ["bwc_unknown", "me", ""] {
        with(&app, id, &client.secret).expect(401).await;
        with(&app, id, "junk").expect(401).await;
    }
    let commits = app.db.commits();
    app.app().auth().write_refusals().await;
    assert_eq!((app.db.commits(), count(&app, "client_refusal").await), (commits, 0));
}

#[testkit::both_engines]
async fn the_list_needs_the_scope_to_administer_clients(app: TestApp) {
    let client = app.client().await;
    let path = format!("/v1/clients/{}/refusals", client.id);
    let viewer = app.client_with_scopes("users:admin").await;
    app.get(&path).bearer(&viewer).expect(403).await;
    let outsider = app.client_of(app.db.organization("Other").await, "clients:admin").await;
    let answer = app.get(&path).bearer(&outsider).expect(404).await;
    assert_eq!(answer.text("title"), "Client not found");
    app.get(&path).bearer(&client).expect(200).await;
}

/// Expires all secrets of a client.
async fn expire_secrets(app: &TestApp, client: &str) {
    let (org, client, now) = (app.organization, client.to_owned(), app.db.clock.now());
    app.db
        .write(org, async move |tx: &mut db::Tx| {
            let sql = "UPDATE client_secret SET expires_date = $3 WHERE organization = $1 AND client_id = $2";
            tx.execute(sql, &[&org.uuid(), &client, &now]).await
        })
        .await
        .unwrap();
}
