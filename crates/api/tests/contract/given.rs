//! given-interface: every name, type, outcome text and number.

use serde_json::{Value, json};
use testkit::TestApp;

use crate::contract::{document, incident, is_moment, kind, risk};

/// Asserts that each member is present, with one of its types.
fn assert_members(value: &Value, members: &[(&str, &[&str])]) {
    for (name, kinds) in members {
        let member = value.get(name).unwrap_or_else(|| panic!("no {name} in {value}"));
        assert!(kinds.contains(&kind(member)), "{name} is {} in {value}", kind(member));
    }
}

#[testkit::both_engines]
async fn a_token_pair_for_client_credentials_and_for_a_refresh_token(app: TestApp) {
    let client = app.client().await;
    let body = json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret,
        "refresh_token": null});
    let first = app.post("/v1/oauth/token").json(body).expect(200).await;
    let body = json!({"grant_type": "refresh_token", "refresh_token": first.text("refresh_token"),
        "client_id": null, "client_secret": null});
    let second = app.post("/v1/oauth/token").json(body).expect(200).await;
    for answer in [&first, &second] {
        assert_members(
            answer.json(),
            &[
                ("access_token", &["string"]),
                ("refresh_token", &["string"]),
                ("token_type", &["string"]),
                ("expires_in", &["integer"]),
                ("scope", &["string", "null"]),
            ],
        );
        assert_eq!((answer.text("token_type"), &answer.json()["expires_in"]), ("Bearer", &json!(900)));
        for token in ["access_token", "refresh_token"] {
            assert_eq!(answer.text(token).split('.').count(), 3, "{token} is a JWT");
        }
    }
    assert_ne!(first.text("access_token"), second.text("access_token"));
    assert_ne!(first.text("refresh_token"), second.text("refresh_token"));
}

#[testkit::both_engines]
async fn a_token_request_that_is_malformed_or_has_wrong_credentials(app: TestApp) {
    let client = app.client().await;
    let ask = |body: Value| app.post("/v1/oauth/token").json(body);
    for malformed in [json!({}), json!({"grant_type": "password"}), json!({"grant_type": "refresh_token"})] {
        assert_eq!(ask(malformed).expect(400).await.text("title"), "Invalid request");
    }
    let wrong = json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": "wrong"});
    assert_eq!(ask(wrong).expect(401).await.text("title"), "Invalid credentials");
    let wrong = json!({"grant_type": "refresh_token", "refresh_token": "wrong"});
    assert_eq!(ask(wrong).expect(400).await.text("title"), "Invalid credentials");
}

#[testkit::both_engines]
async fn an_access_token_lives_15_minutes_and_a_refresh_token_7_days(app: TestApp) {
    let client = app.client_with_scopes("tags:read").await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let pair = app.post("/v1/oauth/token").json(body).expect(200).await;
    app.db.clock.advance_seconds(15 * 60 - 1);
    app.get("/v1/tags").bearer(pair.text("access_token")).expect(200).await;
    app.db.clock.advance_seconds(1);
    app.get("/v1/tags").bearer(pair.text("access_token")).expect(401).await;
    app.db.clock.set(testkit::TestClock::START);
    app.db.clock.advance_seconds(7 * 24 * 3600 - 1);
    let body = json!({"grant_type": "refresh_token", "refresh_token": pair.text("refresh_token")});
    let next = app.post("/v1/oauth/token").json(body).expect(200).await;
    app.db.clock.advance_seconds(7 * 24 * 3600);
    let body = json!({"grant_type": "refresh_token", "refresh_token": next.text("refresh_token")});
    app.post("/v1/oauth/token").json(body).expect(400).await;
}

#[testkit::both_engines]
async fn an_incident_is_created_from_an_object_or_null(app: TestApp) {
    let client = app.client().await;
    let user = app.user("Ada", "ada@x.org", domain::Role::Owner).await;
    let at = "2026-02-01T00:00:00Z";
    let full = json!({"title": "a", "description": "b", "assigned_to": user.to_string(), "detected_date": at,
        "occurred_date": at, "contained_date": at, "responded_date": at, "source": "c"});
    for body in [full.clone(), json!({"title": "a", "description": "b"}), Value::Null] {
        let it = incident(&app, &client, body.clone()).await;
        assert_members(
            &it,
            &[
                ("id", &["string"]),
                ("title", &["string"]),
                ("description", &["string"]),
                ("status", &["string"]),
                ("created_date", &["string"]),
                ("detected_date", &["string"]),
                ("updated_date", &["string"]),
                ("occurred_date", &["string", "null"]),
                ("contained_date", &["string", "null"]),
                ("responded_date", &["string", "null"]),
                ("severity_reasoning", &["string", "null"]),
                ("source", &["string", "null"]),
                ("assigned_to", &["object", "null"]),
                ("opened_by", &["object"]),
            ],
        );
        let number = it["id"].as_str().unwrap().strip_prefix("INC-").unwrap();
        assert!(number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit()), "{number}");
        for date in ["created_date", "detected_date", "updated_date"] {
            assert!(is_moment(&it[date]), "{date}: {it}");
        }
        for date in ["occurred_date", "contained_date", "responded_date"] {
            assert_eq!(is_moment(&it[date]), body.get(date).is_some(), "{date}: {it}");
        }
    }
    for name in ["title", "description"] {
        let mut body = full.clone();
        body.as_object_mut().unwrap().remove(name);
        let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
        assert_eq!(answer.faults(), [format!("#/{name} required")]);
    }
    for name in
        ["assigned_to", "detected_date", "occurred_date", "contained_date", "responded_date", "source"]
    {
        let mut body = full.clone();
        body[name] = Value::Null;
        incident(&app, &client, body).await;
    }
}

#[testkit::both_engines]
async fn incidents_are_soft_deleted_in_bulk(app: TestApp) {
    let client = app.client().await;
    incident(&app, &client, Value::Null).await;
    let answer = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1, 7]})).expect(200).await;
    assert_members(answer.json(), &[("deleted_count", &["integer"]), ("not_found", &["array"])]);
    assert_eq!(answer.json(), &json!({"deleted_count": 1, "not_found": ["INC-0007"]}));
    // Marked as deleted, not removed.
    app.get("/v1/incidents?deleted=only").bearer(&client).expect(200).await.text("/data/0/id");
}

#[testkit::both_engines]
async fn edits_of_a_document_are_recorded(app: TestApp) {
    let client = app.client().await;
    let path = format!("/v1/documents/{}", document(&app, &client, "access-control").await);
    let edits = json!([{"node_id": "mfa", "node_type": "select", "value": "all"},
        {"node_id": "contact", "node_type": "text", "value": "a plain string"}]);
    let answer = app.patch(&path).bearer(&client).json(edits).expect(200).await;
    assert_members(
        answer.json(),
        &[
            ("id", &["integer"]),
            ("proposal", &["integer"]),
            ("created", &["string"]),
            ("updated_date", &["string", "null"]),
        ],
    );
    assert!(is_moment(&answer.json()["created"]));
    for name in ["node_id", "node_type", "value"] {
        let mut edit = json!({"node_id": "mfa", "node_type": "select", "value": "all"});
        edit.as_object_mut().unwrap().remove(name);
        let answer = app.patch(&path).bearer(&client).json(json!([edit])).expect(422).await;
        assert_eq!(answer.faults(), [format!("#/0/{name} required")]);
    }
}

#[testkit::both_engines]
async fn an_organizations_risk_performance(app: TestApp) {
    let client = app.client().await;
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    let answer = app.get(&path).bearer(&client).expect(200).await;
    assert_members(
        answer.json(),
        &[
            ("org_id", &["string"]),
            ("period_days", &["integer"]),
            ("total_risks_evaluated", &["integer"]),
            ("average_performance_percentage", &["integer"]),
        ],
    );
    assert_eq!(answer.json().as_object().unwrap().len(), 4);
    assert_eq!(answer.text("org_id"), app.organization.to_string());
    assert_eq!(answer.json()["period_days"], json!(90), "the default");
    let unknown = "/v1/organizations/0190163d-8694-739b-aea5-966c26f8ad91/risk-performance";
    assert_eq!(app.get(unknown).bearer(&client).expect(404).await.text("title"), "Organization not found");
}

#[testkit::both_engines]
async fn a_tag_is_added_to_a_risk(app: TestApp) {
    let client = app.client().await;
    let risk = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    assert_eq!(risk, "RSK-1");
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "flood"})).expect(201).await;
    let add = |risk: &str, tag: &str| {
        app.post(&format!("/v1/risks/{risk}/tags")).bearer(&client).json(json!({"tag_id": tag}))
    };
    let answer = add(&risk, tag.text("id")).expect(201).await;
    assert_eq!(answer.json(), &json!({"message": "Tag added to risk"}));
    let again = add(&risk, tag.text("id")).expect(409).await;
    assert_eq!(again.text("title"), "Tag already associated with risk");
    let unknown = "0190163d-8694-739b-aea5-966c26f8ad91";
    assert_eq!(add(&risk, unknown).expect(404).await.text("title"), "Risk or tag not found");
    assert_eq!(add("RSK-2", tag.text("id")).expect(404).await.text("title"), "Risk or tag not found");
}

/// The document names the same types, formats and texts.
#[test]
fn the_document_describes_the_given_interface() {
    let document = api::document();
    let schema = |name: &str| document["components"]["schemas"][name].clone();
    for (name, member, kind, format) in [
        ("Incident", "id", json!("string"), Value::Null),
        ("Incident", "created_date", json!("string"), json!("date-time")),
        ("Incident", "detected_date", json!("string"), json!("date-time")),
        ("Incident", "updated_date", json!("string"), json!("date-time")),
        ("Incident", "occurred_date", json!(["string", "null"]), json!("date-time")),
        ("Incident", "contained_date", json!(["string", "null"]), json!("date-time")),
        ("Incident", "responded_date", json!(["string", "null"]), json!("date-time")),
        ("Incident", "severity_reasoning", json!(["string", "null"]), Value::Null),
        ("Incident", "source", json!(["string", "null"]), Value::Null),
        ("NewIncident", "assigned_to", json!(["string", "null"]), json!("uuid")),
        ("NewIncident", "detected_date", json!(["string", "null"]), json!("date-time")),
        ("NewIncident", "source", json!(["string", "null"]), Value::Null),
        ("DocumentUpdate", "id", json!("integer"), json!("int32")),
        ("DocumentUpdate", "proposal", json!("integer"), json!("int32")),
        ("DocumentUpdate", "updated_date", json!(["string", "null"]), json!("date-time")),
        ("RiskPerformance", "org_id", json!("string"), json!("uuid")),
        ("RiskPerformance", "period_days", json!("integer"), json!("int32")),
        ("RiskPerformance", "total_risks_evaluated", json!("integer"), json!("int32")),
        ("RiskPerformance", "average_performance_percentage", json!("integer"), json!("int32")),
        ("TokenResponse", "expires_in", json!("integer"), json!("int64")),
        ("TokenResponse", "scope", json!(["string", "null"]), Value::Null),
        ("TokenRequestBody", "client_id", json!(["string", "null"]), Value::Null),
        ("TokenRequestBody", "client_secret", json!(["string", "null"]), Value::Null),
        ("TokenRequestBody", "refresh_token", json!(["string", "null"]), Value::Null),
        ("IncidentsDeleted", "deleted_count", json!("integer"), json!("int64")),
        ("TagReference", "tag_id", json!("string"), json!("uuid")),
        ("RiskTagAdded", "message", json!("string"), Value::Null),
    ] {
        let described = &schema(name)["properties"][member];
        assert_eq!((&described["type"], &described["format"]), (&kind, &format), "{name}.{member}");
    }
    assert_eq!(schema("NewIncident")["required"], json!(["title", "description"]));
    assert_eq!(schema("TokenGrantType")["enum"], json!(["client_credentials", "refresh_token"]));
    let operations = [
        ("/v1/incidents", "post", "201", "Incident created"),
        ("/v1/incidents", "delete", "200", "Incidents deleted successfully"),
        ("/v1/documents/{id}", "patch", "200", "Documents updated"),
        ("/v1/organizations/{id}/risk-performance", "get", "200", "Risk performance metrics"),
        ("/v1/organizations/{id}/risk-performance", "get", "404", "Organization not found"),
        ("/v1/risks/{risk_id}/tags", "post", "201", "Tag added to risk"),
        ("/v1/risks/{risk_id}/tags", "post", "404", "Risk or tag not found"),
        ("/v1/risks/{risk_id}/tags", "post", "409", "Tag already associated with risk"),
    ];
    for (path, method, status, text) in operations {
        assert_eq!(
            document["paths"][path][method]["responses"][status]["description"], text,
            "{method} {path}"
        );
    }
    let performance = &document["paths"]["/v1/organizations/{id}/risk-performance"]["get"]["parameters"];
    let period = performance.as_array().unwrap().iter().find(|it| it["name"] == "period_days").unwrap();
    assert_eq!((&period["in"], &period["required"]), (&json!("query"), &json!(false)));
    assert_eq!(
        period["schema"],
        json!({"type": "integer", "format": "int32", "minimum": 1, "maximum": 3650, "default": 90})
    );
}
