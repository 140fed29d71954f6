//! A dry run says what the run that follows does, and writes nothing: random changes of a random register.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, Engine, TestApp, TestClient, both_engines};

use crate::all::register::Register;

const INCIDENTS: i64 = 12;
const RISKS: i64 = 8;
const ALL: &str = "incidents:read incidents:write incidents:delete incidents:restricted incidents:override \
                   risks:read risks:write risks:delete tags:read tags:write journal:read";
/// Does not see restricted incidents that others opened.
const NARROW: &str =
    "incidents:read incidents:write incidents:delete risks:read risks:write risks:delete tags:read";

/// Repeatable choices.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: u8) -> u8 {
        let mut byte = [0];
        (self.0)(&mut byte);
        byte[0] % end
    }

    fn of<T: Clone>(&self, all: &[T]) -> T {
        all[usize::from(self.below(u8::try_from(all.len()).unwrap()))].clone()
    }

    fn one_in(&self, count: u8) -> bool {
        self.below(count) == 0
    }
}

/// What the changes name.
struct Cast {
    people: Vec<Value>,
    tags: Vec<String>,
}

impl Cast {
    /// Two people, nobody and a stranger; 51 tags, 50 of which are on the first incident and the first risk.
    async fn make(app: &TestApp, client: &TestClient) -> Self {
        let (ada, bob) = (app.person("Ada", Role::Viewer).await, app.person("Bob", Role::Viewer).await);
        let stranger = "01901645-2b7c-7d90-b3a1-5e2f9c8d7a60";
        let people = vec![json!(ada.id), json!(bob.id), json!(stranger), Value::Null];
        let mut tags = Vec::new();
        for number in 0..51 {
            let body = json!({"name": format!("tag {number}")});
            let tag = app.post("/v1/tags").bearer(client).json(body).expect(201).await.text("id").to_owned();
            if number < 50 {
                for path in ["/v1/incidents/1/tags", "/v1/risks/RSK-1/tags"] {
                    app.post(path).bearer(client).json(json!({"tag_id": tag})).expect(201).await;
                }
            }
            tags.push(tag);
        }
        Self { people, tags }
    }

    fn tag(&self, dice: &Dice) -> &str {
        &self.tags[if dice.one_in(2) { 50 } else { usize::from(dice.below(50)) }]
    }

    fn incident_operation(&self, dice: &Dice) -> Value {
        match dice.below(9) {
            0..=3 => {
                let to = dice.of(&["new", "investigating", "contained", "resolved", "closed", "dismissed"]);
                let mut operation = json!({"type": "transition", "to": to});
                if !dice.one_in(4) && ["resolved", "dismissed"].contains(&to) {
                    let reason = dice.of(&["fixed", "test", "duplicate", "false_positive"]);
                    operation["resolution_reason"] = json!(reason);
                    operation["resolution_summary"] = json!("Done.");
                    if reason == "duplicate" {
                        operation["duplicate_of"] = json!(format!("INC-{:04}", 1 + dice.below(14)));
                    }
                }
                if dice.one_in(2) {
                    operation["reason"] = json!("Because.");
                }
                operation
            }
            4 => {
                json!({"type": "update", "title": dice.of(&["A", "B", "C"]), "source": dice.of(&["x", "y"])})
            }
            5 => json!({"type": "assign", "assigned_to": dice.of(&self.people)}),
            6 => json!({"type": dice.of(&["tag", "untag"]), "tag_id": self.tag(dice)}),
            7 => json!({"type": "restrict"}),
            _ => json!({"type": "delete"}),
        }
    }

    fn risk_operation(&self, dice: &Dice) -> Value {
        let level = || 1 + dice.below(5);
        match dice.below(7) {
            0 => json!({"type": "update", "title": dice.of(&["A", "B"]), "owner": dice.of(&self.people)}),
            1 => json!({"type": "update", "status": dice.of(&["open", "closed"])}),
            2 => json!({"type": "update", "status": "closed", "status_reason": "Over."}),
            3 | 4 => json!({"type": "update", dice.of(&["inherent", "target"]):
                {"likelihood": level(), "impact": level()}}),
            5 => json!({"type": dice.of(&["tag", "untag"]), "tag_id": self.tag(dice)}),
            _ => json!({"type": "delete"}),
        }
    }
}

/// Some records, in any order, also unknown ones and some twice; or those of a filter.
fn target(dice: &Dice, last: i64, status: &[&str]) -> (&'static str, Value) {
    if dice.one_in(3) {
        return ("filter", if dice.one_in(2) { json!({}) } else { json!({"status": dice.of(status)}) });
    }
    let ids: Vec<i64> =
        (0..=dice.below(9)).map(|_| i64::from(dice.below(u8::try_from(last).unwrap() + 2))).collect();
    ("ids", json!(ids))
}

/// What an answer says, without what names the request.
fn said(answer: &Answer) -> Value {
    let of = |member: &str| answer.json().get(member).cloned();
    json!([answer.status, of("code"), of("failed"), of("errors"), of("results")])
}

#[both_engines]
async fn a_dry_run_says_what_the_run_does_and_writes_nothing(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let narrow = app.client_with_scopes(NARROW).await;
    for _ in 0..INCIDENTS {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    for _ in 0..RISKS {
        crate::api::undo::risk(&app, &client).await;
    }
    let cast = Cast::make(&app, &client).await;
    let dice = Dice(testkit::seeded(7));
    let rounds = if app.db.engine() == Engine::Sqlite { 120 } else { 60 };
    let (mut seen, mut changed) = (std::collections::BTreeMap::<String, usize>::new(), 0);
    for round in 0..rounds {
        let caller = if dice.one_in(3) { &narrow } else { &client };
        let (path, operation, (member, which)) = match dice.one_in(3) {
            true => ("/v1/risks/bulk", cast.risk_operation(&dice), target(&dice, RISKS, &["open", "closed"])),
            false => (
                "/v1/incidents/bulk",
                cast.incident_operation(&dice),
                target(&dice, INCIDENTS, &["new", "investigating", "dismissed"]),
            ),
        };
        let mut body = json!({"operation": operation, "atomic": dice.one_in(3), "dry_run": true});
        body[member] = which;
        let (before, commits) = (Register::of(&app.db).await, app.db.commits());
        let dry = app.post(path).bearer(caller).json(body.clone()).await;
        let after = Register::of(&app.db).await;
        assert_eq!(after.changed_since(&before), [""; 0], "{round} {body}");
        assert_eq!(app.db.commits(), commits, "nothing was committed: {round} {body}");
        body["dry_run"] = json!(false);
        let run = app.post(path).bearer(caller).json(body.clone()).await;
        assert_eq!(said(&dry), said(&run), "{round} {body}");
        let has_changed = Register::of(&app.db).await != after;
        changed += usize::from(has_changed);
        *seen.entry(run.status.to_string()).or_default() += 1;
        for it in run.json()["results"].as_array().into_iter().flatten() {
            *seen.entry(it["outcome"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        if dice.one_in(6) {
            let ids: Vec<i64> = (1..=INCIDENTS).collect();
            app.post("/v1/incidents/restore").bearer(&client).json(json!({"ids": ids})).expect(200).await;
        }
    }
    for what in ["200", "409", "changed", "unchanged", "failed", "not_found"] {
        assert!(seen.contains_key(what), "{what}: {seen:?}");
    }
    assert!(changed > 20, "{changed} {seen:?}");
    crate::api::bulk::assert_sound(&app).await;
}
