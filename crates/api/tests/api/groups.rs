//! `/v1/groups`

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

fn names(list: &Answer) -> Vec<String> {
    let rows = list.json()["data"].as_array().unwrap();
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[testkit::both_engines]
async fn a_group_is_made_changed_and_deleted(app: TestApp) {
    let client = app.client_with_scopes("users:read users:admin").await;
    let made = app.post("/v1/groups").bearer(&client).json(json!({"name": "Berlin"})).expect(201).await;
    let path = format!("/v1/groups/{}", made.text("id"));
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!((&made.json()["member_count"], &made.json()["description"]), (&json!(0), &Value::Null));
    let taken = app.post("/v1/groups").bearer(&client).json(json!({"name": "BERLIN"})).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    let patch = json!({"name": "Berlin office", "description": "Everybody in *Berlin*."});
    let changed = app.patch(&path).bearer(&client).json(patch.clone()).expect(200).await;
    assert_eq!((changed.text("name"), &changed.json()["version"]), ("Berlin office", &json!(2)));
    let again = app.patch(&path).bearer(&client).json(patch).expect(200).await;
    assert_eq!(again.json()["version"], 2, "nothing was changed");
    app.delete(&path).bearer(&client).expect(204).await;
    assert_eq!(app.get(&path).bearer(&client).expect(404).await.text("title"), "Group not found");
    app.post("/v1/groups").bearer(&client).json(json!({"name": "berlin office"})).expect(201).await;
}

/// Each number of members is the length of the list that it leads to.
#[testkit::both_engines]
async fn members_are_put_listed_and_removed(app: TestApp) {
    let client = app.client().await;
    let (ada, bea) = (app.person("Ada", Role::Viewer).await, app.person("Bea", Role::Viewer).await);
    let made = app.post("/v1/groups").bearer(&client).json(json!({"name": "Berlin"})).expect(201).await;
    let path = format!("/v1/groups/{}", made.text("id"));
    app.post("/v1/groups").bearer(&client).json(json!({"name": "Paris"})).expect(201).await;
    let members = async |expected: &[&str]| {
        let list = app.get(&format!("/v1/users?group={}", made.text("id"))).bearer(&client).expect(200).await;
        assert_eq!(names(&list), expected);
        let group = app.get(&path).bearer(&client).expect(200).await;
        assert_eq!(group.json()["member_count"], expected.len());
    };
    for person in [&bea, &ada, &ada] {
        app.put(&format!("{path}/members/{}", person.id)).bearer(&client).expect(204).await;
    }
    members(&["Ada", "Bea"]).await;
    let file = format!("/v1/users/export?group={}&fields=name", made.text("id"));
    let csv = app.get(&file).bearer(&client).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&csv.bytes).lines().count(), 3);
    let of_ada = app.get(&format!("/v1/groups?member={}", ada.id)).bearer(&client).expect(200).await;
    assert_eq!(names(&of_ada), ["Berlin"]);
    app.delete(&format!("{path}/members/{}", ada.id)).bearer(&client).expect(204).await;
    let again = app.delete(&format!("{path}/members/{}", ada.id)).bearer(&client).expect(404).await;
    assert_eq!(again.text("title"), "User not found");
    members(&["Bea"]).await;
    // Who leaves the organization leaves the group, and cannot be put back before they are a member again.
    app.delete(&format!("/v1/users/{}", bea.id)).bearer(&client).expect(204).await;
    members(&[]).await;
    app.put(&format!("{path}/members/{}", bea.id)).bearer(&client).expect(404).await;
    let entries = app.get("/v1/journal?subject_kind=group&sort=seq").bearer(&client).expect(200).await;
    let kinds = entries.json()["data"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap());
    let expected = ["created", "created", "member_added", "member_added", "member_removed", "member_removed"];
    assert_eq!(kinds.collect::<Vec<_>>(), expected.map(|it| format!("group.{it}")));
}

#[testkit::both_engines]
async fn members_of_the_organization_read_groups_and_admins_change_them(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let made = app.post("/v1/groups").bearer(&admin.token).json(json!({"name": "Berlin"})).expect(201).await;
    let path = format!("/v1/groups/{}", made.text("id"));
    let viewer = app.person("Bea", Role::Viewer).await;
    app.get(&path).bearer(&viewer.token).expect(200).await;
    app.put(&format!("{path}/members/{}", viewer.id)).bearer(&viewer.token).expect(403).await;
    app.delete(&path).bearer(&viewer.token).expect(403).await;
    let staff = app.person("Cy", Role::Staff).await;
    app.get("/v1/groups").bearer(&staff.token).expect(403).await;
}
