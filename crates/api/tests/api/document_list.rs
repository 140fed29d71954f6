//! What the list of documents says of their open proposals.

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

/// A document with a required item.
async fn create(app: &TestApp, by: &impl AsRef<str>, slug: &str) {
    let item = json!({"id": "contact", "kind": "text", "label": "Contact", "required": true});
    let body = json!({"slug": slug, "title": slug, "items": [item]});
    app.post("/v1/documents").bearer(by).json(body).expect(201).await;
}

async fn write(app: &TestApp, by: &impl AsRef<str>, slug: &str, value: &str) {
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": value}]);
    app.patch(&format!("/v1/documents/{slug}")).bearer(by).json(edits).expect(200).await;
}

async fn submit(app: &TestApp, by: &impl AsRef<str>, slug: &str, number: i64) {
    let (path, body) =
        (format!("/v1/documents/{slug}/proposals/{number}/submit"), json!({"summary": "New."}));
    app.post(&path).bearer(by).json(body).expect(200).await;
}

fn names(next: &Value) -> Vec<&str> {
    next["who"].as_array().unwrap().iter().map(|person| person["name"].as_str().unwrap()).collect()
}

#[testkit::both_engines]
async fn each_document_says_whom_its_proposal_waits_for_as_the_proposal_does(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let ben = app.person("Ben", Role::Admin).await;
    let client = app.client_of(app.organization, "documents:read documents:write").await;
    for slug in ["a-empty", "b-conflict", "c-ready", "d-submitted", "e-of-a-client", "f-of-both", "g-none"] {
        create(&app, &ada, slug).await;
    }
    write(&app, &ada, "a-empty", "").await;
    write(&app, &ada, "b-conflict", "Ada").await;
    write(&app, &ben, "b-conflict", "Ben").await;
    write(&app, &ada, "c-ready", "Ada").await;
    write(&app, &ada, "d-submitted", "Ada").await;
    submit(&app, &ada, "d-submitted", 4).await;
    write(&app, &client, "e-of-a-client", "Ada").await;
    submit(&app, &ada, "e-of-a-client", 5).await;
    write(&app, &ada, "f-of-both", "Ada").await;
    let body = json!({"audience": "Everyone"});
    app.patch("/v1/documents/f-of-both/proposals/6").bearer(&ben).json(body).expect(200).await;
    submit(&app, &ada, "f-of-both", 6).await;
    let list = app.get("/v1/documents").bearer(&ada).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().clone();
    let told: Vec<(&str, Vec<&str>)> = rows
        .iter()
        .filter(|row| !row["proposal_next"].is_null())
        .map(|row| (row["proposal_next"]["action"].as_str().unwrap(), names(&row["proposal_next"])))
        .collect();
    let all = || vec!["Ada", "Ben"];
    let expected = [
        ("edit", all()),
        ("resolve", all()),
        ("submit", all()),
        ("approve", vec!["Ben"]),
        // Who made the client is none of them here.
        ("approve", all()),
        ("approve", vec![]),
    ];
    assert_eq!(told, expected);
    for row in rows.iter().filter(|row| !row["open_proposal"].is_null()) {
        let path =
            format!("/v1/documents/{}/proposals/{}", row["slug"].as_str().unwrap(), row["open_proposal"]);
        let proposal = app.get(&path).bearer(&ada).expect(200).await;
        let proposal = proposal.json();
        assert_eq!(row["proposal_next"], proposal["next"], "{path}");
        assert_eq!(row["proposal_status"], proposal["status"], "{path}");
    }
    let none = rows.last().unwrap();
    assert!(none.get("proposal_status").is_none() && none.get("proposal_next").is_none(), "{none}");
}

#[testkit::both_engines]
async fn who_made_the_client_of_another_proposal_can_still_approve(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let ben = app.person("Ben", Role::Admin).await;
    let body = json!({"name": "Writer", "scopes": ["documents:read", "documents:write"]});
    let made = app.post("/v1/clients").bearer(&ben).json(body).expect(201).await;
    let client = app.sign_in(made.text("client_id"), made.text("client_secret")).await;
    for (slug, by, number) in [("a", &client, 1), ("b", &ada.token, 2)] {
        create(&app, &ada, slug).await;
        write(&app, by, slug, "Ada").await;
        submit(&app, &ada, slug, number).await;
    }
    let list = app.get("/v1/documents").bearer(&ada).expect(200).await;
    let told: Vec<_> =
        list.json()["data"].as_array().unwrap().iter().map(|row| names(&row["proposal_next"])).collect();
    assert_eq!(told, [["Ada"], ["Ben"]]);
}
