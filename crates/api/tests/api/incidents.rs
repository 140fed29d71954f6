//! `/v1/incidents`

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

const ALL: &str = "incidents:read incidents:write incidents:delete";

async fn create(app: &TestApp, client: &TestClient, body: Value) -> Value {
    app.post("/v1/incidents").bearer(client).json(body).expect(201).await.json().clone()
}

#[testkit::both_engines]
async fn an_incident_is_created_and_read_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let ada = app.user("Ada", "ada@x.org", Role::Responder).await;
    let body = json!({"title": "Phishing", "description": "", "assigned_to": ada.to_string(), "source": "gateway",
        "occurred_date": "2020-03-01T09:00:00+01:00", "detected_date": "2020-03-01T09:00:00.1234567Z",
        "responded_date": null});
    let made = app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    assert_eq!(made.header("location"), Some("/v1/incidents/INC-0001"));
    let it = made.json();
    assert_eq!(it["id"], "INC-0001");
    assert_eq!(
        (&it["status"], &it["description"], &it["source"]),
        (&json!("new"), &json!(""), &json!("gateway"))
    );
    assert_eq!(it["occurred_date"], "2020-03-01T08:00:00.000000Z");
    assert_eq!(it["detected_date"], "2020-03-01T09:00:00.123456Z");
    assert_eq!(it["assigned_to"], json!({"id": ada.to_string(), "name": "Ada", "email": "ada@x.org"}));
    assert_eq!(it["opened_by"], json!({"type": "client", "id": client.id, "name": "Probe"}));
    assert_eq!((&it["created_date"], &it["version"]), (&it["updated_date"], &json!(1)));
    for id in ["INC-0001", "INC-1", "inc-1", "1"] {
        let read = app.get(&format!("/v1/incidents/{id}")).bearer(&client).expect(200).await;
        assert_eq!(read.json(), it, "{id}");
    }
}

#[testkit::both_engines]
async fn an_incident_is_declared_now_and_described_later(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let empty = app.post("/v1/incidents").bearer(&client).expect(201).await;
    assert_eq!((empty.text("title"), empty.text("description")), ("Untitled incident", ""));
    assert_eq!(empty.text("detected_date"), empty.text("created_date"));
    let null = app.post("/v1/incidents").bearer(&client).json(Value::Null).expect(201).await;
    assert_eq!((null.text("id"), null.text("title")), ("INC-0002", "Untitled incident"));
    app.post("/v1/incidents").bearer(&client).json(json!({})).expect(422).await;
}

#[testkit::both_engines]
async fn every_fault_of_an_incident_is_reported_at_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let body = r#"{"title":"  ","description":1,"assigned_to":"ada","detected_date":"2026-03-01","status":"new",
        "occurred_date":"2020-01-02T00:00:00Z","contained_date":"2020-01-01T00:00:00Z","serverity":"x",
        "responded_date":"9999-01-01T00:00:00Z","source":"a\u0000b","source":"c"}"#;
    let answer = app.post("/v1/incidents").bearer(&client).body("application/json", body).expect(422).await;
    let mut faults = answer.faults();
    faults.sort();
    assert_eq!(
        faults,
        [
            "#/assigned_to format",
            "#/contained_date date_order",
            "#/description type",
            "#/detected_date format",
            "#/responded_date date_in_future",
            "#/serverity unknown_field",
            "#/source duplicate_key",
            "#/source nul",
            "#/status read_only",
            "#/title blank",
        ]
    );
    let list = app.get("/v1/incidents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"], json!([]));
    for body in [json!([]), json!("x"), json!(1), json!(["title", "description"])] {
        let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
        assert_eq!(answer.faults(), ["# type"]);
    }
}

/// What is set elsewhere is refused with the operation that sets it.
#[testkit::both_engines]
async fn a_fault_names_the_operation_that_sets_a_field(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    app.post("/v1/incidents").bearer(&client).expect(201).await;
    let new =
        json!({"title": "a", "description": "", "status": "closed", "restricted": true, "external_ref": "7"});
    let refused = app.post("/v1/incidents").bearer(&client).json(new).expect(422).await;
    let details: Vec<&str> = refused.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["detail"].as_str().unwrap())
        .collect();
    assert_eq!(
        details,
        [
            "Status is set by `POST /v1/incidents/{id}/transitions`.",
            "External ref is set by `PUT /v1/sources/{external_source}/incidents/{external_ref}`.",
            "Restricted is set by `PATCH /v1/incidents/{id}`.",
        ]
    );
    let patch = json!({"severity": "high", "tags": ["x"], "external_source": "siem", "version": 2});
    let refused = app.patch("/v1/incidents/1").bearer(&client).json(patch).expect(422).await;
    let details: Vec<&str> = refused.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["detail"].as_str().unwrap())
        .collect();
    assert_eq!(
        details,
        [
            "Version is set by the service only.",
            "External source is set by `PUT /v1/sources/{external_source}/incidents/{external_ref}`.",
            "Severity is set by `PUT /v1/incidents/{id}/severity`.",
            "Tags is set by `PUT /v1/incidents/{id}/tags/{tag_id}`.",
        ]
    );
}

#[testkit::both_engines]
async fn a_declaration_says_severity_and_tags(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write tags:write journal:read").await;
    app.post("/v1/tags").bearer(&client).json(json!({"name": "Phishing"})).expect(201).await;
    let body = |more: Value| {
        let mut body = json!({"title": "Mails", "description": ""});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let full = json!({"severity": "high", "severity_reasoning": "Forty mailboxes.",
        "tags": ["PHISHING", "mail", "Phishing"]});
    let made = app.post("/v1/incidents").bearer(&client).json(body(full)).expect(201).await;
    assert_eq!(
        (made.text("severity"), made.text("severity_reasoning"), made.text("severity_source")),
        ("high", "Forty mailboxes.", "manual")
    );
    let names: Vec<&str> =
        made.json()["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mail", "Phishing"]);
    let read = app.get("/v1/incidents/1").bearer(&client).expect(200).await;
    assert_eq!((read.bytes, read.headers.get("etag")), (made.bytes.clone(), made.headers.get("etag")));

    let writer = app.client_with_scopes("incidents:write").await;
    let staff = app.client_with_scopes("incidents:declare").await;
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    let many: Vec<String> = (0..51).map(|number| format!("tag {number}")).collect();
    for (more, fault) in [
        (json!({"severity": "low"}), "#/severity_reasoning required"),
        (json!({"severity_reasoning": "Few."}), "#/severity required"),
        (json!({"severity": "grave", "severity_reasoning": "x"}), "#/severity enum"),
        (json!({"tags": ["a", 1]}), "#/tags/1 type"),
        (json!({"tags": ["a", " "]}), "#/tags/1 blank"),
        (json!({"tags": many}), "#/tags too_many"),
    ] {
        let refused = app.post("/v1/incidents").bearer(&client).json(body(more)).expect(422).await;
        assert_eq!(refused.faults(), [fault]);
    }
    let tags = json!({"tags": ["phishing", "Phishing", "unheard of"]});
    let refused = app.post("/v1/incidents").bearer(&writer).json(body(tags.clone())).expect(422).await;
    assert_eq!(refused.faults(), ["#/tags/2 unknown_tag"]);
    let mut both = body(tags);
    both["assigned_to"] = json!("0190163d-8694-739b-aea5-966c26f8ad91");
    let refused = app.post("/v1/incidents").bearer(&writer).json(both).expect(422).await;
    let mut faults = refused.faults();
    faults.sort();
    assert_eq!(faults, ["#/assigned_to unknown_user", "#/tags/2 unknown_tag"]);
    let judged = json!({"severity": "low", "severity_reasoning": "Few."});
    let refused = app.post("/v1/incidents").bearer(&staff).json(body(judged)).expect(403).await;
    assert_eq!(refused.text("code"), "insufficient_scope");
    assert_eq!(app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"], head);
}

#[testkit::both_engines]
async fn an_incident_is_declared_with_its_kind(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let staff = app.client_with_scopes("incidents:declare").await;
    for (caller, kind) in [(&client, "drill"), (&staff, "near_miss")] {
        let body = json!({"title": "a", "description": "", "kind": kind});
        let made = app.post("/v1/incidents").bearer(caller).json(body).expect(201).await;
        assert_eq!(made.text("kind"), kind);
    }
    let body = |kind: Value| json!({"title": "a", "description": "", "kind": kind});
    let made = app.post("/v1/incidents").bearer(&client).json(body(Value::Null)).expect(201).await;
    assert_eq!(made.text("kind"), "real");
    let refused = app.post("/v1/incidents").bearer(&client).json(body(json!("fake"))).expect(422).await;
    assert_eq!(refused.faults(), ["#/kind enum"]);
}

#[testkit::both_engines]
async fn an_assignee_is_a_member(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let other = app.db.organization("Other").await;
    let outsider = app.db.user(other, "Eve", "eve@x.org", Role::Admin).await;
    let body = json!({"title": "a", "description": "", "assigned_to": outsider.to_string()});
    let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/assigned_to unknown_user"]);
}

#[testkit::both_engines]
async fn odd_dates_are_a_warning(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let it = create(
        &app,
        &client,
        json!({"title": "a", "description": "", "detected_date": "2020-01-02T00:00:00Z",
        "contained_date": "2020-01-01T00:00:00Z"}),
    )
    .await;
    assert_eq!(it["warnings"][0]["code"], "contained_before_detected");
    assert_eq!(it["warnings"][0]["fields"], json!(["contained_date", "detected_date"]));
}

#[testkit::both_engines]
async fn a_patch_changes_what_it_names(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let before = create(&app, &client, json!({"title": "a", "description": "d", "source": "s"})).await;
    app.db.clock.advance(jiff::SignedDuration::from_secs(1));
    let patch = |body: Value| app.patch("/v1/incidents/INC-0001").bearer(&client).json(body);
    let after = patch(json!({"title": "b", "source": null, "resolution_summary": "why"})).expect(200).await;
    assert_eq!((after.text("title"), after.text("description")), ("b", "d"));
    assert_eq!((&after.json()["source"], after.text("resolution_summary")), (&Value::Null, "why"));
    assert_eq!(after.json()["version"], json!(2));
    assert_ne!(after.json()["updated_date"], before["updated_date"]);
    let same = patch(json!({"title": "b"})).expect(200).await;
    assert_eq!(same.json(), after.json());
    assert_eq!(patch(json!({})).expect(200).await.json(), after.json());
    let media = "application/merge-patch+json";
    app.patch("/v1/incidents/INC-0001").bearer(&client).body(media, r#"{"title":"c"}"#).expect(200).await;
    let answer = patch(json!({"title": null, "description": null, "detected_date": null, "id": "x"}));
    let mut faults = answer.expect(422).await.faults();
    faults.sort();
    assert_eq!(
        faults,
        ["#/description required", "#/detected_date required", "#/id read_only", "#/title required"]
    );
}

#[testkit::both_engines]
async fn a_patch_is_checked_against_the_stored_dates(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    create(&app, &client, json!({"title": "a", "description": "", "occurred_date": "2020-01-02T00:00:00Z"}))
        .await;
    let body = json!({"contained_date": "2020-01-01T00:00:00Z"});
    let answer = app.patch("/v1/incidents/1").bearer(&client).json(body).expect(422).await;
    assert_eq!(answer.faults(), ["#/contained_date date_order"]);
    assert_eq!(answer.json()["errors"][0]["fields"], json!(["occurred_date", "contained_date"]));
}

#[testkit::both_engines]
async fn deleting_lists_the_ids_that_were_not_found(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for _ in 0..3 {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    let ids = json!([2, "INC-0001", 2, 42, -7, "INC-99", 0, 42, 9_223_372_036_854_775_807_i64]);
    let answer = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": ids})).expect(200).await;
    assert_eq!(
        answer.json(),
        &json!({"deleted_count": 2, "not_found": ["INC-0042", "-7", "INC-0099", "0", "INC-9223372036854775807"]})
    );
    let again = app.post("/v1/incidents/bulk-delete").bearer(&client).json(json!({"ids": [1.0, 3]}));
    assert_eq!(again.expect(200).await.json(), &json!({"deleted_count": 1, "not_found": ["INC-0001"]}));
    let none = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": []})).expect(200).await;
    assert_eq!(none.json(), &json!({"deleted_count": 0, "not_found": []}));
    app.get("/v1/incidents/1").bearer(&client).expect(404).await;
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "x"})).expect(404).await;
}

#[testkit::both_engines]
async fn wrong_ids_delete_nothing(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    app.post("/v1/incidents").bearer(&client).expect(201).await;
    let delete =
        |body: &str| app.delete("/v1/incidents").bearer(&client).body("application/json", body.to_owned());
    for (body, faults) in [
        (
            r#"{"ids":[1,"1","inc-1","INC-",null,1.5,true,9223372036854775808]}"#,
            vec![
                "#/ids/1 format",
                "#/ids/2 format",
                "#/ids/3 format",
                "#/ids/4 type",
                "#/ids/5 type",
                "#/ids/6 type",
                "#/ids/7 range",
            ],
        ),
        (r#"{"ids":null}"#, vec!["#/ids required"]),
        (r#"{"ids":1}"#, vec!["#/ids type"]),
        (r#"{}"#, vec!["#/ids required"]),
        (r#"[1]"#, vec!["# type"]),
        (r#"{"ids":[1],"force":true}"#, vec!["#/force unknown_field"]),
    ] {
        assert_eq!(delete(body).expect(422).await.faults(), faults, "{body}");
    }
    let many: Vec<i64> = (1..=10_001).collect();
    let answer = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": many})).expect(422).await;
    assert_eq!(answer.faults(), ["#/ids too_many"]);
    app.get("/v1/incidents/1").bearer(&client).expect(200).await;
    let most: Vec<i64> = (1..=10_000).collect();
    let answer = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": most})).expect(200).await;
    assert_eq!(answer.json()["deleted_count"], json!(1));
    assert_eq!(answer.json()["not_found"].as_array().unwrap().len(), 9_999);
}

#[testkit::both_engines]
async fn deleted_incidents_are_listed_and_restored(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for _ in 0..2 {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    let ids = |answer: testkit::Answer| -> Vec<String> {
        answer.json()["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(app.get("/v1/incidents").bearer(&client).expect(200).await), ["INC-0002"]);
    assert_eq!(
        ids(app.get("/v1/incidents?deleted=with").bearer(&client).expect(200).await),
        ["INC-0002", "INC-0001"]
    );
    let only = app.get("/v1/incidents?deleted=only").bearer(&client).expect(200).await;
    assert!(only.json()["data"][0]["deleted_date"].is_string());
    assert_eq!(ids(only), ["INC-0001"]);
    let reader = app.client_with_scopes("incidents:read").await;
    let answer = app.get("/v1/incidents?deleted=only").bearer(&reader).expect(403).await;
    assert_eq!(answer.text("scope"), "incidents:delete");
    let restored = app.post("/v1/incidents/restore").bearer(&client).json(json!({"ids": [1, "INC-0002", 9]}));
    assert_eq!(
        restored.expect(200).await.json(),
        &json!({"restored_count": 1, "not_found": ["INC-0002", "INC-0009"]})
    );
    app.get("/v1/incidents/1").bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn the_register_is_read_as_it_was(app: TestApp) {
    let client = app.client_with_scopes(&format!("{ALL} journal:read")).await;
    create(&app, &client, json!({"title": "before", "description": ""})).await;
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    app.db.clock.advance(jiff::SignedDuration::from_secs(60));
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "after"})).expect(200).await;
    app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    let then = app.get(&format!("/v1/incidents/1?as_of_seq={seq}")).bearer(&client).expect(200).await;
    assert_eq!((then.text("title"), &then.json()["as_of_seq"]), ("before", &seq));
    let path = format!("/v1/incidents?as_of={}&as_of_seq={seq}", then.text("as_of"));
    let list = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((list.text("/data/0/title"), &list.json()["as_of_seq"]), ("before", &seq));
    assert_eq!(list.json()["as_of"], then.json()["as_of"]);
    for (query, faults) in [
        ("as_of_seq=999999", ["as_of_seq range"]),
        ("as_of=9999-01-01T00:00:00Z", ["as_of range"]),
        ("as_of=2020-01-01", ["as_of format"]),
        ("as_of_seq=-1", ["as_of_seq range"]),
        ("deleted=yes", ["deleted enum"]),
    ] {
        let answer = app.get(&format!("/v1/incidents?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), faults, "{query}");
    }
}

#[testkit::both_engines]
async fn a_date_that_no_program_keeps_is_refused_with_the_limit(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let late = "must not be after 9999-12-30T22:00:00.999999Z, the latest date-time that is taken";
    let early = "must not be before 0000-01-01T00:00:00Z, the earliest date-time that is taken";
    for (at, limit) in [
        ("9999-12-31T23:59:59Z", late),
        ("9999-12-30T22:00:01Z", late),
        ("9999-12-30T23:59:60-00:30", late),
        ("0000-01-01T00:00:00+00:01", early),
    ] {
        let body = json!({"title": "a", "description": "", "occurred_date": at});
        let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
        assert_eq!(answer.faults(), ["#/occurred_date format"], "{at}");
        assert!(answer.text("/errors/0/detail").ends_with(&format!("{limit}.")), "{answer:?}");
        let query = at.replace('+', "%2B");
        for name in ["detected_from", "updated_since", "as_of"] {
            let answer = app.get(&format!("/v1/incidents?{name}={query}")).bearer(&client).expect(400).await;
            assert_eq!(answer.faults(), [format!("{name} format")], "{at}");
            assert!(answer.text("/errors/0/detail").contains(limit), "{answer:?}");
        }
    }
    // What is no date is no date, however late.
    for wrong in ["9999-12-32T00:00:00Z", "9999-12-31T24:00:00Z", "9999-12-31T00:00:00+99:00"] {
        let body = json!({"title": "a", "description": "", "occurred_date": wrong});
        let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
        assert!(answer.text("/errors/0/detail").contains("RFC 3339"), "{answer:?}");
    }
}

#[testkit::both_engines]
async fn incidents_are_listed_in_pages_latest_first(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for _ in 0..5 {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    let mut ids = Vec::new();
    let mut path = "/v1/incidents?limit=2".to_owned();
    loop {
        let page = app.get(&path).bearer(&client).expect(200).await;
        ids.extend(page.json()["data"].as_array().unwrap().iter().map(|it| it["id"].clone()));
        match page.json().get("next_cursor").and_then(Value::as_str) {
            Some(cursor) => path = format!("/v1/incidents?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(Value::from(ids), json!(["INC-0005", "INC-0004", "INC-0003", "INC-0002", "INC-0001"]));
    let other_filter = format!("{path}&deleted=with");
    assert_eq!(app.get(&other_filter).bearer(&client).expect(400).await.faults(), ["cursor cursor"]);
    for (query, faults) in [
        ("limit=0", vec!["limit range"]),
        ("limit=201", vec!["limit range"]),
        ("limit=x", vec!["limit format"]),
        ("limit=1&limit=2", vec!["limit repeated"]),
        ("limt=1&cursor=x", vec!["cursor cursor", "limt unknown"]),
    ] {
        let answer = app.get(&format!("/v1/incidents?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), faults, "{query}");
    }
}

#[testkit::both_engines]
async fn nothing_crosses_organizations(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    app.post("/v1/incidents").bearer(&client).expect(201).await;
    let other = app.client_of(app.db.organization("Other").await, ALL).await;
    app.get("/v1/incidents/1").bearer(&other).expect(404).await;
    app.patch("/v1/incidents/1").bearer(&other).json(json!({"title": "x"})).expect(404).await;
    let answer = app.delete("/v1/incidents").bearer(&other).json(json!({"ids": [1]})).expect(200).await;
    assert_eq!(answer.json(), &json!({"deleted_count": 0, "not_found": ["INC-0001"]}));
    assert_eq!(app.get("/v1/incidents").bearer(&other).expect(200).await.json()["data"], json!([]));
    app.get("/v1/incidents/1").bearer(&client).expect(200).await;
}
