//! `POST /v1/risks/bulk`: one operation on many risks, by the rules of one.

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::bulk::{assert_sound, outcomes, pairs, seq};
use crate::api::undo::{outcomes as undone, request_id, undo};

const ALL: &str = "risks:read risks:write risks:delete journal:read tags:read tags:write organizations:read";

async fn add(app: &TestApp, client: &TestClient, count: usize) {
    for number in 1..=count {
        let body = json!({"title": format!("Risk {number}"), "description": "", "category": "Fire",
            "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 2}});
        app.post("/v1/risks").bearer(client).json(body).expect(201).await;
    }
}

async fn bulk(app: &TestApp, client: &TestClient, body: Value, status: u16) -> Answer {
    app.post("/v1/risks/bulk").bearer(client).json(body).expect(status).await
}

#[both_engines]
async fn each_risk_is_changed_by_the_rules_of_one(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 4).await;
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-2").bearer(&client).json(closed).expect(200).await;
    bulk(&app, &client, json!({"ids": [4], "operation": {"type": "delete"}}), 200).await;
    app.get("/v1/risks/RSK-4").bearer(&client).expect(404).await;
    let before = seq(&app, &client).await;
    // The closed one has a reason already.
    let close = json!({"type": "update", "status": "closed"});
    let answer =
        bulk(&app, &client, json!({"ids": ["RSK-3", 2, 4, 99, -1, 3], "operation": close}), 200).await;
    let expected = [
        ("RSK-3", "failed"),
        ("RSK-2", "unchanged"),
        ("RSK-4", "not_found"),
        ("RSK-99", "not_found"),
        ("-1", "not_found"),
    ];
    assert_eq!(outcomes(&answer), pairs(&expected));
    let problem = &answer.json()["results"][0]["problem"];
    assert_eq!(
        (&problem["code"], &problem["detail"]),
        (&json!("validation_failed"), &json!("Closing or reopening a risk needs a reason."))
    );
    let faults = problem["errors"].as_array().unwrap();
    assert_eq!(faults.iter().map(|it| &it["pointer"]).collect::<Vec<_>>(), ["#/status_reason"]);
    assert_eq!(seq(&app, &client).await, before);
    let close = json!({"type": "update", "status": "closed", "status_reason": "Over.", "category": null});
    let answer = bulk(&app, &client, json!({"ids": [1, 3], "operation": close}), 200).await;
    assert_eq!(outcomes(&answer), pairs(&[("RSK-1", "changed"), ("RSK-3", "changed")]));
    assert_eq!(seq(&app, &client).await, before + 2, "an entry for each");
    let read = app.get("/v1/risks/RSK-3").bearer(&client).expect(200).await;
    let risk = read.json();
    assert_eq!(
        (&risk["status"], &risk["status_reason"], &risk["category"]),
        (&json!("closed"), &json!("Over."), &Value::Null)
    );
    assert_eq!(risk["version"], 2);
    // A rating that only some of them may have.
    let lower = json!({"type": "update", "inherent": {"impact": 1}});
    let answer = bulk(&app, &client, json!({"ids": [1], "operation": lower}), 200).await;
    assert_eq!(outcomes(&answer), pairs(&[("RSK-1", "changed")]), "4 is the score of the target, too");
    let lower = json!({"type": "update", "inherent": {"likelihood": 1, "impact": 1}});
    let answer = bulk(&app, &client, json!({"ids": [1], "operation": lower}), 200).await;
    assert_eq!(outcomes(&answer), pairs(&[("RSK-1", "failed")]));
    assert_sound(&app).await;
}

#[both_engines]
async fn a_filter_names_the_risks_that_the_list_has_and_one_undo_takes_all_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 450).await;
    bulk(&app, &client, json!({"ids": [1, 450], "operation": {"type": "update", "category": "Water"}}), 200)
        .await;
    let update = json!({"filter": {"category": ["Fire", "other"], "status": "open"},
        "operation": {"type": "update", "category": "Physical", "title": "The same"}});
    let before = seq(&app, &client).await;
    let changed = bulk(&app, &client, update, 200).await;
    assert_eq!(outcomes(&changed).len(), 448);
    assert!(outcomes(&changed).iter().all(|(_, outcome)| outcome == "changed"));
    assert_eq!(seq(&app, &client).await, before + 448);
    let total = async |category: &str| -> Value {
        let address = format!("/v1/risks?category={category}&include_total=true&limit=1");
        app.get(&address).bearer(&client).expect(200).await.json()["total"].clone()
    };
    assert_eq!(total("Physical").await, 448);
    let (count, _) = undone(&undo(&app, &client, request_id(&changed)).await);
    assert_eq!((count, total("Fire").await, total("Physical").await), (448, json!(448), json!(0)));
    assert_sound(&app).await;
}

#[both_engines]
async fn a_dry_run_of_risks_tells_the_same_and_changes_nothing(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let person = app.person("Ada", domain::Role::Responder).await;
    add(&app, &client, 3).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let tag = tag.text("id").to_owned();
    app.post("/v1/risks/RSK-1/tags").bearer(&client).json(json!({"tag_id": tag})).expect(201).await;
    for operation in [
        json!({"type": "tag", "tag_id": tag}),
        json!({"type": "untag", "tag_id": tag}),
        json!({"type": "update", "owner": person.id}),
        json!({"type": "update", "owner": "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60"}),
        json!({"type": "update", "title": "Risk 2"}),
        json!({"type": "update", "status": "closed"}),
        json!({"type": "delete"}),
    ] {
        let body = json!({"ids": [1, 2, 3], "operation": operation, "dry_run": true});
        let before = seq(&app, &client).await;
        let said = bulk(&app, &client, body, 200).await;
        assert_eq!(seq(&app, &client).await, before, "{operation}");
        let done = bulk(&app, &client, json!({"ids": [1, 2, 3], "operation": operation}), 200).await;
        assert_eq!(said.json(), done.json(), "{operation}");
        let changed = outcomes(&done).iter().filter(|(_, outcome)| outcome == "changed").count();
        assert_eq!(seq(&app, &client).await, before + i64::try_from(changed).unwrap(), "{operation}");
    }
    assert_sound(&app).await;
}

/// What is deleted counts no more, and counts again after the undo.
#[both_engines]
async fn the_performance_follows_risks_that_are_deleted_and_brought_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 3).await;
    for (number, impact) in [(1, 5), (2, 2), (3, 1)] {
        let rating = json!({"likelihood": 2, "impact": impact});
        app.post(&format!("/v1/risks/RSK-{number}/evaluations"))
            .bearer(&client)
            .json(rating)
            .expect(201)
            .await;
    }
    let figure = async || -> Value {
        let address = format!("/v1/organizations/{}/risk-performance", app.organization);
        app.get(&address).bearer(&client).expect(200).await.json().clone()
    };
    let before = figure().await;
    let deleted = bulk(&app, &client, json!({"ids": [2, 3], "operation": {"type": "delete"}}), 200).await;
    assert_eq!(
        (before["total_risks_evaluated"].clone(), figure().await["total_risks_evaluated"].clone()),
        (json!(3), json!(1))
    );
    undo(&app, &client, request_id(&deleted)).await;
    assert_eq!(figure().await, before);
    assert_sound(&app).await;
}

#[both_engines]
async fn all_or_nothing_is_kept_for_risks(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 300).await;
    let lower = json!({"target": {"likelihood": 1, "impact": 1}});
    app.patch("/v1/risks/RSK-299").bearer(&client).json(lower).expect(200).await;
    let before = seq(&app, &client).await;
    // Only the one with the low target may have it.
    let lower = json!({"type": "update", "inherent": {"likelihood": 1, "impact": 2}});
    let mut body = json!({"filter": {}, "operation": lower, "atomic": true});
    let refused = bulk(&app, &client, body.clone(), 409).await;
    let failed = refused.json()["failed"].as_array().unwrap();
    assert_eq!((refused.text("code"), failed.len(), &failed[0]["id"]), ("bulk_failed", 100, &json!("RSK-1")));
    body["dry_run"] = json!(true);
    assert_eq!(bulk(&app, &client, body, 409).await.text("code"), "bulk_failed");
    assert_eq!(seq(&app, &client).await, before);
}

#[both_engines]
async fn every_fault_of_a_change_of_many_risks_is_named(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 1).await;
    for (body, expected) in [
        (json!({"operation": {"type": "delete"}}), vec!["#/ids required"]),
        (json!({"ids": [1]}), vec!["#/operation required"]),
        (json!({"ids": [1], "filter": {}, "operation": {"type": "delete"}}), vec!["#/filter conflict"]),
        (json!({"ids": [1], "operation": {"type": "assign"}}), vec!["#/operation/type enum"]),
        (
            json!({"ids": ["INC-0001", "RSK-01"], "operation": {"type": "update", "title": "", "tags": []}}),
            vec!["#/ids/0 format", "#/operation/tags read_only", "#/operation/title blank"],
        ),
        (
            json!({"filter": {"state": "open", "status": ["bad"]}, "operation": {"type": "delete"}}),
            vec!["#/filter/state unknown_field", "#/filter/status enum"],
        ),
        (
            json!({"filter": {"category": []}, "operation": {"type": "delete"}}),
            vec!["#/filter/category too_few"],
        ),
    ] {
        let before = seq(&app, &client).await;
        let refused = bulk(&app, &client, body.clone(), 422).await;
        let mut found = refused.faults();
        found.sort();
        assert_eq!(found, expected, "{body}");
        assert_eq!(seq(&app, &client).await, before);
    }
    let unknown = json!({"type": "tag", "tag_id": "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60"});
    bulk(&app, &client, json!({"ids": [1], "operation": unknown}), 404).await;
    // Deleting needs another scope than everything else.
    let writer = app.client_with_scopes("risks:write").await;
    bulk(&app, &writer, json!({"ids": [1], "operation": {"type": "delete"}}), 403).await;
    let deleter = app.client_with_scopes("risks:delete").await;
    bulk(&app, &deleter, json!({"ids": [1], "operation": {"type": "update"}}), 403).await;
    let probe = json!({"filter": {"q": "salary"}, "operation": {"type": "delete"}, "dry_run": true});
    bulk(&app, &deleter, probe, 403).await;
    let other = app.db.organization("Globex").await;
    let stranger = app.client_of(other, "risks:write risks:delete").await;
    let told = bulk(&app, &stranger, json!({"ids": [1], "operation": {"type": "delete"}}), 200).await;
    assert_eq!(outcomes(&told), pairs(&[("RSK-1", "not_found")]));
    bulk(&app, &deleter, json!({"ids": [1], "operation": {"type": "delete"}}), 200).await;
}
