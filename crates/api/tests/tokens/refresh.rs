//! `POST /v1/oauth/token` with a refresh token: rotation, reuse, grace.

use domain::ClientId;
use domain::client::RefreshClientAuth;
use serde_json::json;
use testkit::{TestDb, author};

use super::request::disable;
use super::*;

const NO_GRANT: &str = "400 invalid_grant Invalid credentials";
const NO_CLIENT: &str = "401 invalid_client Invalid credentials";

async fn started(db: TestDb, change: impl FnOnce(&mut auth::Settings)) -> TestApp {
    let mut oauth = auth::Settings::new("http://bailiwick.test");
    change(&mut oauth);
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    TestApp::start_with(db, http, oauth).await
}

#[testkit::both_engines]
async fn a_refresh_gives_a_new_access_and_a_new_refresh_token(app: TestApp) {
    let client = app.client().await;
    let (access, first) = pair(&app, &client).await;
    app.db.clock.advance_seconds(100);
    let answer = refresh(&app, &first).await;
    let (new_access, second) = tokens(&answer);
    assert_eq!(answer.text("token_type"), "Bearer");
    assert_eq!(answer.json()["expires_in"], 900);
    assert_ne!(new_access, access);
    assert_ne!(second, first);
    let (first, second) = (decoded(&first).1, decoded(&second).1);
    assert_eq!((&second["gen"], &second["fid"]), (&json!(2), &first["fid"]));
    assert_eq!(second["exp"].as_i64().unwrap(), app.db.clock.now().as_second() + 7 * 86_400);
    assert!(is_taken(&app, &access).await && is_taken(&app, &new_access).await);
}

#[testkit::both_engines]
async fn forms_and_basic_credentials_work_at_refresh_too(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    let form = [("grant_type", "refresh_token"), ("refresh_token", token.as_str())];
    let answer = app.post("/v1/oauth/token").basic(&client.id, &client.secret).form(&form).await;
    tokens(&answer);
}

#[testkit::both_engines]
async fn a_family_has_a_row_from_its_first_refresh_on(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    assert_eq!(count(&app, "token_family").await, 0);
    let (_, token) = tokens(&refresh(&app, &token).await);
    assert_eq!(count(&app, "token_family").await, 1);
    tokens(&refresh(&app, &token).await);
    assert_eq!(count(&app, "token_family").await, 1);
}

#[testkit::both_engines]
async fn a_spent_refresh_token_ends_the_whole_family_and_its_live_access_tokens(app: TestApp) {
    let client = app.client().await;
    let (access_0, first) = pair(&app, &client).await;
    let (access_of_another_family, another) = pair(&app, &client).await;
    let (access_1, second) = tokens(&refresh(&app, &first).await);
    assert!(is_taken(&app, &access_0).await && is_taken(&app, &access_1).await);
    app.db.clock.advance_seconds(11);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
    assert!(!is_taken(&app, &access_0).await, "at once in this process");
    assert!(!is_taken(&app, &access_1).await, "at once in this process");
    assert_eq!(outcome(&refresh(&app, &second).await), NO_GRANT, "the successor has ended too");
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
    assert!(is_taken(&app, &access_of_another_family).await);
    tokens(&refresh(&app, &another).await);
}

#[testkit::both_engines]
async fn in_the_grace_the_predecessor_gets_the_same_successor_with_a_fresh_access_token(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (access, second) = tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(9);
    let (access_again, second_again) = tokens(&refresh(&app, &first).await);
    assert_eq!(second_again, second, "byte for byte");
    assert_ne!(access_again, access);
    assert!(is_taken(&app, &access).await && is_taken(&app, &access_again).await);
    tokens(&refresh(&app, &second).await);
}

#[testkit::both_engines]
async fn the_grace_does_not_start_again_when_it_is_used(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(9);
    tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(2);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
}

#[testkit::both_engines]
async fn the_grace_ends_early_once_the_successor_was_used(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    let (access, third) = tokens(&refresh(&app, &second).await);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT, "never a grandparent");
    assert_eq!(outcome(&refresh(&app, &third).await), NO_GRANT);
    assert!(!is_taken(&app, &access).await);
}

#[testkit::both_engines]
async fn the_use_of_an_access_token_does_not_end_the_grace(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (access, second) = tokens(&refresh(&app, &first).await);
    assert!(is_taken(&app, &access).await);
    assert_eq!(tokens(&refresh(&app, &first).await).1, second, "other requests may still be under way");
}

#[testkit::both_engines]
async fn a_grace_of_zero_is_off(db: TestDb) {
    let app = started(db, |settings| settings.refresh_grace_seconds = 0).await;
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
    assert_eq!(outcome(&refresh(&app, &second).await), NO_GRANT);
}

#[testkit::both_engines]
async fn five_parallel_refreshes_all_succeed_with_the_same_refresh_token(app: TestApp) {
    let client = app.client().await;
    let other_process = app.beside(2).await;
    for _ in 0..5 {
        let (_, first) = pair(&app, &client).await;
        let (a, b, c, d, e) = tokio::join!(
            refresh(&app, &first),
            refresh(&app, &first),
            refresh(&other_process, &first),
            refresh(&app, &first),
            refresh(&other_process, &first),
        );
        let mut refreshed: Vec<_> = [a, b, c, d, e].iter().map(|answer| tokens(answer).1).collect();
        refreshed.dedup();
        assert_eq!(refreshed.len(), 1, "{refreshed:?}");
        tokens(&refresh(&app, &refreshed[0]).await);
    }
}

#[testkit::both_engines]
async fn a_refresh_token_lives_seven_days_from_its_issue(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    app.db.clock.advance_seconds(7 * 86_400 - 1);
    let (_, second) = tokens(&refresh(&app, &token).await);
    app.db.clock.advance_seconds(1);
    assert_eq!(outcome(&refresh(&app, &token).await), NO_GRANT, "expired: no grace either");
    app.db.clock.advance_seconds(7 * 86_400 - 2);
    let (_, third) = tokens(&refresh(&app, &second).await);
    app.db.clock.advance_seconds(7 * 86_400);
    assert_eq!(outcome(&refresh(&app, &third).await), NO_GRANT);
}

#[testkit::both_engines]
async fn an_absolute_end_of_a_family_is_a_setting(db: TestDb) {
    let app = started(db, |settings| settings.refresh_family_seconds = Some(1000)).await;
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    app.db.clock.advance_seconds(999);
    let (_, second) = tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(1);
    assert_eq!(outcome(&refresh(&app, &second).await), NO_GRANT);
    let (_, late) = pair(&app, &client).await;
    app.db.clock.advance_seconds(1000);
    assert_eq!(outcome(&refresh(&app, &late).await), NO_GRANT, "also before the first refresh");
}

#[testkit::both_engines]
async fn client_authentication_is_verified_whenever_sent_and_does_not_spend_the_token(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let (_, token) = pair(&app, &client).await;
    let with = |id: Option<&str>, secret: Option<&str>| {
        let body = json!({"grant_type": "refresh_token", "refresh_token": token, "client_id": id, "client_secret": secret});
        ask(&app, body)
    };
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    assert_eq!(outcome(&with(Some(id), Some(&other.secret)).await), NO_CLIENT);
    assert_eq!(outcome(&with(None, Some(secret)).await), NO_CLIENT);
    assert_eq!(outcome(&with(Some(&other.id), Some(&other.secret)).await), NO_GRANT);
    assert_eq!(outcome(&with(Some(&other.id), None).await), NO_GRANT, "a client_id alone must match");
    assert_eq!(outcome(&with(Some("nobody"), None).await), NO_GRANT);
    assert_eq!(count(&app, "token_family").await, 0, "nothing was spent");
    tokens(&with(Some(id), Some(secret)).await);
    tokens(&with(Some(id), None).await);
}

#[testkit::both_engines]
async fn a_client_may_be_required_to_authenticate(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    let (org, id) = (app.organization, ClientId(client.id.clone()));
    app.db
        .write(org, async move |tx: &mut db::Tx| {
            let required = RefreshClientAuth::Required;
            store::clients::set_refresh_client_auth(tx, org, &author(), &id, required).await
        })
        .await
        .unwrap();
    assert_eq!(outcome(&refresh(&app, &token).await), NO_CLIENT);
    let mut body = json!({"grant_type": "refresh_token", "refresh_token": token, "client_id": client.id});
    assert_eq!(outcome(&ask(&app, body.clone()).await), NO_CLIENT, "an id proves nothing");
    body["client_secret"] = json!(client.secret);
    tokens(&ask(&app, body).await);
}

#[testkit::both_engines]
async fn a_scope_may_slim_down_for_the_access_token_and_never_grow(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read tags:read").await;
    let body = json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret,
                      "scope": "incidents:read risks:read"});
    let (_, token) = tokens(&ask(&app, body).await);
    let with_scope = |token: &str, scope: &str| {
        ask(&app, json!({"grant_type": "refresh_token", "refresh_token": token, "scope": scope}))
    };
    for more in ["tags:read", "incidents:read tags:read", "users:read", "unknown"] {
        assert_eq!(outcome(&with_scope(&token, more).await), "400 invalid_scope Invalid request", "{more}");
    }
    assert_eq!(count(&app, "token_family").await, 0, "nothing was spent");
    let slim = with_scope(&token, "risks:read").await;
    assert_eq!(slim.text("scope"), "risks:read");
    let (access, token) = tokens(&slim);
    assert_eq!(decoded(&access).1["scope"], "risks:read");
    assert_eq!(decoded(&token).1["scope"], "incidents:read risks:read", "the refresh token keeps its scope");
    assert_eq!(refresh(&app, &token).await.text("scope"), "incidents:read risks:read");
}

#[testkit::both_engines]
async fn scopes_that_the_client_lost_are_gone_at_the_next_refresh(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let (_, token) = pair(&app, &client).await;
    set_scopes(&app, &client.id, "risks:read tags:read").await;
    let answer = refresh(&app, &token).await;
    assert_eq!(answer.text("scope"), "risks:read");
    let (_, token) = tokens(&answer);
    assert_eq!(decoded(&token).1["scope"], "risks:read");
    set_scopes(&app, &client.id, "tags:read").await;
    assert_eq!(outcome(&refresh(&app, &token).await), NO_GRANT);
}

#[testkit::both_engines]
async fn a_disabled_client_cannot_refresh(app: TestApp) {
    let client = app.client().await;
    let (_, never_refreshed) = pair(&app, &client).await;
    let (_, refreshed) = tokens(&refresh(&app, &pair(&app, &client).await.1).await);
    disable(&app, app.organization, &client.id).await;
    assert_eq!(outcome(&refresh(&app, &never_refreshed).await), NO_GRANT);
    assert_eq!(outcome(&refresh(&app, &refreshed).await), NO_GRANT);
}

#[testkit::both_engines]
async fn a_replaced_secret_ends_what_grew_out_of_it(app: TestApp) {
    let client = app.client().await;
    let (access, never_refreshed) = pair(&app, &client).await;
    let (_, refreshed) = tokens(&refresh(&app, &pair(&app, &client).await.1).await);
    assert!(is_taken(&app, &access).await);
    let id = ClientId(client.id.clone());
    let (secret, revoked) =
        auth::clients::replace_secret(&app.db, app.organization, author(), id).await.unwrap();
    app.app().auth().deny_list.add(&revoked);
    assert!(!is_taken(&app, &access).await);
    assert_eq!(outcome(&refresh(&app, &never_refreshed).await), NO_GRANT);
    assert_eq!(outcome(&refresh(&app, &refreshed).await), NO_GRANT);
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    assert_eq!(outcome(&ask(&app, body).await), NO_CLIENT);
    let renewed = TestClient { secret: secret.expose().to_owned(), ..client };
    let (access, token) = pair(&app, &renewed).await;
    assert!(is_taken(&app, &access).await);
    tokens(&refresh(&app, &token).await);
}

#[testkit::both_engines]
async fn a_token_from_before_a_restored_backup_is_not_mistaken_for_the_current_one(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, lost) = tokens(&refresh(&app, &first).await);
    // The backup does not contain the refresh; the client refreshes again with the token it has.
    let org = app.organization;
    app.db
        .write(org, async |tx: &mut db::Tx| tx.execute("DELETE FROM token_family", &[]).await)
        .await
        .unwrap();
    app.db.clock.advance_seconds(60);
    let (_, second) = tokens(&refresh(&app, &first).await);
    assert_ne!(second, lost);
    assert_eq!(outcome(&refresh(&app, &lost).await), NO_GRANT);
}

pub(super) async fn set_scopes(app: &TestApp, client: &str, scopes: &'static str) {
    let (org, client) = (app.organization, client.to_owned());
    app.db
        .write(org, async move |tx: &mut db::Tx| {
            let sql = "UPDATE client SET scopes = $3 WHERE organization = $1 AND id = $2";
            tx.execute(sql, &[&org.uuid(), &client, &scopes]).await
        })
        .await
        .unwrap();
}
