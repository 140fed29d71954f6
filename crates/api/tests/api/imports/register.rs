//! The workbook of docs/import.md: titles above a header of two rows, merged cells, H/M/L, owners who are roles, a residual
//! rating, risks over two rows.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use super::{ALL, counts, read, risks, run};
use crate::api::bulk::assert_sound;

const WORKBOOK: &[u8] = include_bytes!("../../../../../docs/risk-register.xlsx");

/// What is expected of each risk, in the order of the file.
const EXPECTED: &str = include_str!("register.json");

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A risk as [`EXPECTED`] has it.
async fn shown(app: &TestApp, client: &TestClient, risk: &Value) -> Value {
    let path = format!("/v1/risks/{}/tasks", risk["id"].as_str().unwrap());
    let tasks = read(app, client, &path).await;
    let day = |value: &Value| value.as_str().unwrap()[..10].to_owned();
    let task = |task: &Value| json!([task["title"], day(&task["due"])]);
    let tasks: Vec<Value> = tasks["data"].as_array().unwrap().iter().map(task).collect();
    let levels = |rating: &Value| json!([rating["likelihood"], rating["impact"]]);
    let mut shown = json!({
        "inherent": levels(&risk["inherent"]), "current": levels(&risk["current"]),
        "evaluated_on": day(&risk["current"]["evaluated_at"]), "tasks": tasks,
    });
    for member in [
        "external_ref",
        "title",
        "category",
        "asset",
        "threat",
        "vulnerability",
        "existing_controls",
        "treatment",
        "owner_name",
        "treatment_plan",
        "description",
    ] {
        shown[member] = risk[member].clone();
    }
    shown
}

#[both_engines]
async fn the_workbook_that_people_have_becomes_a_register(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let sent = app.post("/v1/imports?kind=risks").bearer(&client).body(XLSX, WORKBOOK).expect(201).await;
    let found = sent.json();
    assert_eq!((&found["sheets"], &found["sheet"]), (&json!(["Cover", "Risk register", "Scale"]), &json!(1)));
    assert_eq!(found["header_rows"], json!([4, 5]));
    let asked: Vec<(&str, &str)> = found["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["id"].as_str().unwrap(), it["proposal"].as_str().unwrap()))
        .collect();
    let owners = [
        "CFO",
        "Compliance Officer",
        "Facility Manager",
        "Fleet Manager",
        "HR Lead",
        "Head of IT",
        "IT Director",
        "Managing Director",
    ];
    let owners: Vec<String> = owners.iter().map(|name| format!("owner:{name}")).collect();
    let rest = owners.iter().map(|id| (id.as_str(), "nobody"));
    let expected = [("stage:residual", "current"), ("treatment:watch", "undecided")].into_iter().chain(rest);
    assert_eq!(asked, expected.collect::<Vec<_>>());
    let id = sent.text("id");
    let tried = run(&app, &client, id, json!({"dry_run": true})).await;
    assert_eq!(tried.json()["counts"], counts(50, 0, 0, 4, 0), "{}", tried.json());
    let done = run(&app, &client, id, json!({"accept_proposals": true})).await;
    assert_eq!((done.text("state"), &done.json()["counts"]), ("done", &counts(50, 0, 0, 4, 0)));
    let expected: Vec<Value> = serde_json::from_str(EXPECTED).unwrap();
    let made = risks(&app, &client).await;
    assert_eq!(made.len(), expected.len());
    for (risk, expected) in made.iter().zip(&expected) {
        assert_eq!(shown(&app, &client, risk).await, *expected);
        assert_eq!(risk["target"], Value::Null, "a target is never invented");
    }
    assert_sound(&app).await;
}
