//! `/v1/documents/{id}/proposals`: submitted, approved, published.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson};

const PROPOSAL: &str = "/v1/documents/policy/proposals/1";

async fn write(app: &TestApp, by: &impl AsRef<str>, item: &str, value: &str) {
    let edits = json!([{"node_id": item, "node_type": "text", "value": value}]);
    app.patch("/v1/documents/policy").bearer(by).json(edits).expect(200).await;
}

/// A document whose required item says whom to call, and the person who filled it in.
async fn filled_in(app: &TestApp) -> TestPerson {
    let writer = app.person("Ada", Role::Admin).await;
    let item =
        |id: &str, required| json!({"id": id, "kind": "text", "label": "Contact", "required": required});
    let body =
        json!({"slug": "policy", "title": "Policy", "items": [item("contact", true), item("remark", false)]});
    app.post("/v1/documents").bearer(&writer).json(body).expect(201).await;
    write(app, &writer, "contact", "Ada").await;
    writer
}

async fn step(app: &TestApp, by: &impl AsRef<str>, step: &str, body: Value, status: u16) -> Value {
    app.post(&format!("{PROPOSAL}/{step}")).bearer(by).json(body).expect(status).await.json().clone()
}

fn summary() -> Value {
    json!({"summary": "The first one."})
}

#[testkit::both_engines]
async fn what_was_approved_is_published(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!((&submitted["status"], &submitted["material"]), (&json!("submitted"), &json!(true)));
    let hash = submitted["sha256"].as_str().unwrap().to_owned();
    let approver = app.person("Ben", Role::Admin).await;
    let wrong = step(&app, &approver, "approve", json!({"sha256": "0".repeat(64)}), 409).await;
    assert_eq!((&wrong["code"], &wrong["sha256"]), (&json!("proposal_changed"), &json!(hash)));
    let approved = step(&app, &approver, "approve", json!({"sha256": hash, "note": "Good."}), 200).await;
    assert_eq!(approved["status"], "approved");
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    let document = document.json();
    assert_eq!((&document["status"], &document["published_version"]), (&json!("published"), &json!(1)));
    assert_eq!((&document["items"][0]["value"], &document["open_proposal"]), (&json!("Ada"), &Value::Null));
    let version = app.get("/v1/documents/policy/versions/1").bearer(&writer).expect(200).await;
    let text = version.text("text");
    assert_eq!(domain::document::sha256(text), hash);
    assert!(text.ends_with("- **Contact**\n\n  Ada\n"), "{text}");
    assert_eq!(version.json()["approved_by"]["name"], "Ben");
    step(&app, &writer, "withdraw", json!({"reason": "x"}), 409).await;
}

#[testkit::both_engines]
async fn nobody_approves_an_own_change(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    let approval = json!({"sha256": submitted["sha256"]});
    let client = app.client_with_scopes("documents:read documents:approve").await;
    for by in [&writer.token, &client.token] {
        assert_eq!(step(&app, by, "approve", approval.clone(), 403).await["code"], "four_eyes");
    }
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    assert_eq!(document.json()["status"], "draft");
}

#[testkit::both_engines]
async fn an_edit_of_a_submitted_text_opens_it_again(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    write(&app, &writer, "contact", "Ada").await;
    let same = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!((&same.json()["status"], &same.json()["sha256"]), (&json!("submitted"), &submitted["sha256"]));
    write(&app, &writer, "contact", "Eve").await;
    let open = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(open.json()["status"], "open");
    assert_ne!(open.json()["sha256"], submitted["sha256"]);
    let approver = app.person("Ben", Role::Admin).await;
    let approval = json!({"sha256": submitted["sha256"]});
    let refused = step(&app, &approver, "approve", approval.clone(), 409).await;
    assert_eq!(refused["code"], "not_next");
    assert!(
        refused["detail"]
            .as_str()
            .unwrap()
            .starts_with("The proposal is open: it can be submitted or withdrawn."),
        "{refused}"
    );
    step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(step(&app, &approver, "approve", approval, 409).await["code"], "proposal_changed");
}

#[testkit::both_engines]
async fn what_is_not_ready_is_not_submitted(app: TestApp) {
    let writer = filled_in(&app).await;
    let other = app.person("Ben", Role::Admin).await;
    write(&app, &writer, "contact", "").await;
    assert_eq!(step(&app, &writer, "submit", summary(), 422).await["code"], "items_missing");
    write(&app, &other, "contact", "Ben").await;
    assert_eq!(step(&app, &writer, "submit", summary(), 409).await["code"], "conflicts_open");
    let proposal = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(proposal.json()["conflicts"][0]["values"].as_array().map(Vec::len), Some(2));
    write(&app, &writer, "contact", "Ben").await;
    step(&app, &writer, "submit", summary(), 200).await;
}

#[testkit::both_engines]
async fn every_proposal_has_a_way_out(app: TestApp) {
    let writer = filled_in(&app).await;
    let reason = || json!({"reason": "Not yet."});
    assert_eq!(step(&app, &writer, "reject", reason(), 409).await["code"], "not_next");
    step(&app, &writer, "submit", summary(), 200).await;
    let returned = step(&app, &writer, "return", reason(), 200).await;
    assert_eq!((&returned["status"], &returned["reason"]), (&json!("open"), &json!("Not yet.")));
    let open = app.post("/v1/documents/policy/proposals").bearer(&writer).expect(409).await;
    assert_eq!(open.text("code"), "proposal_open");
    step(&app, &writer, "withdraw", reason(), 200).await;
    let opened = app.post("/v1/documents/policy/proposals").bearer(&writer).expect(201).await;
    assert_eq!(opened.header("location"), Some("/v1/documents/policy/proposals/2"));
    let list = app.get("/v1/documents/policy/proposals").bearer(&writer).expect(200).await;
    let numbers = list.json()["data"].as_array().unwrap().iter().map(|it| it["proposal"].clone());
    assert_eq!(numbers.collect::<Vec<_>>(), [json!(2), json!(1)]);
    assert_eq!(
        app.get("/v1/documents/policy/versions").bearer(&writer).expect(200).await.json()["data"],
        json!([])
    );
}
