//! A backup that is interrupted is not there; one at a time is made.

use std::path::Path;
use std::process::{Child, Stdio};

use testkit::until_now;

use super::{back_up, fatten, names, restore};
use crate::disk::SmallDisk;
use crate::service::Installation;

/// A register of some 10 MiB, which takes ten seconds to copy at 1 MiB a second.
async fn large() -> Installation {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:write");
    let mut service = installation.serve();
    fatten(&service.sign_in(&credentials).await, 80).await;
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    installation
}

/// Starts a slow backup, and waits until its copy is being written.
fn begin(installation: &Installation, to: &Path) -> Child {
    let flags = ["backup", "--max-rate", "1", "--to", to.to_str().unwrap()];
    let child = installation.command(&flags).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let is_begun = || {
        let mut drafts = names(to).into_iter().filter(|name| name.ends_with(".part"));
        drafts.any(|name| {
            std::fs::metadata(to.join(name).join("bailiwick.db")).is_ok_and(|copy| copy.len() > 1 << 20)
        })
    };
    until_now("it begins", is_begun);
    child
}

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_backup_is_not_there() {
    let installation = large().await;
    let to = tempfile::tempdir().unwrap();
    back_up(&installation, to.path(), &[]);
    let sound = names(to.path());

    let child = begin(&installation, to.path());
    // However long the second one takes to start.
    signal(&child, "-STOP");
    let second = installation.run(&["backup", "--to", to.path().to_str().unwrap()]);
    assert!(second.code == Some(1) && second.err.contains("another backup is being made"), "{}", second.err);
    signal(&child, "-TERM");
    signal(&child, "-CONT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(names(to.path()), sound, "something was left");
    assert!(ended.stdout.is_empty());

    let mut child = begin(&installation, to.path());
    child.kill().unwrap();
    child.wait().unwrap();
    let left: Vec<_> = names(to.path()).into_iter().filter(|name| !sound.contains(name)).collect();
    assert!(left.len() == 1 && left[0].starts_with(".bailiwick-") && left[0].ends_with(".part"), "{left:?}");
    // What was left is not taken for a backup, and goes with the next one.
    let from = to.path().to_str().unwrap();
    let (done, _) = restore(&["--from", from, "--verify"]);
    assert!(done.code == Some(0) && done.out.contains(&sound[0]), "{}", done.out);
    back_up(&installation, to.path(), &["--max-rate", "0"]);
    let now = names(to.path());
    assert!(now.len() == 2 && now.iter().all(|name| name.starts_with("bailiwick-")), "{now:?}");
    let (done, _) = restore(&["--from", from, "--verify"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_costs_no_older_backup() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: mounting a small disk needs root");
        return;
    };
    let (to, ballast) = (disk.folder.path().join("backups"), disk.folder.path().join("ballast"));
    let small = Installation::new();
    small.organization();
    back_up(&small, &to, &["--keep", "1"]);
    let sound = names(&to);
    let large = large().await;
    let refused = |done: &crate::service::Done, told: &str| {
        assert!(done.code == Some(1) && done.err.contains(told), "{}", done.err);
        assert_eq!(names(&to), sound, "something was left, or too much was removed");
    };

    // There is no room at all, and it is known at once.
    std::fs::write(&ballast, vec![0; 6 << 20]).unwrap();
    let flags = ["backup", "--keep", "1", "--to", to.to_str().unwrap()];
    refused(&large.run(&flags), "MiB left, and the backup needs");
    // The room goes while the copy is made.
    std::fs::remove_file(&ballast).unwrap();
    let child = begin(&large, &to);
    let mut file = std::fs::File::create(&ballast).unwrap();
    while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&ended.stderr).into_owned();
    refused(&crate::service::Done { code: ended.status.code(), out: String::new(), err }, "full");
    let (done, _) = restore(&["--from", to.to_str().unwrap(), "--verify"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_keeps_to_its_rate() {
    let installation = large().await;
    let to = tempfile::tempdir().unwrap();
    let fast = back_up(&installation, to.path(), &["--max-rate", "0"]);
    let slow = back_up(&installation, to.path(), &["--max-rate", "4"]);
    let mib = slow["size"].as_f64().unwrap() / f64::from(1 << 20);
    assert!(mib > 8.0, "{mib} MiB");
    let (fast, slow) = (fast["seconds"].as_f64().unwrap(), slow["seconds"].as_f64().unwrap());
    assert!(
        slow > (mib - 1.0) / 4.0,
        "{mib} MiB took {slow} s at 4 MiB a second, and {fast} s without a limit"
    );
}
