//! Comments on proposals, and what was changed since they were read.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const PROPOSAL: &str = "/v1/documents/locks/proposals/1";

/// Ada, who wrote a document and opened its proposal, and Ben.
async fn proposed(app: &TestApp) -> (TestPerson, TestPerson) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let option = |id: &str| json!({"id": id, "label": id, "text": id});
    let items =
        json!([{"id": "who", "kind": "select", "label": "Who?", "options": [option("all"), option("some")]}]);
    let body = json!({"slug": "locks", "title": "Locks", "items": items});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    let edits = json!([{"node_id": "who", "node_type": "select", "value": "some"}]);
    app.patch("/v1/documents/locks").bearer(&ada.token).json(edits).expect(200).await;
    (ada, ben)
}

async fn comments(app: &TestApp, person: &TestPerson) -> Vec<Value> {
    let list = app.get(&format!("{PROPOSAL}/comments")).bearer(&person.token).expect(200).await;
    list.json()["data"].as_array().unwrap().clone()
}

#[both_engines]
async fn comments_are_replied_to_and_resolved_and_stop_nothing(app: TestApp) {
    let (ada, ben) = proposed(&app).await;
    let post = |body: Value| app.post(&format!("{PROPOSAL}/comments")).bearer(&ben.token).json(body);
    let made = post(json!({"text": "Who are these?", "node_id": "who"})).expect(201).await;
    assert_eq!((&made.json()["number"], made.text("/author/name")), (&json!(1), "Ben"));
    post(json!({"text": "Contractors.", "reply_to": 1})).expect(201).await;
    let faults = post(json!({"text": "x", "node_id": "gone", "reply_to": 2})).expect(422).await.faults();
    assert_eq!(faults, ["#/node_id unknown_item", "#/reply_to unknown_comment"]);
    let before = app.get(PROPOSAL).bearer(&ada.token).expect(200).await;
    let submitted =
        app.post(&format!("{PROPOSAL}/submit")).bearer(&ada.token).json(json!({"summary": "All."}));
    let submitted = submitted.expect(200).await;
    assert_eq!(before.json()["sha256"].as_str().map(str::len), Some(64));
    post(json!({"text": "And guests?"})).expect(201).await;
    let resolve = format!("{PROPOSAL}/comments/1/resolve");
    let resolved = app.post(&resolve).bearer(&ada.token).expect(200).await;
    assert_eq!(resolved.text("/resolved_by/name"), "Ada");
    let again = app.post(&resolve).bearer(&ben.token).expect(200).await;
    assert_eq!(again.json(), resolved.json(), "it is resolved already");
    let approval = json!({"sha256": submitted.text("sha256")});
    app.post(&format!("{PROPOSAL}/approve")).bearer(&ben.token).json(approval).expect(200).await;
    assert_eq!(post(json!({"text": "Too late."})).expect(409).await.text("code"), "not_next");
    assert_eq!(comments(&app, &ada).await.len(), 3, "they stay");
    let vera = app.person("Vera", Role::Viewer).await;
    assert_eq!(comments(&app, &vera).await.len(), 3);
    let staff = app.person("Sam", Role::Staff).await;
    app.get(&format!("{PROPOSAL}/comments")).bearer(&staff.token).expect(403).await;
}

#[both_engines]
async fn a_suggestion_becomes_an_edit_of_whoever_adopts_it(app: TestApp) {
    let (ada, ben) = proposed(&app).await;
    let post = |body: Value| app.post(&format!("{PROPOSAL}/comments")).bearer(&ben.token).json(body);
    let suggest = |value: &str| json!({"text": "Rather:", "suggestion": {"node_id": "who", "value": value}});
    let refused = post(suggest("none")).expect(422).await;
    assert_eq!(refused.faults(), ["#/suggestion/value unknown_option"]);
    post(suggest("all")).expect(201).await;
    post(json!({"text": "No suggestion."})).expect(201).await;
    app.post(&format!("{PROPOSAL}/comments/2/adopt")).bearer(&ada.token).expect(404).await;
    let submitted =
        app.post(&format!("{PROPOSAL}/submit")).bearer(&ada.token).json(json!({"summary": "All."}));
    submitted.expect(200).await;
    app.post(&format!("{PROPOSAL}/comments/1/adopt")).bearer(&ada.token).expect(200).await;
    let proposal = app.get(PROPOSAL).bearer(&ada.token).expect(200).await;
    assert_eq!(proposal.text("status"), "open", "the text is another one");
    let edits = app.get(&format!("{PROPOSAL}/edits")).bearer(&ada.token).expect(200).await;
    assert_eq!((edits.json()["data"].as_array().unwrap().len(), edits.text("/data/0/value")), (1, "all"));
    assert!(comments(&app, &ada).await[0]["resolved_date"].is_string());
    let submitted =
        app.post(&format!("{PROPOSAL}/submit")).bearer(&ada.token).json(json!({"summary": "All."}));
    let approval = json!({"sha256": submitted.expect(200).await.text("sha256")});
    // Who suggested it is no author.
    app.post(&format!("{PROPOSAL}/approve")).bearer(&ben.token).json(approval).expect(200).await;
}

#[both_engines]
async fn adopting_brings_an_earlier_edit_of_the_author_back_into_force(app: TestApp) {
    let (ada, ben) = proposed(&app).await;
    let edits = json!([{"node_id": "who", "node_type": "select", "value": "all"}]);
    app.patch("/v1/documents/locks").bearer(&ben.token).json(edits).expect(200).await;
    let suggestion = json!({"text": "Rather:", "suggestion": {"node_id": "who", "value": "some"}});
    app.post(&format!("{PROPOSAL}/comments")).bearer(&ben.token).json(suggestion).expect(201).await;
    let text = async || app.get(&format!("{PROPOSAL}/difference")).bearer(&ada.token).expect(200).await;
    assert!(text().await.text("text").contains("all"));
    app.post(&format!("{PROPOSAL}/comments/1/adopt")).bearer(&ada.token).expect(200).await;
    assert!(text().await.text("text").contains("some"), "{}", text().await.text("text"));
    super::bulk::assert_sound(&app).await;
}

#[both_engines]
async fn comments_are_about_the_items_as_they_are_proposed(app: TestApp) {
    let (ada, ben) = proposed(&app).await;
    let items = json!([{"id": "where", "kind": "text", "label": "Where?"}]);
    app.patch(PROPOSAL).bearer(&ada.token).json(json!({"items": items})).expect(200).await;
    let post = |body: Value| app.post(&format!("{PROPOSAL}/comments")).bearer(&ben.token).json(body);
    let gone = post(json!({"text": "Why not?", "node_id": "who"})).expect(422).await;
    assert_eq!(gone.faults(), ["#/node_id unknown_item"]);
    let suggestion = json!({"node_id": "where", "value": "At the door."});
    post(json!({"text": "Here:", "node_id": "where", "suggestion": suggestion})).expect(201).await;
    app.post(&format!("{PROPOSAL}/comments/1/adopt")).bearer(&ada.token).expect(200).await;
    let edits = app.get(&format!("{PROPOSAL}/edits")).bearer(&ada.token).expect(200).await;
    let edits = edits.json()["data"].as_array().unwrap();
    assert!(edits.iter().any(|it| it["value"] == "At the door."), "{edits:?}");
    super::bulk::assert_sound(&app).await;
}

#[both_engines]
async fn a_person_is_shown_what_was_changed_since_they_read_it(app: TestApp) {
    let (ada, ben) = proposed(&app).await;
    let compare = |person: &TestPerson, from: &str, status: u16| {
        app.get(&format!("{PROPOSAL}/difference?from={from}")).bearer(&person.token).expect(status)
    };
    assert_eq!(compare(&ben, "seen", 404).await.text("code"), "not_found");
    assert_eq!(compare(&ben, "yesterday", 400).await.text("code"), "invalid_parameter");
    let hash = app.get(PROPOSAL).bearer(&ben.token).expect(200).await.text("sha256").to_owned();
    let see = async |hash: &str, status: u16| {
        app.post(&format!("{PROPOSAL}/seen"))
            .bearer(&ben.token)
            .json(json!({"sha256": hash}))
            .expect(status)
            .await
    };
    assert_eq!(see(&"0".repeat(64), 409).await.text("code"), "proposal_changed");
    see(&hash, 204).await;
    assert_eq!(compare(&ben, "seen", 200).await.text("text"), "", "nothing yet");
    let edits = json!([{"node_id": "who", "node_type": "select", "value": "all"}]);
    app.patch("/v1/documents/locks").bearer(&ada.token).json(edits).expect(200).await;
    for from in ["seen", &hash] {
        let since = compare(&ben, from, 200).await;
        assert!(
            since.text("text").contains("+all") || since.text("text").contains("all"),
            "{}",
            since.json()
        );
        assert_eq!(since.text("from_sha256"), hash);
    }
    compare(&ada, "seen", 404).await;
    compare(&ada, &hash, 404).await;
    let client = app.client_with_scopes("documents:read").await;
    app.post(&format!("{PROPOSAL}/seen")).bearer(&client).json(json!({"sha256": hash})).expect(404).await;
    let staff = app.person("Sam", Role::Staff).await;
    app.post(&format!("{PROPOSAL}/seen"))
        .bearer(&staff.token)
        .json(json!({"sha256": hash}))
        .expect(403)
        .await;
}
