//! An acceptance that becomes stale while its extension is requested.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use super::{ask, change, changes, decide, each, evaluate, found, later, post, rating, read, states};
use crate::api::bulk::assert_sound;

#[both_engines]
async fn what_is_worse_is_decided_about_again_and_the_earlier_acceptance_does_not_help(app: TestApp) {
    let (mut ada, mut ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Owner).await);
    let risk = json!({"title": "Flood", "owner": ben.id, "inherent": rating(4, 5)});
    post(&app, &ada, "/v1/risks", risk, 201).await;
    evaluate(&app, &ada, "RSK-1", rating(2, 4)).await;
    let asked = |until: &str, evaluation: i64| json!({"reason": "Too dear.", "until": until, "evaluation": evaluation});
    ask(&app, &ada, "RSK-1", asked("2026-06-30", 1), 201).await;
    decide(&app, &ben, ("RSK-1", 1), ("accepted", 1, "Until the summer."), 200).await;

    // It ends soon, and its extension is requested.
    later(&app, "2026-06-08T09:00:00Z", [&mut ada, &mut ben]).await;
    let expiring = "/v1/acceptances?expiring=30";
    assert_eq!(each(&read(&app, &ada, expiring).await, "/number"), [1]);
    ask(&app, &ada, "RSK-1", asked("2026-12-31", 1), 201).await;
    let worse = json!({"likelihood": 3, "impact": 4, "note": "The river was straightened."});
    evaluate(&app, &ada, "RSK-1", worse).await;
    let shown = read(&app, &ben, "/v1/risks/RSK-1").await;
    assert_eq!((&shown["acceptance"]["number"], &shown["acceptance"]["state"]), (&json!(1), &json!("stale")));
    assert_eq!(shown["acceptance_request"]["number"], 2);
    assert_eq!(read(&app, &ben, "/v1/risks/RSK-1/acceptances/1").await["stale_by"], 2);
    for query in ["acceptance=stale", "decision=missing"] {
        assert_eq!(found(&app, &ben, query).await, ["RSK-1"], "{query}");
    }

    // What was asked for is not what is decided about.
    let refused = decide(&app, &ben, ("RSK-1", 2), ("accepted", 1, "As before."), 409).await;
    assert_eq!(refused.text("code"), "risk_changed");
    let difference = "- evaluation 1: 2 x 4, Medium\n+ evaluation 2: 3 x 4, High\n";
    assert_eq!(refused.text("difference"), difference);
    assert_eq!(states(&app, &ada, "RSK-1").await, ["stale", "requested"]);
    decide(&app, &ben, ("RSK-1", 2), ("refused", 2, "First a plan."), 200).await;
    assert_eq!(states(&app, &ada, "RSK-1").await, ["stale", "refused"]);
    change(&app, &ada, "RSK-1", json!({"treatment": "mitigate", "treatment_plan": "A wall."})).await;
    ask(&app, &ada, "RSK-1", asked("2026-12-31", 2), 201).await;
    let accepted = decide(&app, &ben, ("RSK-1", 3), ("accepted", 2, "Until the wall is there."), 200).await;
    assert_eq!((accepted.text("/rating/band"), accepted.text("treatment_plan")), ("High", "A wall."));
    assert_eq!(states(&app, &ada, "RSK-1").await, ["replaced", "refused", "accepted"]);
    for (query, count) in [("decision=missing", 0), ("acceptance=accepted", 1)] {
        assert_eq!(found(&app, &ada, query).await.len(), count, "{query}");
    }
    assert_eq!(read(&app, &ada, expiring).await["data"], json!([]));
    let expected = [
        json!(["worse", "RSK-1", "Ada", "The river was straightened."]),
        json!(["treatment_changed", "RSK-1", "Ada", null]),
        json!(["risk_accepted", "RSK-1", "Ben", "Until the wall is there."]),
        json!(["acceptance_refused", "RSK-1", "Ben", "First a plan."]),
    ];
    assert_eq!(changes(&app, &ada, "from=2026-06-07").await, expected);

    // The first one would have ended by now; the last day of the other one is in force.
    later(&app, "2026-12-31T09:00:00Z", [&mut ada]).await;
    assert_eq!(states(&app, &ada, "RSK-1").await, ["replaced", "refused", "accepted"]);
    later(&app, "2027-01-01T09:00:00Z", [&mut ada]).await;
    assert_eq!(states(&app, &ada, "RSK-1").await, ["replaced", "refused", "expired"]);
    assert_eq!(read(&app, &ada, "/v1/risks/RSK-1").await["acceptance"], Value::Null);
    assert_eq!(found(&app, &ada, "decision=missing&acceptance=expired").await, ["RSK-1"]);
    assert_sound(&app).await;
}
