//! Whatever incidents went through, their export imports equal into an empty organization.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines, seeded};

use super::{counts, import_as, read};

const ALL: &str = "incidents:read incidents:write incidents:delete incidents:override incidents:restricted tags:read \
    tags:write journal:read";

/// Numbers that are the same in each run.
struct Dice(db::Random);

impl Dice {
    fn below(&self, most: usize) -> usize {
        let mut bytes = [0; 4];
        (self.0)(&mut bytes);
        usize::try_from(u32::from_le_bytes(bytes)).unwrap() % most
    }

    fn one<'t>(&self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// A time in January 2026.
    fn time(&self) -> String {
        let [day, hour] = [self.below(30) + 1, self.below(24)];
        format!("2026-01-{day:02}T{hour:02}:{:02}:07.{:06}Z", self.below(60), self.below(1_000_000))
    }
}

const TITLES: &[&str] = &["=1+1", "'tis", "Alert", "Über \"uns\", a; b", "007", "@home", "INC-0001"];
const TEXTS: &[&str] = &["Plain.", "- a\n- \"b\", c;\n\n'quoted", "+1", "# Heading\n\nText"];

fn new(dice: &Dice) -> Value {
    let mut new = json!({"title": dice.one(TITLES), "description": dice.one(TEXTS)});
    let kinds = ["real", "drill", "test", "retrospective", "near_miss"];
    let tags = ["a, b", "c", "=d", "Müll"];
    let members = [
        ("kind", json!(dice.one(&kinds))),
        ("source", json!(dice.one(TITLES))),
        ("location", json!(dice.one(TITLES))),
        ("detected_date", json!(dice.time().replace("2026-01", "2026-02"))),
        ("occurred_date", json!(dice.time())),
        ("tags", json!(tags[..dice.below(4)])),
    ];
    for (member, value) in members {
        if dice.below(2) == 0 {
            new[member] = value;
        }
    }
    let dates = new.get("detected_date").is_some_and(|at| at.as_str() > Some("2026-02-28"));
    if dates {
        new.as_object_mut().unwrap().remove("detected_date");
    }
    if dice.below(2) == 0 {
        new["severity"] = json!(dice.one(&["low", "medium", "high", "critical"]));
        new["severity_reasoning"] = json!(dice.one(TEXTS));
    }
    new
}

/// What an incident may go through; a step that is not allowed leaves it as it is.
fn story(dice: &Dice) -> Vec<Value> {
    let step = |to: &str| json!({"to": to, "reason": dice.one(TITLES)});
    let resolved = || {
        let mut step = step("resolved");
        step["resolution_reason"] = json!(dice.one(&["fixed", "mitigated", "accepted", "other"]));
        step["resolution_summary"] = json!(dice.one(TEXTS));
        step
    };
    let closed = || json!({"to": "closed", "override": true, "reason": "Old."});
    let dismissed = |reason: &str| json!({"to": "dismissed", "resolution_reason": reason, "reason": "No."});
    let duplicate = || {
        let mut step = dismissed("duplicate");
        step["duplicate_of"] = json!(format!("INC-{:04}", dice.below(30) + 1));
        step
    };
    let (begun, contained) = (step("investigating"), step("contained"));
    match dice.below(9) {
        0 => vec![],
        1 => vec![begun],
        2 => vec![begun, contained.clone(), step("investigating"), contained],
        3 => vec![begun, resolved()],
        4 => vec![contained, resolved(), closed()],
        5 => vec![begun, resolved(), closed(), step("investigating"), contained],
        6 => vec![dismissed(dice.one(&["false_positive", "not_an_incident", "test", "other"]))],
        7 => vec![begun, contained, resolved(), step("contained"), resolved(), closed()],
        _ => vec![duplicate()],
    }
}

/// The incidents without what another register sets itself.
async fn bares(app: &TestApp, client: &TestClient) -> Vec<Value> {
    let list = read(app, client, "/v1/incidents?sort=number&limit=200").await;
    let bare = |mut it: Value| {
        let names: Vec<Value> =
            it["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
        it["tags"] = json!(names);
        if it["status"] == "new" {
            it["status_date"] = Value::Null;
        }
        for member in ["created_date", "updated_date", "opened_by", "version"] {
            it.as_object_mut().unwrap().remove(member);
        }
        it
    };
    list["data"].as_array().unwrap().iter().cloned().map(bare).collect()
}

async fn fill(app: &TestApp, client: &TestClient, dice: &Dice) {
    for number in 1..=30 {
        if dice.below(4) == 0 {
            let path = format!("/v1/sources/siem/incidents/R-{number}");
            app.put(&path).bearer(client).json(new(dice)).expect(201).await;
        } else {
            app.post("/v1/incidents").bearer(client).json(new(dice)).expect(201).await;
        }
    }
    for number in 1..=30 {
        let path = format!("/v1/incidents/{number}");
        for step in story(dice) {
            let answer = app.post(&format!("{path}/transitions")).bearer(client).json(step).await;
            assert!([200, 409, 422].contains(&answer.status), "{}", answer.json());
        }
        if dice.below(5) == 0 {
            let patch = json!({"restricted": true, "legal_hold": true, "reason": "=Court; \"a\""});
            app.patch(&path).bearer(client).json(patch).expect(200).await;
        }
    }
}

#[both_engines]
async fn an_export_of_incidents_imports_equal_into_an_empty_organization(app: TestApp) {
    for seed in [1, 2] {
        let organization = app.db.organization(&format!("First {seed}")).await;
        let client = app.client_of(organization, ALL).await;
        fill(&app, &client, &Dice(seeded(seed))).await;
        let file = app.get("/v1/incidents/export?format=csv").bearer(&client).expect(200).await;
        let file = String::from_utf8(file.bytes.to_vec()).unwrap();
        let other = app.db.organization(&format!("Other {seed}")).await;
        let other_client = app.client_of(other, ALL).await;
        assert_eq!(import_as(&app, &other_client, "incidents", &file).await, counts(30, 0, 0, 0, 0));
        let (before, after) = (bares(&app, &client).await, bares(&app, &other_client).await);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "seed {seed}");
        }
        assert_eq!(import_as(&app, &other_client, "incidents", &file).await, counts(0, 0, 30, 0, 0));
        assert_eq!(bares(&app, &other_client).await, after);
        let mut tx = app.db.read().await.unwrap();
        assert_eq!(store::verify::verify(&mut tx, other, None).await.unwrap().faults, []);
    }
}
