//! `POST /v1/incidents/bulk`: one operation on many incidents, by the rules of one.

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::undo::{outcomes as undone, request_id, undo};

const ALL: &str = "incidents:read incidents:write incidents:delete journal:read tags:read tags:write";

async fn declare(app: &TestApp, client: &TestClient, count: usize) {
    for number in 1..=count {
        let body = json!({"title": format!("Incident {number}"), "description": "", "source": "SIEM"});
        app.post("/v1/incidents").bearer(client).json(body).expect(201).await;
    }
}

pub(crate) async fn bulk(app: &TestApp, client: &TestClient, body: Value, status: u16) -> Answer {
    app.post("/v1/incidents/bulk").bearer(client).json(body).expect(status).await
}

/// The id and the outcome of each incident.
pub(crate) fn outcomes(answer: &Answer) -> Vec<(String, String)> {
    let results = answer.json()["results"].as_array().unwrap();
    for it in results {
        assert_eq!(it.get("problem").is_some(), it["outcome"] == "failed", "{it}");
    }
    for outcome in ["changed", "unchanged", "failed", "not_found"] {
        let count = results.iter().filter(|it| it["outcome"] == outcome).count();
        assert_eq!(answer.json()[format!("{outcome}_count")], count, "{outcome}");
    }
    let text = |it: &Value, member: &str| it[member].as_str().unwrap().to_owned();
    results.iter().map(|it| (text(it, "id"), text(it, "outcome"))).collect()
}

pub(crate) fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, outcome)| ((*id).to_owned(), (*outcome).to_owned())).collect()
}

pub(crate) async fn seq(app: &TestApp, client: &TestClient) -> i64 {
    app.get("/v1/journal/head").bearer(client).expect(200).await.json()["seq"].as_i64().unwrap()
}

pub(crate) async fn assert_sound(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[both_engines]
async fn each_incident_is_changed_by_the_rules_of_one(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 4).await;
    let take = json!({"to": "investigating"});
    app.post("/v1/incidents/2/transitions").bearer(&client).json(take).expect(200).await;
    bulk(&app, &client, json!({"ids": [4], "operation": {"type": "delete"}}), 200).await;
    let before = seq(&app, &client).await;
    let contain = json!({"type": "transition", "to": "contained"});
    let ids = json!(["INC-0003", 2, 1, 4, 99, -1, 3]);
    let answer = bulk(&app, &client, json!({"ids": ids, "operation": contain}), 200).await;
    let expected = [
        ("INC-0003", "changed"),
        ("INC-0002", "changed"),
        ("INC-0001", "changed"),
        ("INC-0004", "not_found"),
        ("INC-0099", "not_found"),
        ("-1", "not_found"),
    ];
    assert_eq!(outcomes(&answer), pairs(&expected));
    assert_eq!(seq(&app, &client).await, before + 3, "an entry for each");
    let again = bulk(&app, &client, json!({"ids": [1, 2], "operation": contain}), 200).await;
    assert_eq!(outcomes(&again), pairs(&[("INC-0001", "unchanged"), ("INC-0002", "unchanged")]));
    let close = json!({"type": "transition", "to": "closed"});
    let refused = bulk(&app, &client, json!({"ids": [1], "operation": close}), 200).await;
    let problem = &refused.json()["results"][0]["problem"];
    assert_eq!((&problem["code"], &problem["status"]), (&json!("transition_not_allowed"), &json!(409)));
    assert_eq!(outcomes(&refused), pairs(&[("INC-0001", "failed")]));
    assert_eq!(seq(&app, &client).await, before + 3);
    assert_sound(&app).await;
}

#[both_engines]
async fn a_gate_is_not_skipped(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 3).await;
    for number in 1..=3 {
        let take = json!({"to": "investigating"});
        app.post(&format!("/v1/incidents/{number}/transitions")).bearer(&client).json(take).expect(200).await;
    }
    let resolve = json!({"type": "transition", "to": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done."});
    bulk(&app, &client, json!({"ids": [1, 2, 3], "operation": resolve}), 200).await;
    let low = json!({"severity": "low", "reason": "Small."});
    for number in [1, 2] {
        app.put(&format!("/v1/incidents/{number}/severity"))
            .bearer(&client)
            .json(low.clone())
            .expect(200)
            .await;
    }
    let task = json!({"title": "Check", "mandatory": true});
    app.post("/v1/incidents/2/tasks").bearer(&client).json(task).expect(201).await;
    let close = json!({"type": "transition", "to": "closed"});
    let answer =
        bulk(&app, &client, json!({"filter": {"status": "resolved"}, "operation": close}), 200).await;
    let expected = [("INC-0001", "changed"), ("INC-0002", "failed"), ("INC-0003", "failed")];
    assert_eq!(outcomes(&answer), pairs(&expected));
    for place in [1, 2] {
        let problem = &answer.json()["results"][place]["problem"];
        assert_eq!(problem["code"], "close_requirements");
        assert!(problem["missing"].as_array().is_some_and(|missing| !missing.is_empty()), "{problem}");
    }
}

#[both_engines]
async fn a_filter_names_what_the_list_has(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 450).await;
    let drill = json!({"ids": [1, 450], "operation": {"type": "update", "kind": "drill"}});
    bulk(&app, &client, drill, 200).await;
    let update = json!({"filter": {"kind": "real", "source": ["SIEM", "other"]},
        "operation": {"type": "update", "source": "Mail gateway", "title": "The same"}});
    let before = seq(&app, &client).await;
    let changed = bulk(&app, &client, update, 200).await;
    assert_eq!(changed.json()["results"].as_array().unwrap().len(), 448);
    assert!(outcomes(&changed).iter().all(|(_, outcome)| outcome == "changed"));
    assert_eq!(seq(&app, &client).await, before + 448);
    let list = app.get("/v1/incidents?source=Mail+gateway&include_total=true&limit=1").bearer(&client);
    assert_eq!(list.expect(200).await.json()["total"], 448);
    // The whole is taken back by one undo.
    let (count, _) = undone(&undo(&app, &client, request_id(&changed)).await);
    assert_eq!(count, 448);
    let list = app.get("/v1/incidents?source=SIEM&include_total=true&limit=1").bearer(&client);
    assert_eq!(list.expect(200).await.json()["total"], 450);
    assert_sound(&app).await;
}

#[both_engines]
async fn a_dry_run_tells_the_same_and_changes_nothing(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 3).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let tag = tag.text("id").to_owned();
    app.post("/v1/incidents/1/tags").bearer(&client).json(json!({"tag_id": tag})).expect(201).await;
    for operation in [
        json!({"type": "tag", "tag_id": tag}),
        json!({"type": "untag", "tag_id": tag}),
        json!({"type": "assign", "assigned_to": null}),
        json!({"type": "update", "title": "Incident 2"}),
        json!({"type": "restrict"}),
        json!({"type": "transition", "to": "resolved", "resolution_reason": "fixed"}),
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

#[both_engines]
async fn an_id_has_any_form_that_a_path_has(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 2).await;
    let body =
        json!({"ids": ["inc-1", "1", 1, "INC-1", "INC-0002", "INC-000"], "operation": {"type": "delete"}});
    let answer = bulk(&app, &client, body, 200).await;
    let ids: Vec<_> = answer.json()["results"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["INC-0001", "INC-0002", "0"]);
    let restored = app.post("/v1/incidents/restore").bearer(&client).json(json!({"ids": ["inc-1", "2"]}));
    assert_eq!(restored.expect(200).await.json()["restored_count"], 2);
}

#[both_engines]
async fn all_or_nothing_is_kept(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 300).await;
    bulk(
        &app,
        &client,
        json!({"ids": [299], "operation": {"type": "transition", "to": "dismissed",
        "resolution_reason": "test"}}),
        200,
    )
    .await;
    let before = seq(&app, &client).await;
    let contain =
        json!({"filter": {}, "operation": {"type": "transition", "to": "contained"}, "atomic": true});
    let refused = bulk(&app, &client, contain.clone(), 409).await;
    assert_eq!(
        (refused.text("code"), refused.json()["failed"].as_array().unwrap().len()),
        ("bulk_failed", 1)
    );
    let failed = ["/failed/0/id", "/failed/0/problem/code"].map(|place| refused.text(place));
    assert_eq!(failed, ["INC-0299", "transition_not_allowed"]);
    assert!(refused.json().pointer("/failed/0/problem/allowed").is_some_and(Value::is_array));
    let mut dry = contain;
    dry["dry_run"] = json!(true);
    assert_eq!(bulk(&app, &client, dry, 409).await.text("code"), "bulk_failed");
    assert_eq!(seq(&app, &client).await, before);
    let list = app.get("/v1/incidents?status=contained&include_total=true").bearer(&client).expect(200).await;
    assert_eq!(list.json()["total"], 0);
}

#[both_engines]
async fn every_fault_of_the_body_is_named(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, &client, 1).await;
    for (body, expected) in [
        (json!({"operation": {"type": "delete"}}), vec!["#/ids required"]),
        (json!({"ids": [1]}), vec!["#/operation required"]),
        (json!({"ids": [1], "filter": {}, "operation": {"type": "delete"}}), vec!["#/filter conflict"]),
        (json!({"ids": [1], "operation": {"to": "closed"}}), vec!["#/operation/type required"]),
        (json!({"ids": [1], "operation": {"type": "remove"}}), vec!["#/operation/type enum"]),
        (json!({"ids": [1], "operation": {"type": "delete", "x": 1}}), vec!["#/operation/x unknown_field"]),
        (json!({"ids": [1], "operation": {"type": "assign"}}), vec!["#/operation/assigned_to required"]),
        (
            json!({"ids": ["x"], "operation": {"type": "update", "title": "", "external_ref": "1"}}),
            vec!["#/ids/0 format", "#/operation/external_ref unknown_field", "#/operation/title blank"],
        ),
        (
            json!({"filter": {"stat": "new", "severity": "bad", "kind": 5}, "operation": {"type": "delete"}}),
            vec!["#/filter/kind type", "#/filter/severity enum", "#/filter/stat unknown_field"],
        ),
        (
            json!({"filter": {"assigned_to": "me"}, "operation": {"type": "delete"}}),
            vec!["#/filter/assigned_to not_a_person"],
        ),
        (json!({"operation": {"type": "remove"}}), vec!["#/ids required", "#/operation/type enum"]),
        (json!({"filter": {"tag": []}, "operation": {"type": "delete"}}), vec!["#/filter/tag too_few"]),
        (json!({"filter": {"stat": []}, "operation": {"type": "delete"}}), vec!["#/filter/stat too_few"]),
        (
            json!({"filter": {"stat": "new", "severity": ["bad"]}, "operation": {"type": "delete"}}),
            vec!["#/filter/severity enum", "#/filter/stat unknown_field"],
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
    let writer = app.client_with_scopes("incidents:write").await;
    bulk(&app, &writer, json!({"ids": [1], "operation": {"type": "delete"}}), 403).await;
    let deleter = app.client_with_scopes("incidents:delete").await;
    bulk(&app, &deleter, json!({"ids": [1], "operation": {"type": "restrict"}}), 403).await;
    // A filter says which incidents fit it: who may not read the list may not ask.
    let probe = json!({"filter": {"q": "salary"}, "operation": {"type": "delete"}, "dry_run": true});
    let refused = bulk(&app, &deleter, probe.clone(), 403).await;
    assert_eq!(refused.text("scope"), "incidents:read");
    let declarer = app.client_with_scopes("incidents:declare incidents:delete").await;
    bulk(&app, &declarer, probe, 200).await;
    bulk(&app, &deleter, json!({"ids": [1], "operation": {"type": "delete"}}), 200).await;
}
