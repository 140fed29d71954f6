//! Released migrations do not change, and later ones do not break the previous release.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use store::migrations;
use testkit::{EmptyDatabase, Engine, Release, TestDb};

/// Migrations that remove something although the previous release may run on them, and why it is not affected.
const HARMLESS: &[(&str, &str)] = &[];

fn steps() -> Vec<&'static str> {
    std::iter::once("0000_db").chain(migrations::ALL.iter().map(|step| step.name)).collect()
}

/// The steps of releases and their hashes, as `sha256sum --check` takes them; none before the first release.
fn released() -> BTreeMap<String, String> {
    let path = folder().join("SHA256SUMS");
    let text = if path.exists() { std::fs::read_to_string(path).unwrap() } else { String::new() };
    text.lines()
        .map(|line| line.split_once("  ").unwrap())
        .map(|(sum, name)| (name.into(), sum.into()))
        .collect()
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
}

/// The names of the steps that were released.
fn released_steps() -> BTreeSet<String> {
    let stem = |name: &String| Path::new(name).file_stem().unwrap().to_str().unwrap().to_owned();
    released().keys().map(stem).collect()
}

#[test]
fn a_released_step_is_never_changed() {
    let released = released();
    for step in released_steps() {
        let own = if step == "0000_db" { "../../db/migrations/" } else { "" };
        let name = format!("{own}{step}.sql");
        let text = std::fs::read(folder().join(&name)).unwrap();
        let sum = hex::encode(Sha256::digest(&text));
        assert_eq!(Some(&sum), released.get(&name), "{name} was released as it was: add another step");
    }
}

/// The promise of docs/release.md begins with 0.1.0: until then a step may change, afterwards each release has a
/// fixture.
#[test]
fn a_version_that_was_released_has_a_fixture() {
    let changelog = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CHANGELOG.md");
    let changelog = std::fs::read_to_string(changelog).unwrap();
    let is_version = |line: &&str| line.starts_with("## ") && *line != "## Unreleased";
    let versions: Vec<_> = changelog.lines().filter(is_version).collect();
    assert_eq!(versions.is_empty(), Release::all().is_empty(), "{versions:?}: scripts/fixture makes it");
    assert_eq!(versions.is_empty(), released().is_empty());
}

/// Otherwise the upgrade of a register of the newest release would not be tested.
#[test]
fn the_newest_fixture_is_of_the_newest_release() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testkit::run(engine, async move |database: EmptyDatabase| {
            let Some(newest) = Release::all().pop() else { return };
            database.load(&newest.sql(engine)).await;
            let db = TestDb::at(database, testkit::TestClock::START).await;
            let made = "SELECT name FROM schema_migration";
            let made: Vec<(String,)> = db.read().await.unwrap().query(made, &[]).await.unwrap();
            let made: BTreeSet<_> = made.into_iter().map(|(name,)| name).collect();
            assert_eq!(made, released_steps(), "scripts/fixture makes the fixture and the list");
        });
    }
}

#[test]
fn a_new_step_comes_after_all_that_were_released() {
    let released = released_steps();
    let all = steps();
    let (old, new): (Vec<&str>, Vec<&str>) = all.iter().partition(|step| released.contains(**step));
    assert_eq!(old.len(), released.len(), "a released step is gone");
    assert_eq!([old, new].concat(), all);
    assert!(all.is_sorted(), "{all:?}");
}

/// An older program runs on beside a newer one (docs/operation.md), so a step only adds what it can ignore. What
/// is to go is taken away when no release that is still in use needs it, and is named in [`HARMLESS`].
#[test]
fn no_step_takes_anything_from_the_release_before() {
    for (name, reason) in HARMLESS {
        assert!(steps().contains(name), "{name} ({reason}) is gone: take it out of HARMLESS");
    }
    let mut there = BTreeSet::new();
    for step in migrations::ALL {
        let faults = taken(step.text, &there);
        let is_known = HARMLESS.iter().any(|(name, _)| *name == step.name);
        assert!(is_known || faults.is_empty(), "{}: {faults:#?}", step.name);
        there.extend(
            statements(step.text)
                .filter_map(|sql| Some(sql.strip_prefix("CREATE TABLE ")?.split(' ').next()?.to_owned())),
        );
    }
    let there = BTreeSet::from(["TAG".to_owned()]);
    for bad in [
        "ALTER TABLE tag ADD COLUMN a text NOT NULL;",
        "ALTER TABLE tag RENAME COLUMN name TO title;",
        "DROP TABLE tag;",
        "alter table tag\n  drop column color;",
        "CREATE UNIQUE INDEX tag_color ON tag (color);",
        "ALTER TABLE tag ADD CONSTRAINT tag_color CHECK (color <> '');",
    ] {
        assert_eq!(taken(bad, &there).len(), 1, "{bad}");
    }
    assert_eq!(
        taken("ALTER TABLE tag ADD COLUMN a text NOT NULL DEFAULT ''; CREATE INDEX b ON tag (a);", &there),
        [""; 0]
    );
}

/// The statements of a step in capitals, with single spaces and without comments.
fn statements(text: &str) -> impl Iterator<Item = String> {
    let code: Vec<_> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let statements: Vec<_> = code.join(" ").split(';').map(str::to_uppercase).collect();
    statements
        .into_iter()
        .map(|sql| sql.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|sql| !sql.is_empty())
}

/// The statements that could make a program fail which knows only the tables that were there before.
fn taken(text: &str, there: &BTreeSet<String>) -> Vec<String> {
    statements(text)
        .filter(|sql| sql.starts_with("DROP ") || (is_about(sql, there) && narrows(sql)))
        .collect()
}

/// Whether the table that is altered, or that gets an index, is one of these.
fn is_about(sql: &str, tables: &BTreeSet<String>) -> bool {
    let words: Vec<_> = sql.split([' ', '(']).collect();
    let after = |word| words.windows(2).find(|pair| pair[0] == word).map(|pair| pair[1]);
    after("TABLE").or_else(|| after("ON")).is_some_and(|table| tables.contains(table))
}

fn narrows(sql: &str) -> bool {
    let needs_a_value = sql.contains("ADD COLUMN") && sql.contains("NOT NULL") && !sql.contains("DEFAULT");
    let words = [" DROP ", " RENAME ", "ALTER COLUMN", "ADD CONSTRAINT", "UNIQUE INDEX", "TRIGGER"];
    needs_a_value || words.iter().any(|word| sql.contains(word))
}
