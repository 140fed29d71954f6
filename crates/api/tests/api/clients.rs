//! Clients in the API: their scopes, the rotation of their secrets, and their deactivation.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

async fn token(app: &TestApp, id: &str, secret: &str) -> u16 {
    let body = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
    app.post("/v1/oauth/token").json(body).await.status
}

async fn made(app: &TestApp, admin: &TestClient, scopes: &str) -> Value {
    let body = json!({"name": "SIEM", "scopes": scopes});
    app.post("/v1/clients").bearer(admin).json(body).expect(201).await.json().clone()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

#[testkit::both_engines]
async fn a_client_is_made_and_its_secret_shown_once(app: TestApp) {
    let admin = app.client().await;
    let body = json!({"name": "SIEM", "scopes": "risks:read incidents:read"});
    let answer = app.post("/v1/clients").bearer(&admin).json(body).expect(201).await;
    let client = answer.json();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let id = text(client, "/client_id");
    assert_eq!(answer.header("location"), Some(format!("/v1/clients/{id}").as_str()));
    assert_eq!(client["scopes"], "incidents:read risks:read");
    assert_eq!(client["created_by"], json!({"type": "client", "id": admin.id, "name": "Probe"}));
    assert_eq!(client["organization_id"], json!(app.organization.to_string()));
    assert_eq!((&client["refresh_client_auth"], &client["version"]), (&json!("optional"), &json!(1)));
    // No later read returns the secret.
    let read = app.get(&format!("/v1/clients/{id}")).bearer(&admin).expect(200).await;
    assert!(read.json().get("client_secret").is_none());
    assert_eq!(read.header("etag"), answer.header("etag"), "a change can be based on the creation");
    assert_eq!(token(&app, id, text(client, "/client_secret")).await, 200);
    let list = app.get("/v1/clients").bearer(&admin).expect(200).await;
    let ids: Vec<_> =
        list.json()["data"].as_array().unwrap().iter().map(|it| text(it, "/client_id").to_owned()).collect();
    assert_eq!(ids, [admin.id.as_str(), id], "the oldest first");
    assert_eq!(&list.json()["data"][1], read.json());
}

#[testkit::both_engines]
async fn a_caller_cannot_give_a_client_scopes_it_lacks(app: TestApp) {
    let admin = app.client().await;
    let lesser = app.client_with_scopes("clients:admin incidents:read").await;
    let body = json!({"name": "x", "scopes": "incidents:read risks:write risks:read"});
    let refused = app.post("/v1/clients").bearer(&lesser).json(body).expect(403).await;
    assert_eq!(refused.text("scope"), "risks:read risks:write", "all that are missing");
    let equal = made(&app, &lesser, "incidents:read").await;
    let path = format!("/v1/clients/{}", text(&equal, "/client_id"));
    let more = json!({"scopes": "incidents:read tags:read"});
    app.patch(&path).bearer(&lesser).json(more.clone()).expect(403).await;
    app.patch(&path).bearer(&admin).json(more).expect(200).await;
    // Now it has more scopes than the lesser client, which can no longer change it.
    app.patch(&path).bearer(&lesser).json(json!({"name": "y"})).expect(403).await;
    let refused = app.post(&format!("{path}/secrets")).bearer(&lesser).json(json!({})).expect(403).await;
    assert_eq!(refused.text("scope"), "tags:read");
    app.patch(&path).bearer(&admin).json(json!({"scopes": "incidents:read"})).expect(200).await;
    app.post(&format!("{path}/secrets")).bearer(&lesser).json(json!({})).expect(201).await;
}

#[testkit::both_engines]
async fn a_secret_is_replaced_without_a_gap_and_the_old_one_ends_with_all_it_gave(app: TestApp) {
    let admin = app.client().await;
    let client = made(&app, &admin, "organizations:read").await;
    let (id, old) = (text(&client, "/client_id"), text(&client, "/client_secret"));
    let path = format!("/v1/clients/{id}/secrets");
    let access = app.sign_in(id, old).await;
    let added = app.post(&path).bearer(&admin).json(json!({})).expect(201).await;
    let new = added.text("client_secret").to_owned();
    assert_eq!((added.text("client_id"), added.json().get("version")), (id, None));
    assert_eq!(added.header("location"), Some(format!("{path}/{}", added.text("id")).as_str()));
    assert_eq!((token(&app, id, old).await, token(&app, id, &new).await), (200, 200));
    let third = app.post(&path).bearer(&admin).json(json!({})).expect(409).await;
    assert_eq!(third.text("code"), "too_many_secrets");
    let organization = format!("/v1/organizations/{}", app.organization);
    app.get(&organization).bearer(&access).expect(200).await;
    let fresh = app.sign_in(id, &new).await;
    app.delete(&format!("{path}/{}", text(&client, "/secrets/0/id"))).bearer(&admin).expect(204).await;
    app.get(&organization).bearer(&access).expect(401).await;
    app.get(&organization).bearer(&fresh).expect(200).await;
    assert_eq!((token(&app, id, old).await, token(&app, id, &new).await), (401, 200));
    app.post(&path).bearer(&admin).json(json!({})).expect(201).await;
}

#[testkit::both_engines]
async fn a_secret_ends_when_it_was_to_end(app: TestApp) {
    let admin = app.client().await;
    let client = made(&app, &admin, "tags:read").await;
    let id = text(&client, "/client_id").to_owned();
    let path = format!("/v1/clients/{id}/secrets");
    let past = app.post(&path).bearer(&admin).json(json!({"expires_date": "2026-03-01T08:00:00Z"}));
    assert_eq!(past.expect(422).await.faults(), ["#/expires_date range"]);
    let soon = json!({"expires_date": "2026-03-01T09:10:00Z"});
    let added = app.post(&path).bearer(&admin).json(soon).expect(201).await;
    let secret = added.text("client_secret").to_owned();
    assert_eq!(token(&app, &id, &secret).await, 200);
    app.db.clock.advance_seconds(600);
    assert_eq!(token(&app, &id, &secret).await, 401);
    // The expired secret counts as long as its tokens may be valid.
    let refused = app.post(&path).bearer(&admin).json(json!({})).expect(409).await;
    assert_eq!(refused.text("code"), "too_many_secrets");
    app.db.clock.advance_seconds(1_800);
    let admin = app.sign_in(&admin.id, &admin.secret).await;
    app.post(&path).bearer(&admin).json(json!({})).expect(201).await;
    let read = app.get(&format!("/v1/clients/{id}")).bearer(&admin).expect(200).await;
    assert_eq!(read.json()["secrets"].as_array().unwrap().len(), 2, "the expired one is forgotten");
}

#[testkit::both_engines]
async fn secrets_that_expire_at_once_do_not_pile_up(app: TestApp) {
    let admin = app.client().await;
    let client = made(&app, &admin, "tags:read").await;
    let path = format!("/v1/clients/{}", text(&client, "/client_id"));
    let mut made = 0;
    for second in 1..20 {
        let soon = json!({"expires_date": format!("2026-03-01T09:00:{second:02}Z")});
        let answer = app.post(&format!("{path}/secrets")).bearer(&admin).json(soon).await;
        made += i32::from(answer.status == 201);
        app.db.clock.advance_seconds(1);
    }
    assert_eq!(made, 1);
    // A caller that cannot wait deletes the expired secret.
    let read = app.get(&path).bearer(&admin).expect(200).await;
    let secrets = read.json()["secrets"].as_array().unwrap();
    assert_eq!(secrets.len(), 2);
    let expired = secrets.iter().find(|secret| secret["expires_date"].is_string()).unwrap();
    app.delete(&format!("{path}/secrets/{}", text(expired, "/id"))).bearer(&admin).expect(204).await;
    app.post(&format!("{path}/secrets")).bearer(&admin).json(json!({})).expect(201).await;
}

/// The name is part of responses that are built from the caller, which is cached with the token.
#[testkit::both_engines]
async fn a_new_name_of_a_client_is_shown_at_once_and_in_other_processes_after_the_next_read(app: TestApp) {
    let admin = app.client().await;
    let client = app.client().await;
    let second = app.beside(2).await;
    let opened_by = async |app: &TestApp| {
        let incident = json!({"title": "x", "description": ""});
        let made = app.post("/v1/incidents").bearer(&client).json(incident).expect(201).await;
        let me = app.get("/v1/me").bearer(&client).expect(200).await;
        assert_eq!(made.text("/opened_by/name"), me.text("name"));
        me.text("name").to_owned()
    };
    assert_eq!((opened_by(&app).await, opened_by(&second).await), ("Probe".to_owned(), "Probe".to_owned()));
    for name in ["First", "Second"] {
        let path = format!("/v1/clients/{}", client.id);
        app.patch(&path).bearer(&admin).json(json!({"name": name})).expect(200).await;
        assert_eq!(opened_by(&app).await, name);
        second.app().auth().read_deny_list().await.unwrap();
        assert_eq!(opened_by(&second).await, name);
    }
    let checked = app.app().auth().metrics.signature_checks();
    opened_by(&app).await;
    assert_eq!(app.app().auth().metrics.signature_checks(), checked, "the token is remembered still");
}

/// The clock stands still in between: the result does not depend on the second.
#[testkit::both_engines]
async fn a_client_is_disabled_for_all_its_tokens_and_enabled_for_new_ones_at_once(app: TestApp) {
    let admin = app.client().await;
    let client = made(&app, &admin, "organizations:read").await;
    let (id, secret) = (text(&client, "/client_id"), text(&client, "/client_secret"));
    let credentials = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
    let pair = app.post("/v1/oauth/token").json(credentials).expect(200).await;
    let organization = format!("/v1/organizations/{}", app.organization);
    app.get(&organization).bearer(pair.text("access_token")).expect(200).await;
    let path = format!("/v1/clients/{id}");
    let disabled = app.patch(&path).bearer(&admin).json(json!({"disabled": true})).expect(200).await;
    assert!(disabled.json()["disabled_date"].is_string());
    app.get(&organization).bearer(pair.text("access_token")).expect(401).await;
    assert_eq!(token(&app, id, secret).await, 401);
    let enabled = app.patch(&path).bearer(&admin).json(json!({"disabled": false})).expect(200).await;
    assert_eq!(enabled.json()["secrets"], client["secrets"], "the secret is the same");
    let fresh = app.sign_in(id, secret).await;
    app.get(&organization).bearer(&fresh).expect(200).await;
    // Tokens issued before stay revoked.
    app.get(&organization).bearer(pair.text("access_token")).expect(401).await;
    let refresh = json!({"grant_type": "refresh_token", "refresh_token": pair.text("refresh_token")});
    assert_eq!(app.post("/v1/oauth/token").json(refresh).await.status, 400);
    app.get(&organization).bearer(&fresh).expect(200).await;
}

#[testkit::both_engines]
async fn a_client_cannot_lock_itself_out(app: TestApp) {
    let admin = app.client().await;
    let path = format!("/v1/clients/{}", admin.id);
    let refused = app.patch(&path).bearer(&admin).json(json!({"disabled": true})).expect(409).await;
    assert_eq!(refused.text("code"), "own_client");
    let own = app.get(&path).bearer(&admin).expect(200).await;
    let secret = format!("{path}/secrets/{}", own.text("/secrets/0/id"));
    assert_eq!(app.delete(&secret).bearer(&admin).expect(409).await.text("code"), "own_client");
    // With another secret it may; that revokes the token it used.
    app.post(&format!("{path}/secrets")).bearer(&admin).json(json!({})).expect(201).await;
    app.delete(&secret).bearer(&admin).expect(204).await;
    app.get(&path).bearer(&admin).expect(401).await;
}

/// A retry gets the secret again, although the secret is not in the database in plain text.
#[testkit::both_engines]
async fn a_repetition_shows_the_secret_again_and_it_is_kept_sealed(app: TestApp) {
    let admin = app.client().await;
    let body = json!({"name": "SIEM", "scopes": "tags:read"});
    let ask = || app.post("/v1/clients").bearer(&admin).idempotency_key("k").json(body.clone());
    let (first, again) = (ask().expect(201).await, ask().expect(201).await);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((&first.bytes, again.header("cache-control")), (&again.bytes, Some("no-store")));
    let mut read = app.db.read().await.unwrap();
    let rows: Vec<(Vec<u8>,)> = read.query("SELECT body FROM idempotency_key", &[]).await.unwrap();
    let kept = rows.iter().map(|(body,)| String::from_utf8_lossy(body).into_owned()).collect::<String>();
    assert!(!kept.is_empty() && !kept.contains("bwk_") && !kept.contains("SIEM"), "{kept}");
}

/// The link of an invitation is a secret as well.
#[testkit::both_engines]
async fn an_invitations_link_is_kept_sealed_too(app: TestApp) {
    let admin = app.client().await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "role": "responder"});
    let ask = || app.post("/v1/invitations").bearer(&admin).idempotency_key("k").json(body.clone());
    let (first, again) = (ask().expect(201).await, ask().expect(201).await);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.text("link"), again.text("link"));
    let mut read = app.db.read().await.unwrap();
    let rows: Vec<(Vec<u8>,)> = read.query("SELECT body FROM idempotency_key", &[]).await.unwrap();
    let kept = rows.iter().map(|(body,)| String::from_utf8_lossy(body).into_owned()).collect::<String>();
    assert!(!kept.is_empty() && !kept.contains("bwi_") && !kept.contains("Ada"), "{kept}");
}

#[testkit::both_engines]
async fn every_fault_of_a_client_is_reported_at_once(app: TestApp) {
    let admin = app.client().await;
    let wrong = json!({"name": " ", "scopes": "tags:fly", "client_secret": "mine", "secret": 1});
    let refused = app.post("/v1/clients").bearer(&admin).json(wrong).expect(422).await;
    let expected = ["#/name blank", "#/scopes enum", "#/client_secret read_only", "#/secret unknown_field"];
    assert_eq!(refused.faults(), expected);
    let path = format!("/v1/clients/{}", admin.id);
    let wrong = json!({"scopes": "", "refresh_client_auth": "never", "disabled": null});
    let refused = app.patch(&path).bearer(&admin).json(wrong).expect(422).await;
    assert_eq!(refused.faults(), ["#/scopes required", "#/refresh_client_auth enum", "#/disabled required"]);
}

#[testkit::both_engines]
async fn every_unknown_scope_is_named_with_the_one_that_was_meant(app: TestApp) {
    let client = app.client().await;
    let body = json!({"name": "Probe", "scopes": "incident:read risks:read risks:wirte nonsense"});
    let answer = app.post("/v1/clients").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/scopes enum"; 3]);
    let details: Vec<_> = (0..3).map(|index| answer.text(&format!("/errors/{index}/detail"))).collect();
    assert_eq!(
        details,
        [
            "Scopes must not name the unknown scope `incident:read`; did you mean `incidents:read`?",
            "Scopes must not name the unknown scope `risks:wirte`; did you mean `risks:write`?",
            "Scopes must not name the unknown scope `nonsense`.",
        ]
    );
    let body = json!({"name": "x", "scopes": "incidents:read,risks:read"});
    let answer = app.post("/v1/clients").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.text("detail"), "Scopes must have spaces between scopes, not commas.");
}
