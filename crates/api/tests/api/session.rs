//! `/v1/session`: who can sign in, and what ends a session.

use domain::Role;
use serde_json::json;
use testkit::{Answer, TestApp, TestPerson};

async fn sign_in(app: &TestApp, person: &TestPerson) -> Answer {
    sign_in_with(app, &person.email, &person.password, &person.organization.to_string()).await
}

async fn sign_in_with(app: &TestApp, email: &str, password: &str, organization: &str) -> Answer {
    let body = json!({"email": email, "password": password, "organization_id": organization});
    app.post("/v1/session").json(body).await
}

async fn status(app: &TestApp, token: impl AsRef<str>) -> u16 {
    app.get("/v1/me").bearer(token).await.status
}

async fn kinds(app: &TestApp) -> Vec<String> {
    let mut read = app.db.read().await.unwrap();
    let entries = store::journal::list(&mut read, app.organization, 0, 1_000).await.unwrap();
    entries.into_iter().map(|entry| entry.kind).collect()
}

/// The response does not reveal which part was wrong: everything but the request's id is the same.
fn comparable(answer: &Answer) -> (u16, serde_json::Value, Option<String>) {
    let mut body = answer.json().clone();
    body["request_id"] = json!(null);
    (answer.status, body, answer.header("www-authenticate").map(str::to_owned))
}

#[testkit::both_engines]
async fn a_person_signs_in_and_out(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let session = sign_in(&app, &ada).await;
    assert_eq!((session.status, session.header("location")), (201, Some("/v1/session")));
    assert_eq!(session.header("cache-control"), Some("no-store"));
    let token = session.text("token").to_owned();
    let view = json!({
        "expires_date": "2026-03-01T21:00:00.000000Z",
        "user": {"id": ada.id, "name": "Ada", "email": "ada@x.org"},
        "role": "owner",
        "roles": ["owner"],
        "organization": {"id": app.organization, "name": "Acme"},
    });
    let mut with_token = view.clone();
    with_token["token"] = json!(token);
    // A write is at least a microsecond after the one before.
    let mut shown = session.json().clone();
    assert!(shown["expires_date"].as_str().unwrap().starts_with("2026-03-01T21:00:00.0000"), "{shown}");
    shown["expires_date"] = view["expires_date"].clone();
    assert_eq!(shown, with_token);

    let read = app.get("/v1/session").bearer(&token).expect(200).await;
    assert_eq!(*read.json(), view);
    app.delete("/v1/session").bearer(&token).expect(204).await;
    for answer in [app.get("/v1/me").bearer(&token).await, app.delete("/v1/session").bearer(&token).await] {
        assert_eq!((answer.status, answer.text("code")), (401, "unauthenticated"));
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
    }
    assert_eq!(status(&app, &ada).await, 200, "another session of the same person goes on");
    let kinds = kinds(&app).await;
    assert_eq!(kinds[kinds.len() - 2..], ["session.started", "session.ended"]);
}

#[testkit::both_engines]
async fn every_refused_sign_in_gets_the_same_answer(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    app.user("Never Invited", "never@x.org", Role::Admin).await;
    app.invite(app.organization, "Invited", "invited@x.org", Role::Admin).await;
    let other = app.db.organization("Other").await;
    let there = app.person_of(other, "There", Role::Admin).await;
    let gone = app.person("Gone", Role::Viewer).await;
    let client = app.client().await;
    app.delete(&format!("/v1/users/{}", gone.id)).bearer(&client).expect(204).await;
    let (own, other) = (app.organization.to_string(), other.to_string());
    let nowhere = "0190163d-8694-739b-aea5-966c26f8ad91";
    let wrong = "not the right password";
    let mut answers = Vec::new();
    for (email, password, organization) in [
        (ada.email.as_str(), wrong, &own),
        (&ada.email, "", &own),
        (&ada.email, &ada.password, &other),
        (&ada.email, &ada.password, &nowhere.to_owned()),
        ("nobody@x.org", wrong, &own),
        ("not an address", wrong, &own),
        ("never@x.org", wrong, &own),
        ("invited@x.org", wrong, &own),
        (&there.email, &there.password, &own),
        (&gone.email, &gone.password, &own),
    ] {
        answers.push(sign_in_with(&app, email, password, organization).await);
    }
    let expected = comparable(&answers[0]);
    assert_eq!(expected.0, 401);
    assert_eq!(
        (&expected.1["code"], &expected.1["title"]),
        (&json!("invalid_credentials"), &json!("Invalid credentials"))
    );
    for answer in &answers {
        assert_eq!(comparable(answer), expected);
    }
    assert_eq!(sign_in_with(&app, " ADA@X.org ", &ada.password, &own).await.status, 201, "case is no matter");
}

async fn sign_in_anywhere(app: &TestApp, email: &str, password: &str) -> Answer {
    app.post("/v1/session").json(json!({"email": email, "password": password})).await
}

#[testkit::both_engines]
async fn a_person_of_one_organization_need_not_name_it(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    // Neither a membership that was never activated nor one that has ended can be chosen.
    let (second, third) = (app.db.organization("Second").await, app.db.organization("Third").await);
    app.db.user(second, "Ada", &ada.email, Role::Admin).await;
    let gone = app.person_of(third, "Ada", Role::Viewer).await;
    let admin = app.client_of(third, &domain::Scopes::all().to_string()).await;
    app.delete(&format!("/v1/users/{}", gone.id)).bearer(&admin).expect(204).await;
    let answer = sign_in_anywhere(&app, " ADA@x.org", &ada.password).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    assert_eq!(answer.json()["organization"], json!({"id": app.organization, "name": "Acme"}));
    assert_eq!(status(&app, answer.text("token")).await, 200);
}

#[testkit::both_engines]
async fn a_person_of_several_organizations_is_asked_which_after_the_right_password(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let other = app.db.organization("A first one").await;
    app.person_of(other, "Ada", Role::Viewer).await;
    let before = kinds(&app).await;
    let needed = sign_in_anywhere(&app, &ada.email, &ada.password).await;
    assert_eq!((needed.status, needed.text("code")), (409, "organization_needed"));
    let choices = json!([{"id": other, "name": "A first one"}, {"id": app.organization, "name": "Acme"}]);
    assert_eq!(needed.json()["organizations"], choices);
    assert_eq!(kinds(&app).await, before, "no session is created");
    for choice in [other, app.organization] {
        let chosen = sign_in_with(&app, &ada.email, &ada.password, &choice.to_string()).await;
        assert_eq!((chosen.status, chosen.text("/organization/id")), (201, choice.to_string().as_str()));
    }
}

/// A person's organizations are private: a wrong password reveals nothing, not even by the response time.
#[testkit::both_engines]
async fn a_sign_in_without_an_organization_does_not_reveal_memberships(app: TestApp) {
    let one = app.person("One", Role::Owner).await;
    let two = app.person("Two", Role::Owner).await;
    let other = app.db.organization("Other").await;
    app.person_of(other, "Two", Role::Viewer).await;
    app.user("Never Invited", "never@x.org", Role::Admin).await;
    let mut answers = Vec::new();
    for email in [one.email.as_str(), &two.email, "never@x.org", "nobody@x.org", "not an address"] {
        let before = app.db.statements();
        let answer = sign_in_anywhere(&app, email, "not the right password").await;
        answers.push((comparable(&answer), app.db.statements() - before));
    }
    assert_eq!((answers[0].0.0, &answers[0].0.1["code"]), (401, &json!("invalid_credentials")));
    for answer in &answers {
        assert_eq!(*answer, answers[0]);
    }
}

#[testkit::both_engines]
async fn every_fault_of_a_sign_in_is_reported(app: TestApp) {
    let answer = app.post("/v1/session").json(json!({})).expect(422).await;
    assert_eq!(answer.faults(), ["#/email required", "#/password required"]);
    let body = json!({"email": 1, "password": "x".repeat(129), "organization_id": "acme", "role": "admin"});
    let answer = app.post("/v1/session").json(body).expect(422).await;
    let faults = ["#/email type", "#/password too_long", "#/organization_id format", "#/role unknown_field"];
    assert_eq!(answer.faults(), faults);
    let answer = app.post("/v1/session").body("application/json", "{").expect(400).await;
    assert_eq!(answer.text("code"), "malformed_body");
    app.post("/v1/session").body("text/plain", "{}").expect(415).await;
    app.post("/v1/session").body("application/json", vec![b' '; 64 * 1024 + 1]).expect(413).await;
    let answer = app.post("/v1/session?password=x").json(json!({})).expect(400).await;
    assert_eq!(answer.faults(), ["password unknown"]);
}

#[testkit::both_engines]
async fn a_session_ends_after_twelve_hours_without_use(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    for _ in 0..5 {
        app.db.clock.advance_seconds(12 * 3600 - 1);
        assert_eq!(status(&app, &ada).await, 200);
        app.app().auth().write_last_use().await;
    }
    app.db.clock.advance_seconds(12 * 3600);
    assert_eq!(status(&app, &ada).await, 401);
}

#[testkit::both_engines]
async fn a_session_ends_after_thirty_days_even_if_used(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let second = app.beside(2).await;
    for day in 0..60 {
        app.db.clock.advance_seconds(12 * 3600 - 60);
        // The use in one process also extends the session in the other.
        assert_eq!(status(if day % 2 == 0 { &app } else { &second }, &ada).await, 200, "half day {day}");
        app.app().auth().write_last_use().await;
        second.app().auth().write_last_use().await;
    }
    let session = app.get("/v1/session").bearer(&ada).expect(200).await;
    let ends = session.text("expires_date").to_owned();
    assert!(ends.starts_with("2026-03-31T09:00:00"), "{ends}");
    app.db.clock.set("2026-03-31T09:00:01Z");
    assert_eq!(status(&app, &ada).await, 401);
}

/// The last use is written about once a minute, not with every request.
#[testkit::both_engines]
async fn a_request_costs_no_write(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let written = async || {
        let before = app.db.statements();
        app.app().auth().write_last_use().await;
        app.db.statements() - before
    };
    for _ in 0..3 {
        app.get("/v1/me").bearer(&ada).expect(200).await;
    }
    assert_eq!(written().await, 0, "it began within the minute");
    app.db.clock.advance_seconds(61);
    for _ in 0..3 {
        app.get("/v1/me").bearer(&ada).expect(200).await;
    }
    assert!(written().await > 0);
    app.get("/v1/me").bearer(&ada).expect(200).await;
    assert_eq!(written().await, 0, "written within the minute");
}

#[testkit::both_engines]
async fn what_ends_a_session_ends_it_in_every_process(app: TestApp) {
    let second = app.beside(2).await;
    let client = app.client().await;
    let (ada, bea, cleo) = (
        app.person("Ada", Role::Admin).await,
        app.person("Bea", Role::Responder).await,
        app.person("Cleo", Role::Owner).await,
    );
    for person in [&ada, &bea, &cleo] {
        assert_eq!(status(&second, person).await, 200);
    }
    // Removed from the organization.
    app.delete(&format!("/v1/users/{}", bea.id)).bearer(&client).expect(204).await;
    assert_eq!((status(&app, &bea).await, status(&second, &bea).await), (401, 401));
    // Another role.
    let path = format!("/v1/users/{}", cleo.id);
    let new_risk = || json!({"title": "x", "inherent": {"likelihood": 2, "impact": 2}, "target": {"likelihood": 1, "impact": 1}});
    second.post("/v1/risks").bearer(&cleo).json(new_risk()).expect(201).await;
    app.patch(&path).bearer(&client).json(json!({"role": "viewer"})).expect(200).await;
    second.post("/v1/risks").bearer(&cleo).json(new_risk()).expect(403).await;
    assert_eq!(second.get("/v1/session").bearer(&cleo).expect(200).await.text("role"), "viewer");
    // Another password.
    let id = domain::UserId::parse(&ada.id).unwrap();
    let set: store::Result<()> = app
        .db
        .write_instance(async move |tx: &mut db::Tx| {
            store::people::set_password(
                tx,
                &testkit::author(),
                id,
                "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AA",
            )
            .await
        })
        .await;
    set.unwrap();
    assert_eq!((status(&app, &ada).await, status(&second, &ada).await), (401, 401));
}

/// Returning to the organization needs another invitation, and old sessions stay ended.
#[testkit::both_engines]
async fn a_member_who_was_removed_and_added_again_signs_in_again(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&client).expect(204).await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "role": "admin"});
    let back = app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    assert_eq!((back.text("id"), &back.json()["activated_date"]), (ada.id.as_str(), &json!(null)));
    assert_eq!((status(&app, &ada).await, sign_in(&app, &ada).await.status), (401, 401));
    let again = app.person("Ada", Role::Viewer).await;
    assert_eq!(again.id, ada.id);
    assert_eq!((status(&app, &ada).await, status(&app, &again).await), (401, 200));
}

#[testkit::both_engines]
async fn a_client_has_no_session(app: TestApp) {
    let client = app.client().await;
    for request in [app.get("/v1/session"), app.delete("/v1/session")] {
        let answer = request.bearer(&client).expect(404).await;
        assert_eq!(answer.text("title"), "Session not found");
    }
    for request in [app.get("/v1/session"), app.delete("/v1/session")] {
        let answer = request.expect(401).await;
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(challenge.starts_with(r#"Bearer realm="bailiwick""#), "{challenge}");
        assert!(!challenge.contains("error="), "{challenge}");
    }
}

#[testkit::both_engines]
async fn a_damaged_or_foreign_token_opens_nothing(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let invitation = app.invite(app.organization, "Bea", "bea@x.org", Role::Admin).await;
    let client = app.client().await;
    let mut last = ada.token.clone();
    let end = if last.pop() == Some('0') { '1' } else { '0' };
    let made_up = auth::secret::SessionToken::generate(&*testkit::seeded(9));
    for token in [
        format!("{last}{end}"),
        ada.token.to_uppercase(),
        ada.token.replace("bws_", "bwi_"),
        made_up.expose().to_owned(),
        invitation,
        client.secret.clone(),
        "bws_".to_owned(),
    ] {
        assert_eq!(status(&app, &token).await, 401, "{token}");
    }
    // A session token is not accepted as a client's token or secret.
    let answer =
        app.post("/v1/oauth/token").form(&[("grant_type", "refresh_token"), ("refresh_token", &ada.token)]);
    assert_eq!(answer.expect(400).await.text("error"), "invalid_grant");
}

/// Passwords and tokens are neither stored in plain text nor journaled.
#[testkit::both_engines]
async fn no_secret_is_in_the_database(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    sign_in(&app, &ada).await;
    let mut read = app.db.read().await.unwrap();
    for organization in [app.organization, domain::OrgId::INSTANCE] {
        for entry in store::journal::list(&mut read, organization, 0, 1_000).await.unwrap() {
            let payload = entry.payload.unwrap();
            for secret in [&ada.password, &ada.token, "argon2"] {
                assert!(!payload.contains(secret), "{payload}");
            }
            assert!(!entry.kind.starts_with("session.") || !payload.contains("x.org"), "{payload}");
        }
    }
    let hashes: Vec<(String,)> =
        read.query("SELECT password_hash FROM person WHERE password_hash IS NOT NULL", &[]).await.unwrap();
    assert!(hashes.len() == 1 && hashes[0].0.starts_with("$argon2id$"), "{hashes:?}");
}
