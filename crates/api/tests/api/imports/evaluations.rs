//! Evaluations of risks that are in the register.

use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use super::{ALL, counts, import_as, outcomes, read, run, send_as};
use crate::api::bulk::assert_sound;

const RATINGS: &str = "Risk ID,Risk,Date,Likelihood,Impact,Comment\n\
    R-1,,2026-01-05,4,5,bad\n\
    R-1,,2026-02-01,3,5,\n\
    rsk-1,,2026-02-20,2,5,better\n\
    ,Flood,2026-02-20,1,2,\n\
    R-9,,2026-01-05,1,1,\n\
    1,,2026-01-05,1,1,\n\
    ,Twice,2026-01-05,1,1,\n\
    R-1,,2027-01-01,1,1,\n";

#[both_engines]
async fn ratings_of_risks_that_are_there_are_recorded_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for (title, reference) in
        [("Fire", Some("R-1")), ("Flood", Some("R-2")), ("Twice", None), ("Twice", None)]
    {
        let rating = json!({"likelihood": 5, "impact": 5});
        let risk = json!({"title": title, "external_ref": reference, "inherent": rating});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    for expected in [counts(4, 0, 0, 0, 4), counts(0, 0, 4, 0, 4)] {
        let sent = app.post("/v1/imports?kind=evaluations").bearer(&client).body("text/csv", RATINGS);
        let import = sent.expect(201).await;
        assert_eq!(
            (import.text("kind"), import.text("state")),
            ("evaluations", "ready"),
            "{}",
            import.json()
        );
        let tried = run(&app, &client, import.text("id"), json!({"dry_run": true})).await;
        assert_eq!(tried.json()["counts"], expected, "{}", tried.json());
        let done = run(&app, &client, import.text("id"), json!({"skip_wrong": true})).await;
        assert_eq!((done.text("state"), &done.json()["counts"]), ("done", &expected));
        let rows = read(&app, &client, &format!("/v1/imports/{}/rows", import.text("id"))).await;
        let of: Vec<&Value> = rows["data"].as_array().unwrap().iter().map(|row| &row["record"]).collect();
        assert_eq!(of[..4], [&json!("RSK-1"), &json!("RSK-1"), &json!("RSK-1"), &json!("RSK-2")]);
    }
    let recorded = read(&app, &client, "/v1/risks/RSK-1/evaluations").await;
    assert_eq!(recorded["data"].as_array().map(Vec::len), Some(3));
    let risk = read(&app, &client, "/v1/risks/RSK-1").await;
    assert_eq!(
        (&risk["current"]["score"], &risk["current"]["evaluated_at"]),
        (&json!(10), &json!("2026-02-20T00:00:00.000000Z"))
    );
    // The same day with another rating is another evaluation, and a closed risk takes none.
    app.patch("/v1/risks/RSK-2")
        .bearer(&client)
        .json(json!({"status": "closed", "status_reason": "Dry."}))
        .expect(200)
        .await;
    let changed = RATINGS.replace("02-20,2,5", "02-20,2,4").replace("02-20,1,2", "02-21,1,2");
    let sent = app.post("/v1/imports?kind=evaluations").bearer(&client).body("text/csv", changed);
    let import = sent.expect(201).await;
    let done = run(&app, &client, import.text("id"), json!({"skip_wrong": true})).await;
    assert_eq!(done.json()["counts"], counts(1, 0, 2, 0, 5));
    assert_sound(&app).await;
}

#[both_engines]
async fn without_dates_the_last_row_of_a_risk_counts(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for (title, reference) in [("Fire", "R-1"), ("Flood", "R-2")] {
        let rating = json!({"likelihood": 5, "impact": 5});
        let risk = json!({"title": title, "external_ref": reference, "inherent": rating});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    let import = async |rows: &str| {
        let file = format!("Risk ID,Date,Likelihood,Impact\n{rows}");
        import_as(&app, &client, "evaluations", &file).await
    };
    assert_eq!(import("R-2,2026-01-05,4,4\n").await, counts(1, 0, 0, 0, 0));
    // The second risk is rated as it was, after another rating that is new too.
    let rows = "R-1,,4,5\nR-1,2026-01-05,2,2\nR-1,2026-01-05,2,2\nR-1,,3,5\nR-2,,4,4\nR-2,2026-02-01,1,1\n";
    assert_eq!(import(rows).await, counts(4, 0, 1, 1, 0));
    assert_eq!(import(rows).await, counts(0, 0, 5, 1, 0));
    for (number, score, count) in [(1, 15, 2), (2, 16, 3)] {
        let risk = read(&app, &client, &format!("/v1/risks/RSK-{number}")).await;
        assert_eq!(risk["current"]["score"], score, "{risk}");
        let recorded = read(&app, &client, &format!("/v1/risks/RSK-{number}/evaluations")).await;
        assert_eq!(recorded["data"].as_array().map(Vec::len), Some(count));
    }
    let file = format!("Risk ID,Date,Likelihood,Impact\n{rows}");
    let id = send_as(&app, &client, "evaluations", &file).await;
    run(&app, &client, &id, json!({"dry_run": true})).await;
    let skipped = outcomes(&app, &client, &id, "outcome=skipped").await;
    assert_eq!(skipped, [(2, "skipped".to_owned(), Value::Null)]);
    assert_sound(&app).await;
}
