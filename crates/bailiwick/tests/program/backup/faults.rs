//! What is wrong with a backup is found, and nothing is left of what did not work.

use std::path::Path;

use serde_json::Value;

use super::{back_up, names, path, restore, status};
use crate::service::Installation;

/// An installation with an organization and a backup of it.
fn backed_up(to: &Path) -> (Installation, Value) {
    let installation = Installation::new();
    installation.organization();
    let made = back_up(&installation, to, &[]);
    (installation, made)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_flipped_bit_is_found_and_nothing_is_restored() {
    let to = tempfile::tempdir().unwrap();
    let (_, made) = backed_up(to.path());
    let copy = path(&made).join("bailiwick.db");
    let new = to.path().join("new");
    let sound = std::fs::read(&copy).unwrap();
    for at in [0, sound.len() / 2, sound.len() - 1] {
        let mut flipped = sound.clone();
        flipped[at] ^= 1;
        std::fs::write(&copy, flipped).unwrap();
        let (done, report) = restore(&["--from", text(to.path()), "--verify"]);
        assert_eq!((done.code, status(&report, "file")), (Some(1), vec!["fault".to_owned()]), "{}", done.out);
        for verify in [&["--verify"][..], &[]] {
            let (done, report) =
                restore(&[&["--from", text(to.path()), "--to", text(&new)], verify].concat());
            assert_eq!((done.code, status(&report, "file")), (Some(1), vec!["fault".to_owned()]));
            assert!(!new.exists());
        }
    }
    std::fs::write(&copy, &sound).unwrap();
    let (done, _) = restore(&["--from", text(to.path()), "--verify"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
}

/// A changed copy with a matching SHA-256 in the manifest is still detected by the journal.
#[test]
fn a_changed_record_and_a_changed_head_are_found_behind_a_fitting_hash() {
    let to = tempfile::tempdir().unwrap();
    let (_, made) = backed_up(to.path());
    let (copy, manifest) = (path(&made).join("bailiwick.db"), path(&made).join("manifest.json"));
    let database = rusqlite::Connection::open(&copy).unwrap();
    database.execute("UPDATE organization SET name = 'Another'", []).unwrap();
    drop(database);
    let done = std::process::Command::new("sha256sum").arg(&copy).output().unwrap();
    let sha256 = String::from_utf8(done.stdout).unwrap()[..64].to_owned();
    let noted: Value = serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
    let mut mended = noted.clone();
    mended["database"]["sha256"] = sha256.into();
    mended["database"]["size"] = std::fs::metadata(&copy).unwrap().len().into();
    std::fs::write(&manifest, mended.to_string()).unwrap();
    let (done, report) = restore(&["--from", text(to.path()), "--verify"]);
    assert_eq!((done.code, status(&report, "file")), (Some(1), vec!["ok".to_owned()]), "{}", done.out);
    assert!(done.out.contains("name of the organization"), "{}", done.out);

    let (_, made) = backed_up(to.path());
    let manifest = path(&made).join("manifest.json");
    let noted: Value = serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
    let organization = "01a1ff51-5fae-7006-b5e1-696dc0e831d0";
    let missing = serde_json::json!({"organization": organization, "seq": 1, "hash": "00".repeat(32)});
    for (change, told) in [
        (("/journals/0/hash", Value::from("00".repeat(32))), "not the one that was noted"),
        (("/journals/0/seq", Value::from(99)), "before the noted entry 99"),
        (("/journals/1", missing), "is missing, but the manifest has its journal"),
    ] {
        let mut other = noted.clone();
        *other.pointer_mut(change.0).unwrap() = change.1;
        std::fs::write(&manifest, other.to_string()).unwrap();
        let (done, report) = restore(&["--from", text(&path(&made)), "--verify"]);
        assert_eq!(done.code, Some(1), "{}", done.out);
        assert!(
            status(&report, "journal").contains(&"fault".to_owned()) && done.out.contains(told),
            "{}",
            done.out
        );
    }
}

#[test]
fn a_restore_into_a_folder_that_is_not_empty_is_refused() {
    let to = tempfile::tempdir().unwrap();
    let (installation, _) = backed_up(to.path());
    let before = std::fs::read(installation.data.join("bailiwick.db")).unwrap();
    let (done, _) = restore(&["--from", text(to.path()), "--to", text(&installation.data), "--verify"]);
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("is not empty"), "{}{}", done.out, done.err);
    assert_eq!(std::fs::read(installation.data.join("bailiwick.db")).unwrap(), before);

    // What a restore that was killed left is no reason to refuse the next.
    let new = to.path().join("new");
    std::fs::create_dir(&new).unwrap();
    std::fs::write(new.join("bailiwick.db.part"), "half").unwrap();
    let (done, _) = restore(&["--from", text(to.path()), "--to", text(&new), "--verify"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert_eq!(names(&new), ["bailiwick.db", "bailiwick.db-writer"]);
}

#[test]
fn a_file_that_is_no_backup_is_reported() {
    let to = tempfile::tempdir().unwrap();
    let (installation, made) = backed_up(to.path());
    let empty = tempfile::tempdir().unwrap();
    for (from, told) in
        [(empty.path().to_owned(), "there is no backup in"), (empty.path().join("nowhere"), "is not there")]
    {
        let (done, _) = restore(&["--from", text(&from), "--verify"]);
        assert!(done.code == Some(1) && done.err.contains(told), "{}{}", done.out, done.err);
    }
    let missing = Installation::in_folder(&empty.path().join("data"));
    let done = missing.run(&["backup", "--to", text(empty.path())]);
    assert!(done.code == Some(1) && done.err.contains("there is no register"), "{}", done.err);
    assert!(!missing.data.exists());

    // A manifest of a later format, and a copy that was made with another tool.
    let manifest = path(&made).join("manifest.json");
    let noted = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, noted.replace("bailiwick-backup-1", "bailiwick-backup-2")).unwrap();
    let (done, _) = restore(&["--from", text(to.path()), "--verify"]);
    assert!(done.code == Some(1) && done.err.contains("bailiwick-backup-2"), "{}", done.err);
    let other = empty.path().join("by-hand.db");
    let database = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    database.execute("VACUUM INTO $1", [text(&other)]).unwrap();
    let (done, report) = restore(&["--from", text(&other), "--verify"]);
    assert_eq!((done.code, status(&report, "file")), (Some(0), vec!["warning".to_owned()]), "{}", done.out);
    assert_eq!(status(&report, "journal"), ["ok"]);
}
