//! The master key is in a backup only when it is asked for.

use std::os::unix::fs::PermissionsExt as _;

use super::{back_up, names, path, restore, status};
use crate::service::Installation;

const ANOTHER: &str = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_the_master_key_only_when_it_is_asked_for() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let to = tempfile::tempdir().unwrap();
    let mode = |file: &std::path::Path| std::fs::metadata(file).unwrap().permissions().mode() & 0o777;

    let without = path(&back_up(&installation, to.path(), &[]));
    assert_eq!(names(&without), ["bailiwick.db", "manifest.json"]);
    let with = path(&back_up(&installation, to.path(), &["--with-keys"]));
    assert_eq!(names(&with), ["bailiwick.db", "manifest.json", "master.key"]);
    for folder in [&without, &with] {
        assert_eq!(mode(folder), 0o700);
        for name in names(folder) {
            assert_eq!(mode(&folder.join(&name)), 0o600, "{name}");
        }
    }
    let key = std::fs::read_to_string(installation.data.join("master.key")).unwrap();
    let secret = key.trim().as_bytes();
    for name in ["bailiwick.db", "manifest.json"] {
        let bytes = std::fs::read(with.join(name)).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{name} has the key");
    }

    let new = to.path().join("with");
    let (done, report) = restore(&["--from", with.to_str().unwrap(), "--to", new.to_str().unwrap()]);
    assert_eq!((done.code, status(&report, "keys")), (Some(0), vec!["ok".to_owned()]), "{}", done.out);
    assert_eq!(status(&report, "journal"), ["warning"], "it was not verified, and says so");
    assert_eq!((mode(&new), mode(&new.join("master.key"))), (0o700, 0o600));
    let again = Installation::in_folder(&new).serve();
    api.moved_to(&again).read("/v1/incidents").await;

    let new = to.path().join("without");
    let (done, report) = restore(&["--from", without.to_str().unwrap(), "--to", new.to_str().unwrap()]);
    assert_eq!((done.code, status(&report, "keys")), (Some(0), vec!["warning".to_owned()]), "{}", done.out);
    assert_eq!(names(&new), ["bailiwick.db", "bailiwick.db-writer"]);
    std::fs::copy(installation.data.join("master.key"), new.join("master.key")).unwrap();
    let again = Installation::in_folder(&new).serve();
    api.moved_to(&again).read("/v1/incidents").await;
}

#[test]
fn another_master_key_is_reported_and_not_restored() {
    let installation = Installation::new();
    installation.organization();
    drop(installation.serve());
    let to = tempfile::tempdir().unwrap();
    let other = to.path().join("other.key");
    std::fs::write(&other, ANOTHER).unwrap();
    back_up(&installation, to.path(), &[]);
    let (from, new) = (to.path().to_str().unwrap(), to.path().join("new"));
    let flags = ["--from", from, "--to", new.to_str().unwrap(), "--master-key", other.to_str().unwrap()];
    let (done, report) = restore(&flags);
    assert_eq!((done.code, status(&report, "keys")), (Some(1), vec!["fault".to_owned()]), "{}", done.out);
    assert!(done.out.contains("another master key"), "{}", done.out);
    assert_eq!(names(&new), ["bailiwick.db", "bailiwick.db-writer"]);

    // The key that is set counts, too, and is not written down.
    let set = Installation::new().with("BAILIWICK_MASTER_KEY", ANOTHER);
    let done = crate::service::Done::of(&mut set.bare_command(&["restore", "--verify", "--from", from]));
    assert!(done.code == Some(1) && done.out.contains("another master key"), "{}", done.out);

    // Nor does a backup take one that is not in use.
    let wrong = Installation::in_folder(&installation.data).with("BAILIWICK_MASTER_KEY", ANOTHER);
    let before = names(to.path());
    let done = wrong.run(&["backup", "--with-keys", "--to", from]);
    assert!(done.code == Some(1) && done.err.contains("not the one in use"), "{}", done.err);
    assert_eq!(names(to.path()), before);
}

/// As in `sudo cat /safe/master.key | sudo bailiwickctl restore …`, where only root may read the file.
#[test]
fn the_master_key_may_come_from_standard_input() {
    let installation = Installation::new();
    installation.organization();
    drop(installation.serve());
    let to = tempfile::tempdir().unwrap();
    back_up(&installation, to.path(), &[]);
    let (from, new) = (to.path().to_str().unwrap(), to.path().join("new"));
    let key = installation.data.join("master.key");
    let flags = ["restore", "--from", from, "--to", new.to_str().unwrap(), "--master-key", "-"];
    let mut command = Installation::new().bare_command(&flags);
    let done = crate::service::Done::of(command.stdin(std::fs::File::open(&key).unwrap()));
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(std::fs::read(new.join("master.key")).unwrap(), std::fs::read(&key).unwrap());
}
