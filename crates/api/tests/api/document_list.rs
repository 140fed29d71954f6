//! What the list of documents says of their open proposals.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson};

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

/// Documents of Ada and Ben, whose proposals wait for different things.
async fn proposed(app: &TestApp) -> [TestPerson; 2] {
    let [ada, ben] = [app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await];
    let client = app.client_of(app.organization, "documents:read documents:write").await;
    for slug in ["a-empty", "b-conflict", "c-ready", "d-submitted", "e-of-a-client", "f-of-both", "g-none"] {
        create(app, &ada, slug).await;
    }
    write(app, &ada, "a-empty", "").await;
    write(app, &ada, "b-conflict", "Ada").await;
    write(app, &ben, "b-conflict", "Ben").await;
    write(app, &ada, "c-ready", "Ada").await;
    write(app, &ada, "d-submitted", "Ada").await;
    submit(app, &ada, "d-submitted", 4).await;
    write(app, &client, "e-of-a-client", "Ada").await;
    submit(app, &ada, "e-of-a-client", 5).await;
    write(app, &ada, "f-of-both", "Ada").await;
    let body = json!({"audience": "Everyone"});
    app.patch("/v1/documents/f-of-both/proposals/6").bearer(&ben).json(body).expect(200).await;
    submit(app, &ada, "f-of-both", 6).await;
    [ada, ben]
}

#[testkit::both_engines]
async fn each_document_says_whom_its_proposal_waits_for_as_the_proposal_does(app: TestApp) {
    let [ada, _] = proposed(&app).await;
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
    let body = json!({"name": "Writer", "scopes": "documents:read documents:write"});
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

/// The first letters of the documents whose proposal waits for somebody.
async fn waiting(app: &TestApp, by: &TestPerson, people: &str) -> String {
    let list = app.get(&format!("/v1/documents?{people}")).bearer(by).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().clone();
    rows.iter().filter_map(|row| row["slug"].as_str()?.chars().next()).collect()
}

#[testkit::both_engines]
async fn documents_are_listed_by_whom_their_proposal_waits_for(app: TestApp) {
    let [ada, ben] = proposed(&app).await;
    let of = |person: &TestPerson| format!("waiting_for={}", person.id);
    assert_eq!(waiting(&app, &ada, "waiting_for=me").await, "abce");
    assert_eq!(waiting(&app, &ada, &of(&ben)).await, "abcde");
    assert_eq!(waiting(&app, &ada, "waiting_for=none").await, "f");
    let (cleo, vera) = (app.person("Cleo", Role::Approver).await, app.person("Vera", Role::Viewer).await);
    assert_eq!(waiting(&app, &cleo, "waiting_for=me").await, "bdef", "approvers resolve and approve");
    assert_eq!(waiting(&app, &vera, "waiting_for=me").await, "");
    assert_eq!(waiting(&app, &vera, &format!("{}&{}", of(&ada), of(&cleo))).await, "abcdef");
    assert_eq!(waiting(&app, &ada, "waiting_for=me&limit=2").await, "ab");
    // A client is no person.
    let client = app.client_of(app.organization, "documents:read").await;
    app.get("/v1/documents?waiting_for=me").bearer(&client).expect(400).await;
}

#[testkit::both_engines]
async fn what_waits_for_somebody_is_counted_exported_and_changed_alike(app: TestApp) {
    let [ada, _] = proposed(&app).await;
    let facets = app.get("/v1/documents/facets?waiting_for=me").bearer(&ada).expect(200).await;
    assert_eq!(facets.json()["total"], 4);
    let total = app.get("/v1/documents?waiting_for=me&include_total=true&limit=1").bearer(&ada);
    assert_eq!(total.expect(200).await.json()["total"], 4);
    let file = app.get("/v1/documents/export?format=ndjson&waiting_for=me").bearer(&ada).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&file.bytes).lines().count(), 4);
    let body = json!({"filter": {"waiting_for": "me"}, "operation": {"type": "update", "description": "x"}});
    let changed = app.post("/v1/documents/bulk").bearer(&ada).json(body).expect(200).await;
    assert_eq!(changed.json()["results"].as_array().unwrap().len(), 4);
    let view = json!({"list": "documents", "name": "Mine", "filter": {"waiting_for": "me"}});
    app.post("/v1/views").bearer(&ada).json(view).expect(201).await;
}

#[testkit::both_engines]
async fn what_waits_for_somebody_costs_the_same_however_much_it_is(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut costs = Vec::new();
    for slugs in [&["a"][..], &["b", "c", "d", "e"][..]] {
        for slug in slugs {
            create(&app, &ada, slug).await;
            write(&app, &ada, slug, "Ada").await;
        }
        // The first request also loads the caller.
        waiting(&app, &ada, "waiting_for=me").await;
        let before = app.db.statements();
        waiting(&app, &ada, "waiting_for=me").await;
        costs.push(app.db.statements() - before);
    }
    assert_eq!(costs[0], costs[1]);
}
