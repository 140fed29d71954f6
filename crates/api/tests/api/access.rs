//! A caller can only grant or remove scopes that it has at that time.

use axum::http::Method;
use domain::{Role, Scope, Scopes};
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

const PASSWORD: &str = "correct horse battery";

/// The scopes that are not in `held`, as a problem names them.
fn missing(scopes: Scopes, held: &str) -> String {
    let held = Scopes::parse(held).unwrap();
    scopes.iter().filter(|scope| !held.has(*scope)).collect::<Scopes>().to_string()
}

fn assert_lacks(answer: &Answer, scopes: &str) {
    assert_eq!(answer.status, 403, "{}", answer.json());
    assert_eq!((answer.text("code"), answer.text("scope")), ("insufficient_scope", scopes));
}

async fn seq(app: &TestApp) -> i64 {
    app.db.read().await.unwrap().read_head(app.organization).await.unwrap().unwrap().seq
}

/// Lets another client reduce a client's scopes to these. Its token stays as it is.
async fn leave(app: &TestApp, client: &TestClient, scopes: &str) {
    let admin = app.client().await;
    let path = format!("/v1/clients/{}", client.id);
    app.patch(&path).bearer(&admin).json(json!({"scopes": scopes})).expect(200).await;
}

/// The token of an invitation's link.
fn token_of(answer: &Answer) -> String {
    answer.text("link").split_once('#').unwrap().1.to_owned()
}

async fn accept(app: &TestApp, token: &str) -> u16 {
    app.post("/v1/invitations/accept").json(json!({"token": token, "password": PASSWORD})).await.status
}

/// Every way to change a member's role from `old` to `new`, with a body and without.
async fn ways(app: &TestApp, old: Role, new: Role) -> Vec<(Method, String, Option<Value>)> {
    let n = seq(app).await;
    let email = |what: &str| format!("{what}-{n}@x.org");
    let member = app.user("Member", &email("member"), old).await;
    app.invite(app.organization, "Invited", &email("invited"), old).await;
    app.invite(app.organization, "Withdrawn", &email("withdrawn"), old).await;
    let admin = app.client().await;
    let list = app.get("/v1/invitations?limit=200").bearer(&admin).expect(200).await;
    let mut list = list.json()["data"].as_array().unwrap().iter();
    let open = list.find(|it| it["email"] == json!(email("withdrawn"))).unwrap()["id"].as_str().unwrap();
    let new_member = |what: &str| Some(json!({"name": "x", "email": email(what), "role": new.as_str()}));
    vec![
        (Method::POST, "/v1/users".to_owned(), new_member("added")),
        (Method::POST, "/v1/invitations".to_owned(), new_member("asked")),
        (Method::POST, "/v1/invitations".to_owned(), new_member("invited")),
        (Method::PATCH, format!("/v1/users/{member}"), Some(json!({"role": new.as_str()}))),
        (Method::DELETE, format!("/v1/users/{member}"), None),
        (Method::DELETE, format!("/v1/invitations/{open}"), None),
    ]
}

async fn send(
    app: &TestApp,
    client: &TestClient,
    (method, path, body): &(Method, String, Option<Value>),
) -> Answer {
    let request = app.request(method.clone(), path).bearer(client);
    match body {
        Some(body) => request.json(body.clone()).await,
        None => request.await,
    }
}

#[testkit::both_engines]
async fn a_client_without_a_roles_scopes_neither_gives_nor_takes_the_role(app: TestApp) {
    let holds = "users:read users:admin";
    let lesser = app.client_with_scopes(holds).await;
    for role in [Role::Admin, Role::Viewer, Role::Approver] {
        let ways = ways(&app, role, role).await;
        let before = seq(&app).await;
        for way in &ways {
            // The same role is not a change.
            if way.0 == Method::PATCH {
                continue;
            }
            let refused = send(&app, &lesser, way).await;
            assert_lacks(&refused, &missing(role.scopes(), holds));
        }
        assert_eq!(seq(&app).await, before, "nothing was changed");
    }
}

#[testkit::both_engines]
async fn only_a_caller_with_the_scopes_of_both_roles_changes_a_role(app: TestApp) {
    let holds = format!("users:admin {}", Role::Owner.scopes());
    let client = app.client_with_scopes(&holds).await;
    for (old, new) in [(Role::Viewer, Role::Owner), (Role::Owner, Role::Responder)] {
        for way in ways(&app, old, new).await {
            let answer = send(&app, &client, &way).await;
            assert!((200..300).contains(&answer.status), "{way:?}: {}", answer.json());
        }
    }
    for (old, new) in [(Role::Admin, Role::Owner), (Role::Owner, Role::Admin)] {
        let change = ways(&app, old, new).await.into_iter().find(|way| way.0 == Method::PATCH).unwrap();
        assert_lacks(&send(&app, &client, &change).await, &missing(Scopes::all(), &holds));
        let renamed = (change.0, change.1, Some(json!({"name": "Another"})));
        assert_eq!(send(&app, &client, &renamed).await.status, 200, "a name is no access");
    }
}

#[testkit::both_engines]
async fn an_invitation_gives_what_its_maker_holds_when_it_is_accepted(app: TestApp) {
    let all = Scopes::all().to_string();
    let inviter = app.client().await;
    let invite = async |email: &str, by: &str| {
        let body = json!({"name": "Ada", "email": email, "role": "owner"});
        token_of(&app.post("/v1/invitations").bearer(by).json(body).expect(201).await)
    };
    let token = invite("ada@x.org", &inviter.token).await;
    leave(&app, &inviter, "users:admin incidents:read").await;
    let before = seq(&app).await;
    assert_eq!(accept(&app, &token).await, 404);
    assert_eq!(seq(&app).await, before);
    // The invitation still exists: it is valid again when its creator has the scopes again.
    leave(&app, &inviter, &all).await;
    assert_eq!(accept(&app, &token).await, 200);

    let token = invite("bea@x.org", &inviter.token).await;
    let admin = app.client().await;
    let path = format!("/v1/clients/{}", inviter.id);
    app.patch(&path).bearer(&admin).json(json!({"disabled": true})).expect(200).await;
    assert_eq!(accept(&app, &token).await, 404, "its maker is disabled");

    app.person("Second", Role::Admin).await;
    let eve = app.person("Eve", Role::Admin).await;
    let token = invite("cleo@x.org", &eve.token).await;
    app.delete(&format!("/v1/users/{}", eve.id)).bearer(&admin).expect(204).await;
    assert_eq!(accept(&app, &token).await, 404, "its maker was removed");
}

/// The creator of an invitation may still have its link.
#[testkit::both_engines]
async fn an_invitation_does_not_give_a_later_role_that_its_inviter_lacks(app: TestApp) {
    let lesser = app.client_with_scopes(&format!("users:admin {}", Role::Viewer.scopes())).await;
    let bob = app.user("Bob", "bob@x.org", Role::Viewer).await;
    let body = json!({"name": "Bob", "email": "bob@x.org", "role": "viewer"});
    let token = token_of(&app.post("/v1/invitations").bearer(&lesser).json(body).expect(201).await);
    let admin = app.client().await;
    let promote = json!({"role": "admin"});
    app.patch(&format!("/v1/users/{bob}")).bearer(&admin).json(promote).expect(200).await;
    assert_eq!(accept(&app, &token).await, 404);
}

#[testkit::both_engines]
async fn what_was_taken_from_a_client_is_gone_at_once_where_access_is_changed(app: TestApp) {
    let client = app.client().await;
    let other = app.client_with_scopes("tags:read").await;
    let secrets = format!("/v1/clients/{}/secrets", other.id);
    leave(&app, &client, "clients:admin users:admin incidents:read").await;
    // The token keeps every scope for 15 minutes, and can read with it.
    app.get("/v1/tags").bearer(&client).expect(200).await;
    let before = seq(&app).await;
    let new = json!({"name": "x", "scopes": "incidents:read tags:read"});
    assert_lacks(&app.post("/v1/clients").bearer(&client).json(new).await, "tags:read");
    assert_lacks(&app.post(&secrets).bearer(&client).json(json!({})).await, "tags:read");
    for way in ways(&app, Role::Admin, Role::Admin).await {
        if way.0 != Method::PATCH {
            let held = "clients:admin users:admin incidents:read";
            assert_lacks(&send(&app, &client, &way).await, &missing(Scopes::all(), held));
        }
    }
    leave(&app, &client, "incidents:read").await;
    let new = json!({"name": "x", "scopes": "incidents:read"});
    assert_lacks(&app.post("/v1/clients").bearer(&client).json(new).await, "clients:admin");
    let renamed = json!({"name": "Another"});
    let member = app.user("Ada", "ada@x.org", Role::Viewer).await;
    let path = format!("/v1/users/{member}");
    assert_lacks(&app.patch(&path).bearer(&client).json(renamed).await, "users:admin");
    let mut read = app.db.read().await.unwrap();
    let after = store::journal::list(&mut read, app.organization, before, 200).await.unwrap();
    assert!(after.iter().all(|entry| entry.actor.id != client.id), "{after:?}");
}

/// A token with fewer scopes than its client does not gain any.
#[testkit::both_engines]
async fn a_narrow_token_changes_access_only_within_its_scopes(app: TestApp) {
    let client = app.client().await;
    let body = json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret,
        "scope": "clients:admin"});
    let narrow = app.post("/v1/oauth/token").json(body).expect(200).await.text("access_token").to_owned();
    let new = json!({"name": "x", "scopes": "clients:admin tags:read"});
    assert_lacks(&app.post("/v1/clients").bearer(&narrow).json(new).await, "tags:read");
    let new = json!({"name": "x", "scopes": "clients:admin"});
    app.post("/v1/clients").bearer(&narrow).json(new).expect(201).await;
}

#[testkit::both_engines]
async fn only_a_caller_with_all_scopes_of_a_client_changes_it(app: TestApp) {
    let admin = app.client().await;
    let lesser = app.client_with_scopes("clients:admin tags:read").await;
    let client = app.client_with_scopes("tags:read risks:read").await;
    let path = format!("/v1/clients/{}", client.id);
    let secret = app.get(&path).bearer(&admin).expect(200).await.text("/secrets/0/id").to_owned();
    let ways = [
        (Method::PATCH, path.clone(), Some(json!({"name": "Another"}))),
        (Method::PATCH, path.clone(), Some(json!({"scopes": "tags:read"}))),
        (Method::PATCH, path.clone(), Some(json!({"refresh_client_auth": "required"}))),
        (Method::PATCH, path.clone(), Some(json!({"disabled": true}))),
        (Method::PATCH, path.clone(), Some(json!({"disabled": false}))),
        (Method::POST, format!("{path}/secrets"), Some(json!({}))),
        (Method::DELETE, format!("{path}/secrets/{secret}"), None),
    ];
    let before = seq(&app).await;
    for way in &ways {
        assert_lacks(&send(&app, &lesser, way).await, "risks:read");
    }
    assert_eq!(seq(&app).await, before);
    for way in &ways {
        let answer = send(&app, &admin, way).await;
        assert!((200..300).contains(&answer.status), "{way:?}: {}", answer.json());
    }
}

/// A stored response shows a secret or a link.
#[testkit::both_engines]
async fn what_was_kept_for_a_client_is_not_shown_when_its_scopes_were_taken(app: TestApp) {
    let client = app.client().await;
    let asks = [
        ("/v1/clients", json!({"name": "x", "scopes": "risks:read"})),
        ("/v1/invitations", json!({"name": "x", "email": "x@x.org", "role": "viewer"})),
    ];
    for (path, body) in &asks {
        let first = app.post(path).bearer(&client).idempotency_key(path).json(body.clone()).expect(201).await;
        let again = app.post(path).bearer(&client).idempotency_key(path).json(body.clone()).expect(201).await;
        assert_eq!(first.bytes, again.bytes);
    }
    let left = format!("clients:admin users:admin {}", Role::Viewer.scopes()).replace("risks:read", "");
    leave(&app, &client, &left).await;
    for (path, body) in asks {
        let refused = app.post(path).bearer(&client).idempotency_key(path).json(body).await;
        assert_lacks(&refused, "risks:read");
    }
}

#[testkit::both_engines]
async fn a_client_cannot_drop_its_own_admin_scope(app: TestApp) {
    let client = app.client().await;
    let path = format!("/v1/clients/{}", client.id);
    let drop_it = json!({"scopes": "incidents:read"});
    let refused = app.patch(&path).bearer(&client).json(drop_it).expect(409).await;
    assert_eq!(refused.text("code"), "own_admin_scope");
    let fewer = json!({"scopes": "incidents:read clients:admin"});
    app.patch(&path).bearer(&client).json(fewer).expect(200).await;
    leave(&app, &client, Scope::IncidentsRead.as_str()).await;
}
