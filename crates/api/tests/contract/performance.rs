//! Decisions about GET /v1/organizations/{id}/risk-performance.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

use crate::contract::risk;

async fn evaluate(app: &TestApp, client: &TestClient, risk: &str, body: Value) -> Value {
    let path = format!("/v1/risks/{risk}/evaluations");
    app.post(&path).bearer(client).json(body).expect(201).await.json().clone()
}

/// The number of evaluated risks and their average performance.
async fn figure(app: &TestApp, client: &TestClient, query: &str) -> (i64, i64) {
    let path = format!("/v1/organizations/{}/risk-performance{query}", app.organization);
    let answer = app.get(&path).bearer(client).expect(200).await;
    let number = |name: &str| answer.json()[name].as_i64().unwrap();
    (number("total_risks_evaluated"), number("average_performance_percentage"))
}

#[testkit::both_engines]
async fn performance_is_the_share_of_the_planned_reduction(app: TestApp) {
    let client = app.client().await;
    // Inherent is 20: target score, likelihood, impact, basis points.
    for (target, likelihood, impact, expected) in [
        ((2, 3), 3, 4, 5714), // (20 - 12) / 14 = 0.571428…
        ((2, 3), 4, 5, 0),
        ((2, 3), 5, 5, 0), // worse than inherent is held at 0
        ((2, 3), 2, 3, 10_000),
        ((2, 3), 1, 1, 10_000), // better than the target is held at 1
        ((1, 4), 4, 4, 2_500),
        ((1, 2), 3, 5, 2_778),  // 5 / 18 = 0.27777… rounds up
        ((4, 5), 4, 5, 10_000), // nothing planned and nothing lost
        ((4, 5), 5, 5, 0),
    ] {
        let risk = risk(&app, &client, json!({"likelihood": target.0, "impact": target.1})).await;
        let it = evaluate(&app, &client, &risk, json!({"likelihood": likelihood, "impact": impact})).await;
        assert_eq!(it["performance_basis_points"], json!(expected), "{target:?} {likelihood} {impact}");
        assert_eq!((&it["inherent_score"], &it["target_score"]), (&json!(20), &json!(target.0 * target.1)));
    }
}

#[testkit::both_engines]
async fn a_later_change_of_the_plan_does_not_rewrite_history(app: TestApp) {
    let client = app.client().await;
    let risk = risk(&app, &client, json!({"likelihood": 2, "impact": 3})).await;
    evaluate(&app, &client, &risk, json!({"likelihood": 3, "impact": 4})).await;
    let body = json!({"target": {"likelihood": 1, "impact": 1}});
    app.patch(&format!("/v1/risks/{risk}")).bearer(&client).json(body).expect(200).await;
    let read = app.get(&format!("/v1/risks/{risk}/evaluations/1")).bearer(&client).expect(200).await;
    assert_eq!(read.json()["performance_basis_points"], json!(5714));
    assert_eq!(figure(&app, &client, "").await, (1, 57));
    // The plan in force at the time of recording counts, even for a past date.
    let past = json!({"likelihood": 3, "impact": 4, "evaluated_at": "2026-01-01T00:00:00Z"});
    let past = evaluate(&app, &client, &risk, past).await;
    assert_eq!((&past["target_score"], &past["performance_basis_points"]), (&json!(1), &json!(4211)));
    assert_eq!(figure(&app, &client, "").await, (1, 57), "the latest by evaluated_at is another");
}

#[testkit::both_engines]
async fn the_latest_evaluation_counts_if_it_lies_in_the_period(app: TestApp) {
    let client = app.client().await;
    let at = |risk: String, time: &'static str, impact: i64| {
        let (app, client) = (&app, &client);
        async move {
            let body = json!({"likelihood": 4, "impact": impact, "evaluated_at": time});
            evaluate(app, client, &risk, body).await
        }
    };
    let target = json!({"likelihood": 1, "impact": 4}); // 20 -> 4
    let (one, two) = (risk(&app, &client, target.clone()).await, risk(&app, &client, target.clone()).await);
    assert_eq!(figure(&app, &client, "").await, (0, 0), "never evaluated");
    // The clock stands at 2026-03-01T09:00:00Z; the write's own time is a few microseconds later.
    at(one.clone(), "2026-02-01T00:00:00Z", 4).await; // 2500
    at(one.clone(), "2026-02-01T00:00:00Z", 3).await; // 5000: the higher number of the same moment
    at(one.clone(), "2026-01-31T00:00:00Z", 1).await; // earlier, does not count
    at(two.clone(), "2026-02-28T08:00:00Z", 1).await; // 10000, 25 hours ago
    assert_eq!(figure(&app, &client, "?period_days=90").await, (2, 75));
    assert_eq!(figure(&app, &client, "?period_days=2").await, (1, 100));
    assert_eq!(figure(&app, &client, "?period_days=1").await, (0, 0));
    // Superseded evaluations do not count.
    let body = json!({"likelihood": 4, "impact": 5, "evaluated_at": "2026-02-28T07:00:00Z", "supersedes": 1});
    evaluate(&app, &client, &two, body).await;
    assert_eq!(figure(&app, &client, "").await, (2, 25));
    // Closed risks count, deleted ones do not.
    let closed = json!({"status": "closed", "status_reason": "sold"});
    app.patch(&format!("/v1/risks/{one}")).bearer(&client).json(closed).expect(200).await;
    assert_eq!(figure(&app, &client, "").await, (2, 25));
    app.delete(&format!("/v1/risks/{two}")).bearer(&client).expect(204).await;
    assert_eq!(figure(&app, &client, "").await, (1, 50));
    app.post(&format!("/v1/risks/{two}/restore")).bearer(&client).expect(200).await;
    assert_eq!(figure(&app, &client, "").await, (2, 25));
}

#[testkit::both_engines]
async fn the_average_is_rounded_half_up(app: TestApp) {
    let client = app.client().await;
    let target = json!({"likelihood": 1, "impact": 4}); // 20 -> 4: each point is 625
    for impact in [5, 4, 3, 2] {
        let risk = risk(&app, &client, target.clone()).await;
        evaluate(&app, &client, &risk, json!({"likelihood": 4, "impact": impact})).await;
    }
    // 0, 2500, 5000 and 7500: 37.5 %
    assert_eq!(figure(&app, &client, "").await, (4, 38));
}

#[testkit::both_engines]
async fn evaluated_at_is_now_or_past_and_five_minutes_ahead_are_now(app: TestApp) {
    let client = app.client().await;
    let risk = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    let path = format!("/v1/risks/{risk}/evaluations");
    let at = |time: Value| json!({"likelihood": 1, "impact": 1, "evaluated_at": time});
    let now = evaluate(&app, &client, &risk, at(Value::Null)).await;
    assert_eq!(now["evaluated_at"], now["created_date"]);
    let ahead = evaluate(&app, &client, &risk, at(json!("2026-03-01T09:04:59Z"))).await;
    assert_eq!(ahead["evaluated_at"], ahead["created_date"]);
    let answer = app.post(&path).bearer(&client).json(at(json!("2026-03-01T09:05:01Z"))).expect(422).await;
    assert_eq!(answer.faults(), ["#/evaluated_at date_in_future"]);
    let past = evaluate(&app, &client, &risk, at(json!("1999-01-01T00:00:00Z"))).await;
    assert_eq!(past["evaluated_at"], "1999-01-01T00:00:00.000000Z");
}

#[testkit::both_engines]
async fn period_days_is_1_to_3650(app: TestApp) {
    let client = app.client().await;
    for days in ["1", "3650"] {
        figure(&app, &client, &format!("?period_days={days}")).await;
    }
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    for days in ["0", "3651", "-1", "1.5", "x", ""] {
        let answer = app.get(&format!("{path}?period_days={days}")).bearer(&client).expect(400).await;
        assert_eq!(answer.json()["errors"][0]["parameter"], "period_days", "{days}");
    }
}

#[testkit::both_engines]
async fn only_the_organization_of_the_token_is_found(app: TestApp) {
    let client = app.client().await;
    let other = app.db.organization("Other").await;
    for id in [other.to_string(), "x".to_owned(), "00000000-0000-0000-0000-000000000000".to_owned()] {
        let answer =
            app.get(&format!("/v1/organizations/{id}/risk-performance")).bearer(&client).expect(404).await;
        assert_eq!(answer.text("title"), "Organization not found");
    }
    let upper = app.organization.to_string().to_uppercase();
    app.get(&format!("/v1/organizations/{upper}/risk-performance")).bearer(&client).expect(200).await;
}
