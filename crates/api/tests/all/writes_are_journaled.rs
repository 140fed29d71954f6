//! No change without a journal entry, and no entry without a change.

use db::Tx;
use domain::OrgId;
use futures_util::future::join_all;
use serde_json::json;
use testkit::TestApp;

use crate::all::operations::{self, Operation};
use crate::all::register::{EXEMPT, Register};
use crate::all::world::{World, path_values, path_with, unknown};

/// Verifies the chain and compares the records with their latest entries.
async fn verify(app: &TestApp, organization: OrgId, after: &str) {
    let mut tx: Tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, organization, None).await.unwrap();
    assert_eq!(report.faults, [], "after {after}");
}

by_noun!(operations::writes, every_write_appends_what_it_changed);
async fn every_write_appends_what_it_changed(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let (before, head) = (Register::of(&app.db).await, world.head().await);
        app.db.clock.advance_seconds(1);
        world.must(&ask).await;
        let after = Register::of(&app.db).await;
        assert_ne!(after.records_changed_since(&before), Vec::<&str>::new(), "{operation} changed nothing");
        assert!(world.head().await.0 > head.0, "{operation} appended nothing");
        verify(&app, world.organization, &operation.key).await;
        verify(&app, OrgId(uuid::Uuid::nil()), &operation.key).await;
    }
}

by_noun!(operations::writes, a_write_without_effect_leaves_no_trace);
async fn a_write_without_effect_leaves_no_trace(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        world.must(&ask).await;
        let before = Register::of(&app.db).await;
        app.db.clock.advance_seconds(1);
        for again in world.unchanged(&ask).await {
            world.must(&again).await;
            let after = Register::of(&app.db).await;
            let changed = after.changed_since(&before);
            // A lane records every batch, independent of its content.
            assert!(
                changed.iter().all(|table| *table == "write_lane"),
                "{operation} {again:?} changed {changed:?}"
            );
        }
    }
}

by_noun!(operations::writes, a_refused_write_leaves_no_trace);
async fn a_refused_write_leaves_no_trace(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let mut refused = vec![ask.with_path(format!("{}?zzz=1", ask.path))];
        let values = path_values(&operation.template, &ask.path);
        if !values.is_empty() {
            let unknown: Vec<_> = values.iter().map(|value| unknown(value)).collect();
            refused.push(ask.with_path(path_with(&operation.template, &unknown)));
        }
        if operation.has_body() {
            refused.push(ask.with_body(json!("text")));
        }
        for wrong in refused {
            let before = Register::of(&app.db).await;
            // With a key, because refusals are not stored either.
            let request = wrong.on(&app).bearer(&world.client).idempotency_key("refused");
            let answer = request.await;
            assert!((400..500).contains(&answer.status), "{operation} {wrong:?}: {}", answer.status);
            let changed = Register::of(&app.db).await;
            let changed = changed.changed_since(&before);
            assert!(
                changed.iter().all(|table| *table == "write_lane"),
                "{operation} {wrong:?} changed {changed:?}"
            );
        }
    }
}

/// Six identical writes at once, from two processes and without a key: at most one succeeds and the others get the
/// reason.
#[testkit::both_engines]
async fn a_race_ends_in_clear_answers_and_a_sound_journal(app: TestApp) {
    let world = World::new(&app).await;
    let second = app.beside(2).await;
    let there = world.through(&second);
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let answers = join_all((0..6).map(|n| if n % 2 == 0 { &world } else { &there }.send(&ask))).await;
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert!(statuses.iter().any(|status| (200..300).contains(status)), "{operation}: {statuses:?}");
        // The text of the second redaction is gone already, the slugs of the second import are taken, and the person of the
        // second replacement is in the step no more.
        let is_late =
            ["/redact", "/documents/import", "/replace"].iter().any(|end| operation.key.ends_with(end));
        for status in statuses {
            let is_clear = [200, 201, 204, 404, 409].contains(&status) || is_late && status == 422;
            assert!(is_clear, "{operation}: {status}");
        }
    }
    // All kinds of writes at once.
    join_all(operations::writes().iter().map(async |operation| {
        let (here, elsewhere) = (world.valid(operation).await, there.valid(operation).await);
        tokio::join!(world.must(&here), there.must(&elsewhere));
    }))
    .await;
    verify(&app, world.organization, "the race").await;
    verify(&app, OrgId(uuid::Uuid::nil()), "the race").await;
}

#[testkit::both_engines]
async fn tokens_change_nothing_but_what_is_exempt(app: TestApp) {
    let client = app.client().await;
    let before = Register::of(&app.db).await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let mut answer = app.post("/v1/oauth/token").json(body).expect(200).await;
    for _ in 0..2 {
        let body = json!({"grant_type": "refresh_token", "refresh_token": answer.text("refresh_token")});
        answer = app.post("/v1/oauth/token").json(body).expect(200).await;
    }
    let after = Register::of(&app.db).await;
    assert_ne!(after.changed_since(&before), Vec::<&str>::new(), "a refresh is kept");
    assert_eq!(after.records_changed_since(&before), Vec::<&str>::new());
}

#[testkit::both_engines]
async fn the_exempt_tables_are_there(app: TestApp) {
    let register = Register::of(&app.db).await;
    for (table, reason) in EXEMPT {
        assert!(register.has_table(table), "{table} ({reason}) is gone: take it out of EXEMPT");
    }
}

/// The journal entry names its author and its request, and contains only fields of the record.
#[testkit::both_engines]
async fn an_entry_names_its_caller_and_request(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let head = world.head().await;
        let request = ask.on(&app).bearer(&world.client).header("x-request-id", "who-asked");
        let answer = request.await;
        assert!((200..300).contains(&answer.status), "{operation}: {}", answer.status);
        let path = format!("/v1/journal?after={}", head.0);
        let entries = app.get(&path).bearer(&world.client).expect(200).await;
        let entries = entries.json()["data"].as_array().unwrap().clone();
        assert!(!entries.is_empty(), "{operation}");
        for entry in entries {
            assert_eq!(entry["request_id"], "who-asked", "{operation}: {entry}");
            assert_eq!(entry["actor"]["id"], json!(world.client.id), "{operation}: {entry}");
            let payload: serde_json::Value =
                serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
            let changes = payload.as_object().unwrap();
            for (field, change) in changes {
                let pair = change.as_array().unwrap_or_else(|| panic!("{operation} {field}: {change}"));
                assert_eq!(pair.len(), 2, "{operation} {field}: {change}");
                assert_ne!(pair[0], pair[1], "{operation} {field}: {change} is no change");
            }
        }
    }
}
