//! Four callers with different rights make random changes to one register, and everything that each of them reads is compared
//! with a model: lists, facets, searches, figures, exports, the past and the journal. `./test --all` makes 2,000 changes
//! (`BAILIWICK_MODEL_CHANGES`), every other run 200.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod changes;
mod reads;
mod register;

use domain::Role;
use serde_json::json;
use testkit::{Engine, TestApp, TestPerson, both_engines};

use register::Register;

/// Changes between two comparisons of everything.
const PAUSE: usize = 25;

/// How far the clock moves with each change.
const TURN_SECONDS: usize = 5;

/// How many changes are made: on PostgreSQL a quarter, because each read takes longer there.
fn changes(engine: Engine) -> usize {
    let sent = std::env::var("BAILIWICK_MODEL_CHANGES").ok();
    let count = sent.and_then(|text| text.parse().ok()).unwrap_or(200);
    if engine == Engine::Postgres { count / 4 } else { count }
}

/// The service with the callers, and the model of what it knows.
struct Scene<'a> {
    app: &'a TestApp,
    callers: &'a [TestPerson],
    /// The ids of the tags.
    tags: &'a [String],
    dice: Dice,
    register: Register,
}

/// A seeded random generator.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % u64::try_from(end).unwrap()).unwrap()
    }

    fn one_of<T: Copy>(&self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

#[both_engines]
async fn every_caller_reads_what_the_model_says(app: TestApp) {
    let mut callers = Vec::new();
    for (name, role) in
        [("Ada", Role::Admin), ("Owen", Role::Owner), ("Vera", Role::Auditor), ("Sam", Role::Staff)]
    {
        callers.push(app.person(name, role).await);
    }
    let mut tags = Vec::new();
    for name in ["one", "two", "three"] {
        let made = app.post("/v1/tags").bearer(&callers[0]).json(json!({"name": name})).expect(201).await;
        tags.push(made.text("id").to_owned());
    }
    let count = changes(app.db.engine());
    let dice = Dice(testkit::seeded(25));
    let register = Register::default();
    let mut scene = Scene { app: &app, callers: &callers, tags: &tags, dice, register };
    for done in 1..=count {
        scene.app.db.clock.advance_seconds(i64::try_from(TURN_SECONDS).unwrap());
        scene.register.turn = done;
        scene.change().await;
        scene.look_at_one().await;
        if done % PAUSE == 0 || done == count {
            scene.compare_everything().await;
            scene.remember_the_past().await;
        }
    }
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}
