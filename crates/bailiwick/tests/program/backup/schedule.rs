//! Again and again, and how many are kept.

use std::process::{Child, Stdio};
use std::time::Duration;

use testkit::until_now;

use super::{back_up, names, path};
use crate::service::Installation;

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
    let errors = folder.path().join("errors");
    let log = || std::fs::read_to_string(&errors).unwrap();
    let mut command = installation.command(&flags);
    command.stdout(Stdio::piped()).stderr(std::fs::File::create(&errors).unwrap());
    let child = command.spawn().unwrap();
    until_now("one fails", || log().contains("a backup failed; it will be tried again"));
    std::fs::remove_file(&to).unwrap();
    std::fs::create_dir(&to).unwrap();
    let made = || names(&to).into_iter().filter(|name| name.starts_with("bailiwick-")).collect::<Vec<_>>();
    until_now("one is made", || !made().is_empty());
    let first = made().remove(0);
    until_now("there are two", || made().len() == 2);
    until_now("the first goes", || !made().contains(&first));
    terminate(&child);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", log());
    assert!(log().contains("a backup is made"), "{}", log());
    assert!(names(&to).len() <= 3 && names(&to).iter().all(|name| name.starts_with("bailiwick-")));
    assert!(String::from_utf8_lossy(&ended.stdout).lines().count() >= 3);

    // A restart keeps to the rhythm: the newest is not an hour old.
    let before = names(&to);
    let flags = ["backup", "--every", "1h", "--to", to.to_str().unwrap()];
    let child = installation.command(&flags).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until_now("it can be told to end", || catches_sigterm(&child));
    std::thread::sleep(Duration::from_secs(1));
    terminate(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(names(&to), before);
}

fn terminate(child: &Child) {
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
}

fn catches_sigterm(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    // A bit for each signal; SIGTERM is 15.
    u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << 14) != 0
}
