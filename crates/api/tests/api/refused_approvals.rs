//! What the refusal of an approval says of the text that is there by now.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const PROPOSAL: &str = "/v1/documents/policy/proposals/1";

/// Changes the text of the proposal and submits it; returns its hash.
async fn submit(app: &TestApp, ada: &TestPerson, template: &str) -> String {
    app.patch(PROPOSAL).bearer(ada).json(json!({"template": template})).expect(200).await;
    let submit = app.post(&format!("{PROPOSAL}/submit")).bearer(ada).json(json!({"summary": "New."}));
    submit.expect(200).await.text("sha256").to_owned()
}

async fn approve(app: &TestApp, ben: &TestPerson, sha256: &str) -> Value {
    let approve = app.post(&format!("{PROPOSAL}/approve")).bearer(ben).json(json!({"sha256": sha256}));
    approve.expect(409).await.json().clone()
}

#[both_engines]
async fn the_refusal_of_an_outdated_approval_has_the_difference_to_what_was_read(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let ben = app.person("Ben", Role::Approver).await;
    let document = json!({"slug": "policy", "title": "Policy", "template": "Call nobody."});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    app.post("/v1/documents/policy/proposals").bearer(&ada).expect(201).await;
    let first = submit(&app, &ada, "Call Ada.").await;
    let seen = app.post(&format!("{PROPOSAL}/seen")).bearer(&ben).json(json!({"sha256": first}));
    seen.expect(204).await;
    let second = submit(&app, &ada, "Call Ben.").await;
    let refused = approve(&app, &ben, &first).await;
    assert_eq!((&refused["code"], &refused["sha256"]), (&json!("proposal_changed"), &json!(second)));
    let difference = refused["difference"].as_str().unwrap();
    assert!(difference.contains("-Call Ada.") && difference.contains("+Call Ben."), "{difference}");
    let compared = app.get(refused["difference_path"].as_str().unwrap()).bearer(&ben).expect(200).await;
    assert_eq!(compared.json()["text"], refused["difference"]);
    // Of a text that the caller has not read, nothing is said.
    let unread = approve(&app, &ben, &"0".repeat(64)).await;
    assert!(unread.get("difference").is_none() && unread.get("difference_path").is_none(), "{unread}");
    // A long difference is behind the address.
    submit(&app, &ada, &"A long line of words.\n".repeat(2_000)).await;
    let long = approve(&app, &ben, &first).await;
    assert!(long.get("difference").is_none(), "{long}");
    app.get(long["difference_path"].as_str().unwrap()).bearer(&ben).expect(200).await;
}
