//! `POST /v1/oauth/token` with client credentials.

use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use domain::OrgId;
use serde_json::json;
use testkit::author;

use super::*;

const PATH: &str = "/v1/oauth/token";
const MALFORMED: &str = "400 invalid_request Invalid request";
const REFUSED: &str = "401 invalid_client Invalid credentials";

#[testkit::both_engines]
async fn takes_json_and_forms_and_credentials_in_the_body_or_by_basic(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    let credentials = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
    let form = [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret)];
    let requests = [
        app.post(PATH).json(credentials.clone()),
        app.post(PATH).form(&form),
        app.post(PATH).basic(id, secret).json(json!({"grant_type": "client_credentials"})),
        app.post(PATH).basic(id, secret).form(&form[..1]),
        app.post(PATH).basic(id, secret).form(&form[..2]),
        app.post(PATH).body("application/json; charset=UTF-8", credentials.to_string()),
        // A byte order mark, as some editors put before a file.
        app.post(PATH).body("application/json", format!("\u{feff}{credentials}")),
    ];
    for request in requests {
        let answer = request.expect(200).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.text("token_type"), "Bearer");
        assert_eq!(answer.json()["expires_in"], 900);
        assert_eq!(answer.text("scope"), "incidents:read risks:read");
        assert_eq!(answer.json().as_object().unwrap().len(), 5);
    }
}

#[testkit::both_engines]
async fn access_tokens_are_rfc_9068_and_refresh_tokens_have_type_audience_and_key_of_their_own(app: TestApp) {
    let client = app.client_with_scopes("incidents:read").await;
    let (access, refresh) = pair(&app, &client).await;
    let (access_header, access) = decoded(&access);
    let (refresh_header, refresh) = decoded(&refresh);
    assert_eq!((&access_header["typ"], &access_header["alg"]), (&json!("at+jwt"), &json!("ES256")));
    assert_eq!((&refresh_header["typ"], &refresh_header["alg"]), (&json!("rt+jwt"), &json!("HS256")));
    assert_ne!(access_header["kid"], refresh_header["kid"]);
    assert_eq!(
        (&access["iss"], &access["aud"]),
        (&json!("http://bailiwick.test"), &json!("http://bailiwick.test/v1"))
    );
    assert_eq!(
        (&refresh["iss"], &refresh["aud"]),
        (&json!("http://bailiwick.test"), &json!("http://bailiwick.test"))
    );
    for claims in [&access, &refresh] {
        assert_eq!((&claims["sub"], &claims["client_id"]), (&json!(client.id), &json!(client.id)));
        assert_eq!(claims["org"], app.organization.to_string());
        assert_eq!(claims["scope"], "incidents:read");
        assert_eq!(claims["iat"], app.db.clock.now().as_second());
    }
    assert_eq!(access["exp"].as_i64().unwrap() - access["iat"].as_i64().unwrap(), 900);
    assert_eq!(refresh["exp"].as_i64().unwrap() - refresh["iat"].as_i64().unwrap(), 7 * 86_400);
    assert_eq!((&refresh["gen"], &refresh["fid"]), (&json!(1), &access["fid"]));
    assert_ne!(access["jti"], refresh["jti"]);
}

#[testkit::both_engines]
async fn null_is_absent_and_another_non_string_is_invalid_request(app: TestApp) {
    let client = app.client().await;
    let good =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    for absent in ["refresh_token", "scope"] {
        let mut body = good.clone();
        body[absent] = json!(null);
        assert_eq!(ask(&app, body).await.status, 200);
    }
    for member in ["grant_type", "client_id", "client_secret", "refresh_token", "scope"] {
        for value in [json!(1), json!(true), json!([]), json!({}), json!(["incidents:read"])] {
            let mut body = good.clone();
            body[member] = value;
            assert_eq!(outcome(&ask(&app, body).await), MALFORMED, "{member}");
        }
    }
    let mut body = good.clone();
    body["client_secret"] = json!(null);
    assert_eq!(outcome(&ask(&app, body).await), REFUSED);
    let mut body = good;
    body["grant_type"] = json!(null);
    assert_eq!(outcome(&ask(&app, body).await), MALFORMED);
}

#[testkit::both_engines]
async fn unknown_parameters_are_ignored(app: TestApp) {
    let client = app.client().await;
    let mut body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    body["audience"] = json!({"deep": [1, {"a": null}]});
    assert_eq!(ask(&app, body).await.status, 200);
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &client.secret),
        ("audience", "x"),
        ("scope", ""),
    ];
    app.post(PATH).form(&form).expect(200).await;
}

#[testkit::both_engines]
async fn a_repeated_parameter_is_invalid_request(app: TestApp) {
    let client = app.client().await;
    let (id, secret) = (&client.id, &client.secret);
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let json = format!(r#""grant_type":"client_credentials","client_id":"{id}","client_secret":"{secret}""#);
    for (name, value) in [("grant_type", "client_credentials"), ("client_id", id), ("other", "1")] {
        let twice = format!("{form}&{name}={value}&{name}={value}");
        let answer = app.post(PATH).body("application/x-www-form-urlencoded", twice).await;
        assert_eq!(outcome(&answer), MALFORMED, "{name}");
        let twice = format!(r#"{{{json},"{name}":"{value}","{name}":"{value}"}}"#);
        let answer = app.post(PATH).body("application/json", twice).await;
        assert_eq!(outcome(&answer), MALFORMED, "{name}");
    }
}

#[testkit::both_engines]
async fn malformed_requests_are_400_invalid_request(app: TestApp) {
    for body in
        ["", "null", "[]", "\"x\"", "{", "{} {}", "\u{feff}", "{\"grant_type\":\"\\ud800\"}", "1", "{}"]
    {
        let answer = app.post(PATH).body("application/json", body).await;
        assert_eq!(outcome(&answer), MALFORMED, "{body}");
    }
    let array = r#"["client_credentials","bwc_a","bwk_b",null,null]"#;
    assert_eq!(outcome(&app.post(PATH).body("application/json", array).await), MALFORMED);
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(500), "]".repeat(500));
    assert_eq!(outcome(&app.post(PATH).body("application/json", deep).await), MALFORMED);
    let invalid = [b"{\"grant_type\":\"".as_slice(), &[0xff, 0xfe], b"\"}"].concat();
    assert_eq!(outcome(&app.post(PATH).body("application/json", invalid).await), MALFORMED);
    for form in [
        "",
        "&",
        "=",
        "x=1",
        "grant_type=",
        "grant_type=refresh_token",
        "grant_type=refresh_token&refresh_token=",
    ] {
        let answer = app.post(PATH).body("application/x-www-form-urlencoded", form).await;
        assert_eq!(outcome(&answer), MALFORMED, "{form}");
    }
    assert_eq!(outcome(&app.post(PATH).await), MALFORMED, "nothing at all");
}

#[testkit::both_engines]
async fn an_unknown_grant_type_is_unsupported(app: TestApp) {
    for grant in ["password", "authorization_code", "CLIENT_CREDENTIALS", "client_credentials ", "\0"] {
        let answer = ask(&app, json!({"grant_type": grant})).await;
        assert_eq!(outcome(&answer), "400 unsupported_grant_type Invalid request", "{grant}");
    }
}

#[testkit::both_engines]
async fn wrong_and_missing_client_credentials_are_the_same_401(app: TestApp) {
    let client = app.client().await;
    let other = app.client().await;
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    let damaged = format!("{}x", &secret[..secret.len() - 1]);
    let mut bodies = Vec::new();
    for (id, secret) in [
        (Some(id), Some(other.secret.as_str())),
        (Some("bwc_unknown"), Some(secret)),
        (Some("not one of ours"), Some(secret)),
        (Some("bwc_\0"), Some(secret)),
        (Some(id), Some(&damaged)),
        (Some(id), Some("")),
        (Some(""), Some(secret)),
        (Some(id), None),
        (None, Some(secret)),
        (None, None),
    ] {
        let body = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
        let answer = ask(&app, body).await;
        assert_eq!(outcome(&answer), REFUSED, "{id:?} {secret:?}");
        assert_eq!(answer.header("www-authenticate"), None, "no challenge without the header");
        let mut body = answer.json().clone();
        body.as_object_mut().unwrap().remove("request_id");
        bodies.push(body);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "nothing tells what was wrong: {bodies:?}");
}

#[testkit::both_engines]
async fn basic_credentials_are_form_decoded_and_get_a_challenge_when_wrong(app: TestApp) {
    let client = app.client().await;
    let grant = || app.post(PATH).json(json!({"grant_type": "client_credentials"}));
    let encoded = client.id.replace('_', "%5F");
    grant().basic(&encoded, &client.secret.replace('_', "%5f")).expect(200).await;
    let credentials = format!("{}:{}", client.id, client.secret);
    for value in [
        format!("basic {}", BASE64_STANDARD.encode(&credentials)),
        format!("BASIC  {}", BASE64_STANDARD_NO_PAD.encode(&credentials)),
    ] {
        grant().header("authorization", &value).expect(200).await;
    }
    for (id, secret) in
        [("bwc_unknown", client.secret.as_str()), (&client.id, "wrong"), (&client.id, ""), ("", "")]
    {
        let answer = grant().basic(id, secret).await;
        assert_eq!(outcome(&answer), REFUSED);
        assert_eq!(answer.header("www-authenticate"), Some(r#"Basic realm="bailiwick""#));
    }
    for value in ["Basic", "Basic ", "Basic !!!", "Basic YWJj", "Basic /////w=="] {
        assert_eq!(outcome(&grant().header("authorization", value).await), MALFORMED, "{value}");
    }
    for value in ["Bearer abc", "Digest abc", ""] {
        let answer = grant().header("authorization", value).await;
        assert_eq!(outcome(&answer), REFUSED, "{value}");
        assert!(answer.header("www-authenticate").is_some());
    }
}

#[testkit::both_engines]
async fn two_ways_of_authentication_or_two_clients_are_invalid_request(app: TestApp) {
    let client = app.client().await;
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    for body in [
        json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret}),
        json!({"grant_type": "client_credentials", "client_secret": secret}),
        json!({"grant_type": "client_credentials", "client_id": "bwc_other"}),
    ] {
        assert_eq!(outcome(&app.post(PATH).basic(id, secret).json(body).await), MALFORMED);
    }
    let twice = app.post(PATH).basic(id, secret).basic(id, secret);
    assert_eq!(outcome(&twice.json(json!({"grant_type": "client_credentials"})).await), MALFORMED);
}

#[testkit::both_engines]
async fn credentials_in_the_query_are_ignored(app: TestApp) {
    let client = app.client().await;
    let path = format!("{PATH}?client_id={}&client_secret={}", client.id, client.secret);
    let answer = app.post(&path).json(json!({"grant_type": "client_credentials"})).await;
    assert_eq!(outcome(&answer), REFUSED);
}

#[testkit::both_engines]
async fn asking_for_fewer_scopes_gives_fewer_and_asking_for_more_is_invalid_scope(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write risks:read").await;
    let with_scope = |scope: Value| {
        let (id, secret) = (&client.id, &client.secret);
        ask(
            &app,
            json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret, "scope": scope}),
        )
    };
    for (asked, given) in [
        (json!("risks:read"), "risks:read"),
        (json!("risks:read incidents:read"), "incidents:read risks:read"),
        (json!("risks:read risks:read"), "risks:read"),
        (json!(null), "incidents:read incidents:write risks:read"),
        (json!(""), "incidents:read incidents:write risks:read"),
    ] {
        let answer = with_scope(asked).await;
        assert_eq!(answer.text("scope"), given);
        let (access, refresh) = tokens(&answer);
        assert_eq!(decoded(&access).1["scope"], given);
        assert_eq!(decoded(&refresh).1["scope"], given);
    }
    for asked in
        ["risks:write", "risks:read risks:write", "unknown", "Risks:read", " ", "risks:read,incidents:read"]
    {
        let answer = with_scope(json!(asked)).await;
        assert_eq!(outcome(&answer), "400 invalid_scope Invalid request", "{asked}");
    }
}

#[testkit::both_engines]
async fn other_media_types_are_415_and_bodies_over_64_kib_413(app: TestApp) {
    for media in
        ["text/plain", "multipart/form-data", "application/json; charset=latin1", "application/jsonx"]
    {
        let answer = app.post(PATH).body(media, "{}").await;
        assert_eq!(outcome(&answer), "415 invalid_request Invalid request", "{media}");
        assert_eq!(answer.header("accept"), Some("application/json, application/x-www-form-urlencoded"));
    }
    let body = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
    let answer = app.post(PATH).body("application/json", body(64 * 1024)).await;
    assert_eq!(outcome(&answer), MALFORMED);
    for media in ["application/json", "text/plain"] {
        let answer = app.post(PATH).body(media, body(64 * 1024 + 1)).await;
        assert_eq!(outcome(&answer), "413 invalid_request Invalid request");
    }
    let answer = app.post(PATH).body("application/json", "{}").header("content-encoding", "gzip").await;
    assert_eq!(answer.status, 415);
}

#[testkit::both_engines]
async fn other_methods_are_405(app: TestApp) {
    for method in ["GET", "PUT", "PATCH", "DELETE", "TRACE"] {
        let answer = app.request(method.parse().unwrap(), PATH).await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.header("allow").unwrap().contains("POST"), "{method}");
    }
}

#[testkit::both_engines]
async fn a_disabled_client_is_refused(app: TestApp) {
    let client = app.client().await;
    disable(&app, app.organization, &client.id).await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    assert_eq!(outcome(&ask(&app, body).await), REFUSED);
}

#[testkit::both_engines]
async fn a_token_request_writes_nothing_and_the_last_use_comes_later(app: TestApp) {
    let client = app.client().await;
    let commits = app.db.commits();
    for _ in 0..3 {
        app.db.clock.advance_seconds(1);
        pair(&app, &client).await;
    }
    assert_eq!(app.db.commits(), commits);
    assert_eq!(count(&app, "token_family").await, 0);
    let used = app.db.clock.now();
    app.app().auth().write_last_use().await;
    app.app().auth().write_last_use().await;
    assert_eq!(app.db.commits(), commits + 1);
    let id = domain::ClientId(client.id.clone());
    let record = store::clients::find(&mut app.db.read().await.unwrap(), &id).await.unwrap().unwrap();
    assert_eq!(record.secrets[0].last_used_date, Some(used));
}

#[testkit::both_engines]
async fn an_idempotency_key_has_no_effect_here(app: TestApp) {
    let client = app.client().await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let first = app.post(PATH).idempotency_key("k").json(body.clone()).expect(200).await;
    let second = app.post(PATH).idempotency_key("k").json(body).expect(200).await;
    assert_ne!(first.text("access_token"), second.text("access_token"));
    assert_eq!(second.header("idempotent-replayed"), None);
}

/// Disables a client as another process would: the deny-list of this one is not updated.
pub(super) async fn disable(app: &TestApp, org: OrgId, id: &str) {
    let id = domain::ClientId(id.to_owned());
    app.db
        .write(org, async move |tx: &mut db::Tx| store::clients::disable(tx, org, &author(), &id).await)
        .await
        .unwrap();
}
