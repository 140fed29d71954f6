//! Nothing but the approval of a proposal publishes a text, and nothing changes what the next approval needs.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World, path_values, path_with};

/// The request as it is, the same about this document and its proposal, and this with steps of approval in its body.
fn asks(operation: &Operation, ask: &Ask, [document, proposal, _]: &[String; 3]) -> Vec<Ask> {
    let mut asks = vec![ask.clone()];
    if operation.template.starts_with("/v1/documents/{") {
        let mut values = path_values(&operation.template, &ask.path);
        values[0] = document.trim_start_matches("/v1/documents/").to_owned();
        if operation.template.contains("/proposals/{") {
            values[1].clone_from(proposal);
        }
        asks.insert(0, ask.with_path(path_with(&operation.template, &values)));
        if let Some(Value::Object(mut body)) = ask.body.clone() {
            body.insert("approval_steps".to_owned(), json!([]));
            asks.insert(0, asks[0].with_body(Value::Object(body)));
        }
    }
    asks
}

/// The proposal is submitted, unless the operation has closed it: it still needs the approval of this person only.
async fn needs(world: &World<'_>, [document, proposal, approver]: &[String; 3], after: &str) {
    let proposal = format!("{document}/proposals/{proposal}");
    world.send(&Ask::post(format!("{proposal}/submit"), json!({"summary": world.text()}))).await;
    let answer = world.must(&Ask::get(&proposal)).await;
    if !["rejected", "withdrawn"].contains(&answer.text("status")) {
        assert_eq!(answer.text("status"), "submitted", "after {after}");
        let steps = answer.json()["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 1, "after {after}");
        assert_eq!(steps[0]["users"], json!([approver]), "after {after}");
        assert_eq!(answer.json()["next"]["who"][0]["id"], **approver, "after {after}");
    }
}

by_noun!(operations::writes, nothing_publishes_but_an_approval);
async fn nothing_publishes_but_an_approval(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    let admin = app.person_of(world.organization, "Ada", Role::Admin).await;
    let mut subject = world.stepped().await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        if operation.template.starts_with("/v1/documents/{") {
            subject = world.stepped().await;
        }
        for ask in asks(&operation, &ask, &subject) {
            let before = (Register::of(&app.db).await, world.must(&Ask::get(&subject[0])).await);
            // Neither a client with every scope nor an admin.
            world.send(&ask).await;
            ask.on(&app).bearer(&admin).await;
            let after = (Register::of(&app.db).await, world.must(&Ask::get(&subject[0])).await);
            assert!(!after.0.changed_since(&before.0).contains(&"document_version"), "{operation} {ask:?}");
            for member in ["published_version", "approval_steps"] {
                assert_eq!(
                    after.1.json()[member],
                    before.1.json()[member],
                    "{member} after {operation} {ask:?}"
                );
            }
        }
        needs(&world, &subject, &operation.key).await;
    }
}

/// A client never approves, nor records what others have decided; of the people only those whom the step names approve.
#[both_engines]
async fn a_valid_approval_of_others_publishes_nothing(app: TestApp) {
    let world = World::new(&app).await;
    let admin = app.person_of(world.organization, "Ada", Role::Admin).await;
    let [document, number, _] = world.stepped().await;
    let proposal = format!("{document}/proposals/{number}");
    let submit = Ask::post(format!("{proposal}/submit"), json!({"summary": world.text()}));
    let sha256 = world.must(&submit).await.text("sha256").to_owned();
    let approve = Ask::post(format!("{proposal}/approve"), json!({"sha256": sha256}));
    let decision = json!({"sha256": sha256, "decided_by": "The board", "decided_date": "2026-03-01", "minutes": "4/2026"});
    let record = Ask::post(format!("{proposal}/record"), decision);
    let before = (Register::of(&app.db).await, world.must(&Ask::get(&document)).await);
    for ask in [&approve, &record] {
        let refused = world.send(ask).await;
        assert_eq!((refused.status, refused.text("code")), (403, "four_eyes"), "{ask:?}");
    }
    let refused = approve.on(&app).bearer(&admin).await;
    assert_eq!((refused.status, refused.text("code")), (403, "not_in_step"));
    let after = (Register::of(&app.db).await, world.must(&Ask::get(&document)).await);
    assert!(!after.0.changed_since(&before.0).contains(&"document_version"));
    assert_eq!(after.1.json(), before.1.json());
    // Nothing but the caller was wrong: a person who is no author records it.
    let recorded = record.on(&app).bearer(&admin).expect(200).await;
    assert_eq!(recorded.text("status"), "approved");
}
