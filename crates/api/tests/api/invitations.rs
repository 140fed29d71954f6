//! `/v1/invitations`: from the link to the member who signs in, and what a link must never allow.

use domain::Role;
use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

const PASSWORD: &str = "correct horse battery";

async fn accept(app: &TestApp, token: &str, password: &str) -> Answer {
    app.post("/v1/invitations/accept").json(json!({"token": token, "password": password})).await
}

async fn sign_in(app: &TestApp, organization: domain::OrgId, email: &str, password: &str) -> u16 {
    let body = json!({"email": email, "password": password, "organization_id": organization});
    app.post("/v1/session").json(body).await.status
}

fn ada() -> Value {
    json!({"name": "Ada", "email": "ada@x.org", "role": "responder"})
}

fn assert_not_valid(answer: &Answer) {
    assert_eq!((answer.status, answer.text("code")), (404, "invitation_not_valid"), "{}", answer.json());
}

#[testkit::both_engines]
async fn an_invitation_leads_to_a_session(app: TestApp) {
    let client = app.client().await;
    let made = app.post("/v1/invitations").bearer(&client).json(ada()).expect(201).await;
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let (link, token) = made.text("link").split_once('#').unwrap();
    assert_eq!(link, "http://bailiwick.test/invitation");
    let id = made.text("id").to_owned();
    let mut shown = made.json().clone();
    shown.as_object_mut().unwrap().remove("link");
    let expected = json!({"id": id, "name": "Ada", "email": "ada@x.org", "job_title": null, "role": "responder",
        "roles": ["responder"], "created_date": shown["created_date"], "expires_date": shown["expires_date"],
        "invited_by": {"type": "client", "id": client.id, "name": "Probe"}});
    assert_eq!(shown, expected);
    let path = format!("/v1/invitations/{id}");
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(*app.get(&path).bearer(&client).expect(200).await.json(), shown);
    let list = app.get("/v1/invitations").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"], json!([shown]));
    // A person is not a member before accepting.
    assert_eq!(app.get("/v1/users").bearer(&client).expect(200).await.json()["data"], json!([]));

    let accepted = accept(&app, token, PASSWORD).await;
    assert_eq!((accepted.status, accepted.header("cache-control")), (200, Some("no-store")));
    assert_eq!(accepted.json()["organization"], json!({"id": app.organization, "name": "Acme"}));
    let user = accepted.json()["user"].clone();
    assert_eq!(
        (&user["name"], &user["role"], &user["email"]),
        (&json!("Ada"), &json!("responder"), &json!("ada@x.org"))
    );
    assert!(user["activated_date"].is_string(), "{user}");
    let read =
        app.get(&format!("/v1/users/{}", user["id"].as_str().unwrap())).bearer(&client).expect(200).await;
    assert_eq!(*read.json(), user);
    assert_eq!(sign_in(&app, app.organization, "ada@x.org", PASSWORD).await, 201);
    assert_eq!(app.get("/v1/invitations").bearer(&client).expect(200).await.json()["data"], json!([]));
    app.get(&path).bearer(&client).expect(404).await;
    assert_not_valid(&accept(&app, token, PASSWORD).await);

    let mut read = app.db.read().await.unwrap();
    let entries = store::journal::list(&mut read, app.organization, 0, 100).await.unwrap();
    let told: Vec<_> = entries.iter().map(|entry| (entry.kind.as_str(), entry.actor.kind.as_str())).collect();
    let expected = [
        ("client.created", "operator"),
        ("invitation.created", "client"),
        ("invitation.accepted", "user"),
        ("membership.created", "user"),
        ("membership.activated", "user"),
        ("session.started", "user"),
    ];
    assert_eq!(told, expected);
    for organization in [app.organization, domain::OrgId::INSTANCE] {
        let report = store::verify::verify(&mut read, organization, None).await.unwrap();
        assert_eq!(report.faults, []);
    }
}

#[testkit::both_engines]
async fn a_link_works_once_for_seven_days_and_not_after_it_was_withdrawn(app: TestApp) {
    let client = app.client().await;
    let made = app.post("/v1/invitations").bearer(&client).json(ada()).expect(201).await;
    let path = format!("/v1/invitations/{}", made.text("id"));
    let first = made.text("link").split_once('#').unwrap().1.to_owned();
    // Another invitation of the same address replaces it.
    let second = app.invite(app.organization, "Ada", "ADA@x.org", Role::Owner).await;
    assert_not_valid(&accept(&app, &first, PASSWORD).await);
    app.delete(&path).bearer(&client).expect(404).await;
    let list = app.get("/v1/invitations").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 1);
    let path = format!("/v1/invitations/{}", list.text("/data/0/id"));
    app.delete(&path).bearer(&client).expect(204).await;
    assert_not_valid(&accept(&app, &second, PASSWORD).await);
    app.delete(&path).bearer(&client).expect(404).await;

    let late = app.invite(app.organization, "Ada", "ada@x.org", Role::Owner).await;
    app.db.clock.advance_days(7);
    let client = app.sign_in(&client.id, &client.secret).await;
    app.db.clock.advance_seconds(1);
    assert_not_valid(&accept(&app, &late, PASSWORD).await);
    assert_eq!(app.get("/v1/invitations").bearer(&client).expect(200).await.json()["data"], json!([]));
    // An expired invitation does not prevent another one.
    let again = app.invite(app.organization, "Ada", "ada@x.org", Role::Owner).await;
    assert_eq!(accept(&app, &again, PASSWORD).await.status, 200);
    for token in ["", "bwi_", "x", &app.person("Bea", Role::Viewer).await.token] {
        assert_not_valid(&accept(&app, token, PASSWORD).await);
    }
}

#[testkit::both_engines]
async fn a_link_makes_one_member_however_often_it_is_followed(app: TestApp) {
    let second = app.beside(2).await;
    let token = app.invite(app.organization, "Ada", "ada@x.org", Role::Owner).await;
    let answers =
        join_all((0..6).map(|n| accept(if n % 2 == 0 { &app } else { &second }, &token, PASSWORD))).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 404).count(), 5, "{statuses:?}");
}

/// The attack described in `joining.rs`: an admin of one organization invites a person known from another one and
/// opens the link themselves.
#[testkit::both_engines]
async fn an_organization_cannot_take_over_a_person_of_another(app: TestApp) {
    let victim = app.person("Victoria", Role::Admin).await;
    let evil = app.db.organization("Evil").await;
    let token = app.invite(evil, "Victoria", &victim.email, Role::Admin).await;
    let chosen = "the attacker chose this";
    let answer = accept(&app, &token, chosen).await;
    assert_eq!((answer.status, answer.text("code")), (401, "invalid_credentials"));
    assert_eq!(sign_in(&app, app.organization, &victim.email, chosen).await, 401);
    assert_eq!(sign_in(&app, evil, &victim.email, chosen).await, 401);
    // Victoria herself may accept, and nothing changes for her in her own organization.
    assert_eq!(accept(&app, &token, &victim.password).await.status, 200);
    for organization in [app.organization, evil] {
        assert_eq!(sign_in(&app, organization, &victim.email, &victim.password).await, 201);
    }
    app.get("/v1/me").bearer(&victim).expect(200).await;
}

/// The same with a person who has no password yet: the password that the other organization sets works in the other
/// organization only.
#[testkit::both_engines]
async fn a_password_set_elsewhere_opens_nothing_here(app: TestApp) {
    let victim = app.user("Victoria", "victoria@x.org", Role::Admin).await;
    let evil = app.db.organization("Evil").await;
    let token = app.invite(evil, "Victoria", "victoria@x.org", Role::Admin).await;
    let chosen = "the attacker chose this";
    assert_eq!(accept(&app, &token, chosen).await.status, 200);
    assert_eq!(sign_in(&app, evil, "victoria@x.org", chosen).await, 201);
    assert_eq!(sign_in(&app, app.organization, "victoria@x.org", chosen).await, 401);
    // Her own invitation does not make the attacker's password hers either: the operator sets it again.
    let own = app.invite(app.organization, "Victoria", "victoria@x.org", Role::Admin).await;
    assert_eq!(accept(&app, &own, PASSWORD).await.status, 401);
    let hash = auth::people::PasswordCost { memory_kib: 8, iterations: 1 }
        .store(&auth::people::Password::new(PASSWORD.to_owned()), &*testkit::seeded(5))
        .unwrap();
    let set: store::Result<()> = app
        .db
        .write_instance(async move |tx: &mut db::Tx| {
            store::people::set_password(tx, &testkit::author(), victim, &hash).await
        })
        .await;
    set.unwrap();
    assert_eq!(accept(&app, &own, PASSWORD).await.status, 200);
    assert_eq!(sign_in(&app, app.organization, "victoria@x.org", PASSWORD).await, 201);
    assert_eq!(sign_in(&app, evil, "victoria@x.org", chosen).await, 401);
}

/// An invitation reveals nothing about other organizations.
#[testkit::both_engines]
async fn the_answer_to_an_invitation_does_not_reveal_known_persons(app: TestApp) {
    let known = app.person("Known", Role::Admin).await;
    let other = app.db.organization("Other").await;
    let admin = app.client_of(other, &format!("users:admin {}", Role::Viewer.scopes())).await;
    let shape = async |email: &str| {
        let body = json!({"name": "N", "email": email, "role": "viewer"});
        let before = app.db.statements();
        let answer = app.post("/v1/invitations").bearer(&admin).json(body).expect(201).await;
        let members: Vec<_> = answer.json().as_object().unwrap().keys().cloned().collect();
        (members, answer.bytes.len() - email.len(), app.db.statements() - before)
    };
    // The first request also loads the client.
    shape("first@x.org").await;
    let ((one, length, _), (other, other_length, _)) =
        (shape(&known.email).await, shape("unknown@x.org").await);
    assert_eq!((one, length), (other, other_length));
}

#[testkit::both_engines]
async fn a_member_who_signs_in_is_not_invited_again(app: TestApp) {
    let client = app.client().await;
    app.person("Ada", Role::Owner).await;
    let answer = app.post("/v1/invitations").bearer(&client).json(ada()).expect(409).await;
    assert_eq!(answer.text("code"), "already_member");
}

/// A member who was only added gets the name and the role of the invitation at once; later changes stay.
#[testkit::both_engines]
async fn a_member_who_cannot_sign_in_yet_is_invited(app: TestApp) {
    let client = app.client().await;
    let id = app.user("A.", "ada@x.org", Role::Viewer).await.to_string();
    let path = format!("/v1/users/{id}");
    let made = app.post("/v1/invitations").bearer(&client).json(ada()).expect(201).await;
    let token = made.text("link").split_once('#').unwrap().1;
    let user = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(
        (user.text("name"), user.text("role"), &user.json()["version"]),
        ("Ada", "responder", &json!(2))
    );
    app.patch(&path).bearer(&client).json(json!({"role": "approver"})).expect(200).await;
    let accepted = accept(&app, token, PASSWORD).await;
    assert_eq!(
        (accepted.status, accepted.text("/user/id"), accepted.text("/user/role")),
        (200, id.as_str(), "approver")
    );
}

#[testkit::both_engines]
async fn a_removed_member_cannot_use_an_old_invitation(app: TestApp) {
    let client = app.client().await;
    let id = app.user("Ada", "ada@x.org", Role::Viewer).await;
    let token = app.invite(app.organization, "Ada", "ada@x.org", Role::Viewer).await;
    app.delete(&format!("/v1/users/{id}")).bearer(&client).expect(204).await;
    assert_not_valid(&accept(&app, &token, PASSWORD).await);
}

#[testkit::both_engines]
async fn an_invited_person_may_change_their_name(app: TestApp) {
    let token = app.invite(app.organization, "A. King", "ada@x.org", Role::Viewer).await;
    let body = json!({"token": token, "password": PASSWORD, "name": "Ada King"});
    let accepted = app.post("/v1/invitations/accept").json(body).expect(200).await;
    assert_eq!(accepted.text("/user/name"), "Ada King");
}

/// The password rules apply whether a password exists or not: the response does not reveal it.
#[testkit::both_engines]
async fn a_password_is_long_and_not_the_obvious_one(app: TestApp) {
    let other = app.db.organization("Other").await;
    app.person_of(other, "Known Person", Role::Viewer).await;
    for (name, email) in [("Known Person", "known.person@x.org"), ("New Person Here", "new.person@x.org")] {
        let token = app.invite(app.organization, name, email, Role::Viewer).await;
        for (password, fault) in [
            ("short", "too_short"),
            (&"x1".repeat(65), "too_long"),
            (&email.to_uppercase(), "guessable"),
            (&name.to_lowercase(), "guessable"),
            ("............", "guessable"),
        ] {
            let answer = accept(&app, &token, password).await;
            assert_eq!(answer.faults(), [format!("#/password {fault}")], "{password}");
        }
    }
    let answer = app.post("/v1/invitations/accept").json(json!({"name": " ", "x": 1})).expect(422).await;
    assert_eq!(
        answer.faults(),
        ["#/token required", "#/password required", "#/name blank", "#/x unknown_field"]
    );
}

#[testkit::both_engines]
async fn open_invitations_are_listed_in_pages(app: TestApp) {
    let client = app.client_with_scopes("users:admin").await;
    for name in ["Cleo", "Ada", "Bea"] {
        app.invite(app.organization, name, &format!("{name}@x.org"), Role::Viewer).await;
        app.db.clock.advance_seconds(1);
    }
    let first = app.get("/v1/invitations?limit=2").bearer(&client).expect(200).await;
    assert_eq!((first.text("/data/0/name"), first.text("/data/1/name")), ("Cleo", "Ada"));
    let path = format!("/v1/invitations?limit=2&cursor={}", first.text("next_cursor"));
    let last = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((last.text("/data/0/name"), &last.json()["has_more"]), ("Bea", &json!(false)));
}
