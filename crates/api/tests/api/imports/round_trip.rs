//! What an export has, an import reads: equal in all but numbers, dates of creation and versions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use super::{ALL, bare, counts, risks, run};

const RISKS: usize = 60;
const TAGS: usize = 8;

/// What spreadsheets compute, cut, or take for something else, and letters of several directions and lengths.
const PIECES: &[&str] = &[
    "=",
    "+",
    "-",
    "@",
    "'",
    "＝",
    "＋",
    "－",
    "＠",
    "\"",
    ",",
    ";",
    "; ",
    "|",
    " ",
    "  ",
    "Fire",
    "#REF!",
    "title",
    "A.8.13",
    "20 %",
    "04/05/2026",
    "1,5",
    "false",
    "שלום",
    "\u{200f}",
    "العربية",
    "👩\u{200d}🚒",
    "e\u{301}",
    "火",
    "ß",
    "\u{feff}",
    "\u{a0}",
    "\u{fffe}",
    "_x0041_",
    "_x000b",
    "_",
    "**",
];

/// What only texts of several lines have, with characters that XML does not have.
const BREAKS: &[&str] = &["\n", "\r\n", "\n\n", "\r", "\t", "\u{1}", "\u{b}", "\u{c}", "\u{1b}"];

/// Up to six pieces around something that people see.
fn text(pieces: Vec<&'static str>) -> impl Strategy<Value = String> {
    let some = prop::collection::vec(prop::sample::select(pieces), 0..4);
    (some.clone(), some).prop_map(|(before, after)| format!("{}x{}", before.concat(), after.concat()))
}

pub(super) fn line() -> impl Strategy<Value = String> {
    text(PIECES.to_vec())
}

pub(super) fn prose() -> impl Strategy<Value = Option<String>> {
    prop::option::of(text([PIECES, BREAKS].concat()))
}

/// A rating, and one that is not above it.
pub(super) fn ratings() -> impl Strategy<Value = (Value, Value)> {
    let rating = |(likelihood, impact): (i64, i64)| json!({"likelihood": likelihood, "impact": impact});
    (1..=5_i64, 1..=5_i64)
        .prop_flat_map(|(likelihood, impact)| (Just((likelihood, impact)), (1..=likelihood, 1..=impact)))
        .prop_map(move |(inherent, target)| (rating(inherent), rating(target)))
}

/// A risk to create.
fn new_risk() -> impl Strategy<Value = Value> {
    let controls = ["5.15", "A.8.13", "Art.32(1)", "PCI:8.2", "a/b"].map(str::to_owned).to_vec();
    let lines = (line(), prop::option::of(line()), prop::option::of(line()), prop::option::of(line()));
    let texts = (prose(), prose(), prose(), prose(), prose(), prose());
    let more = (
        prop::sample::subsequence(controls, 0..=3),
        prop::sample::select(vec!["mitigate", "accept", "transfer", "avoid", "undecided"]),
        (prop::option::of(1..=3_650_i64), prop::option::of(1..=3_650_i64)),
        prop::option::of("20[3-9][0-9]-0[1-9]-[12][0-9]"),
    );
    (lines, texts, more, ratings(), any::<bool>()).prop_map(|(lines, texts, more, ratings, is_aimed)| {
        json!({
            "title": lines.0, "category": lines.1, "owner_name": lines.2, "external_ref": lines.3,
            "description": texts.0.unwrap_or_default(), "asset": texts.1, "threat": texts.2, "vulnerability": texts.3,
            "existing_controls": texts.4, "treatment_plan": texts.5, "controls": more.0, "treatment": more.1,
            "evaluate_every_days": more.2.0, "review_every_days": more.2.1, "next_review_date": more.3,
            "inherent": ratings.0, "target": is_aimed.then_some(ratings.1),
        })
    })
}

/// What happens to a risk: whether and when it is rated, its tags, and why it is closed if it is.
fn life() -> impl Strategy<Value = (Option<(Value, u32)>, Vec<usize>, Option<String>)> {
    let rated = prop::option::of((ratings().prop_map(|(rating, _)| rating), 0..1_000_000_u32));
    (rated, prop::sample::subsequence((0..TAGS).collect::<Vec<_>>(), 0..=3), prose())
}

/// Makes a risk, and lets it live.
async fn make(app: &TestApp, client: &TestClient, tags: &[String], nth: usize, runner: &mut TestRunner) {
    let mut new = new_risk().new_tree(runner).unwrap().current();
    if let Some(reference) = new["external_ref"].as_str() {
        new["external_ref"] = json!(format!("{reference}{nth}"));
    }
    let made = app.post("/v1/risks").bearer(client).json(new).expect(201).await;
    let path = format!("/v1/risks/{}", made.text("id"));
    let (rated, its_tags, closed) = life().new_tree(runner).unwrap().current();
    if let Some((mut rating, micros)) = rated {
        rating["evaluated_at"] = json!(format!("2026-01-05T10:30:59.{micros:06}Z"));
        app.post(&format!("{path}/evaluations")).bearer(client).json(rating).expect(201).await;
    }
    for tag in its_tags {
        let tag = json!({"tag_id": tags[tag]});
        app.post(&format!("{path}/tags")).bearer(client).json(tag).expect(201).await;
    }
    if let Some(reason) = closed {
        let closed = json!({"status": "closed", "status_reason": reason});
        app.patch(&path).bearer(client).json(closed).expect(200).await;
    }
}

/// Sends an export of this kind and runs it; the counts.
pub(super) async fn import(app: &TestApp, client: &TestClient, kind: &str, file: &[u8]) -> Value {
    let upload = json!({"name": kind, "content": STANDARD.encode(file)});
    let made = app.post(&format!("/v1/imports?kind={kind}")).bearer(client).json(upload).expect(201).await;
    let done = run(app, client, made.text("id"), json!({"accept_proposals": true})).await;
    assert_eq!(done.status, 200, "{}", done.json());
    done.json()["counts"].clone()
}

/// A cell of a workbook takes 32,767 characters, and a text may have more: what was cut is not imported over the whole.
#[both_engines]
async fn a_text_that_a_cell_has_cut_is_a_fault(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let rating = json!({"likelihood": 4, "impact": 5});
    for (title, length) in [("Long", 40_000), ("Short", 30_000)] {
        let risk = json!({"title": title, "description": "x".repeat(length), "inherent": rating});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    let file = app.get("/v1/risks/export?format=xlsx").bearer(&client).expect(200).await;
    let upload = json!({"name": "risks.xlsx", "content": STANDARD.encode(&file.bytes)});
    let made = app.post("/v1/imports").bearer(&client).json(upload).expect(201).await;
    let done =
        run(&app, &client, made.text("id"), json!({"accept_proposals": true, "skip_wrong": true})).await;
    assert_eq!(done.json()["counts"], counts(0, 0, 1, 0, 1), "{}", done.json());
}

#[both_engines]
async fn whatever_risks_have_is_imported_as_it_was_exported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let mut runner = TestRunner::deterministic();
    let mut tags = Vec::new();
    for nth in 0..TAGS {
        let name = format!("{}{nth}", line().new_tree(&mut runner).unwrap().current());
        let name: String = name.chars().rev().take(50).collect::<Vec<_>>().into_iter().rev().collect();
        let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": name})).expect(201).await;
        tags.push(tag.text("id").to_owned());
    }
    for nth in 0..RISKS {
        make(&app, &client, &tags, nth, &mut runner).await;
    }
    let all = i64::try_from(RISKS).unwrap();
    for format in ["csv", "xlsx"] {
        let file = app.get(&format!("/v1/risks/export?format={format}")).bearer(&client).expect(200).await;
        let other = app.db.organization(format).await;
        let other = app.client_of(other, ALL).await;
        assert_eq!(import(&app, &other, "risks", &file.bytes).await, counts(all, 0, 0, 0, 0), "{format}");
        let (before, after) = (risks(&app, &client).await, risks(&app, &other).await);
        for (before, after) in before.into_iter().zip(after) {
            assert_eq!(bare(after), bare(before), "{format}");
        }
        // It changes nothing where it is already.
        for client in [&client, &other] {
            assert_eq!(import(&app, client, "risks", &file.bytes).await, counts(0, 0, all, 0, 0), "{format}");
        }
    }
}
