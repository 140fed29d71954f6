//! What changed between the ends of two days, and what was decided.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

fn rating(likelihood: i64, impact: i64) -> Value {
    json!({"likelihood": likelihood, "impact": impact})
}

/// Risks on 1 March 2026, changed at 23:30 UTC of 2 March, which is the next day in Berlin. Returns a later token.
async fn history(app: &TestApp) -> TestClient {
    let client = app.client().await;
    let zone = format!("/v1/organizations/{}", app.organization);
    app.patch(&zone).bearer(&client).json(json!({"time_zone": "Europe/Berlin"})).expect(200).await;
    for title in ["Fire", "Flood"] {
        let risk = json!({"title": title, "inherent": rating(4, 5), "target": rating(2, 3)});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    let evaluations = "/v1/risks/RSK-1/evaluations";
    app.post(evaluations).bearer(&client).json(rating(3, 3)).expect(201).await;
    app.db.clock.set("2026-03-02T23:30:00Z");
    let client = again(app, &client).await;
    let worse = json!({"likelihood": 4, "impact": 4, "note": "The site was sold."});
    app.post(evaluations).bearer(&client).json(worse).expect(201).await;
    let closed = json!({"status": "closed", "status_reason": "Moved uphill.", "treatment": "avoid"});
    app.patch("/v1/risks/RSK-2").bearer(&client).json(closed).expect(200).await;
    app.patch("/v1/risks/RSK-1").bearer(&client).json(json!({"target": null})).expect(200).await;
    app.db.clock.set("2026-03-10T12:00:00Z");
    again(app, &client).await
}

async fn again(app: &TestApp, client: &TestClient) -> TestClient {
    let token = app.sign_in(&client.id, &client.secret).await;
    TestClient { token, ..client.clone() }
}

async fn changes(app: &TestApp, client: &TestClient, query: &str) -> Value {
    app.get(&format!("/v1/risks/changes?{query}")).bearer(client).expect(200).await.json().clone()
}

/// Kind, risk and reason of each.
fn told(list: &Value) -> Vec<Value> {
    let row = |it: &Value| json!([it["kind"], it["risk"]["id"], it["reason"]]);
    list["data"].as_array().unwrap().iter().map(row).collect()
}

#[testkit::both_engines]
async fn a_day_ends_in_the_time_zone_of_the_organization(app: TestApp) {
    let client = history(&app).await;
    let all = [
        json!(["worse", "RSK-1", "The site was sold."]),
        json!(["closed", "RSK-2", "Moved uphill."]),
        json!(["target_moved", "RSK-1", null]),
        json!(["treatment_changed", "RSK-2", null]),
    ];
    let on_the_third = changes(&app, &client, "from=2026-03-02&to=2026-03-03").await;
    assert_eq!((told(&on_the_third), &on_the_third["time_zone"]), (all.to_vec(), &json!("Europe/Berlin")));
    assert_eq!(told(&changes(&app, &client, "from=2026-03-01&to=2026-03-02").await), [] as [Value; 0]);
    assert_eq!(told(&changes(&app, &client, "from=2026-03-01").await), all, "until now");
    let new = changes(&app, &client, "").await;
    assert_eq!(told(&new)[0], json!(["new", "RSK-1", null]), "three months back nothing was there");

    let worse = &on_the_third["data"][0];
    assert_eq!((&worse["before"]["band"], &worse["after"]["score"]), (&json!("Medium"), &json!(16)));
    assert_eq!(
        (&worse["at"], &worse["by"]["type"]),
        (&json!("2026-03-02T23:30:00.000000Z"), &json!("client"))
    );
    let target = &on_the_third["data"][2];
    assert_eq!((&target["before"]["score"], &target["after"]), (&json!(6), &Value::Null));
    let treatment = &on_the_third["data"][3];
    assert_eq!(
        (&treatment["treatment_before"], &treatment["treatment_after"]),
        (&json!("undecided"), &json!("avoid"))
    );

    let (mut found, mut cursor) = (Vec::new(), String::new());
    for _ in 0..all.len() {
        let page =
            changes(&app, &client, &format!("from=2026-03-01&limit=1&include_total=true{cursor}")).await;
        assert_eq!((page["data"].as_array().unwrap().len(), &page["total"]), (1, &json!(4)));
        found.extend(told(&page));
        cursor = page["next_cursor"].as_str().map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
    }
    assert_eq!((found, cursor), (all.to_vec(), String::new()));
    let some = changes(&app, &client, "from=2026-03-01&kind=closed&kind=target_moved").await;
    assert_eq!(told(&some), all[1..3]);
}

#[testkit::both_engines]
async fn days_that_are_none_or_in_the_wrong_order_are_refused(app: TestApp) {
    let client = app.client_with_scopes("risks:read").await;
    for (query, faults) in [
        ("from=2026-03-02", "from range"),
        ("to=2026-03-02", "to range"),
        ("from=2026-03-01&to=2026-02-28", "to range"),
        ("to=2026-02-30", "to format"),
        ("from=yesterday", "from format"),
        ("kind=worst", "kind enum"),
        ("at=2026-03-01", "at unknown"),
    ] {
        for path in ["changes", "report"] {
            if path == "report" && query.starts_with("kind") {
                continue;
            }
            let refused = app.get(&format!("/v1/risks/{path}?{query}")).bearer(&client).expect(400).await;
            assert_eq!(refused.faults(), [faults], "{path} {query}");
        }
    }
    app.get("/v1/risks/changes?from=2026-03-01&to=2026-03-01").bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn the_report_says_its_day_and_has_the_changes_in_each_form(app: TestApp) {
    let client = history(&app).await;
    let days = "from=2026-03-01&to=2026-03-09";
    let report =
        app.get(&format!("/v1/risks/report?{days}")).bearer(&client).expect(200).await.json().clone();
    assert_eq!((&report["to"]["day"], &report["from"]["day"]), (&json!("2026-03-09"), &json!("2026-03-01")));
    assert_eq!((&report["open"], &report["changes_total"]), (&json!(1), &json!(4)));
    assert_eq!(report["changes"], changes(&app, &client, days).await["data"]);
    assert_eq!(report["bands"][0], json!({"band": "Critical", "count": 1}));
    assert_eq!(report["trends"], json!([{"risk": "RSK-1", "trend": "Worse"}]));
    assert_eq!(report["performance"]["total_risks_evaluated"], 0, "the only risk has lost its target");
    let cells = |basis: usize| {
        let cells = report["heat_maps"][basis]["cells"].as_array().unwrap().iter();
        cells.filter(|cell| cell["count"] != 0).map(|cell| cell["score"].clone()).collect::<Vec<_>>()
    };
    assert_eq!([cells(0), cells(1), cells(2)], [vec![json!(20)], vec![json!(16)], vec![]]);
    assert_eq!(
        report["summary"],
        json!([
            "1 risk open: 1 Critical, 0 High, 0 Medium, 0 Low.",
            "Since the end of 2026-03-01: 1 worse, 1 closed, 1 target moved, 1 treatment changed.",
            "No risk with a target was evaluated in the 90 days before.",
        ])
    );
    let earlier = app.get("/v1/risks/report?from=2026-03-01&to=2026-03-02").bearer(&client).expect(200).await;
    assert_eq!(
        (&earlier.json()["open"], &earlier.json()["trends"][0]["trend"]),
        (&json!(2), &json!("Unchanged"))
    );

    let file = app.get(&format!("/v1/risks/report?format=docx&{days}")).bearer(&client).expect(200).await;
    let name = "attachment; filename=\"risks-2026-03-09.docx\"";
    assert_eq!(file.header("content-disposition"), Some(name));
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    let stands_for = format!("2026-03-09 (Europe/Berlin), audit log entry {}", report["to"]["seq"]);
    for words in [stands_for.as_str(), "9 Medium → 16 Critical", "The site was sold.", "Undecided → Avoid"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let again = app.get(&format!("/v1/risks/report?format=docx&{days}")).bearer(&client).expect(200).await;
    assert_eq!(again.bytes, file.bytes, "the same days, the same report");
    let file = app.get(&format!("/v1/risks/report?format=xlsx&{days}")).bearer(&client).expect(200).await;
    assert!(file.bytes.starts_with(b"PK"));
    let status = if render::PRINTS_PDF { 200 } else { 400 };
    let file = app.get(&format!("/v1/risks/report?format=pdf&{days}")).bearer(&client).expect(status).await;
    assert_eq!(file.bytes.starts_with(b"%PDF"), render::PRINTS_PDF);
}

#[testkit::both_engines]
async fn a_printed_report_has_more_changes_than_the_json(app: TestApp) {
    let client = app.client().await;
    let risk = json!({"title": "Fire", "inherent": rating(4, 5)});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    for number in 0..201 {
        let treatment = json!({"treatment": if number % 2 == 0 { "accept" } else { "avoid" }});
        app.patch("/v1/risks/RSK-1").bearer(&client).json(treatment).expect(200).await;
    }
    let report = app.get("/v1/risks/report").bearer(&client).expect(200).await.json().clone();
    let listed = report["changes"].as_array().unwrap().len();
    assert_eq!((listed, &report["changes_total"]), (200, &json!(202)), "the new risk, and its treatments");
    let file = app.get("/v1/risks/report?format=docx").bearer(&client).expect(200).await;
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    assert_eq!(text.matches("Treatment changed").count(), 201, "{text}");
}
