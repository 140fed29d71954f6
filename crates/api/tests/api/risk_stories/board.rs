//! A board asks what has changed since the last quarter, and who decided.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::{ask, change, changes, decide, evaluate, later, post, rating, read};
use crate::api::bulk::assert_sound;
use crate::api::exceptions::{self, published};

const QUARTER: &str = "from=2026-03-31&to=2026-06-30";

/// Four risks of the first quarter, of which three are evaluated.
async fn first_quarter(app: &TestApp, ada: &TestPerson, ben: &TestPerson) {
    for (title, inherent, target) in [
        ("Fire", rating(4, 5), rating(2, 3)),
        ("Flood", rating(4, 4), rating(1, 4)),
        ("Theft", rating(3, 3), Value::Null),
        ("Fax to the wrong number", rating(2, 2), Value::Null),
    ] {
        let risk = json!({"title": title, "owner": ben.id, "inherent": inherent, "target": target});
        post(app, ada, "/v1/risks", risk, 201).await;
    }
    for (risk, current) in [("RSK-1", rating(3, 3)), ("RSK-2", rating(3, 4)), ("RSK-3", rating(3, 3))] {
        evaluate(app, ada, risk, current).await;
    }
}

/// What happens in April and May.
async fn second_quarter(app: &TestApp, ada: &mut TestPerson, ben: &mut TestPerson) {
    later(app, "2026-04-20T09:00:00Z", [ada, ben]).await;
    let noted = |(likelihood, impact): (i64, i64), note: &str| json!({"likelihood": likelihood, "impact": impact, "note": note});
    evaluate(app, ben, "RSK-1", noted((4, 4), "The second site was sold.")).await;
    evaluate(app, ben, "RSK-2", noted((2, 4), "The wall is built.")).await;
    later(app, "2026-05-04T09:00:00Z", [ada, ben]).await;
    ask(app, ada, "RSK-1", json!({"reason": "No money.", "evaluation": 2}), 201).await;
    decide(app, ben, ("RSK-1", 1), ("refused", 2, "Ask the board."), 200).await;
    ask(app, ada, "RSK-1", json!({"reason": "No money.", "evaluation": 2}), 201).await;
    let board = json!({"decision": "accepted", "evaluation": 2, "note": "The site is let in 2027.",
        "decided_by": "The board", "decided_date": "2026-05-02", "minutes": "Minutes 5, item 2"});
    post(app, ben, "/v1/risks/RSK-1/acceptances/2/record", board, 200).await;
    later(app, "2026-05-11T09:00:00Z", [ada, ben]).await;
    change(app, ada, "RSK-2", json!({"target": {"impact": 3}})).await;
    change(app, ada, "RSK-3", json!({"treatment": "accept"})).await;
    let closed = json!({"status": "closed", "status_reason": "The last fax is gone."});
    change(app, ada, "RSK-4", closed).await;
    post(app, ada, "/v1/risks", json!({"title": "Strike", "inherent": rating(2, 3)}), 201).await;
}

/// The policy has an exception because of a risk.
async fn excepted(app: &TestApp, people: &mut exceptions::People) {
    let exceptions::People { writer, approver } = people;
    later(app, "2026-05-18T09:00:00Z", [&mut *writer, &mut *approver]).await;
    let body = json!({"title": "The night shift", "reason": "Nobody is there.", "plan": "A pager.",
        "until": "2026-12-31", "risk": "RSK-3"});
    post(app, writer, "/v1/documents/policy/exceptions", body, 201).await;
    let accepted =
        json!({"decision": "accepted", "note": "Until the pager is there.", "document_version": 1});
    post(app, approver, "/v1/documents/policy/exceptions/1/decision", accepted, 200).await;
}

/// 3 x 3 is High from June on.
async fn stricter(app: &TestApp, ada: &mut TestPerson) {
    later(app, "2026-06-15T09:00:00Z", [&mut *ada]).await;
    let scale = read(app, ada, "/v1/scale").await;
    let mut body = json!({"reason": "The board accepts less."});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        body[member] = scale[member].clone();
    }
    body["matrix"][2][2] = json!(2);
    app.put("/v1/scale").bearer(&*ada).json(body).expect(200).await;
}

#[both_engines]
async fn each_change_and_each_decision_of_the_quarter_is_told_with_its_reason(app: TestApp) {
    let (mut ada, mut ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Owner).await);
    let mut people = published(&app).await;
    first_quarter(&app, &ada, &ben).await;
    second_quarter(&app, &mut ada, &mut ben).await;
    excepted(&app, &mut people).await;
    stricter(&app, &mut ada).await;
    later(&app, "2026-07-06T09:00:00Z", [&mut ada]).await;
    change(&app, &ada, "RSK-2", json!({"treatment": "mitigate"})).await;
    let expected = [
        json!(["worse", "RSK-1", "Ben", "The second site was sold."]),
        json!(["worse", "RSK-3", "Ada", "The board accepts less."]),
        json!(["better", "RSK-2", "Ben", "The wall is built."]),
        json!(["new", "RSK-5", "Ada", null]),
        json!(["closed", "RSK-4", "Ada", "The last fax is gone."]),
        json!(["target_moved", "RSK-2", "Ada", null]),
        json!(["treatment_changed", "RSK-3", "Ada", null]),
        json!(["risk_accepted", "RSK-1", "Ben", "The site is let in 2027."]),
        json!(["acceptance_refused", "RSK-1", "Ben", "Ask the board."]),
        json!(["exception_accepted", "RSK-3", "Zoe", "Until the pager is there."]),
        json!(["scale_changed", null, "Ada", "The board accepts less."]),
    ];
    assert_eq!(changes(&app, &ada, QUARTER).await, expected);
    let list = read(&app, &ada, &format!("/v1/risks/changes?{QUARTER}")).await;
    let told = |place: usize, member: &str| list["data"][place][member].clone();
    assert_eq!((&told(1, "before")["band"], &told(1, "after")["band"]), (&json!("Medium"), &json!("High")));
    assert!(told(7, "at").as_str().unwrap().starts_with("2026-05-04T09:00:00"), "{}", told(7, "at"));
    let accepted = read(&app, &ada, "/v1/risks/RSK-1/acceptances/2").await;
    let board =
        json!({"decided_by": "The board", "decided_date": "2026-05-02", "minutes": "Minutes 5, item 2"});
    assert_eq!(accepted["recorded"], board);
    let first = ["RSK-1", "RSK-2", "RSK-3", "RSK-4"].map(|risk| json!(["new", risk, "Ada", null]));
    assert_eq!(changes(&app, &ada, "from=2025-12-31&to=2026-03-31").await, first);
    reported(&app, &ada).await;
    assert_sound(&app).await;
}

/// The report of the quarter, a week later, with something that was changed since.
async fn reported(app: &TestApp, by: &TestPerson) {
    let report = read(app, by, &format!("/v1/risks/report?{QUARTER}")).await;
    let summary = [
        "4 risks open: 1 Critical, 1 High, 1 Medium, 0 Low, 1 not evaluated.",
        "Since the end of 2026-03-31: 2 worse, 1 better, 1 new, 1 closed, 1 target moved, 1 treatment changed, \
         1 risk accepted, 1 acceptance refused, 1 exception accepted, 1 scale changed.",
        // (20 - 16) / (20 - 6) and (16 - 8) / (16 - 4).
        "2 risks evaluated in the 90 days before; on average 48 % of the planned reduction is reached.",
    ];
    assert_eq!((&report["to"]["day"], &report["summary"]), (&json!("2026-06-30"), &json!(summary)));
    let list = read(app, by, &format!("/v1/risks/changes?{QUARTER}")).await;
    assert_eq!(report["changes"], list["data"]);
    let file = app.get(&format!("/v1/risks/report?format=docx&{QUARTER}")).bearer(by).expect(200).await;
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    for words in ["The site is let in 2027.", "Ask the board.", "Until the pager is there.", "Zoe"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
