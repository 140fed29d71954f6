//! Searching documents: what is published, what is proposed, and what an item offers.

use domain::Role;
use domain::document::Day;
use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const DOCUMENT: &str = "/v1/documents/locks";

/// Ada and Ben, and a draft that Ada wrote.
async fn draft(app: &TestApp) -> (TestPerson, TestPerson) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let option = |id: &str, label: &str, text: &str| json!({"id": id, "label": label, "text": text});
    let options = [option("a", "Safe", "Keys lie in the vault."), option("b", "Pocket", "Keys are carried.")];
    let items = json!([
        {"id": "what", "kind": "text", "label": "Subject"},
        {"id": "keys", "kind": "select", "label": "Storage", "options": options}
    ]);
    let template = "Lock the {{what}} at night.\n\n{{keys}}\n";
    let body = json!({"slug": "locks", "title": "Locks", "template": template, "reference": "ISMS-POL-04",
        "items": items});
    app.post("/v1/documents").bearer(&ada).json(body).expect(201).await;
    (ada, ben)
}

/// The documents that the list finds, which are those that the search of everything finds.
async fn found(app: &TestApp, by: &impl AsRef<str>, query: &str) -> Vec<String> {
    app.follow_search().await;
    let of = async |address: &str, member: &str| {
        let list = app.get(&format!("{address}q={query}")).bearer(by).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row[member].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let listed = of("/v1/documents?", "slug").await;
    assert_eq!(of("/v1/search?kind=document&", "id").await, listed, "{query}");
    listed
}

async fn edit(app: &TestApp, by: &TestPerson, value: &str) {
    let edits = json!([{"node_id": "what", "node_type": "text", "value": value}]);
    app.patch(DOCUMENT).bearer(by).json(edits).expect(200).await;
}

/// Submits and approves a proposal, which is in force at once or from a day on.
async fn publish(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), number: i64, day: Option<&Day>) {
    let proposal = format!("{DOCUMENT}/proposals/{number}");
    let submission = match day {
        Some(day) => json!({"summary": "All.", "effective_date": day.as_str()}),
        None => json!({"summary": "All."}),
    };
    let submitted = app.post(&format!("{proposal}/submit")).bearer(ada).json(submission).expect(200).await;
    let hash = json!({"sha256": submitted.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(ben).json(hash).expect(200).await;
}

#[both_engines]
async fn a_draft_is_found_by_its_reference_its_template_and_what_it_offers(app: TestApp) {
    let (ada, _) = draft(&app).await;
    for query in ["ISMS-POL-04", "isms*", "night", "storage", "pocket", "%22in+the+vault%22"] {
        assert_eq!(found(&app, &ada, query).await, ["locks"], "{query}");
    }
    let stranger = app.client_of(app.db.organization("Other Ltd").await, "documents:read").await;
    assert_eq!(found(&app, &stranger, "night").await, [""; 0]);
}

#[both_engines]
async fn a_text_is_found_while_it_is_proposed_and_while_it_is_in_force(app: TestApp) {
    let (ada, ben) = draft(&app).await;
    edit(&app, &ada, "gate").await;
    let (vera, sam) = (app.person("Vera", Role::Viewer).await, app.person("Sam", Role::Staff).await);
    let stranger = app.client_of(app.db.organization("Other Ltd").await, "documents:read").await;
    assert_eq!(found(&app, &ada, "gate").await, ["locks"]);
    assert_eq!(found(&app, &vera, "gate").await, ["locks"], "who reads documents reads proposals");
    assert_eq!(found(&app, &stranger, "gate").await, [""; 0]);
    for address in ["/v1/documents?q=gate", "/v1/search?q=gate&kind=document"] {
        app.get(address).bearer(&sam).expect(403).await;
    }
    let all = app.get("/v1/search?q=gate").bearer(&sam).expect(200).await;
    assert_eq!(all.json()["data"], json!([]), "staff searches incidents only");
    let printed = "%22lock+the+gate+at+night%22";
    assert_eq!(found(&app, &ada, printed).await, [""; 0], "values and template are texts of their own");
    publish(&app, (&ada, &ben), 1, None).await;
    assert_eq!(found(&app, &ada, printed).await, ["locks"]);
    assert_eq!(found(&app, &ada, "classification").await, [""; 0], "no text has the names of properties");
    let hit = app.get("/v1/search?q=gate+night").bearer(&ada).expect(200).await;
    let pieces = hit.json()["data"][0]["snippet"].as_array().unwrap().clone();
    let marked: Vec<&Value> = pieces.iter().filter(|it| it["match"] == true).map(|it| &it["text"]).collect();
    assert_eq!(marked, ["gate", "night"]);
    edit(&app, &ada, "door").await;
    assert_eq!(found(&app, &ada, "gate").await, ["locks"]);
    assert_eq!(found(&app, &ada, "door").await, ["locks"]);
    publish(&app, (&ada, &ben), 2, None).await;
    assert_eq!(found(&app, &ada, "gate").await, [""; 0], "the text in force does not say it any more");
    assert_eq!(found(&app, &ada, "door").await, ["locks"]);
    let patch = json!({"title": "Bolts", "template": "Shut the {{what}}.\n\n{{keys}}\n"});
    edit(&app, &ada, "roof").await;
    app.patch(&format!("{DOCUMENT}/proposals/3")).bearer(&ada).json(patch).expect(200).await;
    assert_eq!(found(&app, &ada, "roof+bolts+shut").await, ["locks"]);
    // A change that opens a submitted proposal again.
    let submission = json!({"summary": "Once more."});
    app.post(&format!("{DOCUMENT}/proposals/3/submit")).bearer(&ada).json(submission).expect(200).await;
    let patch = json!({"title": "Latches"});
    app.patch(&format!("{DOCUMENT}/proposals/3")).bearer(&ada).json(patch).expect(200).await;
    assert_eq!(found(&app, &ada, "latches").await, ["locks"]);
    assert_eq!(found(&app, &ada, "bolts").await, [""; 0]);
    let reason = json!({"reason": "Not now."});
    app.post(&format!("{DOCUMENT}/proposals/3/withdraw")).bearer(&ada).json(reason).expect(200).await;
    for query in ["roof", "latches", "shut"] {
        assert_eq!(found(&app, &ada, query).await, [""; 0], "{query}");
    }
}

#[both_engines]
async fn a_version_of_a_later_day_is_found_beside_the_one_in_force(app: TestApp) {
    let (ada, ben) = draft(&app).await;
    edit(&app, &ada, "gate").await;
    publish(&app, (&ada, &ben), 1, None).await;
    edit(&app, &ada, "door").await;
    let day = Day::of(app.db.clock.now() + SignedDuration::from_hours(24 * 30));
    publish(&app, (&ada, &ben), 2, Some(&day)).await;
    assert_eq!(found(&app, &ada, "gate").await, ["locks"], "it is in force");
    assert_eq!(found(&app, &ada, "door").await, ["locks"]);
    app.db.clock.advance_seconds(31 * 24 * 3600);
    let token = app.sign_in_person(ada.organization, &ada.email, &ada.password).await;
    let patch = app.patch(&format!("{DOCUMENT}/properties")).bearer(&token);
    patch.json(json!({"earlier": "3.2"})).expect(200).await;
    assert_eq!(found(&app, &token, "gate").await, [""; 0]);
    assert_eq!(found(&app, &token, "door").await, ["locks"]);
}

#[both_engines]
async fn an_archived_document_is_found_as_the_list_has_it_without_what_was_proposed(app: TestApp) {
    let (ada, ben) = draft(&app).await;
    edit(&app, &ada, "gate").await;
    publish(&app, (&ada, &ben), 1, None).await;
    edit(&app, &ada, "door").await;
    app.post(&format!("{DOCUMENT}/archive")).bearer(&ada).json(json!({})).expect(200).await;
    assert_eq!(found(&app, &ada, "gate").await, ["locks"]);
    assert_eq!(found(&app, &ada, "door").await, [""; 0]);
    for (status, count) in [("archived", 1), ("published", 0)] {
        let list = app.get(&format!("/v1/documents?q=gate&status={status}")).bearer(&ada).expect(200).await;
        assert_eq!(list.json()["data"].as_array().map(Vec::len), Some(count), "{status}");
    }
}
