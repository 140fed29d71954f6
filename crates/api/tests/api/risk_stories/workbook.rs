//! The workbook that people have: imported, evaluated every week, and reported.

use std::collections::BTreeMap;

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::{change, changes, each, figure, filled, found, later, post, read};
use crate::api::bulk::assert_sound;

const WORKBOOK: &[u8] = include_bytes!("../../../../../docs/risk-register.xlsx");

/// What the workbook has, in its order.
const EXPECTED: &str = include_str!("../imports/register.json");

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Imports the workbook: what is residual is how a risk is today, and one of the roles is Ben's.
async fn imported(app: &TestApp, by: &TestPerson, ben: &TestPerson) {
    let sent = app.post("/v1/imports?kind=risks").bearer(by).body(XLSX, WORKBOOK).expect(201).await;
    let path = format!("/v1/imports/{}", sent.text("id"));
    let answers = json!([{"id": "stage:residual", "answer": "current"},
        {"id": "owner:Facility Manager", "answer": ben.id}]);
    app.patch(&path).bearer(by).json(json!({"answers": answers})).expect(200).await;
    let done = post(app, by, &format!("{path}/run"), json!({"accept_proposals": true}), 200).await;
    assert_eq!((done.text("state"), &done.json()["counts"]["created"]), ("done", &json!(50)));
}

fn band(score: i64) -> &'static str {
    match score {
        ..5 => "Low",
        5..10 => "Medium",
        10..15 => "High",
        _ => "Critical",
    }
}

/// How many risks have each rating, as the cells of a heat map.
fn counted(ratings: &[(i64, i64)]) -> Vec<Value> {
    let mut counts: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    ratings.iter().for_each(|rating| *counts.entry(*rating).or_default() += 1);
    let cells = counts.into_iter();
    cells.map(|((likelihood, impact), n)| json!([likelihood, impact, band(likelihood * impact), n])).collect()
}

/// Evaluates every risk as it is, with notes for some.
async fn round(app: &TestApp, by: &TestPerson, ratings: &[(i64, i64)], notes: &[(i64, &str)]) {
    let row = |(risk, (likelihood, impact)): (i64, &(i64, i64))| {
        let note = notes.iter().find(|(of, _)| *of == risk).map(|(_, note)| *note);
        json!({"risk": format!("RSK-{risk}"), "likelihood": likelihood, "impact": impact, "note": note})
    };
    let rows: Vec<Value> = (1..).zip(ratings).map(row).collect();
    let done = post(app, by, "/v1/evaluations", json!({"evaluations": rows}), 200).await;
    assert_eq!((&done.json()["created_count"], &done.json()["failed_count"]), (&json!(50), &json!(0)));
    assert_eq!(found(app, by, "evaluation=overdue&limit=200").await.len(), 0);
    assert_eq!(filled(&read(app, by, "/v1/risks/heatmap").await), counted(ratings));
}

#[both_engines]
async fn it_is_imported_evaluated_every_week_and_reported(app: TestApp) {
    let (mut ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Owner).await);
    imported(&app, &ada, &ben).await;
    let expected: Vec<Value> = serde_json::from_str(EXPECTED).unwrap();
    let levels = |of: &Value| (of[0].as_i64().unwrap(), of[1].as_i64().unwrap());
    let rated = |member: &str| expected.iter().map(|it| levels(&it[member])).collect::<Vec<_>>();
    let (inherent, mut current) = (rated("inherent"), rated("current"));
    for (basis, cells, not_evaluated) in
        [("inherent", counted(&inherent), 0), ("current", counted(&current), 0), ("target", vec![], 50)]
    {
        let map = read(&app, &ada, &format!("/v1/risks/heatmap?basis={basis}")).await;
        assert_eq!((filled(&map), &map["not_placed"]), (cells, &json!(0)), "{basis}");
        assert_eq!(map["not_evaluated"], not_evaluated, "a target is never invented");
    }
    assert_eq!(found(&app, &ada, &format!("owner={}", ben.id)).await.len(), 9);
    let first = read(&app, &ada, "/v1/risks/RSK-1").await;
    assert_eq!((&first["owner"], &first["owner_name"]), (&Value::Null, &json!("Head of IT")));

    let weekly = json!({"filter": {}, "operation": {"type": "update", "evaluate_every_days": 7}});
    post(&app, &ada, "/v1/risks/bulk", weekly, 200).await;
    assert_eq!(found(&app, &ada, "evaluation=overdue&limit=200").await.len(), 50);
    for day in ["2026-03-02", "2026-03-09"] {
        later(&app, &format!("{day}T09:00:00Z"), [&mut ada]).await;
        round(&app, &ada, &current, &[]).await;
    }
    change(&app, &ada, "RSK-1", json!({"target": {"likelihood": 2, "impact": 4}})).await;
    change(&app, &ada, "RSK-14", json!({"target": {"likelihood": 1, "impact": 5}})).await;
    assert_eq!(figure(&app, &ada).await, (0, 0), "from their next evaluation on");
    later(&app, "2026-03-16T09:00:00Z", [&mut ada]).await;
    (current[0], current[14]) = ((4, 4), (2, 4));
    round(&app, &ada, &current, &[(1, "A server was encrypted."), (15, "The wall is built.")]).await;
    let scores = each(&read(&app, &ada, "/v1/risks/RSK-1/evaluations").await, "/score");
    assert_eq!(scores, [16, 12, 12, 12]);
    // (16 - 16) / (16 - 8) and (10 - 8) / (10 - 5).
    assert_eq!(figure(&app, &ada).await, (2, 20));
    reported(&app, &ada).await;
    assert_sound(&app).await;
}

/// What the board reads of the two weeks.
async fn reported(app: &TestApp, by: &TestPerson) {
    let days = "from=2026-03-01&to=2026-03-16";
    let expected = [
        json!(["worse", "RSK-1", "Ada", "A server was encrypted."]),
        json!(["better", "RSK-15", "Ada", "The wall is built."]),
        json!(["target_moved", "RSK-1", "Ada", null]),
        json!(["target_moved", "RSK-14", "Ada", null]),
    ];
    assert_eq!(changes(app, by, days).await, expected);
    let report = read(app, by, &format!("/v1/risks/report?{days}")).await;
    let summary = [
        "50 risks open: 1 Critical, 5 High, 40 Medium, 4 Low.",
        "Since the end of 2026-03-01: 1 worse, 1 better, 2 target moved.",
        "2 risks evaluated in the 90 days before; on average 20 % of the planned reduction is reached.",
    ];
    assert_eq!(report["summary"], json!(summary));
    assert_eq!(report["trends"][0], json!({"risk": "RSK-1", "trend": "Worse"}));
    let printed = app.get(&format!("/v1/risks/report?format=docx&{days}")).bearer(by).expect(200).await;
    let text = render::import::docx(&printed.bytes).unwrap().markdown;
    for words in [summary[0], "Ransomware encrypts the file servers", "Head of IT", "12 High → 16 Critical"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
}
