//! Acceptances of risks: who asks, who decides, and what becomes of them.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

use crate::api::scale::{body, sized};
use crate::api::undo::{outcomes, request_id, undo};

/// An owner, and somebody who asks.
struct People {
    owner: TestPerson,
    asker: TestPerson,
}

/// People and a risk of the owner that is evaluated with 2 x 4 (Medium).
async fn with_risk(app: &TestApp) -> People {
    let owner = app.person("Ada", Role::Owner).await;
    let asker = app.person("Ben", Role::Admin).await;
    let risk = json!({"title": "Flood", "owner": owner.id, "inherent": {"likelihood": 4, "impact": 5}});
    app.post("/v1/risks").bearer(&asker).json(risk).expect(201).await;
    evaluate(app, &asker, 2, 4, None).await;
    People { owner, asker }
}

/// Evaluates the risk, a moment later.
async fn evaluate(app: &TestApp, by: &TestPerson, likelihood: i64, impact: i64, wrong: Option<i64>) {
    app.db.clock.advance_seconds(60);
    let body = json!({"likelihood": likelihood, "impact": impact, "supersedes": wrong});
    app.post("/v1/risks/RSK-1/evaluations").bearer(by).json(body).expect(201).await;
}

async fn ask(app: &TestApp, by: &TestPerson, evaluation: i64, status: u16) -> Answer {
    let body = json!({"reason": "Too dear.", "evaluation": evaluation});
    app.post("/v1/risks/RSK-1/acceptances").bearer(by).json(body).expect(status).await
}

async fn decide(app: &TestApp, by: &TestPerson, number: i64, evaluation: i64, status: u16) -> Answer {
    let body = json!({"decision": "accepted", "note": "Until the move.", "evaluation": evaluation});
    let path = format!("/v1/risks/RSK-1/acceptances/{number}/decision");
    app.post(&path).bearer(by).json(body).expect(status).await
}

async fn risk(app: &TestApp, by: &TestPerson) -> Value {
    app.get("/v1/risks/RSK-1").bearer(by).expect(200).await.json().clone()
}

async fn state(app: &TestApp, by: &TestPerson, number: i64) -> String {
    let path = format!("/v1/risks/RSK-1/acceptances/{number}");
    app.get(&path).bearer(by).expect(200).await.text("state").to_owned()
}

#[testkit::both_engines]
async fn the_owner_accepts_what_somebody_else_has_asked_for(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    assert_eq!(found(&app, &asker, "decision=missing").await, 1);
    let asked = ask(&app, &asker, 1, 201).await;
    assert_eq!(asked.header("location"), Some("/v1/risks/RSK-1/acceptances/1"));
    assert_eq!((asked.text("state"), asked.text("until")), ("requested", "2027-03-01"));
    assert_eq!(asked.json()["rating"]["band"], "Medium");
    assert_eq!(ask(&app, &asker, 1, 409).await.text("code"), "acceptance_requested");
    let refused = decide(&app, &asker, 1, 1, 403).await;
    assert_eq!((refused.text("code"), refused.text("/who/0/name")), ("not_decider", "Ada"));
    let client = app.client().await;
    let body = json!({"decision": "accepted", "evaluation": 1});
    let by_client = app.post("/v1/risks/RSK-1/acceptances/1/decision").bearer(&client).json(body);
    assert_eq!(by_client.expect(403).await.text("code"), "not_decider");
    assert_eq!(risk(&app, &asker).await["acceptance_request"]["number"], 1);
    assert_eq!(found(&app, &asker, "acceptance=requested").await, 1);

    let accepted = decide(&app, &owner, 1, 1, 200).await;
    assert_eq!((accepted.text("state"), accepted.text("/decided_by/name")), ("accepted", "Ada"));
    let shown = risk(&app, &asker).await;
    assert_eq!(
        (&shown["acceptance"]["state"], &shown["acceptance_request"]),
        (&json!("accepted"), &Value::Null)
    );
    assert_eq!(decide(&app, &owner, 1, 1, 409).await.text("code"), "decision_not_possible");
    for (query, count) in [("decision=missing", 0), ("acceptance=accepted", 1), ("acceptance=none", 0)] {
        assert_eq!(found(&app, &asker, query).await, count, "{query}");
    }
    let facets = app.get("/v1/risks/facets").bearer(&asker).expect(200).await;
    assert_eq!(facets.json()["facets"]["acceptance"], json!([{"value": "accepted", "count": 1}]));
}

/// A moment after all writes before it, and before all later ones.
pub(crate) fn moment(app: &TestApp) -> String {
    app.db.clock.advance_seconds(1);
    let now = app.db.clock.now().to_string();
    app.db.clock.advance_seconds(1);
    now
}

#[testkit::both_engines]
async fn acceptances_are_shown_as_they_were(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let cleo = app.person("Cleo", Role::Owner).await;
    let mut moments = vec![(moment(&app), None)];
    ask(&app, &asker, 1, 201).await;
    moments.push((moment(&app), Some("requested")));
    decide(&app, &owner, 1, 1, 200).await;
    moments.push((moment(&app), Some("accepted")));
    evaluate(&app, &asker, 3, 4, None).await;
    moments.push((moment(&app), Some("stale")));
    evaluate(&app, &asker, 2, 4, Some(2)).await;
    moments.push((moment(&app), Some("accepted")));
    app.patch("/v1/risks/RSK-1")
        .bearer(&asker)
        .json(json!({"title": "Water", "owner": cleo.id}))
        .expect(200)
        .await;
    app.delete(&format!("/v1/users/{}", owner.id)).bearer(&asker).expect(204).await;
    let left = moment(&app);
    app.delete("/v1/risks/RSK-1").bearer(&asker).expect(204).await;
    let rows = async |path: &str| {
        let list = app.get(&format!("{path}&include_total=true")).bearer(&asker).expect(200).await;
        let rows = list.json()["data"].clone();
        assert_eq!(list.json()["total"], rows.as_array().unwrap().len(), "{path}");
        rows
    };
    for (at, state) in moments {
        let expected: Value = state.into_iter().map(|state| json!([state, "Flood", false])).collect();
        let of_rows = |rows: &Value| -> Value {
            let shown = |it: &Value| json!([it["state"], it["risk_title"], it["decider_left"]]);
            rows.as_array().unwrap().iter().map(shown).collect()
        };
        for list in ["/v1/risks/RSK-1/acceptances?limit=9", "/v1/acceptances?limit=9"] {
            assert_eq!(of_rows(&rows(&format!("{list}&as_of={at}")).await), expected, "{list} {at}");
        }
        let stale = rows(&format!("/v1/acceptances?state=stale&as_of={at}")).await;
        assert_eq!(stale.as_array().unwrap().len(), usize::from(state == Some("stale")), "{at}");
        let one = app.get(&format!("/v1/risks/RSK-1/acceptances/1?as_of={at}")).bearer(&asker).await;
        assert_eq!(
            (one.status, one.json()["state"].as_str()),
            (if state.is_some() { 200 } else { 404 }, state)
        );
        if state.is_some() {
            let is_decided = state != Some("requested");
            assert_eq!(one.json()["decided_by"].is_object(), is_decided, "{at}");
            assert_eq!(one.json()["stale_by"], json!((state == Some("stale")).then_some(2)), "{at}");
            assert!(one.text("as_of").starts_with(at.trim_end_matches('Z')), "{at}");
        }
        let risk = app.get(&format!("/v1/risks/RSK-1?as_of={at}")).bearer(&asker).expect(200).await;
        let in_force = state.filter(|state| *state != "requested");
        assert_eq!(risk.json()["acceptance"]["state"].as_str(), in_force, "the register at {at}");
        assert_eq!(rows(&format!("/v1/acceptances?decider=left&as_of={at}")).await, json!([]), "{at}");
    }
    let gone = rows(&format!("/v1/acceptances?decider=left&as_of={left}")).await;
    assert_eq!((&gone[0]["risk_title"], &gone[0]["decider_left"]), (&json!("Water"), &json!(true)));
    assert_eq!(rows("/v1/acceptances?limit=9").await, json!([]), "the risk is deleted");
    app.get("/v1/risks/RSK-1/acceptances/1").bearer(&asker).expect(404).await;
}

/// Nothing was recorded on the day after: the time decides, not the last entry.
#[testkit::both_engines]
async fn an_acceptance_has_expired_at_a_time_after_its_last_day(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    app.db.clock.advance_days(400);
    let cleo = app.person("Cleo", Role::Owner).await;
    for (at, state) in [("2027-03-01T23:59:59Z", "accepted"), ("2027-03-02T00:00:00Z", "expired")] {
        let one =
            app.get(&format!("/v1/risks/RSK-1/acceptances/1?as_of={at}")).bearer(&cleo).expect(200).await;
        assert_eq!(one.text("state"), state, "{at}");
        let again = format!("/v1/risks/RSK-1/acceptances/1?as_of={at}&as_of_seq={}", one.json()["as_of_seq"]);
        assert_eq!(app.get(&again).bearer(&cleo).expect(200).await.json(), one.json());
        for query in [format!("acceptance={state}&as_of={at}"), format!("decision=missing&as_of={at}")] {
            let is_found = !query.starts_with("decision") || state == "expired";
            assert_eq!(found(&app, &cleo, &query).await, usize::from(is_found), "{query}");
        }
        let shown = app.get(&format!("/v1/risks/RSK-1?as_of={at}")).bearer(&cleo).expect(200).await;
        assert_eq!(shown.json()["acceptance"].is_null(), state == "expired", "{at}");
    }
}

/// How many risks a list has.
async fn found(app: &TestApp, by: &TestPerson, query: &str) -> usize {
    let list = app.get(&format!("/v1/risks?{query}")).bearer(by).expect(200).await;
    list.json()["data"].as_array().unwrap().len()
}

#[testkit::both_engines]
async fn a_decision_names_the_evaluation_that_it_saw(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    assert_eq!(ask(&app, &asker, 7, 409).await.text("code"), "risk_changed");
    ask(&app, &asker, 1, 201).await;
    evaluate(&app, &asker, 5, 5, None).await;
    let changed = decide(&app, &owner, 1, 1, 409).await;
    assert_eq!(changed.text("code"), "risk_changed");
    assert_eq!(
        changed.text("difference"),
        "- evaluation 1: 2 x 4, Medium\n+ evaluation 2: 5 x 5, Critical\n"
    );
    let accepted = decide(&app, &owner, 1, 2, 200).await;
    let rating = json!({"likelihood": 5, "impact": 5, "score": 25, "scale_version": 1, "band": "Critical"});
    assert_eq!(accepted.json()["rating"], rating, "what was decided about, not what was asked for");
}

#[testkit::both_engines]
async fn an_acceptance_approves_the_treatment_plan_of_its_moment(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let plan = async |treatment: &str, plan: &str| {
        let body = json!({"treatment": treatment, "treatment_plan": plan});
        app.patch("/v1/risks/RSK-1").bearer(&asker).json(body).expect(200).await;
    };
    let frozen = |it: &Answer| (it.text("treatment").to_owned(), it.text("treatment_plan").to_owned());
    plan("mitigate", "Two pumps").await;
    let asked = ask(&app, &asker, 1, 201).await;
    assert_eq!(frozen(&asked), ("mitigate".into(), "Two pumps".into()));
    plan("transfer", "Insurance").await;
    let unseen = decide(&app, &owner, 1, 1, 422).await;
    assert_eq!(unseen.faults(), ["#/risk_version required"]);
    let version = asked.json()["risk_version"].as_i64().unwrap();
    let naming = |risk_version: i64| {
        let body = json!({"decision": "accepted", "evaluation": 1, "risk_version": risk_version});
        app.post("/v1/risks/RSK-1/acceptances/1/decision").bearer(&owner).json(body)
    };
    let other = naming(version).expect(409).await;
    let difference = format!("- risk version {version}\n+ risk version {}\n", version + 1);
    assert_eq!((other.text("code"), other.text("difference")), ("risk_changed", difference.as_str()));
    let accepted = naming(version + 1).expect(200).await;
    assert_eq!(frozen(&accepted), ("transfer".into(), "Insurance".into()), "what was decided about");
    plan("avoid", "Move").await;
    let later = app.get("/v1/risks/RSK-1/acceptances/1").bearer(&asker).expect(200).await;
    assert_eq!((frozen(&later), later.text("state")), (frozen(&accepted), "accepted"));
}

#[testkit::both_engines]
async fn an_acceptance_is_stale_while_its_extension_is_requested(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    ask(&app, &asker, 1, 201).await;
    evaluate(&app, &asker, 3, 4, None).await;
    assert_eq!(state(&app, &asker, 1).await, "stale");
    assert_eq!(found(&app, &asker, "acceptance=stale").await, 1);
    assert_eq!(found(&app, &asker, "decision=missing").await, 1);
    evaluate(&app, &asker, 2, 4, Some(2)).await;
    assert_eq!(state(&app, &asker, 1).await, "accepted", "the evaluation that made it stale was wrong");
    evaluate(&app, &asker, 3, 4, None).await;
    decide(&app, &owner, 2, 4, 200).await;
    assert_eq!(
        (state(&app, &asker, 1).await, state(&app, &asker, 2).await),
        ("replaced".into(), "accepted".into())
    );
    let kinds = app.get("/v1/journal?limit=200").bearer(&asker).expect(200).await;
    let kinds = kinds.json()["data"].as_array().unwrap().clone();
    let changed = kinds.iter().filter(|it| it["kind"] == "risk.acceptance_changed").count();
    assert_eq!(changed, 4, "stale, in force, stale, replaced");
}

/// What was accepted of a risk follows the scale that was changed while the risk was deleted.
#[testkit::both_engines]
async fn an_acceptance_of_a_restored_risk_is_as_the_present_scale_has_it(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    app.delete("/v1/risks/RSK-1").bearer(&asker).expect(204).await;
    let mut stricter = body(app.get("/v1/scale").bearer(&asker).expect(200).await.json());
    stricter["matrix"][1][3] = json!(2);
    app.put("/v1/scale").bearer(&asker).json(stricter).expect(200).await;
    let restored = app.post("/v1/risks/RSK-1/restore").bearer(&asker).expect(200).await;
    assert_eq!(restored.text("/acceptance/state"), "stale");
    assert_eq!(restored.json(), &risk(&app, &asker).await);
}

/// Who has created a client does not decide about what the client asks for.
#[testkit::both_engines]
async fn a_client_does_not_ask_for_who_has_created_it(app: TestApp) {
    let People { asker, .. } = with_risk(&app).await;
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(json!({"owner": asker.id})).expect(200).await;
    let new = json!({"name": "Robot", "scopes": "risks:read risks:write"});
    let made = app.post("/v1/clients").bearer(&asker).json(new).expect(201).await;
    let token = app.sign_in(made.text("client_id"), made.text("client_secret")).await;
    let body = json!({"reason": "Too dear.", "evaluation": 1});
    app.post("/v1/risks/RSK-1/acceptances").bearer(&token).json(body).expect(201).await;
    assert_eq!(decide(&app, &asker, 1, 1, 403).await.text("code"), "not_decider");
    let waived = json!({"reason": "There is nobody else."});
    app.post("/v1/risks/RSK-1/acceptances/1/waive-four-eyes").bearer(&asker).json(waived).expect(200).await;
    decide(&app, &asker, 1, 1, 200).await;
}

#[testkit::both_engines]
async fn requests_are_withdrawn_and_acceptances_revoked_expired_or_ended_with_the_risk(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let path = |number: i64, step: &str| format!("/v1/risks/RSK-1/acceptances/{number}/{step}");
    ask(&app, &asker, 1, 201).await;
    let stranger = app.person("Eve", Role::Owner).await;
    app.post(&path(1, "withdraw")).bearer(&stranger).expect(403).await;
    app.post(&path(1, "withdraw")).bearer(&owner).expect(200).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 2, 1, 200).await;
    let revoked =
        app.post(&path(2, "revoke")).bearer(&owner).json(json!({"reason": "Moved."})).expect(200).await;
    assert_eq!((revoked.text("state"), revoked.text("end_reason")), ("revoked", "Moved."));
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 3, 1, 200).await;
    ask(&app, &asker, 1, 201).await;
    let body = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(body).expect(200).await;
    let (third, fourth) = (state(&app, &asker, 3).await, state(&app, &asker, 4).await);
    assert_eq!((third.as_str(), fourth.as_str()), ("revoked", "withdrawn"));
    assert_eq!(ask(&app, &asker, 1, 409).await.text("code"), "risk_closed");
    let list = app.get("/v1/acceptances?state=revoked&include_total=true").bearer(&asker).expect(200).await;
    assert_eq!((&list.json()["total"], &list.json()["data"][0]["number"]), (&json!(2), &json!(2)));
    let none = app.get("/v1/acceptances?expiring=30").bearer(&asker).expect(200).await;
    assert_eq!(none.json()["data"], json!([]));
}

#[testkit::both_engines]
async fn each_decision_is_told_among_the_changes_of_the_risk(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let path = |number: i64, step: &str| format!("/v1/risks/RSK-1/acceptances/{number}/{step}");
    ask(&app, &asker, 1, 201).await;
    app.post(&path(1, "withdraw")).bearer(&owner).expect(200).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 2, 1, 200).await;
    app.post(&path(2, "revoke")).bearer(&owner).json(json!({"reason": "Moved."})).expect(200).await;
    ask(&app, &asker, 1, 201).await;
    let refused = json!({"decision": "refused", "note": "Buy a pump.", "evaluation": 1});
    app.post(&path(3, "decision")).bearer(&owner).json(refused).expect(200).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 4, 1, 200).await;
    // Stale and in force again: nobody decides that.
    evaluate(&app, &asker, 3, 4, None).await;
    evaluate(&app, &asker, 2, 4, Some(2)).await;
    ask(&app, &asker, 3, 201).await;
    let body = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(body).expect(200).await;
    let changes = app.get("/v1/risks/changes").bearer(&asker).expect(200).await;
    let told = |it: &Value| json!([it["kind"], it["risk"]["title"], it["by"]["name"], it["reason"]]);
    let told: Vec<Value> = changes.json()["data"].as_array().unwrap().iter().map(told).collect();
    let expected = [
        ["new", "Flood", "Ben", ""],
        ["risk_accepted", "Flood", "Ada", "Until the move."],
        ["risk_accepted", "Flood", "Ada", "Until the move."],
        ["acceptance_refused", "Flood", "Ada", "Buy a pump."],
        ["acceptance_withdrawn", "Flood", "Ada", ""],
        ["acceptance_withdrawn", "Flood", "Ben", "Sold."],
        ["acceptance_revoked", "Flood", "Ada", "Moved."],
        ["acceptance_revoked", "Flood", "Ben", "Sold."],
    ];
    let reason = |it: &str| if it.is_empty() { Value::Null } else { json!(it) };
    assert_eq!(told, expected.map(|[kind, risk, by, why]| json!([kind, risk, by, reason(why)])));
}

#[testkit::both_engines]
async fn a_new_owner_confirms_what_somebody_accepted_who_has_left(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    let left = async || {
        let list = app.get("/v1/acceptances?decider=left").bearer(&asker).expect(200).await;
        list.json()["data"].as_array().unwrap().len()
    };
    assert_eq!(left().await, 0);
    let cleo = app.person("Cleo", Role::Owner).await;
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(json!({"owner": cleo.id})).expect(200).await;
    app.delete(&format!("/v1/users/{}", owner.id)).bearer(&asker).expect(204).await;
    assert_eq!((left().await, state(&app, &asker, 1).await), (1, "accepted".to_owned()), "in force, flagged");
    let path = "/v1/acceptances/confirm";
    let body = json!({"acceptances": [{"risk": "RSK-1", "number": 1}, {"risk": "RSK-9", "number": 1}]});
    let others = app.post(path).bearer(&asker).json(body.clone()).expect(200).await;
    assert_eq!(others.text("/results/0/problem/code"), "not_decider");
    assert_eq!(left().await, 1);
    let dan = app.person("Dan", Role::Approver).await;
    let deputy = json!({"user": dan.id, "until": "2999-01-01"});
    app.put("/v1/me/deputy").bearer(&cleo).json(deputy).expect(204).await;
    app.post(path).bearer(&dan).json(body.clone()).expect(200).await;
    let shown = app.get("/v1/risks/RSK-1/acceptances/1").bearer(&asker).expect(200).await;
    let who = (shown.text("/confirmed_by/name"), shown.text("/confirmed_on_behalf_of/name"));
    assert_eq!(who, ("Dan", "Cleo"));
    let confirmed = app.post(path).bearer(&cleo).json(body).expect(200).await;
    assert_eq!(
        (&confirmed.json()["confirmed_count"], &confirmed.json()["failed_count"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(confirmed.json()["results"][0], json!({"risk": "RSK-1", "outcome": "confirmed", "number": 1}));
    assert_eq!(confirmed.text("/results/1/problem/code"), "not_found");
    let shown = app.get("/v1/risks/RSK-1/acceptances/1").bearer(&asker).expect(200).await;
    assert_eq!((shown.text("/decided_by/name"), shown.text("/confirmed_by/name")), ("Ada", "Cleo"));
    assert_eq!((left().await, &shown.json()["decider_left"]), (0, &json!(false)));
    assert_eq!(shown.json()["confirmed_on_behalf_of"], Value::Null, "Cleo themselves");
}

/// What the confirmation of an acceptance of the risk says.
async fn confirm(app: &TestApp, by: &TestPerson, number: i64) -> Value {
    let body = json!({"acceptances": [{"risk": "RSK-1", "number": number}]});
    app.post("/v1/acceptances/confirm").bearer(by).json(body).expect(200).await.json()["results"][0].clone()
}

#[testkit::both_engines]
async fn what_is_confirmed_is_the_acceptance_that_is_named(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    ask(&app, &asker, 1, 201).await;
    let requested = confirm(&app, &owner, 2).await;
    assert_eq!(requested["problem"]["code"], "decision_not_possible", "it is not accepted yet");
    decide(&app, &owner, 2, 1, 200).await;
    let replaced = confirm(&app, &owner, 1).await;
    assert_eq!((&replaced["outcome"], &replaced["number"]), (&json!("failed"), &Value::Null));
    assert_eq!(replaced["problem"]["code"], "decision_not_possible");
    let second = "/v1/risks/RSK-1/acceptances/2";
    assert_eq!(app.get(second).bearer(&asker).expect(200).await.json()["confirmed_by"], Value::Null);
    // What is never accepted by now is not confirmed either.
    let scale = app.get("/v1/scale").bearer(&asker).expect(200).await;
    let mut never = body(scale.json());
    for band in never["bands"].as_array_mut().unwrap() {
        band["acceptance"] = json!({"by": "never"});
    }
    app.put("/v1/scale").bearer(&asker).json(never).expect(200).await;
    assert_eq!(confirm(&app, &asker, 2).await["problem"]["code"], "never_accepted");
    app.put("/v1/scale").bearer(&asker).json(body(scale.json())).expect(200).await;
    assert_eq!(confirm(&app, &owner, 2).await["number"], 2);
}

/// Neither reopening the risk nor an undo brings back what its closing has ended.
#[testkit::both_engines]
async fn a_closing_that_has_ended_an_acceptance_is_not_undone(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let other = json!({"title": "Fire", "inherent": {"likelihood": 4, "impact": 5}});
    app.post("/v1/risks").bearer(&asker).json(other).expect(201).await;
    ask(&app, &asker, 1, 201).await;
    decide(&app, &owner, 1, 1, 200).await;
    ask(&app, &asker, 1, 201).await;
    let close = json!({"type": "update", "status": "closed", "status_reason": "Sold."});
    let both = json!({"ids": [1, 2], "operation": close});
    let closed = app.post("/v1/risks/bulk").bearer(&asker).json(both).expect(200).await;
    let undone = undo(&app, &asker, request_id(&closed)).await;
    assert_eq!(outcomes(&undone), (1, vec![["risk", "RSK-1", "not_undoable"], ["risk", "RSK-2", "undone"]]));
    let reason = "An acceptance or request changed with it. If the risk is closed, reopen it and ask again.";
    assert_eq!(undone.text("/results/0/reason"), reason);
    assert_eq!(risk(&app, &asker).await["status"], "closed");
    let reopened = json!({"status": "open", "status_reason": "Not sold."});
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(reopened).expect(200).await;
    let states = (state(&app, &asker, 1).await, state(&app, &asker, 2).await);
    assert_eq!(states, ("revoked".to_owned(), "withdrawn".to_owned()));
    ask(&app, &asker, 1, 201).await;
}

/// What the list for auditors has, the latest first.
pub(crate) async fn waivers(app: &TestApp, by: &TestPerson) -> Vec<Value> {
    let list = app.get("/v1/documents/waivers").bearer(by).expect(200).await;
    list.json()["data"].as_array().unwrap().clone()
}

#[testkit::both_engines]
async fn an_admin_lets_the_owner_decide_about_their_own_request(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    ask(&app, &owner, 1, 201).await;
    assert_eq!(decide(&app, &owner, 1, 1, 403).await.text("code"), "not_decider");
    let path = "/v1/risks/RSK-1/acceptances/1/waive-four-eyes";
    let body = json!({"reason": "Nobody else is here."});
    app.post(path).bearer(&owner).json(body.clone()).expect(403).await;
    let waived = app.post(path).bearer(&asker).json(body.clone()).expect(200).await;
    assert_eq!(
        (waived.text("state"), waived.text("four_eyes_waived")),
        ("requested", "Nobody else is here.")
    );
    assert_eq!(decide(&app, &owner, 1, 1, 200).await.text("four_eyes_waived"), "Nobody else is here.");
    assert_eq!(
        app.post(path).bearer(&asker).json(body).expect(409).await.text("code"),
        "decision_not_possible"
    );
    ask(&app, &owner, 1, 201).await;
    assert_eq!(decide(&app, &owner, 2, 1, 403).await.text("code"), "not_decider", "of that request only");
    let ways = waivers(&app, &asker).await;
    let told = |it: &Value| json!([it["kind"], it["risk"], it["acceptance"], it["reason"], it["by"]["name"]]);
    let told: Vec<Value> = ways.iter().map(told).collect();
    assert_eq!(told, [json!(["four_eyes", "RSK-1", 1, "Nobody else is here.", "Ben"])]);
}

#[testkit::both_engines]
async fn a_risk_without_an_owner_has_a_board(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(json!({"owner": null})).expect(200).await;
    ask(&app, &asker, 1, 201).await;
    assert_eq!(decide(&app, &owner, 1, 1, 409).await.text("code"), "owner_missing");
    let board = json!({"decision": "accepted", "evaluation": 1, "decided_by": "The board",
        "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    let path = "/v1/risks/RSK-1/acceptances/1/record";
    assert_eq!(
        app.post(path).bearer(&asker).json(board.clone()).expect(403).await.text("code"),
        "not_decider"
    );
    let mut later = board.clone();
    later["decided_date"] = json!("2999-01-01");
    let later = app.post(path).bearer(&owner).json(later).expect(422).await;
    assert_eq!(later.faults(), ["#/decided_date date_in_future"]);
    let recorded = app.post(path).bearer(&owner).json(board).expect(200).await;
    let said =
        json!({"decided_by": "The board", "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    assert_eq!((recorded.text("state"), &recorded.json()["recorded"]), ("accepted", &said));
    assert_eq!(recorded.text("/decided_by/name"), "Ada", "who has recorded it");
    let way = waivers(&app, &asker).await[0].clone();
    let expected = json!(["decision", "RSK-1", 1, "The board", "2026-02-27", "Minutes 2, item 4", null]);
    let members = ["kind", "risk", "acceptance", "decided_by", "decided_date", "minutes", "reason"];
    assert_eq!(json!(members.map(|it| way[it].clone())), expected);
    assert_eq!(way["by"]["name"], "Ada");
}

/// Nothing is accepted by a scale that is past, and no request stays for ever because of that.
#[testkit::both_engines]
async fn what_is_rated_by_an_earlier_scale_can_only_be_refused_or_withdrawn(app: TestApp) {
    let People { owner, asker } = with_risk(&app).await;
    let risk = json!({"title": "Fire", "owner": owner.id, "inherent": {"likelihood": 4, "impact": 5}});
    app.post("/v1/risks").bearer(&asker).json(risk).expect(201).await;
    let rating = json!({"likelihood": 2, "impact": 4});
    app.post("/v1/risks/RSK-2/evaluations").bearer(&asker).json(rating).expect(201).await;
    ask(&app, &asker, 1, 201).await;
    let second = "/v1/risks/RSK-2/acceptances";
    let body = json!({"reason": "Too dear.", "evaluation": 1});
    app.post(second).bearer(&asker).json(body).expect(201).await;
    let four = sized(app.get("/v1/scale").bearer(&asker).expect(200).await.json(), 4);
    app.put("/v1/scale").bearer(&asker).json(four).expect(200).await;

    assert_eq!(decide(&app, &owner, 1, 1, 409).await.text("code"), "not_evaluated");
    let path = "/v1/risks/RSK-1/acceptances/1/decision";
    let refusal = json!({"decision": "refused", "note": "Evaluate it first.", "evaluation": 1});
    let others = app.post(path).bearer(&asker).json(refusal.clone()).expect(403).await;
    assert_eq!(others.text("/who/0/name"), "Ada", "whom the scale of the evaluation names");
    let refused = app.post(path).bearer(&owner).json(refusal).expect(200).await;
    let said = json!({"likelihood": 2, "impact": 4, "score": 8, "scale_version": 1, "band": "Medium"});
    assert_eq!((refused.text("state"), &refused.json()["rating"]), ("refused", &said));
    let board = json!({"decision": "accepted", "evaluation": 1, "decided_by": "The board",
        "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    let accepted = app.post(&format!("{second}/1/record")).bearer(&owner).json(board).expect(409).await;
    assert_eq!(accepted.text("code"), "not_evaluated");
    let withdrawn = app.post(&format!("{second}/1/withdraw")).bearer(&asker).expect(200).await;
    assert_eq!(withdrawn.text("state"), "withdrawn");
    assert_eq!(ask(&app, &asker, 1, 409).await.text("code"), "not_evaluated");
}
