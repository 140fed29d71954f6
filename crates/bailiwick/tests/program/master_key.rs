//! The key that seals the signing keys.

use std::os::unix::fs::PermissionsExt as _;

use testkit::{EmptyDatabase, both_engines};

use crate::service::Installation;

/// 32 bytes in base64.
const ONE: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const ANOTHER: &str = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

#[both_engines]
async fn a_process_with_another_master_key_says_so_and_ends(database: EmptyDatabase) {
    let installation = Installation::at(&database).with("BAILIWICK_MASTER_KEY", ONE);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read");
    let service = installation.serve();
    service.sign_in(&credentials).await;
    drop(service);

    let done = Installation::at(&database).with("BAILIWICK_MASTER_KEY", ANOTHER).run(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("master key"), "{}", done.err);
    assert_eq!(done.out, "", "it listened");

    // The right one still works: nothing was written over.
    installation.serve().sign_in(&credentials).await;
}

#[test]
fn a_master_key_that_is_none_is_refused() {
    for wrong in ["short", "MDEyMzQ1", "not base64 at all, but quite long enough!!!!"] {
        let done = Installation::new().with("BAILIWICK_MASTER_KEY", wrong).run(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
        ]);
        assert!([Some(1), Some(2)].contains(&done.code), "{wrong}: {:?}", done.code);
        assert!(done.err.contains("BAILIWICK_MASTER_KEY"), "{}", done.err);
        assert!(!done.err.contains(wrong), "the key is in the log");
    }
}

#[test]
fn the_data_folder_and_its_files_are_the_owners_alone() {
    let installation = Installation::new();
    let _service = installation.serve();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&installation.data), 0o700);
    let files: Vec<_> =
        std::fs::read_dir(&installation.data).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}
