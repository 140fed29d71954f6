//! `Idempotency-Key`: a retry of any write is safe.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World};

async fn keyed(world: &World<'_>, ask: &Ask, key: &str) -> Answer {
    ask.on(world.app).bearer(&world.client).idempotency_key(key).await
}

fn is_replay(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

/// The parts of a response that a client sees.
fn seen(answer: &Answer) -> (u16, Vec<u8>, Option<String>) {
    (answer.status, answer.bytes.to_vec(), answer.header("location").map(str::to_owned))
}

fn assert_done(answer: &Answer, what: &str) {
    assert!(
        (200..300).contains(&answer.status) && !is_replay(answer),
        "{what}: {} {}",
        answer.status,
        answer.json()
    );
}

by_noun!(operations::writes, a_retry_gets_the_same_answer_and_changes_nothing);
async fn a_retry_gets_the_same_answer_and_changes_nothing(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let first = keyed(&world, &ask, &operation.key.replace(' ', "")).await;
        assert_done(&first, &operation.key);
        let before = Register::of(&app.db).await;
        app.db.clock.advance_seconds(5);
        let retry = keyed(&world, &ask, &operation.key.replace(' ', "")).await;
        assert!(is_replay(&retry), "{operation}: {} {}", retry.status, retry.json());
        assert_eq!(seen(&retry), seen(&first), "{operation}");
        let after = Register::of(&app.db).await;
        assert!(after.changed_since(&before).iter().all(|table| *table == "write_lane"), "{operation}");
    }
}

#[testkit::both_engines]
async fn a_key_stands_for_one_request(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::writes() {
        let key = operation.key.replace(' ', "");
        let ask = world.valid(&operation).await;
        assert_done(&keyed(&world, &ask, &key).await, &operation.key);
        let another = world.valid(&operation).await;
        let before = world.head().await;
        let mut others = vec![another.clone()];
        if ask.body != another.body {
            others.push(ask.with_body(another.body.clone().unwrap()));
        }
        for other in others {
            let answer = keyed(&world, &other, &key).await;
            assert_eq!((answer.status, answer.text("code")), (422, "idempotency_key_reused"), "{operation}");
        }
        assert_eq!(world.head().await, before, "{operation}");
        // A refused request can still be sent with another key.
        assert_done(&keyed(&world, &another, &format!("{key}-2")).await, &operation.key);
    }
}

#[testkit::both_engines]
async fn a_key_belongs_to_its_caller(app: TestApp) {
    let world = World::new(&app).await;
    let colleague = world.colleague().await;
    for operation in operations::writes() {
        let key = operation.key.replace(' ', "");
        assert_done(&keyed(&world, &world.valid(&operation).await, &key).await, &operation.key);
        assert_done(&keyed(&colleague, &colleague.valid(&operation).await, &key).await, &operation.key);
    }
}

/// Another token of the world's client, with one scope only.
async fn narrow_token(world: &World<'_>, scope: &str) -> String {
    let body = json!({"grant_type": "client_credentials", "client_id": world.client.id,
        "client_secret": world.client.secret, "scope": scope});
    world.app.post("/v1/oauth/token").json(body).expect(200).await.text("access_token").to_owned()
}

/// A replay requires all scopes that the first request needed, including those beyond the scope of its route.
#[testkit::both_engines]
async fn a_replay_needs_the_scopes_of_its_request(app: TestApp) {
    let world = World::new(&app).await;
    let mut refused = 0;
    for operation in operations::writes() {
        let key = operation.key.replace(' ', "");
        let narrow = narrow_token(&world, operation.scope().unwrap()).await;
        let ask = world.valid(&operation).await;
        assert_done(&keyed(&world, &ask, &key).await, &operation.key);
        let alone = world.valid(&operation).await.on(&app).bearer(&narrow).await;
        let repeated = ask.on(&app).bearer(&narrow).idempotency_key(&key).await;
        assert_eq!(repeated.status, alone.status, "{operation}: {}", repeated.json());
        match alone.status {
            403 => {
                assert_eq!(repeated.text("scope"), alone.text("scope"), "{operation}");
                refused += 1;
            }
            _ => assert!(is_replay(&repeated), "{operation}"),
        }
        assert!(is_replay(&keyed(&world, &ask, &key).await), "{operation}: with the first token");
    }
    assert!(refused > 0, "some operations ask for more than their route does");
}

by_noun!(operations::writes, a_refusal_is_not_kept);
async fn a_refusal_is_not_kept(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let key = operation.key.replace(' ', "");
        let ask = world.valid(&operation).await;
        let mut refused = vec![ask.with_path(format!("{}?zzz=1", ask.path))];
        if operation.has_body() {
            refused.push(ask.with_body(json!(7)));
        }
        if operation.template.contains('{') {
            let values = crate::all::world::path_values(&operation.template, &ask.path);
            let unknown: Vec<_> = values.iter().map(|value| crate::all::world::unknown(value)).collect();
            refused.push(ask.with_path(crate::all::world::path_with(&operation.template, &unknown)));
        }
        for wrong in refused {
            let answer = keyed(&world, &wrong, &key).await;
            assert!((400..500).contains(&answer.status), "{operation} {wrong:?}: {}", answer.status);
        }
        assert_done(&keyed(&world, &ask, &key).await, &operation.key);
    }
}

by_noun!(operations::writes, eight_at_once_have_one_effect_across_processes);
async fn eight_at_once_have_one_effect_across_processes(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    let second = app.beside(2).await;
    let there = world.through(&second);
    for operation in writes {
        let ask = world.valid(&operation).await;
        let alone = world.valid(&operation).await;
        let before = world.head().await.0;
        world.must(&alone).await;
        let entries = world.head().await.0 - before;
        let key = operation.key.replace(' ', "");
        let answers =
            join_all((0..8).map(|n| keyed(if n % 2 == 0 { &world } else { &there }, &ask, &key))).await;
        let done: Vec<_> = answers.iter().filter(|answer| !is_replay(answer)).collect();
        assert_eq!(done.len(), 1, "{operation}: {answers:?}");
        assert_done(done[0], &operation.key);
        for answer in &answers {
            assert_eq!(seen(answer), seen(done[0]), "{operation}");
        }
        assert_eq!(world.head().await.0 - before, 2 * entries, "{operation}");
    }
}

#[testkit::both_engines]
async fn another_process_knows_the_key(app: TestApp) {
    let world = World::new(&app).await;
    let mut done = Vec::new();
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let key = operation.key.replace(' ', "");
        let first = keyed(&world, &ask, &key).await;
        assert_done(&first, &operation.key);
        done.push((operation, ask, key, first));
    }
    let second = app.beside(2).await;
    let there = world.through(&second);
    for (operation, ask, key, first) in done {
        let retry = keyed(&there, &ask, &format!("\"{key}\"")).await;
        assert!(is_replay(&retry), "{operation}: {} {}", retry.status, retry.json());
        assert_eq!(seen(&retry), seen(&first), "{operation}");
    }
}

/// A key is checked before the body, even if the body is missing.
#[testkit::both_engines]
async fn a_malformed_key_is_a_wrong_parameter(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let before = world.head().await;
        for key in ["", "\"\"", "a b", "\u{e9}", &"k".repeat(256)] {
            let answer = keyed(&world, &ask, key).await;
            assert_eq!(
                (answer.status, answer.faults()),
                (400, vec!["Idempotency-Key format".to_owned()]),
                "{operation} {key:?}"
            );
        }
        let twice = ask.on(&app).bearer(&world.client).idempotency_key("a").idempotency_key("a").await;
        assert_eq!(
            (twice.status, &twice.json()["code"]),
            (400, &Value::from("invalid_parameter")),
            "{operation}"
        );
        assert_eq!(world.head().await, before, "{operation}");
    }
}
