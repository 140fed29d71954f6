//! A database that is locked, and a disk that is full.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use testkit::until;

use crate::load::{Load, Promised};
use crate::service::{Declared, Installation};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_is_unavailable_and_recovers() {
    let installation = Installation::new().with_usual_limits();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;

    let other = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    // The answer comes although the lock stays.
    let refused = api.declare("while it is locked", "").await;
    assert_unavailable(&refused);
    other.execute_batch("ROLLBACK").unwrap();

    let id = recovered(&api, "after it was locked").await;
    assert_eq!(id, "INC-0001", "the refused one took a number");
    assert_eq!(api.incidents().await, [(id, "after it was locked".to_owned())]);
}

/// Another process, such as the command line, gets the writer lock while the service is busy. One that does not get it
/// in time fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_is_not_starved_by_a_busy_service() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let promised = Arc::new(Promised::default());
    let load = Load::start(&api, 16, &promised);
    for _ in 0..5 {
        installation.client(&organization, "risks:read");
    }
    load.stop().await;
    assert!(promised.take_refused().is_empty());
    promised.check(&api.incidents().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_unavailable_and_recovers() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: mounting a small disk needs root");
        return;
    };
    let installation = Installation::in_folder(&disk.folder.path().join("data"));
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let ballast = disk.folder.path().join("ballast");
    std::fs::write(&ballast, vec![0; 4 << 20]).unwrap();
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;

    let long = "x".repeat(60_000);
    let mut acknowledged = Vec::new();
    let refused = loop {
        let title = format!("number {}", acknowledged.len() + 1);
        match api.declare(&title, &long).await {
            Declared::Done(id) => acknowledged.push((id, title)),
            other => break other,
        }
        assert!(acknowledged.len() < 1_000, "the disk never filled");
    };
    assert_unavailable(&refused);
    assert!(!acknowledged.is_empty());
    assert_eq!(api.incidents().await, acknowledged, "reading goes on");

    std::fs::remove_file(&ballast).unwrap();
    let id = recovered(&api, "after it was full").await;
    acknowledged.push((id, "after it was full".to_owned()));
    assert_eq!(api.incidents().await, acknowledged);
    installation.verify();
}

/// Before anything was made: the command says why, leaves nothing half-made, and works once there is space.
#[test]
fn a_full_disk_at_the_first_start_is_reported() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: mounting a small disk needs root");
        return;
    };
    let installation = Installation::in_folder(&disk.folder.path().join("data"));
    let ballast = disk.folder.path().join("ballast");
    assert!(std::fs::write(&ballast, vec![0; 13 << 20]).is_err(), "the disk is larger than it should be");
    for arguments in
        [&["serve", "--listen", "127.0.0.1:0"][..], &["organization", "create", "--name", "Acme"]]
    {
        let done = installation.run(arguments);
        assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
        let reason = done.err.to_lowercase();
        assert!(reason.contains("no space left") || reason.contains("disk is full"), "{}", done.err);
    }
    std::fs::remove_file(&ballast).unwrap();
    installation.organization();
    drop(installation.serve());
    installation.verify();
}

/// 503 with `Retry-After`, and nothing was changed.
pub(crate) fn assert_unavailable(declared: &Declared) {
    match declared {
        Declared::Refused { status: 503, retry_after: true, problem } => {
            assert_eq!(problem["code"], "unavailable", "{problem}");
        }
        other => panic!("expected 503 with Retry-After, got {other:?}"),
    }
}

/// Declares again and again until it is accepted, without a restart; the id.
pub(crate) async fn recovered(api: &crate::service::Api, title: &str) -> String {
    let mut id = None;
    until("it recovers", async || {
        let declared = api.declare(title, "").await;
        match declared {
            Declared::Done(done) => id = Some(done),
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
        id.is_some()
    })
    .await;
    id.unwrap()
}

/// A file system of 12 MiB, gone when the test ends.
pub(crate) struct SmallDisk {
    pub(crate) folder: tempfile::TempDir,
}

impl SmallDisk {
    pub(crate) fn mount() -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("bailiwick-test-").tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=12m", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { folder })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the service may still hold files of it when the test has failed.
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}
