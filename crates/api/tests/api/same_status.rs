//! A status that an incident has already: what repeats what is stored changes nothing, and everything else obeys the rules of
//! the way in, through every operation that takes a status.

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::bulk::{assert_sound, bulk, seq};
use crate::api::undo::{outcomes, request_id, undo};

/// The operations that take a status.
#[derive(Debug, Clone, Copy)]
enum Door {
    Transitions,
    Patch,
    BulkTransition,
    BulkUpdate,
}

const DOORS: [Door; 4] = [Door::Transitions, Door::Patch, Door::BulkTransition, Door::BulkUpdate];

impl Door {
    /// Sends a status with other members; the status of the answer about the incident, and its faults.
    async fn send(
        self,
        app: &TestApp,
        client: &TestClient,
        id: &str,
        to: &str,
        members: &Value,
    ) -> (u64, Vec<String>) {
        let mut body = members.clone();
        let path = format!("/v1/incidents/{id}");
        let answer = match self {
            Self::Transitions => {
                body["to"] = json!(to);
                app.post(&format!("{path}/transitions")).bearer(client).json(body).await
            }
            Self::Patch => {
                body["status"] = json!(to);
                app.patch(&path).bearer(client).json(body).await
            }
            Self::BulkTransition | Self::BulkUpdate => {
                let is_update = matches!(self, Self::BulkUpdate);
                body["type"] = json!(if is_update { "update" } else { "transition" });
                body[if is_update { "status" } else { "to" }] = json!(to);
                let answer = bulk(app, client, json!({"ids": [id], "operation": body}), 200).await;
                let problem = &answer.json()["results"][0]["problem"];
                return (problem["status"].as_u64().unwrap_or(200), faults(problem));
            }
        };
        (answer.status.into(), faults(answer.json()))
    }
}

fn faults(problem: &Value) -> Vec<String> {
    let word = |fault: &Value, member: &str| fault[member].as_str().unwrap().to_owned();
    let errors = problem["errors"].as_array().into_iter().flatten();
    errors.map(|fault| format!("{} {}", word(fault, "pointer"), word(fault, "code"))).collect()
}

async fn declare(app: &TestApp, client: &TestClient) -> String {
    app.post("/v1/incidents").bearer(client).expect(201).await.text("id").to_owned()
}

async fn step(app: &TestApp, client: &TestClient, id: &str, body: Value) -> Answer {
    app.post(&format!("/v1/incidents/{id}/transitions")).bearer(client).json(body).expect(200).await
}

async fn read(app: &TestApp, client: &TestClient, id: &str) -> Value {
    app.get(&format!("/v1/incidents/{id}")).bearer(client).expect(200).await.json().clone()
}

fn duplicate(of: &str) -> Value {
    json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": of})
}

/// Each row is tried through every operation on an incident with the status `to`: nothing is changed, and these are the
/// faults.
async fn refused(app: &TestApp, client: &TestClient, id: &str, to: &str, rows: &[(Value, &[&str])]) {
    let before = (read(app, client, id).await, seq(app, client).await);
    for (members, expected) in rows {
        for door in DOORS {
            let found = door.send(app, client, id, to, members).await;
            let expected = expected.iter().map(|fault| (*fault).to_owned()).collect();
            assert_eq!(found, (422, expected), "{door:?} {to} {members}");
        }
    }
    assert_eq!((read(app, client, id).await, seq(app, client).await), before);
}

#[both_engines]
async fn a_duplicate_is_checked_while_it_stays_one(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (declare(&app, &client).await, declare(&app, &client).await);
    let (original, gone) = (declare(&app, &client).await, declare(&app, &client).await);
    step(&app, &client, &one, duplicate(&original)).await;
    step(&app, &client, &other, duplicate(&one)).await;
    let ids = json!({"ids": [gone]});
    app.delete("/v1/incidents").bearer(&client).json(ids).expect(200).await;
    let to = |id: &str| json!({"duplicate_of": id});
    let rows: [(Value, &[&str]); 5] = [
        (to(&one), &["#/duplicate_of duplicate_cycle"]),
        (to(&other), &["#/duplicate_of duplicate_cycle"]),
        (to("INC-99999"), &["#/duplicate_of unknown_incident"]),
        (to(&gone), &["#/duplicate_of unknown_incident"]),
        (
            json!({"resolution_reason": "false_positive", "duplicate_of": one}),
            &["#/duplicate_of not_in_status", "#/resolution_reason not_in_status"],
        ),
    ];
    refused(&app, &client, &one, "dismissed", &rows).await;
    // Another original that can stand for it is a change.
    let third = declare(&app, &client).await;
    for (door, of) in DOORS.into_iter().zip([&third, &original, &third, &original]) {
        assert_eq!(door.send(&app, &client, &one, "dismissed", &to(of)).await, (200, vec![]), "{door:?}");
        assert_eq!(read(&app, &client, &one).await["duplicate_of"], json!(of), "{door:?}");
    }
    assert_sound(&app).await;
}

#[both_engines]
async fn an_original_belongs_to_a_duplicate_only(app: TestApp) {
    let client = app.client().await;
    let (one, original) = (declare(&app, &client).await, declare(&app, &client).await);
    let stray = (json!({"duplicate_of": original}), ["#/duplicate_of not_in_status"]);
    let rows: [(Value, &[&str]); 1] = [(stray.0, &stray.1)];
    refused(&app, &client, &one, "new", &rows).await;
    step(&app, &client, &one, json!({"to": "investigating"})).await;
    refused(&app, &client, &one, "investigating", &rows).await;
    step(&app, &client, &one, json!({"to": "dismissed", "resolution_reason": "test"})).await;
    refused(&app, &client, &one, "dismissed", &rows).await;
    let becomes = json!({"resolution_reason": "duplicate", "duplicate_of": original});
    let rows: [(Value, &[&str]); 2] = [
        (becomes, &["#/resolution_reason not_in_status"]),
        (
            json!({"resolution_reason": "duplicate"}),
            &["#/duplicate_of required", "#/resolution_reason not_in_status"],
        ),
    ];
    refused(&app, &client, &one, "dismissed", &rows).await;
}

#[both_engines]
async fn the_resolution_reason_other_needs_a_reason_while_the_status_stays(app: TestApp) {
    let client = app.client().await;
    let (resolved, dismissed) = (declare(&app, &client).await, declare(&app, &client).await);
    step(&app, &client, &resolved, json!({"to": "investigating"})).await;
    step(&app, &client, &resolved, json!({"to": "resolved", "resolution_reason": "fixed"})).await;
    step(&app, &client, &dismissed, json!({"to": "dismissed", "resolution_reason": "test"})).await;
    let rows: [(Value, &[&str]); 2] = [
        (json!({"resolution_reason": "other"}), &["#/reason required"]),
        (json!({"resolution_reason": "other", "reason": "Odd."}), &["#/reason not_in_status"]),
    ];
    for (id, status) in [(&resolved, "resolved"), (&dismissed, "dismissed")] {
        refused(&app, &client, id, status, &rows).await;
        let path = format!("/v1/incidents/{id}");
        let patch = json!({"resolution_reason": "other"});
        let refused = app.patch(&path).bearer(&client).json(patch).expect(422).await;
        assert_eq!(refused.faults(), ["#/reason required"], "without the status, too");
        assert!(refused.text("/errors/0/detail").contains("eopen"), "{}", refused.json());
    }
    // Another reason of the status is a change, as by a patch.
    for (door, word) in DOORS.into_iter().zip(["mitigated", "accepted", "fixed", "mitigated"]) {
        let members = json!({"resolution_reason": word});
        assert_eq!(door.send(&app, &client, &resolved, "resolved", &members).await, (200, vec![]));
        assert_eq!(read(&app, &client, &resolved).await["resolution_reason"], json!(word));
    }
}

#[both_engines]
async fn a_status_that_stays_takes_no_other_time_reason_or_override(app: TestApp) {
    let client = app.client().await;
    let id = declare(&app, &client).await;
    let rows: [(Value, &[&str]); 4] = [
        (json!({"at": "2030-01-01T00:00:00Z"}), &["#/at not_in_status"]),
        (json!({"at": "2026-02-01T00:00:00Z"}), &["#/at not_in_status"]),
        (json!({"reason": "Because."}), &["#/reason not_in_status"]),
        (
            json!({"at": "2030-01-01T00:00:00Z", "reason": "Because."}),
            &["#/at not_in_status", "#/reason not_in_status"],
        ),
    ];
    refused(&app, &client, &id, "new", &rows).await;
    let low = json!({"severity": "low", "reason": "Small."});
    app.put(&format!("/v1/incidents/{id}/severity")).bearer(&client).json(low).expect(200).await;
    for (to, members) in [
        ("investigating", json!({})),
        ("contained", json!({})),
        ("resolved", json!({"resolution_reason": "fixed", "resolution_summary": "Done."})),
        ("closed", json!({})),
    ] {
        app.db.clock.advance_seconds(60);
        assert_eq!(Door::Transitions.send(&app, &client, &id, to, &members).await, (200, vec![]));
        refused(&app, &client, &id, to, &rows).await;
    }
    let overriding: [(Value, &[&str]); 2] = [
        (json!({"override": true}), &["#/override not_in_status"]),
        (
            json!({"override": true, "reason": "Because."}),
            &["#/reason not_in_status", "#/override not_in_status"],
        ),
    ];
    refused(&app, &client, &id, "closed", &overriding).await;
}

#[both_engines]
async fn what_equals_what_is_stored_is_a_retry(app: TestApp) {
    let client = app.client().await;
    let (id, original) = (declare(&app, &client).await, declare(&app, &client).await);
    let ada = app.person("Ada", domain::Role::Responder).await;
    for (to, members) in [
        ("investigating", json!({"assigned_to": ada.id, "at": "2026-03-01T09:00:00.1234567Z"})),
        ("contained", json!({"at": "2026-03-01T10:00:30+01:00", "reason": "Blocked."})),
        (
            "resolved",
            json!({"resolution_reason": "other", "reason": "It stopped.", "resolution_summary": "Done."}),
        ),
        ("closed", json!({"override": true, "reason": "The board has decided."})),
        ("investigating", json!({"reason": "It came back.", "responded_date": "2026-03-01T09:00:00Z"})),
        (
            "dismissed",
            json!({"resolution_reason": "duplicate", "duplicate_of": original, "reason": "The same."}),
        ),
    ] {
        app.db.clock.advance_seconds(60);
        assert_eq!(Door::Transitions.send(&app, &client, &id, to, &members).await, (200, vec![]), "{to}");
        let before = (read(&app, &client, &id).await, seq(&app, &client).await);
        for door in DOORS {
            app.db.clock.advance_seconds(1);
            assert_eq!(
                door.send(&app, &client, &id, to, &members).await,
                (200, vec![]),
                "{door:?} {members}"
            );
            assert_eq!((read(&app, &client, &id).await, seq(&app, &client).await), before, "{door:?} {to}");
        }
    }
    // It is a retry after the original was deleted, too.
    app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [original]})).expect(200).await;
    let before = seq(&app, &client).await;
    let again = json!({"resolution_reason": "duplicate", "duplicate_of": original, "reason": "The same."});
    for door in DOORS {
        assert_eq!(door.send(&app, &client, &id, "dismissed", &again).await, (200, vec![]), "{door:?}");
    }
    assert_eq!(seq(&app, &client).await, before);
    assert_sound(&app).await;
}

#[both_engines]
async fn a_legal_hold_that_stays_takes_no_other_reason(app: TestApp) {
    let client = app.client().await;
    let id = declare(&app, &client).await;
    let path = format!("/v1/incidents/{id}");
    let send = |body: Value| app.patch(&path).bearer(&client).json(body);
    let hold = json!({"legal_hold": true, "reason": "Court order 12/26."});
    let both = json!({"status": "new", "legal_hold": true, "reason": "Court order 12/26."});
    send(both.clone()).expect(200).await;
    let before = (read(&app, &client, &id).await, seq(&app, &client).await);
    send(hold).expect(200).await;
    send(both).expect(200).await;
    let other = json!({"legal_hold": true, "reason": "Another."});
    assert_eq!(send(other).expect(422).await.faults(), ["#/reason not_in_status"]);
    assert_eq!((read(&app, &client, &id).await, seq(&app, &client).await), before);
}

#[both_engines]
async fn a_message_by_reference_has_no_status_and_none_of_its_members(app: TestApp) {
    let client = app.client().await;
    let path = "/v1/sources/siem/incidents/1";
    let message = json!({"title": "Beacon", "description": ""});
    app.put(path).bearer(&client).json(message.clone()).expect(201).await;
    let before = seq(&app, &client).await;
    let (at, other) = (json!("2030-01-01T00:00:00Z"), json!("other"));
    for (member, value, code) in [
        ("status", json!("new"), "read_only"),
        ("resolution_reason", other, "read_only"),
        ("duplicate_of", json!("INC-0001"), "read_only"),
        ("at", at, "unknown_field"),
        ("reason", json!("Because."), "unknown_field"),
        ("override", json!(true), "unknown_field"),
    ] {
        let mut body = message.clone();
        body[member] = value;
        let refused = app.put(path).bearer(&client).json(body).expect(422).await;
        assert_eq!(refused.faults(), [format!("#/{member} {code}")]);
    }
    assert_eq!(seq(&app, &client).await, before);
}

#[both_engines]
async fn no_sequence_of_steps_makes_a_circle_of_duplicates(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (declare(&app, &client).await, declare(&app, &client).await);
    let third = declare(&app, &client).await;
    let cycle = vec!["#/duplicate_of duplicate_cycle".to_owned()];
    let is_cycle = async |id: &str, of: &str| {
        for door in DOORS {
            let members = json!({"resolution_reason": "duplicate", "duplicate_of": of});
            let found = door.send(&app, &client, id, "dismissed", &members).await;
            assert_eq!(found, (422, cycle.clone()), "{door:?} {id} of {of}");
        }
    };
    // In two steps.
    step(&app, &client, &one, duplicate(&other)).await;
    is_cycle(&other, &one).await;
    // In one call: the original itself fails, and the others are changed.
    let mut operation = duplicate(&third);
    operation["type"] = json!("transition");
    let answer = bulk(&app, &client, json!({"ids": [third, other], "operation": operation}), 200).await;
    let results = &answer.json()["results"];
    assert_eq!((faults(&results[0]["problem"]), &results[1]["outcome"]), (cycle.clone(), &json!("changed")));
    // By what comes back from the trash: one -> other -> third, and other was deleted and is restored.
    let ids = json!({"ids": [other]});
    app.delete("/v1/incidents").bearer(&client).json(ids.clone()).expect(200).await;
    is_cycle(&third, &one).await;
    app.post("/v1/incidents/restore").bearer(&client).json(ids).expect(200).await;
    is_cycle(&third, &one).await;
    assert_sound(&app).await;
}

#[both_engines]
async fn an_undo_of_another_original_makes_no_circle(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (declare(&app, &client).await, declare(&app, &client).await);
    let third = declare(&app, &client).await;
    step(&app, &client, &one, duplicate(&other)).await;
    let changed = step(&app, &client, &one, duplicate(&third)).await;
    step(&app, &client, &other, duplicate(&one)).await;
    let undone = undo(&app, &client, request_id(&changed)).await;
    assert_eq!((outcomes(&undone).0, undone.text("/results/0/outcome")), (0, "no_longer_valid"));
    assert_eq!(read(&app, &client, &one).await["duplicate_of"], json!(third));
    assert_sound(&app).await;
}

#[both_engines]
async fn a_retry_does_not_say_whether_a_hidden_original_was_named_rightly(app: TestApp) {
    let client = app.client().await;
    let writer = app.client_with_scopes("incidents:read incidents:write").await;
    let (one, secret) = (declare(&app, &client).await, declare(&app, &client).await);
    step(&app, &client, &one, duplicate(&secret)).await;
    let path = format!("/v1/incidents/{secret}");
    app.patch(&path).bearer(&client).json(json!({"restricted": true})).expect(200).await;
    assert_eq!(read(&app, &writer, &one).await["duplicate_of"], Value::Null);
    for of in [secret.as_str(), "INC-99999"] {
        let members = json!({"resolution_reason": "duplicate", "duplicate_of": of});
        for door in [Door::Transitions, Door::Patch] {
            let found = door.send(&app, &writer, &one, "dismissed", &members).await;
            assert_eq!(found, (422, vec!["#/duplicate_of unknown_incident".to_owned()]), "{door:?} {of}");
        }
    }
    // Whatever else is changed does not ask for the original.
    let patch = json!({"status": "dismissed", "title": "Known"});
    app.patch(&format!("/v1/incidents/{one}")).bearer(&writer).json(patch).expect(200).await;
    assert_eq!(read(&app, &client, &one).await["duplicate_of"], json!(secret));
}
