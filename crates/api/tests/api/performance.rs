//! `/v1/organizations/{id}/risk-performance`

use serde_json::json;
use testkit::TestApp;

use crate::api::undo::{request_id, undo};

#[testkit::both_engines]
async fn the_figure_is_the_average_of_the_latest_evaluations(app: TestApp) {
    let client = app.client_with_scopes("risks:read risks:write").await;
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    let none = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(
        none.json(),
        &json!({"org_id": app.organization.to_string(), "period_days": 90, "total_risks_evaluated": 0,
            "average_performance_percentage": 0})
    );
    for impact in [4, 3] {
        let body = json!({"title": "a", "inherent": {"likelihood": 4, "impact": 5},
            "target": {"likelihood": 2, "impact": 3}});
        let risk = app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
        let evaluations = format!("{}/evaluations", risk.header("location").unwrap());
        let body = json!({"likelihood": 3, "impact": impact});
        app.post(&evaluations).bearer(&client).json(body).expect(201).await;
    }
    // (20 - 12) / 14 and (20 - 9) / 14: 5714 and 7857 basis points.
    let figure = app.get(&format!("{path}?period_days=1")).bearer(&client).expect(200).await;
    assert_eq!(
        figure.json(),
        &json!({"org_id": app.organization.to_string(), "period_days": 1, "total_risks_evaluated": 2,
            "average_performance_percentage": 68})
    );
}

#[testkit::both_engines]
async fn a_bulk_change_of_targets_moves_the_figure_and_its_undo_moves_it_back(app: TestApp) {
    let client = app.client_with_scopes("risks:read risks:write organizations:read").await;
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    for _ in 0..2 {
        let body = json!({"title": "a", "inherent": {"likelihood": 4, "impact": 5},
            "target": {"likelihood": 2, "impact": 3}});
        let risk = app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
        let evaluations = format!("{}/evaluations", risk.header("location").unwrap());
        let body = json!({"likelihood": 3, "impact": 4});
        app.post(&evaluations).bearer(&client).json(body).expect(201).await;
    }
    let counted =
        async || app.get(&path).bearer(&client).expect(200).await.json()["total_risks_evaluated"].clone();
    assert_eq!(counted().await, json!(2));
    let clear = json!({"ids": [1, 2], "operation": {"type": "update", "target": null}});
    let cleared = app.post("/v1/risks/bulk").bearer(&client).json(clear).expect(200).await;
    assert_eq!(counted().await, json!(0));
    undo(&app, &client, request_id(&cleared)).await;
    assert_eq!(counted().await, json!(2));
}

#[testkit::both_engines]
async fn the_period_has_bounds(app: TestApp) {
    let client = app.client_with_scopes("risks:read").await;
    let path = format!("/v1/organizations/{}/risk-performance", app.organization);
    for query in ["period_days=0", "period_days=3651", "period_days=-1", "period_days=99999999999999999999"] {
        let answer = app.get(&format!("{path}?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), ["period_days range"], "{query}");
    }
    for query in ["period_days=x", "period_days=1.5", "period_days="] {
        let answer = app.get(&format!("{path}?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), ["period_days format"], "{query}");
    }
    let answer = app.get(&format!("{path}?period=1")).bearer(&client).expect(400).await;
    assert_eq!(answer.faults(), ["period unknown"]);
    app.get(&format!("{path}?period_days=3650")).bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn another_organizations_figure_is_not_found(app: TestApp) {
    let client = app.client_with_scopes("risks:read").await;
    let other = app.db.organization("Other").await;
    for id in [other.to_string(), "x".to_owned()] {
        // The id is checked before the query.
        let path = format!("/v1/organizations/{id}/risk-performance?period_days=0");
        assert_eq!(app.get(&path).bearer(&client).expect(404).await.text("title"), "Organization not found");
    }
}
