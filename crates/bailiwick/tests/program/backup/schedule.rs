//! Again and again, and how many are kept.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{back_up, names, path};
use crate::service::{Installation, PATIENCE};

#[test]
fn old_backups_go_and_the_newest_sound_ones_stay() {
    let installation = Installation::new();
    installation.organization();
    let to = tempfile::tempdir().unwrap();
    std::fs::write(to.path().join("notes.txt"), "mine").unwrap();
    std::fs::create_dir(to.path().join("bailiwick-old")).unwrap();
    let name = |made: &serde_json::Value| path(made).file_name().unwrap().to_str().unwrap().to_owned();
    let first = name(&back_up(&installation, to.path(), &[]));
    let second = back_up(&installation, to.path(), &["--keep", "3"]);
    let third = back_up(&installation, to.path(), &["--keep", "3"]);
    assert_eq!(third["removed"], serde_json::json!([]));
    // An incomplete backup is neither counted nor removed: an operator should check it.
    let copy = path(&second).join("bailiwick.db");
    let length = std::fs::metadata(&copy).unwrap().len();
    std::fs::File::options().write(true).open(&copy).unwrap().set_len(length / 2).unwrap();
    let fourth = back_up(&installation, to.path(), &["--keep", "2"]);
    assert_eq!(fourth["removed"], serde_json::json!([to.path().join(&first)]));
    let kept =
        [name(&second), name(&third), name(&fourth), "bailiwick-old".to_owned(), "notes.txt".to_owned()];
    let mut kept = kept.to_vec();
    kept.sort();
    assert_eq!(names(to.path()), kept);
    // A failure removes nothing.
    let missing = Installation::in_folder(&to.path().join("nowhere"));
    assert_eq!(missing.run(&["backup", "--keep", "1", "--to", to.path().to_str().unwrap()]).code, Some(1));
    assert_eq!(names(to.path()), kept);
    // By days: one of a year ago goes.
    std::fs::rename(to.path().join(name(&third)), to.path().join("bailiwick-20200101T000000Z")).unwrap();
    let fifth = back_up(&installation, to.path(), &["--keep-days", "30"]);
    assert_eq!(fifth["removed"], serde_json::json!([to.path().join("bailiwick-20200101T000000Z")]));
    assert!(names(to.path()).contains(&name(&fourth)));
}

#[test]
fn it_goes_on_after_a_failure_and_ends_when_it_is_told() {
    let installation = Installation::new();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backups");
    let flags = ["backup", "--every", "2s", "--keep", "2", "--to", to.to_str().unwrap()];
    // A folder that was mistyped is not tried for ever.
    let nowhere = installation.run(&flags);
    assert!(nowhere.code == Some(1) && nowhere.err.contains("no register"), "{}", nowhere.err);
    installation.organization();
    // No folder can be made there.
    std::fs::write(&to, "a file").unwrap();
    let mut command = installation.command(&flags);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let wait_for = |count: usize| {
        let from = Instant::now();
        let made =
            || names(&to).into_iter().filter(|name| name.starts_with("bailiwick-")).collect::<Vec<_>>();
        while made().len() < count {
            assert!(from.elapsed() < PATIENCE, "it makes none");
            std::thread::sleep(Duration::from_millis(50));
        }
        made()
    };
    std::thread::sleep(Duration::from_secs(1));
    std::fs::remove_file(&to).unwrap();
    std::fs::create_dir(&to).unwrap();
    let first = wait_for(1);
    let both = wait_for(2);
    assert!(both.contains(&first[0]));
    let from = Instant::now();
    while names(&to).contains(&first[0]) {
        assert!(from.elapsed() < PATIENCE, "it keeps them all");
        std::thread::sleep(Duration::from_millis(50));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let log = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{log}");
    assert!(
        log.contains("a backup failed; it will be tried again") && log.contains("a backup is made"),
        "{log}"
    );
    assert!(names(&to).len() <= 3 && names(&to).iter().all(|name| name.starts_with("bailiwick-")));
    assert!(String::from_utf8_lossy(&ended.stdout).lines().count() >= 3);

    // A restart keeps to the rhythm: the newest is not an hour old.
    let before = names(&to);
    let flags = ["backup", "--every", "1h", "--to", to.to_str().unwrap()];
    let child = installation.command(&flags).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(names(&to), before);
}
