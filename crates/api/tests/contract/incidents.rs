//! Decisions about incidents.

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::contract::incident;

#[testkit::both_engines]
async fn numbers_count_per_organization_from_1_and_are_never_reused(app: TestApp) {
    let (client, other) = (app.client().await, app.db.organization("Other").await);
    let other = app.client_of(other, "incidents:write").await;
    assert_eq!(incident(&app, &client, Value::Null).await["id"], "INC-0001");
    assert_eq!(incident(&app, &client, Value::Null).await["id"], "INC-0002");
    assert_eq!(incident(&app, &other, Value::Null).await["id"], "INC-0001");
    app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [2]})).expect(200).await;
    // A refused creation does not use up a number either.
    app.post("/v1/incidents").bearer(&client).json(json!({"title": ""})).expect(422).await;
    let body =
        json!({"title": "a", "description": "", "assigned_to": "0190163d-8694-739b-aea5-966c26f8ad91"});
    app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
    assert_eq!(incident(&app, &client, Value::Null).await["id"], "INC-0003");
}

#[testkit::both_engines]
async fn a_body_of_null_or_none_is_declare_now_describe_later(app: TestApp) {
    let client = app.client().await;
    let none = app.post("/v1/incidents").bearer(&client).expect(201).await;
    let empty = app.post("/v1/incidents").bearer(&client).body("application/json", "").expect(201).await;
    for it in [none.json(), empty.json(), &incident(&app, &client, Value::Null).await] {
        assert_eq!((&it["title"], &it["description"]), (&json!("Untitled incident"), &json!("")));
        assert_eq!(it["created_date"], it["updated_date"]);
        assert_eq!(it["created_date"], it["detected_date"]);
        assert_eq!(it["status"], "new");
    }
    let answer = app.post("/v1/incidents").bearer(&client).json(json!({})).expect(422).await;
    assert_eq!(answer.faults(), ["#/title required", "#/description required"]);
}

#[testkit::both_engines]
async fn a_title_has_200_characters_and_a_description_64_kib(app: TestApp) {
    let client = app.client().await;
    let post = |title: String, description: String| {
        app.post("/v1/incidents").bearer(&client).json(json!({"title": title, "description": description}))
    };
    post("é".repeat(200), "x".repeat(65_536)).expect(201).await;
    let answer = post("é".repeat(201), "x".repeat(65_537)).expect(422).await;
    assert_eq!(answer.faults(), ["#/title too_long", "#/description too_long"]);
    for blank in ["", " ", "\u{a0}\t\n", "\u{3000}"] {
        assert_eq!(
            post(blank.to_owned(), String::new()).expect(422).await.faults(),
            ["#/title blank"],
            "{blank:?}"
        );
    }
}

#[testkit::both_engines]
async fn detected_date_defaults_to_now_or_to_a_later_occurred_date(app: TestApp) {
    let client = app.client().await;
    let declare = |occurred: &str| json!({"title": "a", "description": "", "occurred_date": occurred});
    let past = incident(&app, &client, declare("2026-03-01T08:00:00Z")).await;
    assert_eq!(past["detected_date"], past["created_date"]);
    let ahead = incident(&app, &client, declare("2026-03-01T09:04:00Z")).await;
    assert_eq!(ahead["detected_date"], "2026-03-01T09:04:00.000000Z");
    for date in ["occurred_date", "detected_date", "responded_date", "contained_date"] {
        let at_most = json!({"title": "a", "description": "", date: "2026-03-01T09:05:00Z"});
        incident(&app, &client, at_most).await;
        let too_late = json!({"title": "a", "description": "", date: "2026-03-01T09:05:01Z"});
        let answer = app.post("/v1/incidents").bearer(&client).json(too_late).expect(422).await;
        assert_eq!(answer.faults(), [format!("#/{date} date_in_future")]);
    }
}

#[testkit::both_engines]
async fn assigned_to_is_a_member_and_opened_by_the_caller(app: TestApp) {
    let client = app.client().await;
    let ada = app.user("Ada", "ada@x.org", Role::Viewer).await.to_string();
    let body = |user: &str| json!({"title": "a", "description": "", "assigned_to": user});
    let it = incident(&app, &client, body(&ada)).await;
    assert_eq!(it["assigned_to"], json!({"id": ada, "name": "Ada", "email": "ada@x.org"}));
    assert_eq!(it["opened_by"], json!({"type": "client", "id": client.id, "name": "Probe"}));
    let upper = incident(&app, &client, body(&ada.to_uppercase())).await;
    assert_eq!(upper["assigned_to"]["id"], json!(ada));
    let unknown_person = body("0190163d-8694-739b-aea5-966c26f8ad91");
    let answer = app.post("/v1/incidents").bearer(&client).json(unknown_person).expect(422).await;
    assert_eq!(answer.faults(), ["#/assigned_to unknown_user"]);
    // A fault that only the register shows is reported when the body has no other faults.
    let answer = app.post("/v1/incidents").bearer(&client).json(body("Ada")).expect(422).await;
    assert_eq!(answer.faults(), ["#/assigned_to format"]);
}

#[testkit::both_engines]
async fn dates_are_checked_against_each_other(app: TestApp) {
    let client = app.client().await;
    let (early, late) = ("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z");
    let with = |first: &str, second: &str| {
        let mut body = json!({"title": "a", "description": "", "detected_date": late});
        body[first] = json!(early);
        body[second] = json!(late);
        app.post("/v1/incidents").bearer(&client).json(body)
    };
    for (before, after) in [("detected_date", "occurred_date"), ("contained_date", "occurred_date")] {
        let answer = with(before, after).expect(422).await;
        assert_eq!(answer.faults(), [format!("#/{before} date_order")]);
        let fault = &answer.json()["errors"][0];
        assert_eq!(fault["fields"], json!(["occurred_date", before]));
        for date in ["2026-02-01T00:00:00", "2026-02-02T00:00:00"] {
            assert!(fault["detail"].as_str().unwrap().contains(date), "{fault}");
        }
    }
    for (before, after, code) in [
        ("responded_date", "occurred_date", "responded_before_occurred"),
        ("responded_date", "detected_date", "responded_before_detected"),
        ("contained_date", "detected_date", "contained_before_detected"),
        ("contained_date", "responded_date", "contained_before_responded"),
    ] {
        let it = with(before, after).expect(201).await;
        let warnings = it.json()["warnings"].as_array().unwrap().clone();
        assert!(warnings.iter().any(|warning| warning["code"] == code), "{code}: {warnings:?}");
    }
}

#[testkit::both_engines]
async fn ids_may_be_any_int64_and_count_once_in_the_order_given(app: TestApp) {
    let client = app.client().await;
    for _ in 0..2 {
        incident(&app, &client, Value::Null).await;
    }
    let delete = |body: String| app.delete("/v1/incidents").bearer(&client).body("application/json", body);
    let ids = r#"{"ids":[9223372036854775807,-9223372036854775808,0,42,42,"INC-42",2,"INC-0002",2.0,"INC-000043"]}"#;
    let answer = delete(ids.to_owned()).expect(200).await;
    assert_eq!(
        answer.json(),
        &json!({"deleted_count": 1, "not_found":
            ["INC-9223372036854775807", "-9223372036854775808", "0", "INC-0042", "INC-0043"]})
    );
    for (outside, fault) in [
        ("9223372036854775808", "range"),
        ("-9223372036854775809", "range"),
        ("1e300", "range"),
        ("1.5", "type"),
        ("\"42\"", "format"),
        ("\"INC-\"", "format"),
        ("\"INC-1x\"", "format"),
        ("\"INC-+1\"", "format"),
        ("\"INC-99999999999999999999\"", "range"),
        ("true", "type"),
        ("null", "type"),
        ("[1]", "type"),
    ] {
        let answer = delete(format!("{{\"ids\":[1,{outside}]}}")).expect(422).await;
        let faults = answer.faults();
        let is_told = faults == [format!("#/ids/1 {fault}")] || faults == ["#/ids/1 format"];
        assert!(is_told, "{outside}: {faults:?}");
    }
    assert_eq!(
        delete(r#"{"ids":[]}"#.to_owned()).expect(200).await.json(),
        &json!({"deleted_count": 0, "not_found": []})
    );
    app.get("/v1/incidents/1").bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn ten_thousand_ids_are_taken_and_one_more_deletes_nothing(app: TestApp) {
    let client = app.client().await;
    incident(&app, &client, Value::Null).await;
    for (path, before) in [("/v1/incidents/bulk-delete", 200), ("/v1/incidents/restore", 404)] {
        let many: Vec<i64> = (1..=10_001).collect();
        let answer = app.post(path).bearer(&client).json(json!({"ids": many})).expect(422).await;
        assert_eq!(answer.faults(), ["#/ids too_many"]);
        app.get("/v1/incidents/1").bearer(&client).expect(before).await;
        let most: Vec<i64> = (1..=10_000).collect();
        let answer = app.post(path).bearer(&client).json(json!({"ids": most})).expect(200).await;
        assert_eq!(answer.json()["not_found"].as_array().unwrap().len(), 9_999, "{path}");
    }
}

#[testkit::both_engines]
async fn a_deleted_incident_is_gone_from_the_present_and_not_from_the_past(app: TestApp) {
    let client = app.client().await;
    incident(&app, &client, Value::Null).await;
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();
    app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    app.get("/v1/incidents/1").bearer(&client).expect(404).await;
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "b"})).expect(404).await;
    let again = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    assert_eq!(again.json(), &json!({"deleted_count": 0, "not_found": ["INC-0001"]}));
    let rows = async |query: &str| {
        let list = app.get(&format!("/v1/incidents{query}")).bearer(&client).expect(200).await;
        list.json()["data"].as_array().unwrap().len()
    };
    assert_eq!(rows("").await, 0);
    assert_eq!(rows(&format!("?as_of_seq={seq}")).await, 1);
    assert_eq!((rows("?deleted=only").await, rows("?deleted=with").await), (1, 1));
    app.get(&format!("/v1/incidents/1?as_of_seq={seq}")).bearer(&client).expect(200).await;
    let reader = app.client_with_scopes("incidents:read").await;
    for query in ["deleted=only", "deleted=with"] {
        let answer = app.get(&format!("/v1/incidents?{query}")).bearer(&reader).expect(403).await;
        assert_eq!(answer.text("scope"), "incidents:delete");
    }
    let answer =
        app.post("/v1/incidents/restore").bearer(&client).json(json!({"ids": ["INC-1"]})).expect(200).await;
    assert_eq!(answer.json(), &json!({"restored_count": 1, "not_found": []}));
    app.get("/v1/incidents/1").bearer(&client).expect(200).await;
}
