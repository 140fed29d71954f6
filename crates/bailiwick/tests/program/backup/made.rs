//! A backup that is interrupted is not there; one at a time is made.

use std::path::Path;
use std::process::{Child, Stdio};

use testkit::until_now;

use super::{back_up, back_up_slowly, fatten, names, restore};
use crate::disk::SmallDisk;
use crate::service::Installation;

/// A register of some 10 MiB, which takes ten seconds to copy to a slow disk.
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
    let mut command = back_up_slowly(installation, to);
    let child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
    let from = to.path().to_str().unwrap();
    back_up(&installation, to.path(), &[]);

    for end in ["-TERM", "-KILL"] {
        let sound = names(to.path());
        let child = begin(&installation, to.path());
        // However long the second one takes to start.
        signal(&child, "-STOP");
        let second = installation.run(&["backup", "--to", from]);
        let is_refused = second.code == Some(1) && second.err.contains("another backup is being made");
        assert!(is_refused, "{}", second.err);
        signal(&child, end);
        signal(&child, "-CONT");
        let ended = child.wait_with_output().unwrap();
        assert!(!ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
        let left: Vec<_> = names(to.path()).into_iter().filter(|name| !sound.contains(name)).collect();
        assert!(
            left.len() == 1 && left[0].starts_with(".bailiwick-") && left[0].ends_with(".part"),
            "{left:?}"
        );
        // What was left is not taken for a backup, and the next backup removes it.
        let (done, _) = restore(&["--from", from, "--verify"]);
        assert!(done.code == Some(0) && done.out.contains(sound.last().unwrap()), "{}", done.out);
        back_up(&installation, to.path(), &[]);
        let now = names(to.path());
        assert_eq!(now.len(), sound.len() + 1);
        assert!(now.iter().all(|name| name.starts_with("bailiwick-")), "{now:?}");
    }
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
