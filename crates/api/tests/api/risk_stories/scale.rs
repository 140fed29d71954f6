//! The scale changes from 5 x 5 to 4 x 4 in the middle of the year.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::{ask, changes, decide, each, evaluate, figure, filled, found, later, post, rating, read, states};
use crate::api::bulk::assert_sound;
use crate::api::scale::sized;

/// Three risks of Ben, evaluated in June: High, Low and Medium. The first and the last are accepted.
async fn in_june(app: &TestApp, ada: &TestPerson, ben: &TestPerson) {
    for (title, inherent, target) in [
        ("Fire", rating(4, 5), rating(2, 3)),
        ("Flood", rating(3, 4), rating(1, 4)),
        ("Theft", rating(3, 3), Value::Null),
    ] {
        let risk = json!({"title": title, "owner": ben.id, "inherent": inherent, "target": target});
        post(app, ada, "/v1/risks", risk, 201).await;
    }
    for (risk, current) in [("RSK-1", rating(3, 4)), ("RSK-2", rating(2, 2)), ("RSK-3", rating(3, 3))] {
        evaluate(app, ada, risk, current).await;
    }
    for risk in ["RSK-1", "RSK-3"] {
        ask(app, ada, risk, json!({"reason": "Too dear.", "evaluation": 1}), 201).await;
        decide(app, ben, (risk, 1), ("accepted", 1, "For a year."), 200).await;
    }
}

/// The risks from the worst to the best, each with its band.
async fn worst_first(app: &TestApp, by: &TestPerson) -> Vec<Value> {
    let list = read(app, by, "/v1/risks?sort=-current_score").await;
    let bands = each(&list, "/current/band");
    each(&list, "/id").into_iter().zip(bands).map(|(id, band)| json!([id, band])).collect()
}

#[both_engines]
async fn nothing_is_converted_and_each_risk_waits_for_its_next_evaluation(app: TestApp) {
    let (mut ada, mut ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Owner).await);
    later(&app, "2026-06-01T09:00:00Z", [&mut ada, &mut ben]).await;
    in_june(&app, &ada, &ben).await;
    let before = [json!(["RSK-1", "High"]), json!(["RSK-3", "Medium"]), json!(["RSK-2", "Low"])];
    assert_eq!((worst_first(&app, &ada).await, figure(&app, &ada).await), (before.to_vec(), (2, 79)));

    later(&app, "2026-07-01T09:00:00Z", [&mut ada, &mut ben]).await;
    let four = sized(&read(&app, &ada, "/v1/scale").await, 4);
    let planned = app.put("/v1/scale?dry_run=true").bearer(&ada).json(four.clone()).expect(200).await;
    assert_eq!(planned.json()["effects"], json!({"moves": [], "outdated": 3}));
    app.put("/v1/scale").bearer(&ada).json(four).expect(200).await;
    assert_eq!((worst_first(&app, &ada).await, figure(&app, &ada).await), (before.to_vec(), (2, 79)));
    assert_eq!(found(&app, &ada, "evaluation=scale_outdated").await, ["RSK-1", "RSK-2", "RSK-3"]);
    let map = read(&app, &ada, "/v1/risks/heatmap").await;
    assert_eq!((map["cells"].as_array().unwrap().len(), filled(&map)), (16, vec![]));
    assert_eq!((&map["not_placed"], &map["not_evaluated"]), (&json!(3), &json!(0)));
    for risk in ["RSK-1", "RSK-3"] {
        let flagged = read(&app, &ada, &format!("/v1/risks/{risk}/acceptances/1")).await;
        assert_eq!((&flagged["state"], &flagged["stale_by"]), (&json!("accepted"), &Value::Null));
        assert_eq!(flagged["scale_until"], "2026-09-29", "so long without an evaluation");
    }
    let early = ask(&app, &ada, "RSK-1", json!({"reason": "Too dear.", "evaluation": 1}), 409).await;
    assert_eq!(early.text("code"), "not_evaluated");
    let refused = post(&app, &ada, "/v1/risks/RSK-1/evaluations", rating(2, 3), 422).await;
    assert_eq!(refused.faults(), ["#/inherent scale_outdated", "#/target scale_outdated"]);
    evaluated_again(&app, &mut ada, &mut ben).await;
    the_third_waits_too_long(&app, &mut ada, &mut ben).await;
    assert_sound(&app).await;
}

/// The second risk is worse now, and the first one better; either way what was accepted of it cannot be compared any more.
async fn evaluated_again(app: &TestApp, ada: &mut TestPerson, ben: &mut TestPerson) {
    later(app, "2026-07-08T09:00:00Z", [ada, ben]).await;
    let whole = |current: Value, target: Value| json!({"likelihood": current["likelihood"], "impact": current["impact"], "inherent": rating(4, 4), "target": target});
    evaluate(app, ada, "RSK-2", whole(rating(4, 4), rating(1, 4))).await;
    let order = [json!(["RSK-2", "Critical"]), json!(["RSK-1", "High"]), json!(["RSK-3", "Medium"])];
    // 5714 of June, and nothing of 16 - 4.
    assert_eq!((worst_first(app, ada).await, figure(app, ada).await), (order.to_vec(), (2, 29)));
    let map = read(app, ada, "/v1/risks/heatmap").await;
    assert_eq!((filled(&map), &map["not_placed"]), (vec![json!([4, 4, "Critical", 1])], &json!(2)));
    evaluate(app, ada, "RSK-1", whole(rating(2, 3), rating(1, 3))).await;
    // 6 of 16 is more than 9 of 25.
    let order = [json!(["RSK-2", "Critical"]), json!(["RSK-1", "Medium"]), json!(["RSK-3", "Medium"])];
    assert_eq!((worst_first(app, ada).await, figure(app, ada).await), (order.to_vec(), (2, 38)));
    let stale = read(app, ada, "/v1/risks/RSK-1/acceptances/1").await;
    assert_eq!((&stale["state"], &stale["stale_by"]), (&json!("stale"), &json!(2)));
    assert_eq!(found(app, ada, "decision=missing").await, ["RSK-1", "RSK-2"]);

    // A mistake of June is corrected by the scale of June.
    let path = "/v1/risks/RSK-2/evaluations";
    let mut mistake =
        json!({"likelihood": 5, "impact": 1, "supersedes": 1, "evaluated_at": "2026-06-01T09:00:00Z"});
    let corrected = post(app, ada, path, mistake.clone(), 201).await;
    let scores = ["scale_version", "inherent_score", "target_score"].map(|it| corrected.json()[it].clone());
    assert_eq!(scores, [1, 12, 4].map(|it| json!(it)));
    mistake["inherent"] = rating(4, 4);
    assert_eq!(post(app, ada, path, mistake, 422).await.faults(), ["#/inherent conflict"]);
    assert_eq!(read(app, ada, "/v1/risks/RSK-2").await["current"]["score"], 16);
    let expected = [
        json!(["not_comparable", "RSK-1", "Ada", null]),
        json!(["not_comparable", "RSK-2", "Ada", null]),
        json!(["inherent_moved", "RSK-1", "Ada", null]),
        json!(["inherent_moved", "RSK-2", "Ada", null]),
        json!(["target_moved", "RSK-1", "Ada", null]),
        json!(["target_moved", "RSK-2", "Ada", null]),
        json!(["scale_changed", null, "Ada", "The board accepts less."]),
    ];
    assert_eq!(changes(app, ada, "from=2026-06-30").await, expected);
}

/// Without an evaluation the acceptance ends; with one the risk is accepted again.
async fn the_third_waits_too_long(app: &TestApp, ada: &mut TestPerson, ben: &mut TestPerson) {
    later(app, "2026-09-29T09:00:00Z", [ada]).await;
    assert_eq!(states(app, ada, "RSK-3").await, ["accepted"]);
    later(app, "2026-09-30T09:00:00Z", [ada, ben]).await;
    let stale = read(app, ada, "/v1/risks/RSK-3/acceptances/1").await;
    assert_eq!((&stale["state"], &stale["stale_by"]), (&json!("stale"), &Value::Null));
    let whole = json!({"likelihood": 2, "impact": 3, "inherent": rating(3, 3)});
    evaluate(app, ada, "RSK-3", whole).await;
    ask(app, ada, "RSK-3", json!({"reason": "Still too dear.", "evaluation": 2}), 201).await;
    decide(app, ben, ("RSK-3", 2), ("accepted", 2, "For a year."), 200).await;
    assert_eq!(states(app, ada, "RSK-3").await, ["replaced", "accepted"]);
    assert_eq!(found(app, ada, "evaluation=scale_outdated").await, [] as [Value; 0]);
    assert_eq!(read(app, ada, "/v1/risks/heatmap").await["not_placed"], 0);
}
