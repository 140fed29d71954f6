//! The roles of a member add up.

use domain::{Role, Roles, Scope};
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

fn roles<const N: usize>(roles: [Role; N]) -> Roles {
    Roles::new(roles).unwrap()
}

/// The first role and all of them, as an answer shows them.
fn shown(answer: &Answer, within: &str) -> (Value, Value) {
    let object = answer.json().pointer(within).unwrap();
    (object["role"].clone(), object["roles"].clone())
}

#[testkit::both_engines]
async fn a_member_has_several_roles_in_the_order_in_which_they_were_given(app: TestApp) {
    let client = app.client().await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "roles": ["auditor", "responder"]});
    let made = app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    let both = (json!("auditor"), json!(["auditor", "responder"]));
    assert_eq!(shown(&made, ""), both);
    let path = format!("/v1/users/{}", made.text("id"));
    assert_eq!(shown(&app.get(&path).bearer(&client).expect(200).await, ""), both);
    let names = async |query: &str| {
        let list =
            app.get(&format!("/v1/users?include_total=true&{query}")).bearer(&client).expect(200).await;
        list.json()["total"].clone()
    };
    for (query, count) in
        [("role=responder", 1), ("role=auditor", 1), ("role=owner&role=auditor", 1), ("role=owner", 0)]
    {
        assert_eq!(names(query).await, count, "{query}");
    }
    let patch = async |body: Value| app.patch(&path).bearer(&client).json(body).expect(200).await;
    let named = patch(json!({"name": "Ada King"})).await;
    assert_eq!(shown(&named, ""), both, "a name leaves the roles");
    let one = patch(json!({"roles": ["responder"]})).await;
    assert_eq!(shown(&one, ""), (json!("responder"), json!(["responder"])));
    patch(json!({"roles": ["approver", "auditor", "staff"]})).await;
    let one = patch(json!({"role": "viewer"})).await;
    assert_eq!(shown(&one, ""), (json!("viewer"), json!(["viewer"])), "one role replaces all others");
}

#[testkit::both_engines]
async fn a_session_has_the_union_and_keeps_what_the_other_roles_allow(app: TestApp) {
    let admin = app.client().await;
    let ada = app.person("Ada", roles([Role::Responder, Role::Auditor])).await;
    let may = async |path: &str| app.get(path).bearer(&ada).await.status;
    let body = json!({"title": "Door open", "description": ""});
    app.post("/v1/incidents").bearer(&admin).json(body).expect(201).await;
    let change =
        async || app.patch("/v1/incidents/1").bearer(&ada).json(json!({"title": "Door shut"})).await.status;
    let me = app.get("/v1/me").bearer(&ada).expect(200).await;
    let union = Role::Responder.scopes().union(Role::Auditor.scopes());
    let scopes: Vec<_> = union.iter().map(Scope::as_str).collect();
    assert_eq!(
        (shown(&me, ""), &me.json()["scopes"]),
        ((json!("responder"), json!(["responder", "auditor"])), &json!(scopes))
    );
    let session = app.get("/v1/session").bearer(&ada).expect(200).await;
    assert_eq!(shown(&session, ""), shown(&me, ""));
    assert_eq!((change().await, may("/v1/journal").await), (200, 200));
    let path = format!("/v1/users/{}", ada.id);
    app.patch(&path).bearer(&admin).json(json!({"roles": ["auditor"]})).expect(200).await;
    assert_eq!(
        (change().await, may("/v1/journal").await),
        (403, 200),
        "the running session has lost one role"
    );
    app.patch(&path).bearer(&admin).json(json!({"roles": ["responder"]})).expect(200).await;
    assert_eq!((change().await, may("/v1/journal").await), (200, 403));
}

#[testkit::both_engines]
async fn every_fault_of_the_roles_is_named(app: TestApp) {
    let client = app.client().await;
    let ada = app.user("Ada", "ada@x.org", Role::Viewer).await;
    for (sent, faults) in [
        (json!({"role": "viewer", "roles": ["viewer"]}), vec!["#/roles conflict"]),
        (
            json!({"role": "king", "roles": ["king", "viewer", "viewer", 1]}),
            vec![
                "#/role enum",
                "#/roles/0 enum",
                "#/roles/2 duplicate",
                "#/roles/3 type",
                "#/roles conflict",
            ],
        ),
        (json!({"roles": []}), vec!["#/roles too_few"]),
        (json!({"roles": vec!["viewer"; 8]}), vec!["#/roles too_many"]),
        (json!({"roles": "viewer"}), vec!["#/roles type"]),
    ] {
        let mut body = json!({"name": "Bea", "email": "bea@x.org"});
        body.as_object_mut().unwrap().extend(sent.as_object().unwrap().clone());
        for path in ["/v1/users", "/v1/invitations"] {
            let refused = app.post(path).bearer(&client).json(body.clone()).expect(422).await;
            assert_eq!(refused.faults(), faults, "{path}: {sent}");
        }
        let refused =
            app.patch(&format!("/v1/users/{ada}")).bearer(&client).json(sent.clone()).expect(422).await;
        assert_eq!(refused.faults(), faults, "{sent}");
    }
    let body = json!({"name": "Bea", "email": "bea@x.org", "role": null});
    assert_eq!(
        app.post("/v1/users").bearer(&client).json(body).expect(422).await.faults(),
        ["#/role required"]
    );
    let body = json!({"name": "Bea", "email": "bea@x.org", "role": null, "roles": ["viewer"]});
    app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    let path = format!("/v1/users/{ada}");
    let cleared = json!({"role": null, "roles": null});
    let refused = app.patch(&path).bearer(&client).json(cleared).expect(422).await;
    assert_eq!(refused.faults(), ["#/role required", "#/roles required"]);
}

#[testkit::both_engines]
async fn only_the_roles_that_change_need_their_scopes(app: TestApp) {
    let lesser = app.client_with_scopes(&format!("users:admin {}", Role::Responder.scopes())).await;
    let boss = app.user("Boss", "boss@x.org", roles([Role::Viewer, Role::Admin])).await;
    let path = format!("/v1/users/{boss}");
    let change = async |roles: Value| app.patch(&path).bearer(&lesser).json(json!({"roles": roles})).await;
    assert_eq!(change(json!(["responder", "admin"])).await.status, 200, "the role admin stays");
    assert_eq!(change(json!(["admin", "responder"])).await.status, 200, "the order is no access");
    for refused in [json!(["responder"]), json!(["admin", "responder", "approver"]), json!(["staff"])] {
        let answer = change(refused).await;
        assert_eq!((answer.status, answer.text("code")), (403, "insufficient_scope"));
    }
    let read = app.get(&path).bearer(&lesser).expect(200).await;
    assert_eq!(shown(&read, ""), (json!("admin"), json!(["admin", "responder"])));
    for path in ["/v1/users", "/v1/invitations"] {
        let body = |roles: Value| json!({"name": "Bea", "email": "bea@x.org", "roles": roles});
        let answer =
            app.post(path).bearer(&lesser).json(body(json!(["viewer", "auditor"]))).expect(403).await;
        assert_eq!(answer.text("scope"), "journal:read", "{path}");
    }
    assert_eq!(app.delete(&path).bearer(&lesser).await.status, 403);
}

#[testkit::both_engines]
async fn an_invitation_gives_all_its_roles(app: TestApp) {
    let client = app.client().await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "roles": ["approver", "auditor"]});
    let made = app.post("/v1/invitations").bearer(&client).json(body).expect(201).await;
    let both = (json!("approver"), json!(["approver", "auditor"]));
    assert_eq!(shown(&made, ""), both);
    let token = made.text("link").split_once('#').unwrap().1;
    let accept = json!({"token": token, "password": "correct horse battery"});
    let accepted = app.post("/v1/invitations/accept").json(accept).expect(200).await;
    assert_eq!(shown(&accepted, "/user"), both);
}

#[testkit::both_engines]
async fn the_last_admin_keeps_that_role_among_several(app: TestApp) {
    let ada = app.person("Ada", roles([Role::Owner, Role::Admin])).await;
    let path = format!("/v1/users/{}", ada.id);
    let leave = async |roles: Value| app.patch(&path).bearer(&ada).json(json!({"roles": roles})).await;
    let refused = leave(json!(["owner"])).await;
    assert_eq!((refused.status, refused.text("code")), (409, "last_admin"));
    assert_eq!(leave(json!(["admin", "staff"])).await.status, 200);
    app.person("Bea", roles([Role::Viewer, Role::Admin, Role::Staff])).await;
    assert_eq!(leave(json!(["owner"])).await.status, 200, "another admin is left");
}

#[testkit::both_engines]
async fn an_export_has_the_first_role_and_all_of_them(app: TestApp) {
    let client = app.client().await;
    app.user("Ada", "ada@x.org", roles([Role::Staff, Role::Auditor])).await;
    let csv = app.get("/v1/users/export?fields=name,role,roles").bearer(&client).expect(200).await;
    let text = String::from_utf8_lossy(&csv.bytes).into_owned();
    let lines: Vec<_> = text.lines().map(|line| line.trim_start_matches('\u{feff}')).collect();
    assert_eq!(lines, ["name,role,roles", "Ada,staff,staff auditor"]);
}
