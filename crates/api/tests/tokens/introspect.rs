//! `POST /v1/oauth/introspect` (RFC 7662).

use super::request::disable;
use super::*;

const PATH: &str = "/v1/oauth/introspect";

async fn introspect(app: &TestApp, client: &TestClient, token: &str) -> Answer {
    let answer = app.post(PATH).basic(&client.id, &client.secret).form(&[("token", token)]).expect(200).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer
}

/// Whether a token is active; if not, the response has no other member.
async fn is_active(app: &TestApp, client: &TestClient, token: &str) -> bool {
    let answer = introspect(app, client, token).await;
    let is_active = answer.json()["active"] == true;
    assert!(is_active || &answer.bytes[..] == br#"{"active":false}"#, "{}", answer.json());
    is_active
}

#[testkit::both_engines]
async fn an_active_access_token_is_shown_with_its_claims(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let (access, _) = pair(&app, &client).await;
    let claims = decoded(&access).1;
    let now = app.db.clock.now().as_second();
    let answer = introspect(&app, &client, &access).await;
    assert_eq!(
        answer.json(),
        &json!({
            "active": true, "scope": "incidents:read risks:read", "client_id": client.id, "token_type": "Bearer",
            "token_use": "access_token", "exp": now + 900, "iat": now, "sub": client.id,
            "aud": "http://bailiwick.test/v1", "iss": "http://bailiwick.test", "jti": claims["jti"],
        })
    );
}

#[testkit::both_engines]
async fn an_active_refresh_token_is_shown_with_the_scopes_of_a_refresh(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let (_, token) = pair(&app, &client).await;
    let now = app.db.clock.now().as_second();
    let expected = json!({
        "active": true, "scope": "incidents:read risks:read", "client_id": client.id,
        "token_use": "refresh_token", "exp": now + 7 * 86_400, "iat": now, "sub": client.id,
        "aud": "http://bailiwick.test", "iss": "http://bailiwick.test", "jti": decoded(&token).1["jti"],
    });
    assert_eq!(introspect(&app, &client, &token).await.json(), &expected);
    refresh::set_scopes(&app, &client.id, "risks:read tags:read").await;
    assert_eq!(introspect(&app, &client, &token).await.text("scope"), "risks:read");
    refresh::set_scopes(&app, &client.id, "tags:read").await;
    assert!(!is_active(&app, &client, &token).await);
    assert_eq!(count(&app, "token_family").await, 0, "nothing was spent or written");
}

#[testkit::both_engines]
async fn a_hint_right_or_wrong_makes_no_difference(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    for token in [access, token] {
        let expected = introspect(&app, &client, &token).await;
        for hint in ["access_token", "refresh_token", "something", ""] {
            let form = [("token", token.as_str()), ("token_type_hint", hint)];
            let answer = app.post(PATH).basic(&client.id, &client.secret).form(&form).expect(200).await;
            assert_eq!(answer.json(), expected.json(), "{hint}");
        }
    }
}

#[testkit::both_engines]
async fn a_token_that_is_not_the_callers_own_is_inactive(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let outsider = app.client_of(app.db.organization("Other").await, "risks:read").await;
    let (access, token) = pair(&app, &client).await;
    for asking in [&other, &outsider] {
        assert!(!is_active(&app, asking, &access).await);
        assert!(!is_active(&app, asking, &token).await);
    }
    let forged = format!("{}x", &access[..access.len() - 1]);
    for nonsense in ["x", "a.b.c", "\0", " ", &forged, &"x".repeat(5_000)] {
        assert!(!is_active(&app, &client, nonsense).await, "{nonsense}");
    }
    assert!(is_active(&app, &client, &access).await && is_active(&app, &client, &token).await);
}

#[testkit::both_engines]
async fn a_token_is_active_for_as_long_as_it_works(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    app.db.clock.advance_seconds(899);
    assert!(is_active(&app, &client, &access).await);
    app.db.clock.advance_seconds(1);
    assert!(!is_active(&app, &client, &access).await && !is_taken(&app, &access).await);
    app.db.clock.advance_seconds(7 * 86_400 - 901);
    assert!(is_active(&app, &client, &token).await);
    app.db.clock.advance_seconds(1);
    assert!(!is_active(&app, &client, &token).await);
}

#[testkit::both_engines]
async fn a_spent_refresh_token_is_active_in_its_grace_only(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    assert!(is_active(&app, &client, &first).await && is_active(&app, &client, &second).await);
    app.db.clock.advance_seconds(11);
    assert!(!is_active(&app, &client, &first).await);
    assert!(is_active(&app, &client, &second).await, "asking is no replay");
    let (_, third) = tokens(&refresh(&app, &second).await);
    assert!(is_active(&app, &client, &second).await);
    let (_, fourth) = tokens(&refresh(&app, &third).await);
    assert!(!is_active(&app, &client, &second).await, "its successor was used");
    assert!(is_active(&app, &client, &third).await && is_active(&app, &client, &fourth).await);
}

#[testkit::both_engines]
async fn what_ended_early_is_inactive(app: TestApp) {
    let client = app.client().await;
    let revoke = async |token: &str| {
        let form = [("token", token)];
        app.post("/v1/oauth/revoke").basic(&client.id, &client.secret).form(&form).expect(200).await;
    };
    let (access, token) = pair(&app, &client).await;
    revoke(&access).await;
    assert!(!is_active(&app, &client, &access).await);
    assert!(is_active(&app, &client, &token).await);
    let (access, token) = tokens(&refresh(&app, &token).await);
    revoke(&token).await;
    assert!(!is_active(&app, &client, &access).await && !is_active(&app, &client, &token).await);
    // A replay ends the family.
    let (_, first) = pair(&app, &client).await;
    let (access, second) = tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(11);
    assert_eq!(refresh(&app, &first).await.status, 400);
    for token in [first, second, access] {
        assert!(!is_active(&app, &client, &token).await);
    }
}

#[testkit::both_engines]
async fn what_grew_out_of_a_secret_that_is_gone_is_inactive(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    let id = domain::ClientId(client.id.clone());
    // As another process would do it: the deny-list of this one is not updated.
    let (secret, _) =
        auth::clients::replace_secret(&app.db, app.organization, testkit::author(), id).await.unwrap();
    let renewed = TestClient { secret: secret.expose().to_owned(), ..client };
    assert!(!is_active(&app, &renewed, &access).await && !is_active(&app, &renewed, &token).await);
    let (access, token) = pair(&app, &renewed).await;
    assert!(is_active(&app, &renewed, &access).await && is_active(&app, &renewed, &token).await);
    disable(&app, app.organization, &renewed.id).await;
    let answer = app.post(PATH).basic(&renewed.id, &renewed.secret).form(&[("token", &access)]).await;
    assert_eq!(outcome(&answer), "401 invalid_client Invalid credentials");
}
