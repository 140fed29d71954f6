//! The journal of a filled register, checked by the program and by a checker in another language that
//! was written from docs/journal.md alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Done, Installation};

const INSTANCE: &str = "00000000-0000-0000-0000-000000000000";

/// An export in a file, to be verified in both ways.
struct Export<'a> {
    installation: &'a Installation,
    organization: &'a str,
    file: PathBuf,
}

impl Export<'_> {
    /// What both say of these lines; they must agree.
    fn verdict(&self, lines: &[String], expect: Option<&str>) -> Option<i32> {
        std::fs::write(&self.file, lines.concat()).unwrap();
        let file = self.file.to_str().unwrap();
        let mut ours = vec!["journal", "verify", "--file", file];
        ours.extend(expect.iter().flat_map(|head| ["--organization", self.organization, "--expect", head]));
        let ours = self.installation.run(&ours);

        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_journal.py");
        let mut theirs = Command::new("python3");
        theirs.arg(script).arg(file).args(expect);
        let theirs = Done::of(&mut theirs);
        assert_eq!(
            ours.code, theirs.code,
            "ours: {}{} theirs: {}{}",
            ours.out, ours.err, theirs.out, theirs.err
        );
        ours.code
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| format!("{line}\n")).collect()
}

/// The line with one member changed.
fn with(line: &str, member: &str, value: Value) -> String {
    let mut entry: Value = serde_json::from_str(line).unwrap();
    entry[member] = value;
    format!("{entry}\n")
}

#[both_engines]
async fn an_independent_checker_agrees(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    drop(installation.serve_with(&[], &["--demo"]));
    let listed = installation.json(&["organization", "list", "--json"]);
    let organization = listed["id"].as_str().unwrap();

    for organization in [organization, INSTANCE] {
        let exported = installation.run(&["journal", "export", "--organization", organization]);
        assert_eq!(exported.code, Some(0), "{}", exported.err);
        let whole = lines(&exported.out);
        assert!(whole.len() > 5, "{}", exported.out);
        let file = installation.data.join("export.ndjson");
        let export = Export { installation: &installation, organization, file };
        let last: Value = serde_json::from_str(whole.last().unwrap()).unwrap();
        let head = format!("{}:{}", last["seq"], last["hash"].as_str().unwrap());

        assert_eq!(export.verdict(&whole, None), Some(0));
        assert_eq!(export.verdict(&whole, Some(&head)), Some(0));

        let middle = whole.len() / 2;
        let mut erased = whole.clone();
        erased[middle] = with(&with(&whole[middle], "payload", Value::Null), "salt", Value::Null);
        assert_eq!(export.verdict(&erased, Some(&head)), Some(0), "an erased payload leaves the chain whole");

        let cut_off = &whole[..whole.len() - 1];
        assert_eq!(export.verdict(cut_off, None), Some(0), "a chain alone does not tell its end");
        assert_eq!(export.verdict(cut_off, Some(&head)), Some(1), "a noted head does");

        for (member, value) in [
            ("payload", json!("{}")),
            ("request_id", json!("another")),
            ("kind", json!("incident.invented")),
            ("at", json!("2020-01-01T00:00:00.000000Z")),
            ("salt", json!("00".repeat(16))),
            ("actor", json!({"type": "operator", "id": "somebody else", "name": "x"})),
            ("subject", json!({"kind": "incident", "id": "INC-9999"})),
            ("hash", json!("00".repeat(32))),
        ] {
            let mut tampered = whole.clone();
            tampered[middle] = with(&whole[middle], member, value);
            assert_eq!(export.verdict(&tampered, None), Some(1), "{member} was changed");
        }
        assert_eq!(export.verdict(&[], None), Some(1), "no entries prove nothing");
        let mut swapped = whole.clone();
        swapped.swap(middle, middle - 1);
        assert_eq!(export.verdict(&swapped, None), Some(1), "two entries were swapped");
        let mut removed = whole.clone();
        removed.remove(middle);
        assert_eq!(export.verdict(&removed, None), Some(1), "an entry was removed");
    }
    let verified = installation.run(&["journal", "verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}
