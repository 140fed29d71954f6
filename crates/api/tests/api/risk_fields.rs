//! What registers carry of a risk besides its ratings: asset, threat, controls, treatment, and where it comes from.

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::bulk::{assert_sound, outcomes, pairs};
use crate::api::undo::{outcomes as undone, request_id, undo};

const ALL: &str = "risks:read risks:write risks:delete journal:read organizations:read";

/// A risk with these members besides those that it needs.
async fn add(app: &TestApp, client: &TestClient, members: Value, status: u16) -> Answer {
    let rating = json!({"likelihood": 3, "impact": 3});
    let mut body = json!({"title": "Flood", "inherent": rating, "target": rating});
    let Value::Object(members) = members else { panic!("{members}") };
    body.as_object_mut().unwrap().extend(members);
    app.post("/v1/risks").bearer(client).json(body).expect(status).await
}

async fn patch(app: &TestApp, client: &TestClient, id: i64, body: Value, status: u16) -> Answer {
    app.patch(&format!("/v1/risks/RSK-{id}")).bearer(client).json(body).expect(status).await
}

/// The ids that the list has with this query.
async fn found(app: &TestApp, client: &TestClient, query: &str) -> Vec<String> {
    let list = app.get(&format!("/v1/risks?sort=number&{query}")).bearer(client).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[both_engines]
async fn the_fields_of_a_register_are_kept_changed_and_cleared(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let all = json!({"owner_name": "Head of IT", "asset": "Order database\nand its copies", "threat": "Water",
        "vulnerability": "It stands in the cellar.", "existing_controls": "- Pumps", "controls": ["A.7.5", "A.8.13"],
        "external_ref": "R-17", "treatment": "mitigate", "treatment_plan": "Move it **upstairs**."});
    let made = add(&app, &client, all.clone(), 201).await;
    let shown = |answer: &Answer| -> Value {
        let member = |(name, _): (&String, &Value)| (name.clone(), answer.json()[name].clone());
        all.as_object().unwrap().iter().map(member).collect()
    };
    assert_eq!(shown(&made), all);
    let none = json!({"owner_name": null, "asset": null, "threat": null, "vulnerability": null,
        "existing_controls": null, "controls": [], "external_ref": null, "treatment": "undecided",
        "treatment_plan": null});
    assert_eq!(shown(&add(&app, &client, json!({}), 201).await), none, "all of them may be missing");
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    let renamed = patch(&app, &client, 1, json!({"asset": "Orders"}), 200).await;
    let mut expected = all.clone();
    expected["asset"] = json!("Orders");
    assert_eq!(shown(&renamed), expected, "what is not sent stays");
    assert_eq!(shown(&patch(&app, &client, 1, none.clone(), 200).await), none);
    let then = app.get(&format!("/v1/risks/RSK-1?as_of_seq={seq}")).bearer(&client).expect(200).await;
    assert_eq!(shown(&then), all);
    let past = format!("as_of_seq={seq}&control=A.8.13&treatment=mitigate");
    assert_eq!(found(&app, &client, &past).await, ["RSK-1"]);
    assert_sound(&app).await;
}

#[both_engines]
async fn every_fault_of_these_fields_is_reported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let body = json!({"owner_name": "a\nb", "asset": " ", "threat": "x".repeat(2_001), "treatment": "ignore",
        "controls": ["A.8.13", "A 1", "A.8.13"], "external_ref": ""});
    let refused = add(&app, &client, body, 422).await;
    assert_eq!(
        refused.faults(),
        [
            "#/owner_name control_character",
            "#/asset blank",
            "#/threat too_long",
            "#/controls/1 format",
            "#/external_ref blank",
            "#/treatment enum",
        ]
    );
    let many: Vec<String> = (0..101).map(|number| format!("A.{number}")).collect();
    for (controls, fault) in
        [(json!(["A.1", "A.1"]), "#/controls/1 duplicate"), (json!(many), "#/controls too_many")]
    {
        assert_eq!(add(&app, &client, json!({"controls": controls}), 422).await.faults(), [fault]);
    }
    app.get("/v1/risks?control=A%201").bearer(&client).expect(400).await;
    app.get("/v1/risks?treatment=ignore").bearer(&client).expect(400).await;
}

#[both_engines]
async fn risks_are_found_by_control_treatment_reference_and_words(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for members in [
        json!({"controls": ["A.8.1", "A.5.1"], "treatment": "accept", "external_ref": "R-1", "threat": "Burglars"}),
        json!({"controls": ["A.8.13"], "treatment": "avoid", "external_ref": "R-10", "asset": "Warehouse robots"}),
        json!({"controls": ["a.8.1", "AX8.1"], "owner_name": "Head of Logistics", "treatment_plan": "Insurance"}),
    ] {
        add(&app, &client, members, 201).await;
    }
    app.follow_search().await;
    for (query, expected) in [
        ("control=A.8.1", &["RSK-1"][..]),
        ("control=A.5.1&control=A.8.13", &["RSK-1", "RSK-2"]),
        ("control=A_8.1", &[]),
        ("control=A.8", &[]),
        ("treatment=avoid&treatment=undecided", &["RSK-2", "RSK-3"]),
        ("external_ref=R-1", &["RSK-1"]),
        ("external_ref=R-1&external_ref=R-10&control=A.8.13", &["RSK-2"]),
        ("q=robots", &["RSK-2"]),
        ("q=burglars", &["RSK-1"]),
        ("q=logistics+insurance", &["RSK-3"]),
    ] {
        assert_eq!(found(&app, &client, query).await, expected, "{query}");
    }
}

#[both_engines]
async fn no_two_risks_have_the_same_reference(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let reference = |text: &str| json!({"external_ref": text});
    add(&app, &client, reference("R-1"), 201).await;
    add(&app, &client, reference("R-2"), 201).await;
    let check = |refused: &Answer, holder: &str| {
        let (code, detail) = (refused.text("code"), refused.text("detail").to_owned());
        assert_eq!(code, "external_ref_taken");
        assert!(detail.starts_with(&format!("{holder} has this")), "{detail}");
    };
    check(&add(&app, &client, reference("R-1"), 409).await, "RSK-1");
    check(&patch(&app, &client, 2, reference("R-1"), 409).await, "RSK-1");
    patch(&app, &client, 1, reference("R-1"), 200).await;
    // A deleted risk keeps its own, so it can always be restored.
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    check(&add(&app, &client, reference("R-1"), 409).await, "RSK-1");
    app.post("/v1/risks/RSK-1/restore").bearer(&client).expect(200).await;
    check(&patch(&app, &client, 2, reference("R-1"), 409).await, "RSK-1");
    // It belongs to one risk of the organization.
    let update = json!({"type": "update", "external_ref": "R-3"});
    let body = json!({"ids": [1], "operation": update});
    let refused = app.post("/v1/risks/bulk").bearer(&client).json(body).expect(422).await;
    assert_eq!(refused.faults(), ["#/operation/external_ref unknown_field"]);
    let other = app.client_of(app.db.organization("Other").await, ALL).await;
    add(&app, &other, reference("R-1"), 201).await;
    // What one gave up is not taken back from another by an undo.
    let given_up = patch(&app, &client, 1, reference("R-9"), 200).await;
    patch(&app, &client, 2, reference("R-1"), 200).await;
    let refused = undo(&app, &client, request_id(&given_up)).await;
    assert_eq!(undone(&refused), (0, vec![["risk", "RSK-1", "no_longer_valid"]]));
    patch(&app, &client, 2, json!({"external_ref": null}), 200).await;
    assert_eq!(undone(&undo(&app, &client, request_id(&given_up)).await).0, 1);
    assert_eq!(found(&app, &client, "external_ref=R-1").await, ["RSK-1"]);
    assert_sound(&app).await;
}

#[both_engines]
async fn the_treatment_of_many_is_changed_and_taken_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for treatment in ["accept", "mitigate"] {
        add(&app, &client, json!({"treatment": treatment}), 201).await;
    }
    let update = json!({"type": "update", "treatment": "accept", "controls": []});
    let body = json!({"filter": {"treatment": ["accept", "mitigate"]}, "operation": update});
    let changed = app.post("/v1/risks/bulk").bearer(&client).json(body).expect(200).await;
    assert_eq!(outcomes(&changed), pairs(&[("RSK-1", "unchanged"), ("RSK-2", "changed")]));
    assert_eq!(found(&app, &client, "treatment=accept").await, ["RSK-1", "RSK-2"]);
    assert_eq!(undone(&undo(&app, &client, request_id(&changed)).await).0, 1);
    assert_eq!(found(&app, &client, "treatment=accept").await, ["RSK-1"]);
}

#[both_engines]
async fn a_risk_is_seen_from_both_sides_of_incidents_and_documents(app: TestApp) {
    let scopes = format!("{ALL} incidents:read incidents:write documents:read documents:write");
    let client = app.client_with_scopes(&scopes).await;
    for _ in 1..=10 {
        add(&app, &client, json!({}), 201).await;
    }
    let incident = json!({"title": "Cellar full of water", "description": ""});
    app.post("/v1/incidents").bearer(&client).json(incident).expect(201).await;
    let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "materialised"});
    app.post("/v1/incidents/1/links").bearer(&client).json(link).expect(201).await;
    for (record, other) in [("incidents/1", "RSK-1"), ("risks/RSK-1", "INC-0001")] {
        let links = app.get(&format!("/v1/{record}/links")).bearer(&client).expect(200).await;
        assert_eq!((links.text("/data/0/kind"), links.text("/data/0/record/id")), ("materialised", other));
    }
    let item = |id: &str, risks: &[&str]| json!({"id": id, "kind": "text", "label": "Text", "risks": risks});
    for (slug, items) in [
        ("backup", vec![item("a", &[]), item("b", &["RSK-2", "RSK-1"])]),
        ("fire", vec![item("a", &["RSK-10"])]),
        ("access", vec![item("a", &[])]),
    ] {
        let document = json!({"slug": slug, "title": slug, "items": items});
        app.post("/v1/documents").bearer(&client).json(document).expect(201).await;
    }
    for (query, expected) in [
        ("risk=RSK-1", &["backup"][..]),
        ("risk=RSK-10&risk=2", &["backup", "fire"]),
        ("risk=RSK-3", &[]),
        ("risk=RSK-1&status=published", &[]),
    ] {
        let list = app.get(&format!("/v1/documents?{query}")).bearer(&client).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().iter();
        assert_eq!(rows.map(|row| row["slug"].as_str().unwrap()).collect::<Vec<_>>(), expected, "{query}");
    }
    app.get("/v1/documents?risk=INC-1").bearer(&client).expect(400).await;
}
