//! `/v1/users`

use serde_json::json;
use testkit::TestApp;

#[testkit::both_engines]
async fn a_user_is_added_and_read_back(app: TestApp) {
    let client = app.client().await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "role": "responder"});
    let made = app.post("/v1/users").bearer(&client).json(body.clone()).expect(201).await;
    let id = made.text("id").to_owned();
    assert_eq!(made.header("location"), Some(format!("/v1/users/{id}").as_str()));
    let read = app.get(&format!("/v1/users/{id}")).bearer(&client).expect(200).await;
    assert_eq!(read.json(), made.json());
    assert_eq!((read.text("name"), read.text("email"), read.text("role")), ("Ada", "ada@x.org", "responder"));
    let again = app.post("/v1/users").bearer(&client).json(body).expect(409).await;
    assert_eq!(again.text("code"), "already_member");
}

#[testkit::both_engines]
async fn a_known_address_joins_the_same_person(app: TestApp) {
    let scopes = format!("users:admin {}", domain::Role::Viewer.scopes());
    let here = app.client_with_scopes(&scopes).await;
    let there = app.client_of(app.db.organization("Other").await, &scopes).await;
    let body = |name: &str| json!({"name": name, "email": "Ada@x.org", "role": "viewer"});
    let first = app.post("/v1/users").bearer(&here).json(body("Ada")).expect(201).await;
    let second = app.post("/v1/users").bearer(&there).json(body("A. Lovelace")).expect(201).await;
    assert_eq!(first.text("id"), second.text("id"));
    assert_eq!(second.text("name"), "A. Lovelace");
}

/// Otherwise the id would reveal to every organization when the person was first added.
#[testkit::both_engines]
async fn the_id_of_a_new_person_has_no_time_in_it(app: TestApp) {
    let client = app.client().await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "role": "viewer"});
    let added = app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    let invited = app.person("Bea", domain::Role::Viewer).await;
    for id in [added.text("id"), &invited.id] {
        let id: uuid::Uuid = id.parse().unwrap();
        assert_eq!(id.get_version(), Some(uuid::Version::Random), "{id}");
    }
}

#[testkit::both_engines]
async fn every_fault_of_a_user_is_reported(app: TestApp) {
    let client = app.client_with_scopes("users:admin").await;
    let body = json!({"name": " ", "email": "ada", "role": "king", "id": "1"});
    let answer = app.post("/v1/users").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/name blank", "#/email format", "#/role enum", "#/id read_only"]);
}

#[testkit::both_engines]
async fn users_are_listed_by_name_in_pages(app: TestApp) {
    let client = app.client_with_scopes("users:read").await;
    for name in ["Cleo", "Ada", "Bea"] {
        app.user(name, &format!("{name}@x.org"), domain::Role::Viewer).await;
    }
    let first = app.get("/v1/users?limit=2").bearer(&client).expect(200).await;
    assert_eq!((first.text("/data/0/name"), first.text("/data/1/name")), ("Ada", "Bea"));
    assert_eq!(first.json()["has_more"], json!(true));
    let path = format!("/v1/users?limit=2&cursor={}", first.text("next_cursor"));
    let last = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(last.text("/data/0/name"), "Cleo");
    assert_eq!((&last.json()["has_more"], last.json().get("next_cursor")), (&json!(false), None));
    let other = app.client_of(app.db.organization("Other").await, "users:read").await;
    assert_eq!(app.get("/v1/users").bearer(&other).expect(200).await.json()["data"], json!([]));
    // A cursor is valid for one organization only.
    let answer = app.get(&path).bearer(&other).expect(400).await;
    assert_eq!(answer.faults(), ["cursor cursor"]);
}

#[testkit::both_engines]
async fn a_user_of_another_organization_is_not_found(app: TestApp) {
    let id = app.user("Ada", "ada@x.org", domain::Role::Viewer).await;
    let other = app.client_of(app.db.organization("Other").await, "users:read").await;
    let answer = app.get(&format!("/v1/users/{id}")).bearer(&other).expect(404).await;
    assert_eq!(answer.text("title"), "User not found");
}

#[testkit::both_engines]
async fn a_member_is_renamed_and_gets_another_role(app: TestApp) {
    let client = app.client().await;
    let id = app.user("Ada", "ada@x.org", domain::Role::Viewer).await;
    let path = format!("/v1/users/{id}");
    let before = app.get(&path).bearer(&client).expect(200).await;
    let patched =
        app.patch(&path).bearer(&client).json(json!({"name": "Ada King", "role": "owner"})).expect(200).await;
    let mut expected = before.json().clone();
    (expected["name"], expected["version"]) = (json!("Ada King"), json!(2));
    (expected["role"], expected["roles"]) = (json!("owner"), json!(["owner"]));
    assert_eq!(*patched.json(), expected);
    assert_eq!(*app.get(&path).bearer(&client).expect(200).await.json(), expected);
    // The same value is not a change.
    let again = app.patch(&path).bearer(&client).json(json!({"role": "owner"})).expect(200).await;
    assert_eq!(*again.json(), expected);
    let wrong = json!({"name": null, "role": "king", "email": "a@x.org", "activated_date": null});
    let answer = app.patch(&path).bearer(&client).json(wrong).expect(422).await;
    let faults = ["#/name required", "#/role enum", "#/activated_date read_only", "#/email read_only"];
    assert_eq!(answer.faults(), faults);
}

#[testkit::both_engines]
async fn a_new_name_of_a_member_is_shown_at_once(app: TestApp) {
    let admin = app.client().await;
    let ada = app.person("Ada", domain::Role::Responder).await;
    let second = app.beside(2).await;
    let body = json!({"title": "Door open", "description": ""});
    for (number, name) in ["Ada King", "A. Lovelace"].into_iter().enumerate() {
        let path = format!("/v1/users/{}", ada.id);
        app.patch(&path).bearer(&admin).json(json!({"name": name})).expect(200).await;
        let there = if number == 0 { &app } else { &second };
        let made = there.post("/v1/incidents").bearer(&ada).json(body.clone()).expect(201).await;
        assert_eq!(made.text("/opened_by/name"), name);
    }
}

/// Records still name a person who has left.
#[testkit::both_engines]
async fn a_removed_member_is_still_named(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", domain::Role::Responder).await;
    let body = json!({"title": "Door open", "description": "", "assigned_to": ada.id});
    let made = app.post("/v1/incidents").bearer(&ada).json(body).expect(201).await;
    app.delete(&format!("/v1/users/{}?duties=keep", ada.id)).bearer(&client).expect(204).await;
    app.get(&format!("/v1/users/{}", ada.id)).bearer(&client).expect(404).await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&client).expect(404).await;
    app.patch(&format!("/v1/users/{}", ada.id)).bearer(&client).json(json!({})).expect(404).await;
    assert_eq!(app.get("/v1/users").bearer(&client).expect(200).await.json()["data"], json!([]));
    let read = app.get("/v1/incidents/1").bearer(&client).expect(200).await;
    assert_eq!(read.json(), made.json());
    assert_eq!(read.json()["assigned_to"], json!({"id": ada.id, "name": "Ada", "email": "ada@x.org"}));
    // Other fields can still be changed, but the person cannot be named again.
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "Door"})).expect(200).await;
    let body = json!({"title": "x", "description": "", "assigned_to": ada.id});
    let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/assigned_to unknown_user"]);
}

#[testkit::both_engines]
async fn the_last_admin_who_can_sign_in_stays(app: TestApp) {
    let client = app.client().await;
    let path = |id: &str| format!("/v1/users/{id}");
    // An admin who cannot sign in does not count as the remaining admin.
    let paper = app.user("Paper", "paper@x.org", domain::Role::Admin).await.to_string();
    let ada = app.person("Ada", domain::Role::Admin).await;
    for _ in 0..2 {
        let demoted = app.patch(&path(&ada.id)).bearer(&ada).json(json!({"role": "owner"})).expect(409).await;
        let removed = app.delete(&path(&ada.id)).bearer(&client).expect(409).await;
        assert_eq!((demoted.text("code"), removed.text("code")), ("last_admin", "last_admin"));
    }
    app.patch(&path(&ada.id)).bearer(&ada).json(json!({"name": "Ada King"})).expect(200).await;
    app.delete(&path(&paper)).bearer(&client).expect(204).await;
    let bea = app.person("Bea", domain::Role::Admin).await;
    // Of two concurrent requests one succeeds.
    let (one, other) = tokio::join!(
        app.delete(&path(&ada.id)).bearer(&client),
        app.patch(&path(&bea.id)).bearer(&client).json(json!({"role": "viewer"}))
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert!([[200, 409], [204, 409]].contains(&statuses), "{statuses:?}");
}

#[testkit::both_engines]
async fn a_user_is_found_by_the_address(app: TestApp) {
    let client = app.client().await;
    for (name, email) in [("Ada", "Ada@x.org"), ("Ben", "ben@x.org"), ("Cleo", "cleo@x.org")] {
        let body = json!({"name": name, "email": email, "role": "viewer"});
        app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    }
    let other = app.client_of(app.db.organization("Other").await, "users:read").await;
    let found = async |caller: &testkit::TestClient, query: &str| {
        let list = app.get(&format!("/v1/users?include_total=true&{query}")).bearer(caller).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap();
        assert_eq!(list.json()["total"], rows.len());
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&client, "email=ada@X.org").await, ["Ada"]);
    assert_eq!(found(&client, "email=cleo@x.org&email=ada@x.org&role=viewer").await, ["Ada", "Cleo"]);
    assert_eq!(found(&client, "email=ada@x.org&role=admin").await, Vec::<String>::new());
    assert_eq!(found(&client, "email=nobody@x.org").await, Vec::<String>::new());
    assert_eq!(found(&other, "email=ada@x.org").await, Vec::<String>::new());
    let csv = app.get("/v1/users/export?email=ben@x.org").bearer(&client).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&csv.bytes).lines().count(), 2);
}
