//! `POST /v1/oauth/revoke` (RFC 7009).

use std::sync::Arc;
use std::time::Duration;

use auth::Auth;
use axum::extract::FromRef;
use testkit::Request;

use super::*;

const PATH: &str = "/v1/oauth/revoke";
const NO_GRANT: &str = "400 invalid_grant Invalid credentials";

/// Every hint that a client may send, right or wrong.
const HINTS: [Option<&str>; 5] =
    [None, Some(""), Some("access_token"), Some("refresh_token"), Some("urn:example:other")];

fn revoke<'a>(app: &'a TestApp, client: &TestClient, token: &str) -> Request<'a> {
    app.post(PATH).basic(&client.id, &client.secret).form(&[("token", token)])
}

/// Revokes and asserts that the response reveals nothing.
async fn revoked(app: &TestApp, client: &TestClient, token: &str) {
    let answer = revoke(app, client, token).expect(200).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(&answer.bytes[..], b"{}");
}

#[testkit::both_engines]
async fn an_access_token_ends_alone_whatever_the_hint_says(app: TestApp) {
    let client = app.client().await;
    for hint in HINTS {
        let (access, refresh_token) = pair(&app, &client).await;
        let (another, _) = pair(&app, &client).await;
        assert!(is_taken(&app, &access).await);
        let mut form = vec![("token", access.as_str())];
        form.extend(hint.map(|hint| ("token_type_hint", hint)));
        app.post(PATH).basic(&client.id, &client.secret).form(&form).expect(200).await;
        assert!(!is_taken(&app, &access).await, "{hint:?}");
        assert!(is_taken(&app, &another).await, "{hint:?}");
        tokens(&refresh(&app, &refresh_token).await);
    }
}

#[testkit::both_engines]
async fn a_refresh_token_ends_its_family_and_its_access_tokens_whatever_the_hint_says(app: TestApp) {
    let client = app.client().await;
    for hint in HINTS {
        let (access, first) = pair(&app, &client).await;
        let (access_of_another, another) = pair(&app, &client).await;
        let body = json!({"token": first, "token_type_hint": hint, "client_id": client.id,
                          "client_secret": client.secret});
        app.post(PATH).json(body).expect(200).await;
        assert!(!is_taken(&app, &access).await, "{hint:?}");
        assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT, "{hint:?}");
        assert!(is_taken(&app, &access_of_another).await, "{hint:?}");
        tokens(&refresh(&app, &another).await);
    }
}

#[testkit::both_engines]
async fn any_token_of_a_family_ends_all_of_it(app: TestApp) {
    let client = app.client().await;
    for which in 0..3 {
        let (access_1, first) = pair(&app, &client).await;
        let (access_2, second) = tokens(&refresh(&app, &first).await);
        let (access_3, third) = tokens(&refresh(&app, &second).await);
        revoked(&app, &client, [&first, &second, &third][which]).await;
        for access in [access_1, access_2, access_3] {
            assert!(!is_taken(&app, &access).await, "{which}");
        }
        for token in [first, second, third] {
            assert_eq!(outcome(&refresh(&app, &token).await), NO_GRANT, "{which}");
        }
    }
}

#[testkit::both_engines]
async fn a_grace_does_not_outlive_a_revocation(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    revoked(&app, &client, &second).await;
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
}

#[testkit::both_engines]
async fn what_is_no_token_of_the_client_is_answered_alike_and_nothing_happens(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let outsider = app.client_of(app.db.organization("Other").await, "risks:read").await;
    let (expired_access, expired) = pair(&app, &client).await;
    app.db.clock.advance_seconds(7 * 86_400);
    let (access, token) = pair(&app, &other).await;
    let (foreign_access, foreign) = pair(&app, &outsider).await;
    let before = count(&app, "revocation").await;
    let forged = format!("{}x", &access[..access.len() - 1]);
    for no_token in [
        "nonsense",
        "a.b.c",
        " ",
        "\0",
        &"x".repeat(10_000),
        &forged,
        &expired_access,
        &expired,
        &access,
        &token,
        &foreign_access,
        &foreign,
    ] {
        revoked(&app, &client, no_token).await;
    }
    assert_eq!((count(&app, "revocation").await, count(&app, "token_family").await), (before, 0));
    assert!(is_taken(&app, &access).await);
    tokens(&refresh(&app, &token).await);
    tokens(&refresh(&app, &foreign).await);
}

#[testkit::both_engines]
async fn revoking_again_changes_nothing(app: TestApp) {
    let client = app.client().await;
    let (access, token) = pair(&app, &client).await;
    revoked(&app, &client, &access).await;
    revoked(&app, &client, &token).await;
    let rows = (count(&app, "revocation").await, count(&app, "token_family").await);
    assert_eq!(rows, (2, 1));
    app.db.clock.advance_seconds(1);
    revoked(&app, &client, &access).await;
    revoked(&app, &client, &token).await;
    assert_eq!((count(&app, "revocation").await, count(&app, "token_family").await), rows);
}

#[testkit::both_engines]
async fn the_client_must_authenticate_itself(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let (access, token) = pair(&app, &client).await;
    for path in [PATH, "/v1/oauth/introspect"] {
        let form = |fields: &[(&'static str, &str)]| {
            let mut all = vec![("token", token.as_str())];
            all.extend_from_slice(fields);
            app.post(path).form(&all)
        };
        for request in [
            form(&[]),
            form(&[("client_id", &client.id)]),
            form(&[("client_id", &client.id), ("client_secret", &other.secret)]),
            form(&[("client_id", "bwc_unknown"), ("client_secret", &client.secret)]),
            // The token itself does not authenticate the client, nor does an access token.
            form(&[]).bearer(&access),
        ] {
            assert_eq!(outcome(&request.await), "401 invalid_client Invalid credentials", "{path}");
        }
        let answer = form(&[]).basic(&client.id, "wrong").await;
        assert_eq!(answer.header("www-authenticate"), Some(r#"Basic realm="bailiwick""#), "{path}");
    }
    assert!(is_taken(&app, &access).await);
    tokens(&refresh(&app, &token).await);
}

#[testkit::both_engines]
async fn malformed_requests_are_answered_as_at_the_token_endpoint(app: TestApp) {
    let client = app.client().await;
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    let malformed = "400 invalid_request Invalid request";
    for path in [PATH, "/v1/oauth/introspect"] {
        let post = || app.post(path).basic(id, secret);
        for form in
            ["", "token=", "token=a&token=b", "token=a&other=1&other=1", "token_type_hint=access_token"]
        {
            let answer = post().body("application/x-www-form-urlencoded", form).await;
            assert_eq!(outcome(&answer), malformed, "{path} {form}");
        }
        for body in
            ["{}", "[]", "", r#"{"token":1}"#, r#"{"token":null}"#, r#"{"token":"a","token_type_hint":[]}"#]
        {
            assert_eq!(outcome(&post().body("application/json", body).await), malformed, "{path} {body}");
        }
        assert_eq!(outcome(&post().basic(id, secret).form(&[("token", "a")]).await), malformed, "{path}");
        let twice = [("token", "a"), ("client_secret", secret)];
        assert_eq!(outcome(&post().form(&twice).await), malformed, "{path}");
        let answer = post().body("text/plain", "token=a").await;
        assert_eq!(outcome(&answer), "415 invalid_request Invalid request", "{path}");
        assert_eq!(answer.header("accept"), Some("application/json, application/x-www-form-urlencoded"));
        let answer = post().body("application/json", " ".repeat(64 * 1024 + 1)).await;
        assert_eq!(outcome(&answer), "413 invalid_request Invalid request", "{path}");
        for method in ["GET", "PUT", "DELETE"] {
            let answer = app.request(method.parse().unwrap(), path).await;
            assert_eq!(answer.status, 405, "{path} {method}");
        }
        let ignored = [("token", "a"), ("resource", "x"), ("grant_type", "y")];
        post().form(&ignored).expect(200).await;
    }
}

#[testkit::both_engines]
async fn another_process_honours_it_within_two_seconds_and_after_a_restart(app: TestApp) {
    let client = app.client().await;
    let ((access, _), (of_family, token)) = (pair(&app, &client).await, pair(&app, &client).await);
    let elsewhere = app.beside(2).await;
    for access in [&access, &of_family] {
        assert!(is_taken(&elsewhere, access).await, "it is remembered there");
    }
    let upkeep = tokio::spawn(auth::upkeep(Arc::<Auth>::from_ref(elsewhere.app())));
    // The first reading is over, so that a later one finds what follows.
    tokio::time::sleep(Duration::from_millis(300)).await;
    revoked(&app, &client, &access).await;
    revoked(&app, &client, &token).await;
    let refused = async || !is_taken(&elsewhere, &access).await && !is_taken(&elsewhere, &of_family).await;
    soon("both are refused", refused).await;
    upkeep.abort();
    assert!(!is_taken(&app.beside(3).await, &access).await);
    assert_eq!(outcome(&refresh(&elsewhere, &token).await), NO_GRANT, "at once: the row is asked");
}
