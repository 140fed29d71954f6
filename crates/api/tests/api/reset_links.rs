//! `/v1/users/{id}/reset-link`: from the link to another password, and whom it must never give access to.

use domain::{ExpectedVersion, OrgId, Role, Scopes, UserId};
use futures_util::future::join_all;
use serde_json::json;
use testkit::{Answer, TestApp, TestClient, TestDb, TestPerson};

const CHOSEN: &str = "nine green bottles";

async fn ask(app: &TestApp, by: impl AsRef<str>, person: impl std::fmt::Display) -> Answer {
    app.post(&format!("/v1/users/{person}/reset-link")).bearer(by).await
}

fn token_of(made: &Answer) -> String {
    assert_eq!(made.status, 201, "{}", made.json());
    made.text("link").split_once('#').unwrap().1.to_owned()
}

/// The token of a new link.
async fn link(app: &TestApp, by: impl AsRef<str>, person: &TestPerson) -> String {
    token_of(&ask(app, by, &person.id).await)
}

async fn redeem(app: &TestApp, token: &str) -> Answer {
    app.post("/v1/reset-links/use").json(json!({"token": token, "password": CHOSEN})).await
}

async fn sign_in(app: &TestApp, person: &TestPerson, password: &str) -> u16 {
    let body = json!({"email": person.email, "password": password, "organization_id": person.organization});
    app.post("/v1/session").json(body).await.status
}

/// Neither the password nor the sessions of the person have changed.
async fn assert_untouched(app: &TestApp, person: &TestPerson) {
    assert_eq!(app.get("/v1/me").bearer(person).await.status, 200);
    assert_eq!(
        (sign_in(app, person, CHOSEN).await, sign_in(app, person, &person.password).await),
        (401, 201)
    );
}

fn assert_not_valid(answer: &Answer) {
    assert_eq!((answer.status, answer.text("code")), (404, "reset_link_not_valid"), "{}", answer.json());
}

fn assert_conflict(answer: &Answer, code: &str) {
    assert_eq!((answer.status, answer.text("code")), (409, code), "{}", answer.json());
}

async fn operator(app: &TestApp, person: &TestPerson, is: bool) {
    let id = UserId::parse(&person.id).unwrap();
    let work = async move |tx: &mut db::Tx| store::people::set_operator(tx, &testkit::author(), id, is).await;
    let changed: store::Result<bool> = app.db.write_instance(work).await;
    assert!(changed.unwrap());
}

async fn remove_from(app: &TestApp, organization: OrgId, person: &TestPerson) {
    let id = UserId::parse(&person.id).unwrap();
    let work = async move |tx: &mut db::Tx| {
        store::people::remove(tx, organization, &testkit::author(), id, &ExpectedVersion::Any).await
    };
    let removed: store::Result<()> = app.db.write(organization, work).await;
    removed.unwrap();
}

async fn promote(app: &TestApp, by: &TestClient, person: &TestPerson, role: &str) {
    let path = format!("/v1/users/{}", person.id);
    app.patch(&path).bearer(by).json(json!({"role": role})).expect(200).await;
}

#[testkit::both_engines]
async fn a_reset_link_leads_to_another_password_and_ends_every_session(app: TestApp) {
    let admin = app.person("Admin", Role::Admin).await;
    let ada = app.person("Ada", Role::Owner).await;
    let made = ask(&app, &admin, &ada.id).await;
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let token = token_of(&made);
    assert_eq!(made.text("link"), format!("http://bailiwick.test/reset-password#{token}"));
    let expires: jiff::Timestamp = made.text("expires_date").parse().unwrap();
    assert_eq!(expires.duration_since(app.db.clock.now()).as_mins(), 30);
    // Nothing changes before it is used.
    assert_untouched(&app, &ada).await;

    let used = redeem(&app, &token).await;
    assert_eq!((used.status, used.header("cache-control")), (204, Some("no-store")));
    assert_eq!(app.get("/v1/me").bearer(&ada).await.status, 401);
    assert_eq!((sign_in(&app, &ada, &ada.password).await, sign_in(&app, &ada, CHOSEN).await), (401, 201));
    assert_eq!(app.get("/v1/me").bearer(&admin).await.status, 200, "only those of the member");

    let mut read = app.db.read().await.unwrap();
    let entries = store::journal::list(&mut read, app.organization, 0, 100).await.unwrap();
    let about = entries.iter().filter(|entry| entry.kind.starts_with("reset_link."));
    let told: Vec<_> = about.map(|entry| (entry.kind.as_str(), entry.actor.id.as_str())).collect();
    assert_eq!(told, [("reset_link.created", admin.id.as_str()), ("reset_link.used", ada.id.as_str())]);
    for entry in entries.iter().filter(|entry| entry.kind.starts_with("reset_link.")) {
        let payload = entry.payload.as_ref().unwrap();
        assert!(
            payload.contains(&ada.id) && !payload.contains(&token) && !payload.contains(CHOSEN),
            "{payload}"
        );
    }
    let instance = store::journal::list(&mut read, OrgId::INSTANCE, 0, 100).await.unwrap();
    let last = instance.iter().rfind(|entry| entry.kind == "user.password_set").unwrap();
    assert_eq!(last.actor.id, ada.id);
    for organization in [app.organization, OrgId::INSTANCE] {
        let report = store::verify::verify(&mut read, organization, None).await.unwrap();
        assert_eq!(report.faults, []);
    }
}

#[testkit::both_engines]
async fn a_link_works_once_for_thirty_minutes_and_until_there_is_a_newer_one(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Owner).await;
    let first = link(&app, &client, &ada).await;
    let second = link(&app, &client, &ada).await;
    assert_not_valid(&redeem(&app, &first).await);
    assert_eq!(redeem(&app, &second).await.status, 204);
    assert_not_valid(&redeem(&app, &second).await);

    let just = link(&app, &client, &ada).await;
    app.db.clock.advance_seconds(30 * 60 - 1);
    assert_eq!(redeem(&app, &just).await.status, 204);
    let fresh = app.sign_in(&client.id, &client.secret).await;
    let late = link(&app, &fresh, &ada).await;
    app.db.clock.advance_seconds(30 * 60 + 1);
    assert_not_valid(&redeem(&app, &late).await);
    // One that has expired does not prevent another.
    let fresh = app.sign_in(&client.id, &client.secret).await;
    assert_eq!(redeem(&app, &link(&app, &fresh, &ada).await).await.status, 204);
}

#[testkit::both_engines]
async fn a_link_sets_one_password_however_often_it_is_followed(app: TestApp) {
    let second = app.beside(2).await;
    let client = app.client().await;
    let ada = app.person("Ada", Role::Owner).await;
    let token = link(&app, &client, &ada).await;
    let answers = join_all((0..6).map(|n| redeem(if n % 2 == 0 { &app } else { &second }, &token))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404, 404, 404, 404, 404]);
}

#[testkit::both_engines]
async fn a_link_is_for_members_who_sign_in_here_and_not_for_oneself(app: TestApp) {
    let admin = app.person("Admin", Role::Admin).await;
    let other = app.db.organization("Other").await;
    let there = app.person_of(other, "There", Role::Viewer).await;
    for id in [there.id.as_str(), "00000000-0000-7000-8000-000000000000", "nobody"] {
        let answer = ask(&app, &admin, id).await;
        assert_eq!((answer.status, answer.text("title")), (404, "User not found"));
    }
    let added = app.user("Added", "added@x.org", Role::Viewer).await;
    assert_conflict(&ask(&app, &admin, added).await, "member_cannot_sign_in");
    assert_conflict(&ask(&app, &admin, &admin.id).await, "own_password");
    // Whoever only reads the members makes none.
    let viewer = app.person("Viewer", Role::Viewer).await;
    assert_eq!(ask(&app, &viewer, &admin.id).await.status, 403);
}

/// A password belongs to the person, and opens all their organizations.
#[testkit::both_engines]
async fn an_open_link_is_shown_without_its_secret_and_withdrawn(app: TestApp) {
    let admin = app.person("Admin", Role::Admin).await;
    let ada = app.person("Ada", Role::Owner).await;
    let path = format!("/v1/users/{}/reset-link", ada.id);
    let not_found = async || {
        let answer = app.get(&path).bearer(&admin).expect(404).await;
        assert_eq!(answer.text("title"), "Reset link not found");
    };
    not_found().await;
    app.delete(&path).bearer(&admin).expect(404).await;
    let token = link(&app, &admin, &ada).await;
    let shown = app.get(&path).bearer(&admin).expect(200).await;
    assert_eq!(shown.text("/created_by/id"), admin.id);
    assert!(!shown.json().to_string().contains(&token), "{}", shown.json());
    app.get(&path).bearer(&ada).expect(403).await;
    app.delete(&path).bearer(&ada).expect(403).await;
    // Who may do less than the member withdraws the link all the same.
    let clerk = app.client_with_scopes("users:admin").await;
    app.delete(&path).bearer(&clerk).expect(204).await;
    not_found().await;
    assert_not_valid(&redeem(&app, &token).await);
    // One that has run out is not there any more.
    link(&app, &admin, &ada).await;
    app.db.clock.advance(jiff::SignedDuration::from_mins(31));
    let admin = app.client_with_scopes("users:admin").await;
    app.get(&path).bearer(&admin).expect(404).await;
    app.delete(&path).bearer(&admin).expect(404).await;
}

#[testkit::both_engines]
async fn a_member_of_two_organizations_is_reset_by_neither(app: TestApp) {
    let (here, other) = (app.client().await, app.db.organization("Globex").await);
    let there = app.client_of(other, &Scopes::all().to_string()).await;
    let ada = app.person("Ada", Role::Viewer).await;
    let also = app.person_of(other, "Ada", Role::Viewer).await;
    assert_eq!(also.id, ada.id);
    for client in [&here, &there] {
        assert_conflict(&ask(&app, client, &ada.id).await, "member_elsewhere");
    }
    let without_id = |answer: &Answer| {
        let mut body = answer.json().clone();
        body["request_id"] = json!(null);
        body
    };
    let two = without_id(&ask(&app, &here, &ada.id).await);
    assert!(!two.to_string().contains("Globex"), "{two}");
    // To be named there is enough, and it is not said how many there are.
    let third = app.db.organization("Third").await;
    app.db.user(third, "Ada", &ada.email, Role::Viewer).await;
    assert_eq!(without_id(&ask(&app, &here, &ada.id).await), two);
    remove_from(&app, other, &ada).await;
    assert_conflict(&ask(&app, &here, &ada.id).await, "member_elsewhere");
    remove_from(&app, third, &ada).await;
    assert_eq!(redeem(&app, &link(&app, &here, &ada).await).await.status, 204);
}

#[testkit::both_engines]
async fn a_link_is_dead_for_who_joined_another_organization_since(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let token = link(&app, &client, &ada).await;
    let other = app.db.organization("Globex").await;
    let invited = app.invite(other, "Ada", &ada.email, Role::Viewer).await;
    let accept = json!({"token": invited, "password": ada.password});
    app.post("/v1/invitations/accept").json(accept).expect(200).await;
    let refused = redeem(&app, &token).await;
    assert_conflict(&refused, "member_elsewhere");
    assert!(!refused.json().to_string().contains("Globex"));
    assert_untouched(&app, &ada).await;
}

#[testkit::both_engines]
async fn an_operator_of_the_service_is_reset_on_the_machine_only(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let token = link(&app, &client, &ada).await;
    operator(&app, &ada, true).await;
    assert_conflict(&ask(&app, &client, &ada.id).await, "member_is_operator");
    assert_conflict(&redeem(&app, &token).await, "member_is_operator");
    assert_untouched(&app, &ada).await;
    operator(&app, &ada, false).await;
    assert_eq!(redeem(&app, &token).await.status, 204);
}

/// Whoever makes a link can open it.
#[testkit::both_engines]
async fn a_caller_resets_nobody_who_may_do_or_sees_more(app: TestApp) {
    let viewer = app.person("Viewer", Role::Viewer).await;
    let owner = app.person("Owner", Role::Owner).await;
    let holds = format!("users:admin {}", Role::Viewer.scopes());
    let lesser = app.client_with_scopes(&holds).await;
    // A member sees the restricted incidents that name them.
    let refused = ask(&app, &lesser, &viewer.id).await;
    assert_eq!((refused.status, refused.text("scope")), (403, "incidents:restricted"));
    let enough = app.client_with_scopes(&format!("{holds} incidents:restricted")).await;
    let refused = ask(&app, &enough, &owner.id).await;
    assert_eq!((refused.status, refused.text("code")), (403, "insufficient_scope"));
    assert!(refused.text("scope").contains("risks:write"), "{}", refused.json());
    assert_eq!(redeem(&app, &link(&app, &enough, &viewer).await).await.status, 204);
    // A token has what it was made with, and its client what it has now.
    let admin = app.client().await;
    let fewer = json!({"scopes": "users:admin"});
    app.patch(&format!("/v1/clients/{}", enough.id)).bearer(&admin).json(fewer).expect(200).await;
    assert_eq!(ask(&app, &enough, &viewer.id).await.status, 403);
}

#[testkit::both_engines]
async fn a_link_is_dead_while_its_maker_could_not_make_it(app: TestApp) {
    let admin = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let scopes = format!("users:admin incidents:restricted {}", Role::Viewer.scopes());
    let lesser = app.client_with_scopes(&scopes).await;
    let token = link(&app, &lesser, &ada).await;
    promote(&app, &admin, &ada, "owner").await;
    assert_not_valid(&redeem(&app, &token).await);
    promote(&app, &admin, &ada, "viewer").await;
    let path = format!("/v1/clients/{}", lesser.id);
    app.patch(&path).bearer(&admin).json(json!({"scopes": "users:admin"})).expect(200).await;
    assert_not_valid(&redeem(&app, &token).await);
    app.patch(&path).bearer(&admin).json(json!({"scopes": scopes})).expect(200).await;
    app.patch(&path).bearer(&admin).json(json!({"disabled": true})).expect(200).await;
    assert_not_valid(&redeem(&app, &token).await);

    let eve = app.person("Eve", Role::Admin).await;
    let token = link(&app, &eve, &ada).await;
    app.person("Second", Role::Admin).await;
    app.delete(&format!("/v1/users/{}", eve.id)).bearer(&admin).expect(204).await;
    assert_not_valid(&redeem(&app, &token).await);
    assert_untouched(&app, &ada).await;
}

#[testkit::both_engines]
async fn a_link_is_dead_once_its_member_is_removed_or_has_another_password(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let token = link(&app, &client, &ada).await;
    let body = json!({"old": ada.password, "new": "the one that came to mind"});
    app.post("/v1/me/password").bearer(&ada).json(body).expect(204).await;
    assert_not_valid(&redeem(&app, &token).await);

    let bea = app.person("Bea", Role::Viewer).await;
    let token = link(&app, &client, &bea).await;
    app.delete(&format!("/v1/users/{}", bea.id)).bearer(&client).expect(204).await;
    assert_not_valid(&redeem(&app, &token).await);
    let back = app.person("Bea", Role::Viewer).await;
    assert_eq!(back.id, bea.id);
    assert_not_valid(&redeem(&app, &token).await);
    let mut read = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut read, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[testkit::both_engines]
async fn no_other_token_is_a_reset_link(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let invitation = app.invite(app.organization, "Bea", "bea@x.org", Role::Viewer).await;
    let unknown = auth::secret::ResetToken::generate(&*testkit::seeded(9));
    let (long, unknown) = ("x".repeat(10_000), unknown.expose());
    let invitation_as_reset = invitation.replace("bwi_", "bwr_");
    for token in ["", "bwr_", "x", "ü", &long, unknown, &invitation, &invitation_as_reset, &ada.token] {
        assert_not_valid(&redeem(&app, token).await);
    }
    let answer = app.post("/v1/reset-links/use").json(json!({"x": 1})).expect(422).await;
    assert_eq!(answer.faults(), ["#/token required", "#/password required", "#/x unknown_field"]);
    // And it is nothing else.
    let client = app.client().await;
    let token = link(&app, &client, &ada).await;
    assert_eq!(app.get("/v1/me").bearer(&token).await.status, 401);
    let accept = json!({"token": token, "password": CHOSEN});
    assert_eq!(app.post("/v1/invitations/accept").json(accept).await.status, 404);
    assert_untouched(&app, &ada).await;
}

#[testkit::both_engines]
async fn an_address_that_tries_unknown_links_waits(db: TestDb) {
    let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
    let app = TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await;
    let (client, ada) = (app.client().await, app.person("Ada", Role::Viewer).await);
    let token = link(&app, &client, &ada).await;
    let random = testkit::seeded(9);
    for _ in 0..10 {
        assert_not_valid(&redeem(&app, auth::secret::ResetToken::generate(&*random).expose()).await);
    }
    let limited = redeem(&app, &token).await;
    assert_eq!((limited.status, limited.header("retry-after")), (429, Some("10")));
    // Signing in is not affected.
    assert_eq!(sign_in(&app, &ada, &ada.password).await, 201);
    app.db.clock.advance_seconds(10);
    assert_eq!(redeem(&app, &token).await.status, 204);
}

/// A password that is refused does not use the link up.
#[testkit::both_engines]
async fn a_password_is_chosen_by_the_rules(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada Lovelace", Role::Viewer).await;
    let token = link(&app, &client, &ada).await;
    for (password, fault) in [
        ("short", "too_short"),
        (&"x1".repeat(65), "too_long"),
        (&ada.email.to_uppercase(), "guessable"),
        ("ada lovelace", "guessable"),
        ("............", "guessable"),
    ] {
        let body = json!({"token": token, "password": password});
        let answer = app.post("/v1/reset-links/use").json(body).expect(422).await;
        assert_eq!(answer.faults(), [format!("#/password {fault}")], "{password}");
    }
    assert_eq!(redeem(&app, &token).await.status, 204);
}

/// A retry gets the link again, although it is not in the database in plain text.
#[testkit::both_engines]
async fn a_repetition_shows_the_link_again_and_it_is_kept_sealed(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Viewer).await;
    let path = format!("/v1/users/{}/reset-link", ada.id);
    let first = app.post(&path).bearer(&client).idempotency_key("k").expect(201).await;
    let again = app.post(&path).bearer(&client).idempotency_key("k").expect(201).await;
    assert_eq!((&first.bytes, again.header("idempotent-replayed")), (&again.bytes, Some("true")));
    let mut read = app.db.read().await.unwrap();
    let rows: Vec<(Vec<u8>,)> = read.query("SELECT body FROM idempotency_key", &[]).await.unwrap();
    let kept = rows.iter().map(|(body,)| String::from_utf8_lossy(body).into_owned()).collect::<String>();
    assert!(!kept.is_empty() && !kept.contains("bwr_"), "{kept}");
}
