//! What an export of evaluations has, an import reads into a register with the same risks.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use super::round_trip::{import, line, prose, ratings};
use super::{ALL, counts, read, risks};
use crate::api::bulk::assert_sound;

const RISKS: usize = 20;

/// The evaluations of a risk: rating, fraction of a second, note, and whether another one supersedes it.
fn evaluations() -> impl Strategy<Value = Vec<(Value, u32, Option<String>, bool)>> {
    let rating = ratings().prop_map(|(_, rating)| rating);
    prop::collection::vec((rating, 0..1_000_000_u32, prose(), any::<bool>()), 0..=4)
}

/// Makes a risk with its evaluations. Its title is its own, because an import finds it by that if it has no reference.
async fn make(app: &TestApp, client: &TestClient, nth: usize, runner: &mut TestRunner) {
    let title = format!("{}{nth}", line().new_tree(runner).unwrap().current());
    let reference =
        nth.is_multiple_of(2).then(|| format!("{}{nth}", line().new_tree(runner).unwrap().current()));
    let target = (!nth.is_multiple_of(3)).then(|| json!({"likelihood": 1, "impact": 2}));
    let risk = json!({"title": title, "external_ref": reference, "target": target,
        "inherent": {"likelihood": 5, "impact": 5}});
    let made = app.post("/v1/risks").bearer(client).json(risk).expect(201).await;
    let path = format!("/v1/risks/{}/evaluations", made.text("id"));
    let all = evaluations().new_tree(runner).unwrap().current();
    for (day, (mut rating, micros, note, is_superseded)) in (1..).zip(all) {
        rating["evaluated_at"] = json!(format!("2026-01-0{day}T10:30:59.{micros:06}Z"));
        rating["note"] = json!(note);
        let made = app.post(&path).bearer(client).json(rating.clone()).expect(201).await;
        if is_superseded {
            rating["likelihood"] = json!(4);
            rating["supersedes"] = made.json()["number"].clone();
            app.post(&path).bearer(client).json(rating).expect(201).await;
        }
    }
}

/// What counts of each risk's evaluations, the latest first, without what another register sets itself; and how many do not.
async fn counting(app: &TestApp, client: &TestClient) -> (Vec<Vec<Value>>, i64) {
    let (mut all, mut others) = (Vec::new(), 0);
    for risk in risks(app, client).await {
        let path = format!("/v1/risks/{}/evaluations?limit=50", risk["id"].as_str().unwrap());
        let mut found = read(app, client, &path).await["data"].as_array().unwrap().clone();
        let before = found.len();
        found.retain(|it| it["superseded_by"].is_null());
        others += i64::try_from(before - found.len()).unwrap();
        for it in &mut found {
            for member in ["number", "risk", "created_date", "evaluator", "supersedes"] {
                it.as_object_mut().unwrap().remove(member);
            }
        }
        all.push(found);
    }
    (all, others)
}

#[both_engines]
async fn whatever_evaluations_count_are_imported_as_they_were_exported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let mut runner = TestRunner::deterministic();
    for nth in 0..RISKS {
        make(&app, &client, nth, &mut runner).await;
    }
    let (before, superseded) = counting(&app, &client).await;
    let all = i64::try_from(before.iter().map(Vec::len).sum::<usize>()).unwrap();
    assert!(all > 20 && superseded > 5, "{all} {superseded}");
    let get = async |path: &str| app.get(path).bearer(&client).expect(200).await;
    for format in ["csv", "xlsx"] {
        let risks = get(&format!("/v1/risks/export?format={format}")).await;
        let file = get(&format!("/v1/evaluations/export?format={format}")).await;
        let other = app.db.organization(format).await;
        let other = app.client_of(other, ALL).await;
        import(&app, &other, "risks", &risks.bytes).await;
        let done = import(&app, &other, "evaluations", &file.bytes).await;
        let there = done["unchanged"].as_i64().unwrap();
        assert_eq!(done, counts(all - there, 0, there, 0, 0), "{format}");
        assert_eq!(counting(&app, &other).await.0, before, "{format}");
        // It changes nothing where it is already, and leaves out what does not count.
        let whole = get(&format!("/v1/evaluations/export?superseded=with&format={format}")).await;
        for client in [&client, &other] {
            let again = import(&app, client, "evaluations", &file.bytes).await;
            assert_eq!(again, counts(0, 0, all, 0, 0), "{format}");
            let again = import(&app, client, "evaluations", &whole.bytes).await;
            assert_eq!(again, counts(0, 0, all, superseded, 0), "{format}");
        }
    }
    assert_sound(&app).await;
}

/// A risk with a reference has the same title, and no row without a reference is about it.
#[both_engines]
async fn evaluations_of_one_time_and_rating_are_told_apart_by_their_notes(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for reference in [Some("R-1"), None] {
        let inherent = json!({"likelihood": 5, "impact": 5});
        let risk = json!({"title": "Fire", "external_ref": reference, "inherent": inherent});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    let at = "2026-01-05T10:30:59.5Z";
    let record = async |risk: &str, note: Option<&str>| {
        let new = json!({"likelihood": 3, "impact": 4, "evaluated_at": at, "note": note});
        app.post(&format!("/v1/risks/{risk}/evaluations")).bearer(&client).json(new).expect(201).await;
    };
    for note in [Some("a"), Some("b"), None, None] {
        record("RSK-2", note).await;
    }
    let get = async |path: &str| app.get(path).bearer(&client).expect(200).await;
    let (risks, file) =
        (get("/v1/risks/export?format=csv").await, get("/v1/evaluations/export?format=csv").await);
    let (before, _) = counting(&app, &client).await;
    let other = app.db.organization("Other").await;
    let other = app.client_of(other, ALL).await;
    import(&app, &other, "risks", &risks.bytes).await;
    assert_eq!(import(&app, &other, "evaluations", &file.bytes).await, counts(4, 0, 0, 0, 0));
    assert_eq!(counting(&app, &other).await, (before, 1));
    for client in [&client, &other] {
        assert_eq!(import(&app, client, "evaluations", &file.bytes).await, counts(0, 0, 4, 0, 0));
    }
    // A file of people takes the place of none, and has one of the same second.
    record("RSK-1", None).await;
    let theirs = b"Risk ID,Date,Likelihood,Impact,Comment\nR-1,2026-01-05T10:30:59Z,3,4,Mine\n";
    assert_eq!(import(&app, &client, "evaluations", theirs).await, counts(0, 0, 1, 0, 0));
    assert_sound(&app).await;
}
