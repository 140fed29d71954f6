//! A risk that is closed, and happens all the same.

use domain::incident::Viewer;
use domain::{Role, UserId};
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::{
    ask, change, changes, decide, evaluate, figure, filled, found, later, post, rating, read, states,
};
use crate::api::bulk::assert_sound;
use crate::api::duties;

/// What Home shows an owner: closed risks, each with the incident that it became.
async fn happened(app: &TestApp, owner: &TestPerson) -> Vec<(String, String)> {
    let (mut tx, owner) = (app.db.read().await.unwrap(), UserId::parse(&owner.id).unwrap());
    let found = store::risks::happened(&mut tx, app.organization, &Viewer::service(), owner, 10).await;
    found.unwrap().into_iter().map(|it| (it.risk.to_string(), it.incident.to_string())).collect()
}

/// How many open risks somebody owns.
async fn owned(app: &TestApp, owner: &TestPerson) -> Option<i64> {
    duties::counts(&duties::duties(app, owner, &owner.id).await)[3]
}

/// A risk of Ben that is accepted, and whose extension is requested.
async fn accepted(app: &TestApp, ada: &TestPerson, ben: &TestPerson) {
    let risk = json!({"title": "Flood", "owner": ben.id, "inherent": rating(4, 5), "target": rating(2, 3)});
    post(app, ada, "/v1/risks", risk, 201).await;
    evaluate(app, ada, "RSK-1", rating(2, 4)).await;
    ask(app, ada, "RSK-1", json!({"reason": "Too dear.", "evaluation": 1}), 201).await;
    decide(app, ben, ("RSK-1", 1), ("accepted", 1, "Until the move."), 200).await;
    ask(app, ada, "RSK-1", json!({"reason": "Still too dear.", "evaluation": 1}), 201).await;
}

#[both_engines]
async fn it_is_shown_to_its_owner_and_reopened_without_its_acceptance(app: TestApp) {
    let (mut ada, mut ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Owner).await);
    accepted(&app, &ada, &ben).await;
    later(&app, "2026-03-02T09:00:00Z", [&mut ada, &mut ben]).await;
    change(&app, &ada, "RSK-1", json!({"status": "closed", "status_reason": "Sold."})).await;
    assert_eq!(states(&app, &ada, "RSK-1").await, ["revoked", "withdrawn"]);
    let refused = post(&app, &ada, "/v1/risks/RSK-1/evaluations", rating(5, 5), 409).await;
    assert_eq!(refused.text("code"), "risk_closed");
    assert_eq!((owned(&app, &ben).await, happened(&app, &ben).await), (Some(0), vec![]));
    assert_eq!(filled(&read(&app, &ada, "/v1/risks/heatmap").await), [] as [Value; 0]);
    assert_eq!(figure(&app, &ada).await, (1, 86), "closed risks count");

    later(&app, "2026-03-05T09:00:00Z", [&mut ada, &mut ben]).await;
    let incident = json!({"title": "Cellar full of water", "description": ""});
    post(&app, &ada, "/v1/incidents", incident, 201).await;
    let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "materialised"});
    post(&app, &ada, "/v1/incidents/1/links", link, 201).await;
    let links = read(&app, &ben, "/v1/risks/RSK-1/links").await;
    assert_eq!(links["data"][0]["kind"], "materialised");
    let shown = vec![("RSK-1".to_owned(), "INC-0001".to_owned())];
    assert_eq!((happened(&app, &ben).await, happened(&app, &ada).await), (shown, vec![]));
    assert_eq!(read(&app, &ben, "/v1/risks/RSK-1").await["status"], "closed", "nobody reopens it for them");

    later(&app, "2026-03-06T09:00:00Z", [&mut ada, &mut ben]).await;
    let open = json!({"status": "open", "status_reason": "The cellar is still ours."});
    let open = change(&app, &ben, "RSK-1", open).await;
    assert_eq!((&open["acceptance"], &open["acceptance_request"]), (&Value::Null, &Value::Null));
    assert_eq!(open["next_evaluation_date"], "2026-03-06", "it wants an evaluation");
    assert_eq!(states(&app, &ada, "RSK-1").await, ["revoked", "withdrawn"], "neither is revived");
    assert_eq!((owned(&app, &ben).await, happened(&app, &ben).await), (Some(1), vec![]));
    for query in ["decision=missing", "acceptance=none"] {
        assert_eq!(found(&app, &ada, query).await, ["RSK-1"], "{query}");
    }
    later(&app, "2026-03-07T09:00:00Z", [&mut ada, &mut ben]).await;
    assert_eq!(found(&app, &ada, "evaluation=overdue").await, ["RSK-1"]);
    let worse = json!({"likelihood": 5, "impact": 5, "note": "It happened."});
    evaluate(&app, &ben, "RSK-1", worse).await;
    let after = read(&app, &ada, "/v1/risks/RSK-1").await;
    assert_eq!((&after["acceptance"], &after["next_evaluation_date"]), (&Value::Null, &Value::Null));
    assert_eq!(found(&app, &ada, "evaluation=overdue").await, [] as [Value; 0]);
    told(&app, &ada).await;
    assert_sound(&app).await;
}

/// What the changes say of the days before and after the incident.
async fn told(app: &TestApp, by: &TestPerson) {
    let expected = [
        json!(["closed", "RSK-1", "Ada", "Sold."]),
        json!(["acceptance_withdrawn", "RSK-1", "Ada", "Sold."]),
        json!(["acceptance_revoked", "RSK-1", "Ada", "Sold."]),
    ];
    assert_eq!(changes(app, by, "from=2026-03-01&to=2026-03-04").await, expected);
    let expected = [
        json!(["worse", "RSK-1", "Ben", "It happened."]),
        json!(["reopened", "RSK-1", "Ben", "The cellar is still ours."]),
    ];
    assert_eq!(changes(app, by, "from=2026-03-04&to=2026-03-07").await, expected);
}
