//! Cases from the test suites of other servers that no other file here covers: node-oidc-provider (`client_auth`,
//! `refresh`), ory/hydra (graceful rotation), matrix-authentication-service, kanidm, zitadel. Rewritten for this
//! service.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;

const NO_CLIENT: &str = "401 invalid_client Invalid credentials";
const NO_GRANT: &str = "400 invalid_grant Invalid credentials";
const GRANT: (&str, &str) = ("grant_type", "client_credentials");

async fn change_secrets(app: &TestApp, client: &str, sql: &'static str) {
    let (org, client) = (app.organization, client.to_owned());
    app.db
        .write(org, async move |tx: &mut db::Tx| tx.execute(sql, &[&org.uuid(), &client]).await)
        .await
        .unwrap();
}

/// oidc-provider: "expired client secret", zitadel: "user without secret".
#[testkit::both_engines]
async fn a_client_without_a_live_secret_is_refused(app: TestApp) {
    let client = app.client().await;
    let (_, token) = pair(&app, &client).await;
    let expire =
        "UPDATE client_secret SET expires_date = created_date WHERE organization = $1 AND client_id = $2";
    let delete = "DELETE FROM client_secret WHERE organization = $1 AND client_id = $2";
    for sql in [expire, delete] {
        change_secrets(&app, &client.id, sql).await;
        let credentials = [GRANT, ("client_id", client.id.as_str()), ("client_secret", &client.secret)];
        let by_post = app.post("/v1/oauth/token").form(&credentials).await;
        assert_eq!(outcome(&by_post), NO_CLIENT);
        let by_basic = app.post("/v1/oauth/token").basic(&client.id, &client.secret).form(&[GRANT]).await;
        assert_eq!(outcome(&by_basic), NO_CLIENT);
        assert_eq!(by_basic.header("www-authenticate"), Some(r#"Basic realm="bailiwick""#));
        assert_eq!(outcome(&refresh(&app, &token).await), NO_GRANT, "nor what grew out of it");
    }
}

/// oidc-provider: encoded credentials (appendix B), and some that are not properly encoded.
#[testkit::both_engines]
async fn basic_credentials_encoded_in_any_way_or_badly(app: TestApp) {
    let client = app.client().await;
    let all = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let post = |id: &str, secret: &str| app.post("/v1/oauth/token").basic(id, secret).form(&[GRANT]);
    post(&all(&client.id), &all(&client.secret)).expect(200).await;
    for bad in ["%", "%4", "%zz", "foo with %", "+", "%00"] {
        assert_eq!(outcome(&post(&format!("{}{bad}", client.id), &client.secret).await), NO_CLIENT, "{bad}");
        assert_eq!(outcome(&post(&client.id, &format!("{}{bad}", client.secret)).await), NO_CLIENT, "{bad}");
    }
    let not_utf_8 = post("%ff%fe", &client.secret).await;
    assert_eq!(outcome(&not_utf_8), "400 invalid_request Invalid request");
    let colons = format!("{}:", client.secret);
    assert_eq!(outcome(&post(&client.id, &colons).await), NO_CLIENT, "only the first colon parts");
}

/// oidc-provider: authentication methods that the client was not registered for.
#[testkit::both_engines]
async fn an_assertion_is_no_credential_here(app: TestApp) {
    let client = app.client().await;
    let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    let form = [GRANT, ("client_assertion_type", kind), ("client_assertion", client.token.as_str())];
    assert_eq!(outcome(&app.post("/v1/oauth/token").form(&form).await), NO_CLIENT);
    let with_id = [form.as_slice(), &[("client_id", client.id.as_str())]].concat();
    assert_eq!(outcome(&app.post("/v1/oauth/token").form(&with_id).await), NO_CLIENT);
}

/// oidc-provider: "chunked bodies".
#[testkit::both_engines]
async fn a_chunked_body_is_read(app: TestApp) {
    let client = app.client().await;
    let address = app.listen().await;
    let mut stream = TcpStream::connect(address.trim_start_matches("http://")).await.unwrap();
    let body =
        format!("grant_type=client_credentials&client_id={}&client_secret={}", client.id, client.secret);
    let (one, two) = body.split_at(30);
    let head = "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    for part in [one, two, ""] {
        stream.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).await.unwrap();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"access_token\""), "{answer}");
}

/// RFC 8707: a token for this API only.
#[testkit::both_engines]
async fn a_resource_must_be_this_api(app: TestApp) {
    let client = app.client().await;
    let (id, secret) = (client.id.as_str(), client.secret.as_str());
    let api = "http://bailiwick.test/v1";
    let with = |resources: &[&str]| {
        let mut form = vec![GRANT];
        form.extend(resources.iter().map(|resource| ("resource", *resource)));
        app.post("/v1/oauth/token").basic(id, secret).form(&form).into_future()
    };
    for good in [&[api][..], &[api, api], &[""], &[]] {
        assert_eq!(decoded(&tokens(&with(good).await).0).1["aud"], api, "{good:?}");
    }
    let refused = "400 invalid_target Invalid request";
    for bad in
        [&["http://bailiwick.test"][..], &["http://bailiwick.test/v1/"], &["x"], &[api, "https://other.test"]]
    {
        assert_eq!(outcome(&with(bad).await), refused, "{bad:?}");
    }
    let (_, token) = pair(&app, &client).await;
    let with = |resource: Value| {
        ask(&app, json!({"grant_type": "refresh_token", "refresh_token": token, "resource": resource}))
    };
    assert_eq!(outcome(&with(json!("https://other.test")).await), refused);
    assert_eq!(outcome(&with(json!([api])).await), "400 invalid_request Invalid request");
    assert_eq!(count(&app, "token_family").await, 0, "nothing was spent");
    tokens(&with(json!(api)).await);
}

/// hydra: "graceful token rotation" under concurrency, here over two processes.
#[testkit::both_engines]
async fn fifty_parallel_refreshes_get_one_successor_and_afterwards_reuse_ends_all(app: TestApp) {
    let client = app.client().await;
    let elsewhere = app.beside(2).await;
    let (_, first) = pair(&app, &client).await;
    let mut requests = Vec::new();
    for n in 0..50 {
        requests.push(refresh(if n % 2 == 0 { &app } else { &elsewhere }, &first));
    }
    let answers = futures_util::future::join_all(requests).await;
    let pairs: Vec<_> = answers.iter().map(tokens).collect();
    assert!(pairs.iter().all(|(_, refresh)| *refresh == pairs[0].1), "one successor");
    let accesses: std::collections::HashSet<_> = pairs.iter().map(|(access, _)| access).collect();
    assert_eq!(accesses.len(), 50, "and an access token for each");
    for (access, _) in &pairs {
        assert!(is_taken(&app, access).await);
    }
    app.db.clock.advance_seconds(11);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT);
    assert_eq!(outcome(&refresh(&elsewhere, &pairs[0].1).await), NO_GRANT);
    for (access, _) in &pairs {
        assert!(!is_taken(&app, access).await);
    }
}

/// hydra: parallel refreshes after the grace period are a replay, in any order.
#[testkit::both_engines]
async fn parallel_replays_end_the_family_once(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (_, second) = tokens(&refresh(&app, &first).await);
    app.db.clock.advance_seconds(11);
    let answers = futures_util::future::join_all((0..10).map(|_| refresh(&app, &first))).await;
    assert!(answers.iter().all(|answer| outcome(answer) == NO_GRANT));
    assert_eq!(outcome(&refresh(&app, &second).await), NO_GRANT);
    assert_eq!(count(&app, "revocation").await, 1);
}

/// matrix-authentication-service: `test_double_refresh`.
#[testkit::both_engines]
async fn a_double_refresh_works_until_the_successor_is_used(app: TestApp) {
    let client = app.client().await;
    let (_, first) = pair(&app, &client).await;
    let (access, _) = tokens(&refresh(&app, &first).await);
    let (access_again, second) = tokens(&refresh(&app, &first).await);
    assert!(is_taken(&app, &access).await && is_taken(&app, &access_again).await);
    let (_, third) = tokens(&refresh(&app, &second).await);
    assert_eq!(outcome(&refresh(&app, &first).await), NO_GRANT, "the third time is too late");
    assert_eq!(outcome(&refresh(&app, &third).await), NO_GRANT, "its family has ended");
}

/// oidc-provider: a chain of rotations keeps its scope, even if access tokens had less.
#[testkit::both_engines]
async fn a_long_chain_keeps_its_scope_and_its_family(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let (_, mut token) = pair(&app, &client).await;
    let family = decoded(&token).1["fid"].clone();
    for generation in 2..30 {
        app.db.clock.advance_seconds(86_400);
        let scope = if generation % 2 == 0 { Some("risks:read") } else { None };
        let body = json!({"grant_type": "refresh_token", "refresh_token": token, "scope": scope});
        let answer = ask(&app, body).await;
        assert_eq!(answer.text("scope"), scope.unwrap_or("incidents:read risks:read"));
        token = tokens(&answer).1;
        let claims = decoded(&token).1;
        assert_eq!((&claims["gen"], &claims["fid"]), (&json!(generation), &family));
        assert_eq!(claims["scope"], "incidents:read risks:read");
    }
    assert_eq!(count(&app, "token_family").await, 1);
}

/// kanidm: tokens of one client used by another, with any authentication.
#[testkit::both_engines]
async fn a_refresh_token_is_of_no_use_to_another_client(app: TestApp) {
    let (client, thief) = (app.client().await, app.client().await);
    let outsider = app.client_of(app.db.organization("Other").await, "risks:read").await;
    let (_, token) = pair(&app, &client).await;
    let form = [("grant_type", "refresh_token"), ("refresh_token", token.as_str())];
    for other in [&thief, &outsider] {
        let answer = app.post("/v1/oauth/token").basic(&other.id, &other.secret).form(&form).await;
        assert_eq!(outcome(&answer), NO_GRANT);
        let named = [form.as_slice(), &[("client_id", other.id.as_str())]].concat();
        assert_eq!(outcome(&app.post("/v1/oauth/token").form(&named).await), NO_GRANT);
    }
    tokens(&refresh(&app, &token).await);
}

/// zitadel: success for each scope alone.
#[testkit::both_engines]
async fn each_scope_can_be_asked_for_alone(app: TestApp) {
    let client = app.client().await;
    for scope in domain::Scope::ALL {
        let form = [GRANT, ("scope", scope.as_str())];
        let answer = app.post("/v1/oauth/token").basic(&client.id, &client.secret).form(&form).await;
        let (access, _) = tokens(&answer);
        assert_eq!(
            (answer.text("scope"), &decoded(&access).1["scope"]),
            (scope.as_str(), &json!(scope.as_str()))
        );
    }
}
