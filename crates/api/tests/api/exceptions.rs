//! Exceptions to documents: who asks, who decides, and what becomes of them when the document changes.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

use crate::api::acceptances::{moment, waivers};

const POLICY: &str = "/v1/documents/policy";
const ALL: &str = "/v1/documents/policy/exceptions";

/// Who writes the policy, and who approves it.
pub(crate) struct People {
    pub(crate) writer: TestPerson,
    pub(crate) approver: TestPerson,
}

/// A policy whose item `contact` prints "Ada", and one for whatever else changes.
pub(crate) async fn published(app: &TestApp) -> People {
    let (writer, approver) = (app.person("Wim", Role::Owner).await, app.person("Zoe", Role::Approver).await);
    let item = |id: &str| json!({"id": id, "kind": "text", "label": id});
    let document = json!({"slug": "policy", "title": "Policy", "items": [item("contact"), item("other")]});
    app.post("/v1/documents").bearer(&writer).json(document).expect(201).await;
    let people = People { writer, approver };
    publish(app, &people, &[("contact", "Ada")]).await;
    people
}

async fn publish(app: &TestApp, People { writer, approver }: &People, values: &[(&str, &str)]) {
    let edits: Vec<Value> = values
        .iter()
        .map(|(id, value)| json!({"node_id": id, "node_type": "text", "value": value}))
        .collect();
    let edited = app.patch(POLICY).bearer(writer).json(json!(edits)).expect(200).await;
    let proposal = format!("{POLICY}/proposals/{}", edited.json()["proposal"]);
    let submit = app.post(&format!("{proposal}/submit")).bearer(writer).json(json!({"summary": "Better."}));
    let body = json!({"sha256": submit.expect(200).await.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(approver).json(body).expect(200).await;
}

fn new() -> Value {
    json!({"title": "The night shift", "reason": "Nobody is there.", "plan": "A pager in May.",
           "until": "2026-06-30", "node_id": "contact"})
}

async fn ask(app: &TestApp, by: &TestPerson, body: Value) -> i64 {
    app.post(ALL).bearer(by).json(body).expect(201).await.json()["number"].as_i64().unwrap()
}

async fn decide(app: &TestApp, by: &TestPerson, number: i64, version: i64, status: u16) -> Answer {
    let body = json!({"decision": "accepted", "note": "Until May.", "document_version": version});
    app.post(&format!("{ALL}/{number}/decision")).bearer(by).json(body).expect(status).await
}

async fn state(app: &TestApp, by: &TestPerson, number: i64) -> String {
    app.get(&format!("{ALL}/{number}")).bearer(by).expect(200).await.text("state").to_owned()
}

#[testkit::both_engines]
async fn somebody_who_approves_documents_accepts_an_exception(app: TestApp) {
    let people = published(&app).await;
    let People { writer, approver } = &people;
    let risk = json!({"title": "Nobody answers", "inherent": {"likelihood": 3, "impact": 3}});
    app.post("/v1/risks").bearer(writer).json(risk).expect(201).await;
    let with = |name: &str, value: Value| {
        let mut body = new();
        body[name] = value;
        body
    };
    for (name, value) in [
        ("node_id", json!("x")),
        ("risk", json!("RSK-9")),
        ("replaces", json!(7)),
        ("until", json!("2026-03-01")),
    ] {
        let refused = app.post(ALL).bearer(writer).json(with(name, value)).expect(422).await;
        assert_eq!(refused.text("/errors/0/pointer"), format!("#/{name}"));
    }
    let number = ask(&app, writer, with("risk", json!("RSK-1"))).await;
    app.post(&format!("{ALL}/{number}/decision")).bearer(writer).json(json!({})).expect(403).await;
    assert_eq!(decide(&app, approver, number, 2, 409).await.text("code"), "document_changed");
    let accepted = decide(&app, approver, number, 1, 200).await;
    assert_eq!((accepted.text("state"), accepted.text("/decided_by/name")), ("accepted", "Zoe"));
    for (path, count) in [
        ("/v1/exceptions?risk=RSK-1", 1),
        ("/v1/exceptions?state=requested", 0),
        ("/v1/exceptions?expiring=30", 0),
        ("/v1/exceptions?expiring=365", 1),
        ("/v1/documents/policy/exceptions?state=accepted", 1),
    ] {
        let list = app.get(path).bearer(writer).expect(200).await;
        assert_eq!(list.json()["data"].as_array().unwrap().len(), count, "{path}");
    }
}

#[testkit::both_engines]
async fn who_has_asked_does_not_decide_while_four_eyes_are_on(app: TestApp) {
    published(&app).await;
    let ada = app.person("Ada", Role::Admin).await;
    let number = ask(&app, &ada, new()).await;
    assert_eq!(decide(&app, &ada, number, 1, 403).await.text("code"), "not_decider");
    let client = app.client().await;
    let body = json!({"decision": "accepted", "document_version": 1});
    let by_client = app.post(&format!("{ALL}/{number}/decision")).bearer(&client).json(body);
    assert_eq!(by_client.expect(403).await.text("code"), "not_decider");
}

#[testkit::both_engines]
async fn an_admin_lets_the_requester_decide_about_one_request(app: TestApp) {
    let People { approver, .. } = published(&app).await;
    let ada = app.person("Ada", Role::Admin).await;
    let number = ask(&app, &ada, new()).await;
    let path = format!("{ALL}/{number}/waive-four-eyes");
    let body = json!({"reason": "Nobody else is here."});
    let other = app.post(&path).bearer(&approver).json(body.clone()).expect(403).await;
    assert_eq!(other.text("code"), "insufficient_scope");
    for _ in 0..2 {
        let waived = app.post(&path).bearer(&ada).json(body.clone()).expect(200).await;
        let said = (waived.text("state"), waived.text("four_eyes_waived"));
        assert_eq!(said, ("requested", "Nobody else is here."));
    }
    assert_eq!(decide(&app, &ada, number, 1, 200).await.text("state"), "accepted");
    let late = app.post(&path).bearer(&ada).json(body).expect(409).await;
    assert_eq!(late.text("code"), "decision_not_possible");
    let next = ask(&app, &ada, new()).await;
    assert_eq!(decide(&app, &ada, next, 1, 403).await.text("code"), "not_decider", "of that request only");
    let told =
        |it: &Value| json!([it["kind"], it["document"], it["exception"], it["reason"], it["by"]["name"]]);
    let told: Vec<Value> = waivers(&app, &ada).await.iter().map(told).collect();
    assert_eq!(told, [json!(["four_eyes", "policy", number, "Nobody else is here.", "Ada"])]);
}

#[testkit::both_engines]
async fn a_decision_of_a_board_about_an_exception_is_recorded(app: TestApp) {
    let People { writer, approver } = published(&app).await;
    let ada = app.person("Ada", Role::Admin).await;
    let risk = json!({"title": "Nobody answers", "inherent": {"likelihood": 3, "impact": 3}});
    app.post("/v1/risks").bearer(&writer).json(risk).expect(201).await;
    let mut with_risk = new();
    with_risk["risk"] = json!("RSK-1");
    let number = ask(&app, &ada, with_risk).await;
    let board = json!({"decision": "accepted", "document_version": 1, "decided_by": "The board",
        "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    let path = format!("{ALL}/{number}/record");
    let own = app.post(&path).bearer(&ada).json(board.clone()).expect(403).await;
    assert_eq!(own.text("code"), "not_decider");
    let client = app.client().await;
    let by_client = app.post(&path).bearer(&client).json(board.clone()).expect(403).await;
    assert_eq!(by_client.text("code"), "not_decider");
    let mut later = board.clone();
    later["decided_date"] = json!("2999-01-01");
    let later = app.post(&path).bearer(&approver).json(later).expect(422).await;
    assert_eq!(later.faults(), ["#/decided_date date_in_future"]);
    let recorded = app.post(&path).bearer(&approver).json(board.clone()).expect(200).await;
    let said =
        json!({"decided_by": "The board", "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    assert_eq!((recorded.text("state"), &recorded.json()["recorded"]), ("accepted", &said));
    assert_eq!(recorded.text("/decided_by/name"), "Zoe", "who has recorded it");
    let again = app.post(&path).bearer(&approver).json(board).expect(409).await;
    assert_eq!(again.text("code"), "decision_not_possible");
    let way = waivers(&app, &ada).await[0].clone();
    let expected =
        json!(["decision", "policy", number, null, "The board", "2026-02-27", "Minutes 2, item 4"]);
    let members = ["kind", "document", "exception", "risk", "decided_by", "decided_date", "minutes"];
    assert_eq!(json!(members.map(|it| way[it].clone())), expected);
    let changes = "/v1/risks/changes?from=2026-02-28&to=2026-03-01&kind=exception_accepted";
    let changes = app.get(changes).bearer(&writer).expect(200).await;
    assert_eq!(changes.text("/data/0/decided_by"), "The board", "{}", changes.json());
    assert_eq!(changes.text("/data/0/by/name"), "Zoe");
}

#[testkit::both_engines]
async fn an_exception_is_stale_while_its_item_prints_something_else(app: TestApp) {
    let people = published(&app).await;
    let People { writer, approver } = &people;
    let number = ask(&app, writer, new()).await;
    decide(&app, approver, number, 1, 200).await;
    publish(&app, &people, &[("other", "Something")]).await;
    assert_eq!(state(&app, writer, number).await, "accepted", "another item");
    publish(&app, &people, &[("contact", "Ben")]).await;
    let stale = app.get(&format!("{ALL}/{number}")).bearer(writer).expect(200).await;
    assert_eq!((stale.text("state"), &stale.json()["stale_by"]), ("stale", &json!(3)));
    publish(&app, &people, &[("contact", "Ada")]).await;
    assert_eq!(state(&app, writer, number).await, "accepted", "as it was accepted");
    let open = ask(&app, writer, new()).await;
    app.post(&format!("{POLICY}/archive")).bearer(writer).json(json!({})).expect(200).await;
    assert_eq!(state(&app, writer, number).await, "stale", "archived");
    let list = app.get("/v1/exceptions?state=stale").bearer(writer).expect(200).await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 1);
    let refused = app.post(ALL).bearer(writer).json(new()).expect(409).await;
    assert_eq!(refused.text("code"), "document_archived");
    assert_eq!(decide(&app, approver, open, 4, 409).await.text("code"), "document_archived");
    let no = json!({"decision": "refused", "document_version": 4});
    app.post(&format!("{ALL}/{open}/decision")).bearer(approver).json(no).expect(200).await;
    app.post(&format!("{POLICY}/restore")).bearer(writer).expect(200).await;
    assert_eq!(state(&app, writer, number).await, "accepted");
}

#[testkit::both_engines]
async fn exceptions_are_shown_as_they_were(app: TestApp) {
    let people = published(&app).await;
    let People { writer, approver } = &people;
    let mut moments = vec![(moment(&app), None)];
    let number = ask(&app, writer, new()).await;
    moments.push((moment(&app), Some("requested")));
    decide(&app, approver, number, 1, 200).await;
    moments.push((moment(&app), Some("accepted")));
    for (contact, state) in [("Ben", "stale"), ("Ada", "accepted")] {
        publish(&app, &people, &[("contact", contact)]).await;
        moments.push((moment(&app), Some(state)));
    }
    app.post(&format!("{POLICY}/archive")).bearer(writer).json(json!({})).expect(200).await;
    moments.push((moment(&app), Some("stale")));
    app.post(&format!("{POLICY}/restore")).bearer(writer).expect(200).await;
    moments.push((moment(&app), Some("accepted")));
    let reason = json!({"reason": "The pager is here."});
    app.post(&format!("{ALL}/{number}/revoke")).bearer(approver).json(reason).expect(200).await;
    for (at, state) in moments {
        let one = app.get(&format!("{ALL}/{number}?as_of={at}")).bearer(writer).await;
        assert_eq!(
            (one.status, one.json()["state"].as_str()),
            (if state.is_some() { 200 } else { 404 }, state)
        );
        for list in [ALL, "/v1/exceptions"] {
            let list = format!("{list}?as_of={at}&include_total=true");
            let whole = app.get(&list).bearer(writer).expect(200).await;
            let states: Vec<_> =
                whole.json()["data"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
            assert_eq!(json!(states), json!(Vec::from_iter(state)), "{list}");
            assert_eq!(whole.json()["total"], states.len(), "{list}");
            let stale = app.get(&format!("{list}&state=stale")).bearer(writer).expect(200).await;
            assert_eq!(stale.json()["total"], usize::from(state == Some("stale")), "{list}");
        }
        if state.is_some() {
            assert_eq!(one.json()["decided_by"].is_object(), state != Some("requested"), "{at}");
            assert_eq!(one.json()["end_reason"], Value::Null, "{at}");
        }
    }
    assert_eq!(state(&app, writer, number).await, "revoked");
}

#[testkit::both_engines]
async fn an_exception_is_replaced_revoked_withdrawn_or_expires(app: TestApp) {
    let People { writer, approver } = &published(&app).await;
    let first = ask(&app, writer, new()).await;
    decide(&app, approver, first, 1, 200).await;
    let mut longer = new();
    longer["until"] = json!("2026-12-31");
    longer["replaces"] = json!(first);
    let second = ask(&app, writer, longer).await;
    assert_eq!(state(&app, writer, first).await, "accepted", "until the later one is accepted");
    decide(&app, approver, second, 1, 200).await;
    assert_eq!(state(&app, writer, first).await, "replaced");
    let path = format!("{ALL}/{second}/revoke");
    let revoked = app.post(&path).bearer(approver).json(json!({"reason": "The pager is here."}));
    assert_eq!(revoked.expect(200).await.text("end_reason"), "The pager is here.");
    let third = ask(&app, writer, new()).await;
    let path = format!("{ALL}/{third}/withdraw");
    app.post(&path).bearer(approver).expect(403).await;
    app.post(&path).bearer(writer).expect(200).await;
    assert_eq!(app.post(&path).bearer(writer).expect(409).await.text("code"), "decision_not_possible");
    let fourth = ask(&app, writer, new()).await;
    decide(&app, approver, fourth, 1, 200).await;
    app.db.clock.advance_days(122);
    let admin = app.person("Ada", Role::Admin).await;
    assert_eq!(state(&app, &admin, fourth).await, "expired");
}

#[testkit::both_engines]
async fn each_decision_is_told_among_the_changes_of_the_risk(app: TestApp) {
    let People { writer, approver } = &published(&app).await;
    let risk = json!({"title": "Nobody answers", "inherent": {"likelihood": 3, "impact": 3}});
    app.post("/v1/risks").bearer(writer).json(risk).expect(201).await;
    let of_the_risk = || {
        let mut body = new();
        body["risk"] = json!("RSK-1");
        body
    };
    let without = ask(&app, writer, new()).await;
    decide(&app, approver, without, 1, 200).await;
    let revoked = ask(&app, writer, of_the_risk()).await;
    decide(&app, approver, revoked, 1, 200).await;
    let reason = json!({"reason": "The pager is here."});
    app.post(&format!("{ALL}/{revoked}/revoke")).bearer(approver).json(reason).expect(200).await;
    let refused = ask(&app, writer, of_the_risk()).await;
    let no = json!({"decision": "refused", "note": "Buy a pager.", "document_version": 1});
    app.post(&format!("{ALL}/{refused}/decision")).bearer(approver).json(no).expect(200).await;
    let withdrawn = ask(&app, writer, of_the_risk()).await;
    app.post(&format!("{ALL}/{withdrawn}/withdraw")).bearer(writer).expect(200).await;
    let changes = app.get("/v1/risks/changes").bearer(writer).expect(200).await;
    let told = |it: &Value| json!([it["kind"], it["risk"]["id"], it["by"]["name"], it["reason"]]);
    let told: Vec<Value> = changes.json()["data"].as_array().unwrap().iter().map(told).collect();
    let expected = [
        json!(["new", "RSK-1", "Wim", null]),
        json!(["exception_accepted", "RSK-1", "Zoe", "Until May."]),
        json!(["exception_refused", "RSK-1", "Zoe", "Buy a pager."]),
        json!(["exception_withdrawn", "RSK-1", "Wim", null]),
        json!(["exception_revoked", "RSK-1", "Zoe", "The pager is here."]),
    ];
    assert_eq!(told, expected);
}
