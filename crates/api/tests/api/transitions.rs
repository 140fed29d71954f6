//! `/v1/incidents/{id}/transitions`, and `status` in a PATCH: the life of an incident as its users meet it.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

use crate::api::undo::{outcomes, request_id, undo};

async fn incident(app: &TestApp, client: &TestClient) -> String {
    let body = json!({"title": "Phishing", "description": ""});
    let made = app.post("/v1/incidents").bearer(client).json(body).expect(201).await;
    format!("/v1/incidents/{}", made.text("id"))
}

async fn to(app: &TestApp, client: &TestClient, path: &str, body: Value) -> Answer {
    app.db.clock.advance_seconds(60);
    app.post(&format!("{path}/transitions")).bearer(client).json(body).await
}

/// A problem without what differs from request to request.
fn problem(answer: &Answer) -> Value {
    let mut problem = answer.json().clone();
    problem.as_object_mut().unwrap().remove("request_id").unwrap();
    problem
}

#[testkit::both_engines]
async fn an_incident_goes_from_alert_to_closure(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let path = incident(&app, &client).await;
    let taken = to(&app, &client, &path, json!({"to": "investigating", "assigned_to": ada.id})).await;
    assert_eq!(
        (taken.status, taken.text("status"), taken.text("/assigned_to/name")),
        (200, "investigating", "Ada")
    );
    assert_eq!(taken.json()["responded_date"], taken.json()["status_date"]);
    to(&app, &client, &path, json!({"to": "contained"})).await;
    let summary = "Passwords were reset.";
    let resolved = json!({"to": "resolved", "resolution_reason": "fixed", "resolution_summary": summary});
    let resolved = to(&app, &client, &path, resolved).await;
    assert_eq!((resolved.text("resolution_reason"), resolved.text("category")), ("fixed", "open"));
    let refused = to(&app, &client, &path, json!({"to": "closed"})).await;
    assert_eq!(
        problem(&refused),
        json!({
            "type": "/docs/errors#close_requirements",
            "title": "The incident cannot be closed yet.",
            "status": 409,
            "detail": "Its severity is not assessed.",
            "instance": format!("{path}/transitions"),
            "code": "close_requirements",
            "missing": [{"code": "severity_undetermined", "detail": "Its severity is not assessed."}],
        })
    );
    let forced = json!({"to": "closed", "override": true, "reason": "The board has decided."});
    let closed = to(&app, &client, &path, forced).await;
    assert_eq!((closed.text("status"), closed.text("category")), ("closed", "closed"));
    assert_eq!(closed.json()["overridden"], json!(["severity_undetermined"]));
    assert_eq!(closed.text("status_reason"), "The board has decided.");
}

#[testkit::both_engines]
async fn a_status_that_cannot_follow_names_those_that_can(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let refused = to(&app, &client, &path, json!({"to": "closed"})).await;
    let expected = |instance: &str| {
        json!({
            "type": "/docs/errors#transition_not_allowed",
            "title": "The incident cannot get this status now.",
            "status": 409,
            "detail": "An incident that is new cannot become closed. \
                It can become investigating, contained, resolved or dismissed.",
            "instance": instance,
            "code": "transition_not_allowed",
            "allowed": ["investigating", "contained", "resolved", "dismissed"],
        })
    };
    assert_eq!(problem(&refused), expected(&format!("{path}/transitions")));
    let refused = app.patch(&path).bearer(&client).json(json!({"status": "closed"})).expect(409).await;
    assert_eq!(problem(&refused), expected(&path), "the same rules");
}

#[testkit::both_engines]
async fn what_is_missing_is_told_with_its_pointer_and_all_at_once(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let refused = to(&app, &client, &path, json!({"to": "resolved"})).await;
    assert_eq!(
        (refused.status, refused.faults()),
        (422, vec!["#/resolution_reason required".to_owned(), "#/responded_date required".to_owned()])
    );
    assert_eq!(
        refused.json()["errors"],
        json!([
            {"pointer": "#/resolution_reason", "code": "required",
             "detail": "Resolution reason is required: one of fixed, mitigated, accepted, other."},
            {"pointer": "#/responded_date", "code": "required",
             "detail": "Responded date is required, because nobody has taken the incident before."},
        ])
    );
    let refused = to(&app, &client, &path, json!({"override": "yes", "reason": " ", "too": 1})).await;
    assert_eq!(
        refused.faults(),
        ["#/to required", "#/reason blank", "#/override type", "#/too unknown_field"]
    );
    let refused = to(&app, &client, &path, json!({"to": "contained", "override": true})).await;
    assert_eq!(refused.faults(), ["#/override not_in_status"]);
    let stray = json!({"reason": "Because.", "at": "2026-03-01T09:00:00Z", "title": " "});
    let refused = app.patch(&path).bearer(&client).json(stray).expect(422).await;
    assert_eq!(refused.faults(), ["#/title blank", "#/at not_in_status", "#/reason not_in_status"]);
}

#[testkit::both_engines]
async fn the_options_say_what_is_allowed_next_what_is_missing_and_why(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let options = format!("{path}/transitions");
    let all = app.get(&options).bearer(&client).expect(200).await;
    let rows = all.json()["data"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 5);
    let row = |rows: &[Value], to: &str| rows.iter().find(|row| row["to"] == to).unwrap().clone();
    assert_eq!(
        row(&rows, "resolved"),
        json!({"to": "resolved", "reopens": false, "permitted": true,
               "needs": ["resolution_reason", "responded_date"], "blocked_by": []})
    );
    assert_eq!(
        row(&rows, "closed"),
        json!({"to": "closed", "reopens": false, "permitted": false, "needs": [], "blocked_by": [{
            "code": "transition_not_allowed",
            "detail": "An incident that is new cannot become closed. \
                It can become investigating, contained, resolved or dismissed.",
        }]})
    );
    let resolve =
        json!({"to": "resolved", "resolution_reason": "fixed", "responded_date": "2026-03-01T09:00:30Z"});
    assert_eq!(to(&app, &client, &path, resolve).await.status, 200);
    let viewer = app.person("Vera", Role::Viewer).await;
    let all = app.get(&options).bearer(&viewer).expect(200).await;
    let close = row(all.json()["data"].as_array().unwrap(), "closed");
    assert_eq!(close["needs"], json!(["resolution_summary"]));
    assert_eq!(
        close["blocked_by"],
        json!([
            {"code": "insufficient_scope", "detail": "This needs the scope incidents:write."},
            {"code": "severity_undetermined", "detail": "Its severity is not assessed."},
        ])
    );
    let reopen = row(all.json()["data"].as_array().unwrap(), "investigating");
    assert_eq!((&reopen["reopens"], &reopen["needs"]), (&json!(true), &json!(["reason"])));
}

#[testkit::both_engines]
async fn a_reopening_keeps_what_stood_and_an_undo_is_none(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let resolve = json!({"to": "resolved", "resolution_reason": "mitigated", "resolution_summary": "Blocked.",
        "responded_date": "2026-03-01T09:00:30Z"});
    let resolved = to(&app, &client, &path, resolve).await;
    let reopened = to(&app, &client, &path, json!({"to": "investigating", "reason": "It came back."})).await;
    let spell = &reopened.json()["spells"][0];
    assert_eq!(
        spell,
        &json!({
            "from_status": "resolved", "to_status": "investigating", "reason": "It came back.",
            "at": reopened.json()["status_date"], "contained_date": null,
            "resolved_date": resolved.json()["resolved_date"], "closed_date": null,
            "resolution_reason": "mitigated", "resolution_summary": "Blocked.", "duplicate_of": null,
        })
    );
    assert_eq!(reopened.json()["reopen_count"], 1);
    assert_eq!(reopened.json()["resolved_date"], Value::Null);
    assert_eq!(reopened.json()["first_resolved_date"], resolved.json()["resolved_date"]);
    let undone = undo(&app, &client, request_id(&reopened)).await;
    assert_eq!(outcomes(&undone).0, 1);
    let mut now = app.get(&path).bearer(&client).expect(200).await.json().clone();
    assert_eq!(now["version"], 4);
    for member in ["version", "updated_date"] {
        now[member] = resolved.json()[member].clone();
    }
    assert_eq!(&now, resolved.json(), "every field is as before");
}

/// The payloads of the entries about steps back.
async fn entries_of_steps_back(app: &TestApp, client: &TestClient) -> Vec<Value> {
    let mut payloads = Vec::new();
    let mut after = 0;
    loop {
        let list = app.get(&format!("/v1/journal?limit=200&after={after}")).bearer(client).expect(200).await;
        let Some(last) = list.json()["data"].as_array().unwrap().last() else { break };
        after = last["seq"].as_i64().unwrap();
        let entries = list.json()["data"].as_array().unwrap().iter();
        let texts = entries.filter_map(|entry| entry["payload"].as_str());
        let all = texts.map(|text| serde_json::from_str::<Value>(text).unwrap());
        payloads.extend(all.filter(|payload| payload["status"] == json!(["contained", "investigating"])));
    }
    payloads
}

#[testkit::both_engines]
async fn each_of_a_hundred_steps_back_journals_itself_alone(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let steps = format!("{path}/transitions");
    let to = async |body: Value| app.post(&steps).bearer(&client).json(body).expect(200).await;
    to(json!({"to": "investigating"})).await;
    let mut halfway = 0;
    for step in 1..=100 {
        to(json!({"to": "contained"})).await;
        to(json!({"to": "investigating", "reason": format!("{step:03}")})).await;
        if step == 60 {
            halfway =
                app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].as_i64().unwrap();
        }
    }
    let payloads = entries_of_steps_back(&app, &client).await;
    assert_eq!(payloads.len(), 100);
    // The second one: the first has nothing before it. The numbers have up to two digits more.
    let size = |place: usize| payloads[place].to_string().len();
    assert!(size(99) <= size(1) + 4, "{} after {}: {}", size(99), size(1), payloads[99]);
    assert_eq!(payloads[99]["last_step_back"], json!([200, 202]));
    for (query, last) in [(String::new(), 100), (format!("?as_of_seq={halfway}"), 60)] {
        let read = app.get(&format!("{path}{query}")).bearer(&client).expect(200).await;
        let spells = read.json()["spells"].as_array().unwrap();
        let reasons: Vec<&str> = spells.iter().map(|spell| spell["reason"].as_str().unwrap()).collect();
        let expected: Vec<String> = (last - 49..=last).map(|step| format!("{step:03}")).collect();
        assert_eq!(reasons, expected, "the latest 50 of {query}");
    }
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[testkit::both_engines]
async fn of_two_who_move_an_incident_at_once_one_is_told_what_happened(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let etag = app.get(&path).bearer(&client).expect(200).await.header("etag").unwrap().to_owned();
    let dismiss = json!({"to": "dismissed", "resolution_reason": "false_positive"});
    let resolve =
        json!({"to": "resolved", "resolution_reason": "fixed", "responded_date": "2026-03-01T09:00:00Z"});
    let send = |body: Value| app.post(&format!("{path}/transitions")).bearer(&client).json(body);
    let (one, other) = tokio::join!(send(dismiss.clone()), send(resolve.clone()));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let refused = if one.status == 409 { &one } else { &other };
    assert_eq!(refused.text("code"), "transition_not_allowed");
    let status = app.get(&path).bearer(&client).expect(200).await.text("status").to_owned();
    assert!(refused.text("detail").starts_with(&format!("An incident that is {status} cannot become")));
    let stale = send(resolve).header("if-match", &etag).expect(412).await;
    assert_eq!(stale.text("code"), "precondition_failed");
}

#[testkit::both_engines]
async fn the_same_status_again_is_answered_and_not_journaled(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let first = to(&app, &client, &path, json!({"to": "investigating"})).await;
    let again = to(&app, &client, &path, json!({"to": "investigating"})).await;
    assert_eq!((again.status, again.json()), (200, first.json()));
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await;
    let entries = app.get("/v1/journal").bearer(&client).expect(200).await;
    let last = entries.json()["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["kind"], &last["seq"]), (&json!("incident.status_changed"), &head.json()["seq"]));
}

#[testkit::both_engines]
async fn a_pause_is_over_at_its_end(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let hold = json!({"hold": {"until": "2026-03-01T09:10:00Z", "reason": "The vendor looks into it."}});
    let held = app.patch(&path).bearer(&client).json(hold).expect(200).await;
    assert_eq!(held.text("/hold/reason"), "The vendor looks into it.");
    assert_eq!(held.json()["hold"]["by"]["id"], json!(client.id));
    app.db.clock.advance_seconds(600);
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.json()["hold"], Value::Null);
    let bad = json!({"hold": {"until": "2026-03-01T10:00:00Z", "since": null}});
    let refused = app.patch(&path).bearer(&client).json(bad).expect(422).await;
    assert_eq!(refused.faults(), ["#/hold/reason required", "#/hold/since read_only"]);
}

#[testkit::both_engines]
async fn a_legal_hold_needs_a_reason_and_the_scope_to_delete(app: TestApp) {
    let client = app.client().await;
    let path = incident(&app, &client).await;
    let bare = app.patch(&path).bearer(&client).json(json!({"legal_hold": true})).expect(422).await;
    assert_eq!(bare.faults(), ["#/reason required"]);
    let body = json!({"legal_hold": true, "reason": "Court order 12/26."});
    let writer = app.client_with_scopes("incidents:read incidents:write").await;
    let refused = app.patch(&path).bearer(&writer).json(body.clone()).expect(403).await;
    assert_eq!(refused.text("scope"), "incidents:delete");
    let held = app.patch(&path).bearer(&client).json(body).expect(200).await;
    assert_eq!(
        (&held.json()["legal_hold"], held.text("legal_hold_reason")),
        (&json!(true), "Court order 12/26.")
    );
}
