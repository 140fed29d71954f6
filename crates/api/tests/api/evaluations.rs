//! `POST /v1/evaluations`: many evaluations at once, by the rules of one.

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::bulk::{assert_sound, seq};
use crate::api::undo::{outcomes as undone, request_id, undo};

const ALL: &str = "risks:read risks:write risks:delete journal:read";

async fn add(app: &TestApp, client: &TestClient, count: usize) {
    for number in 1..=count {
        let body = json!({"title": format!("Risk {number}"), "description": "",
            "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}});
        app.post("/v1/risks").bearer(client).json(body).expect(201).await;
    }
}

async fn send(app: &TestApp, client: &TestClient, body: &Value, status: u16) -> Answer {
    app.post("/v1/evaluations").bearer(client).json(body.clone()).expect(status).await
}

fn row(risk: &str, likelihood: i64, impact: i64) -> Value {
    json!({"risk": risk, "likelihood": likelihood, "impact": impact})
}

/// The risk, the outcome and the number of each row, with the code and the pointer of its problem.
fn results(answer: &Answer) -> Vec<Value> {
    let result = |it: &Value| {
        let problem = &it["problem"];
        json!([it["risk"], it["outcome"], it["number"], problem["code"], problem["errors"][0]["pointer"]])
    };
    answer.json()["results"].as_array().unwrap().iter().map(result).collect()
}

#[both_engines]
async fn each_row_is_recorded_or_refused_by_the_rules_of_one(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 3).await;
    app.delete("/v1/risks/RSK-3").bearer(&client).expect(204).await;
    let wrong = |number: i64| {
        json!({"risk": "rsk-1", "likelihood": 2, "impact": 3, "supersedes": number,
        "note": "Mistyped."})
    };
    let rows =
        json!([row("RSK-2", 3, 4), row("RSK-1", 5, 5), wrong(1), wrong(1), row("RSK-3", 1, 1), wrong(9)]);
    let before = seq(&app, &client).await;
    let dry = send(&app, &client, &json!({"evaluations": rows, "dry_run": true}), 200).await;
    assert_eq!(seq(&app, &client).await, before);
    let answer = send(&app, &client, &json!({"evaluations": rows}), 200).await;
    assert_eq!(answer.json(), dry.json());
    let expected = [
        json!(["RSK-2", "created", 1, null, null]),
        json!(["RSK-1", "created", 1, null, null]),
        json!(["RSK-1", "created", 2, null, null]),
        json!(["RSK-1", "failed", null, "already_superseded", null]),
        json!(["RSK-3", "failed", null, "not_found", null]),
        json!(["RSK-1", "failed", null, "validation_failed", "#/evaluations/5/supersedes"]),
    ];
    assert_eq!(results(&answer), expected);
    assert_eq!((&answer.json()["created_count"], &answer.json()["failed_count"]), (&json!(3), &json!(3)));
    assert_eq!(seq(&app, &client).await, before + 3, "an entry for each");
    let second = app.get("/v1/risks/RSK-1/evaluations/2").bearer(&client).expect(200).await;
    assert_eq!((second.text("note"), &second.json()["supersedes"]), ("Mistyped.", &json!(1)));
    assert_eq!(undone(&undo(&app, &client, request_id(&answer)).await).0, 0, "evaluations stay");
    assert_sound(&app).await;
}

#[both_engines]
async fn faults_of_the_body_refuse_all_rows_at_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 1).await;
    let before = seq(&app, &client).await;
    let rows = json!([row("RSK-1", 1, 1), row("RSK-1", 11, 0), {"risk": "x"}]);
    let refused = send(&app, &client, &json!({"evaluations": rows, "dry": true}), 422).await;
    let expected = [
        "#/evaluations/1/likelihood range",
        "#/evaluations/1/impact range",
        "#/evaluations/2/risk format",
        "#/evaluations/2/likelihood required",
        "#/evaluations/2/impact required",
        "#/dry unknown_field",
    ];
    assert_eq!(refused.faults(), expected);
    let many = vec![row("RSK-1", 1, 1); 10_001];
    send(&app, &client, &json!({"evaluations": many}), 422).await;
    let refused = send(
        &app,
        &client,
        &json!({"evaluations": [row("RSK-1", 1, 1), row("RSK-9", 1, 1)], "atomic": true}),
        409,
    )
    .await;
    assert_eq!((refused.text("code"), &refused.json()["failed"][0]["id"]), ("bulk_failed", &json!("RSK-9")));
    let none = send(&app, &client, &json!({"evaluations": []}), 200).await;
    assert_eq!((&none.json()["created_count"], seq(&app, &client).await), (&json!(0), before));
    let reader = app.client_with_scopes("risks:read").await;
    send(&app, &reader, &json!({"evaluations": []}), 403).await;
}

#[both_engines]
async fn ten_thousand_rows_are_recorded_once_by_key(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    add(&app, &client, 100).await;
    let rows: Vec<_> =
        (0..10_000).map(|at| row(&format!("RSK-{}", at % 100 + 1), at / 100 % 5 + 1, 2)).collect();
    let body = json!({"evaluations": rows});
    let before = seq(&app, &client).await;
    let ask = || app.post("/v1/evaluations").bearer(&client).idempotency_key("week-9").json(body.clone());
    let answer = ask().expect(200).await;
    assert_eq!(
        (&answer.json()["created_count"], &answer.json()["failed_count"]),
        (&json!(10_000), &json!(0))
    );
    let again = ask().expect(200).await;
    assert_eq!((again.header("idempotent-replayed"), again.json()), (Some("true"), answer.json()));
    assert_eq!(seq(&app, &client).await, before + 10_000);
    let risk = app.get("/v1/risks/RSK-100").bearer(&client).expect(200).await;
    assert_eq!(
        (&risk.json()["current"]["evaluation"], &risk.json()["current"]["likelihood"]),
        (&json!(100), &json!(5))
    );
    assert_sound(&app).await;
}
