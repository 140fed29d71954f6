//! Cadences of risks: evaluations and reviews that are due, and the lists of them.

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

/// Registers a risk; returns the token of an admin.
async fn with_risk(app: &TestApp) -> String {
    let client = app.person("Ada", Role::Admin).await.token;
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5},
        "target": {"likelihood": 2, "impact": 4}, "evaluate_every_days": 7, "review_every_days": 30});
    app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    client
}

/// So many days later: the token of a new session.
async fn later(app: &TestApp, days: i64) -> String {
    app.db.clock.advance_days(days);
    app.sign_in_person(app.organization, "ada@x.org", "the password of Ada").await
}

async fn ids(app: &TestApp, client: &str, query: &str) -> Vec<String> {
    let list = app.get(&format!("/v1/risks?{query}")).bearer(client).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn days(risk: &Value) -> [&str; 2] {
    ["next_evaluation_date", "next_review_date"].map(|name| risk[name].as_str().unwrap())
}

#[testkit::both_engines]
async fn a_review_moves_the_next_review_and_an_evaluation_the_next_evaluation(app: TestApp) {
    let client = with_risk(&app).await;
    let risk = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(days(risk.json()), ["2026-03-08", "2026-03-31"]);
    let client = later(&app, 10).await;
    let reviews = "/v1/risks/RSK-1/reviews";
    let made = app.post(reviews).bearer(&client).json(json!({"note": "The plan holds."})).expect(201).await;
    assert_eq!((&made.json()["number"], made.text("note")), (&json!(1), "The plan holds."));
    let risk = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!((days(risk.json()), &risk.json()["version"]), (["2026-03-08", "2026-04-10"], &json!(2)));
    let rating = json!({"likelihood": 3, "impact": 3});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating).expect(201).await;
    let risk = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(days(risk.json()), ["2026-03-18", "2026-04-10"]);
    let list = app.get(reviews).bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"], json!([made.json()]));
    let past = app.get("/v1/risks/RSK-1?as_of=2026-03-02T00:00:00Z").bearer(&client).expect(200).await;
    assert_eq!(days(past.json()), ["2026-03-08", "2026-03-31"]);
    let moved = json!({"next_review_date": "2027-01-01"});
    let refused = app.patch("/v1/risks/RSK-1").bearer(&client).json(moved).expect(422).await;
    assert_eq!(refused.faults(), ["#/next_review_date read_only"]);
    let wrong = json!({"evaluate_every_days": 0, "review_every_days": 3651, "next_review_date": "soon"});
    let refused = app.patch("/v1/risks/RSK-1").bearer(&client).json(wrong).expect(422).await;
    assert_eq!(
        refused.faults(),
        ["#/evaluate_every_days range", "#/review_every_days range", "#/next_review_date format"]
    );
}

#[testkit::both_engines]
async fn what_is_overdue_is_listed_counted_and_sorted(app: TestApp) {
    let client = with_risk(&app).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let body =
        json!({"title": "Fire", "inherent": rating, "target": rating, "next_review_date": "2026-03-20"});
    app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    assert_eq!(ids(&app, &client, "sort=next_review_date").await, ["RSK-2", "RSK-1"]);
    assert_eq!(ids(&app, &client, "evaluation=never").await, ["RSK-2", "RSK-1"]);
    assert_eq!(ids(&app, &client, "review=overdue").await, [""; 0]);
    let client = later(&app, 20).await;
    assert_eq!(ids(&app, &client, "review=overdue").await, ["RSK-2"]);
    assert_eq!(ids(&app, &client, "review=overdue&review=due_30").await, ["RSK-2", "RSK-1"]);
    assert_eq!(ids(&app, &client, "evaluation=overdue").await, ["RSK-1"]);
    assert_eq!(ids(&app, &client, "evaluation=overdue&review=overdue").await, [""; 0]);
    let facets = app.get("/v1/risks/facets?review=overdue").bearer(&client).expect(200).await;
    let counts = |name: &str| {
        let counts = facets.json()["facets"][name].as_array().unwrap().clone();
        counts.iter().map(|it| (it["value"].clone(), it["count"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(counts("review"), [(json!("overdue"), json!(1)), (json!("due_30"), json!(1))]);
    assert_eq!(counts("evaluation"), [(json!("never"), json!(1))]);
    let closed = json!({"status": "closed", "status_reason": "Filled in."});
    app.patch("/v1/risks/RSK-2").bearer(&client).json(closed).expect(200).await;
    assert_eq!(ids(&app, &client, "review=overdue").await, [""; 0], "a closed one is never overdue");
    let bulk =
        json!({"filter": {"evaluation": "overdue"}, "operation": {"type": "update", "category": "late"}});
    app.post("/v1/risks/bulk").bearer(&client).json(bulk).expect(200).await;
    assert_eq!(ids(&app, &client, "category=late").await, ["RSK-1"]);
    app.get("/v1/risks?review=scheduled").bearer(&client).expect(400).await;
}

#[testkit::both_engines]
async fn a_closed_risk_is_evaluated_after_it_is_reopened(app: TestApp) {
    let client = with_risk(&app).await;
    let patch =
        async |client: &str, body: Value| app.patch("/v1/risks/RSK-1").bearer(client).json(body).await;
    let evaluate = async |client: &str, body: Value, status: u16| {
        app.post("/v1/risks/RSK-1/evaluations").bearer(client).json(body).expect(status).await
    };
    let rating = json!({"likelihood": 3, "impact": 3});
    evaluate(&client, rating.clone(), 201).await;
    let closed = patch(&client, json!({"status": "closed", "status_reason": "Filled in."})).await;
    assert_eq!((closed.text("status"), &closed.json()["next_evaluation_date"]), ("closed", &Value::Null));
    assert_eq!(evaluate(&client, rating.clone(), 409).await.text("code"), "risk_closed");
    let review = app.post("/v1/risks/RSK-1/reviews").bearer(&client).json(json!({}));
    assert_eq!(review.expect(409).await.text("code"), "risk_closed");
    evaluate(&client, json!({"likelihood": 3, "impact": 4, "supersedes": 1}), 201).await;
    let client = later(&app, 1).await;
    let open = patch(&client, json!({"status": "open", "status_reason": "It came back."})).await;
    assert_eq!(
        (open.text("status_reason"), open.text("next_evaluation_date")),
        ("It came back.", "2026-03-02")
    );
    evaluate(&client, rating, 201).await;
    let open = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(open.text("next_evaluation_date"), "2026-03-09");
}

#[testkit::both_engines]
async fn many_risks_are_reopened_by_the_same_rules(app: TestApp) {
    let client = with_risk(&app).await;
    let bulk = async |client: &str, status: Value| {
        let body = json!({"ids": [1], "operation": status});
        let answer = app.post("/v1/risks/bulk").bearer(client).json(body).expect(200).await;
        answer.text("/results/0/outcome").to_owned()
    };
    let to =
        |status: &str, reason: Value| json!({"type": "update", "status": status, "status_reason": reason});
    assert_eq!(bulk(&client, to("closed", json!("Gone."))).await, "changed");
    assert_eq!(bulk(&client, json!({"type": "update", "status": "open"})).await, "failed");
    let client = later(&app, 2).await;
    assert_eq!(bulk(&client, to("open", json!("Back."))).await, "changed");
    let open = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(open.text("next_evaluation_date"), "2026-03-03");
    assert_eq!(bulk(&client, json!({"type": "update", "review_every_days": null})).await, "changed");
}
