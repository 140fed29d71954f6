//! The doctor on installations that are well and that are not.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use testkit::{EmptyDatabase, Engine, both_engines, until_now};

use crate::service::{Done, Installation};
use crate::tls::{Files, Pair};

/// What the doctor found: the exit code, and each check that is not ok with what it said.
fn examine(installation: &Installation, more: &[&str]) -> (Option<i32>, Vec<(String, String)>) {
    let mut examined = (None, Vec::new());
    // A machine that pauses between a look at its clock and one at the server's finds them apart.
    until_now("the clocks agree", || {
        examined = examine_once(installation, more);
        examined.1.iter().all(|(check, _)| check != "clock warning")
    });
    examined
}

fn examine_once(installation: &Installation, more: &[&str]) -> (Option<i32>, Vec<(String, String)>) {
    let usual = ["doctor", "--json", "--public-url", "https://bailiwick.example"];
    let done: Done = installation.run(&[&usual[..], more].concat());
    let view: Value =
        serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}{}", done.out, done.err));
    let found =
        view["checks"].as_array().unwrap().iter().filter(|check| check["status"] != "ok").map(|check| {
            let text = |name: &str| check[name].as_str().unwrap().to_owned();
            assert!(!text("advice").is_empty());
            (format!("{} {}", text("check"), text("status")), text("detail"))
        });
    (done.code, found.collect())
}

/// The server of the tests is fast, not durable, and the doctor says so.
fn apart_from_the_tests_server(found: Vec<(String, String)>) -> Vec<(String, String)> {
    found.into_iter().filter(|(check, _)| !check.starts_with("durability")).collect()
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

#[both_engines]
async fn a_sound_installation_is_well_and_stays_as_it_is(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut service = installation.serve();
    service.sign_in(&credentials).await.declare("one", "").await;
    let (code, found) = examine(&installation, &[]);
    assert_eq!(apart_from_the_tests_server(found), [], "while it runs");
    assert!(code == Some(0) || database.engine() == Engine::Postgres);

    service.terminate();
    assert_eq!(service.wait(), Some(0));
    let export = || installation.run(&["journal", "export", "--organization", &organization]).out;
    let before = (export(), contents(&installation.data));
    let (_, found) = examine(&installation, &[]);
    assert_eq!(apart_from_the_tests_server(found), [], "when it is stopped");
    let after = contents(&installation.data);
    let differ: Vec<_> = after.keys().filter(|name| after.get(*name) != before.1.get(*name)).collect();
    assert!(differ.is_empty() && after.len() == before.1.len(), "it changed {differ:?}");
    assert_eq!(export(), before.0);
    let text = installation.run(&["doctor"]);
    assert!(
        text.out.lines().any(|line| line.starts_with("ok ") && line.contains("the master key opens all")),
        "{}",
        text.out
    );
}

#[test]
fn without_an_installation_it_makes_none() {
    let installation = Installation::new();
    let (code, found) = examine(&installation, &[]);
    let checks: Vec<_> = found.iter().map(|(check, _)| check.as_str()).collect();
    assert_eq!((code, checks), (Some(1), vec!["data warning", "database fault"]));
    assert!(!installation.data.exists());
}

#[test]
fn what_others_may_read_is_a_fault() {
    let installation = Installation::new();
    installation.organization();
    drop(installation.serve());
    let open =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let key = installation.data.join("master.key");
    open(&key, 0o644);
    let (code, found) = examine(&installation, &[]);
    assert_eq!(code, Some(1));
    assert!(found.len() == 1 && found[0].0 == "data fault" && found[0].1.contains("master.key"), "{found:?}");
    open(&key, 0o600);
    let file = installation.data.join("bailiwick.toml");
    std::fs::write(&file, "master_key = \"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\"\n").unwrap();
    open(&file, 0o644);
    let (_, found) = examine(&installation, &[]);
    assert_eq!(found[0].0, "settings fault", "{found:?}");
    assert_eq!(found[1].0, "keys fault", "another key: {found:?}");
}

#[both_engines]
async fn a_master_key_that_opens_nothing_and_a_torn_journal_are_faults(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    drop(installation.serve());
    let key = installation.data.join("master.key");
    let kept = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let faults = |installation: &Installation| apart_from_the_tests_server(examine(installation, &[]).1);
    assert_eq!(faults(&installation)[0].0, "keys fault");
    assert!(!key.exists(), "it made a key");
    std::fs::write(&key, "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=").unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(faults(&installation)[0].1.contains("does not open"));
    std::fs::write(&key, kept).unwrap();
    assert_eq!(faults(&installation), []);

    if database.engine() == Engine::Sqlite {
        let connection = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
        connection.execute("DELETE FROM journal_entry WHERE seq >= 2", []).unwrap();
        drop(connection);
        let found = faults(&installation);
        assert!(found.len() == 1 && found[0].0 == "journal fault", "{found:?}");
    }
}

#[test]
fn a_damaged_file_is_a_fault() {
    let installation = Installation::new();
    installation.organization();
    let file = installation.data.join("bailiwick.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    let (code, found) = examine(&installation, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(found[0].0, "database fault", "{found:?}");
}

#[test]
fn an_unreachable_database_server_is_a_fault_and_its_password_is_not_shown() {
    let installation = Installation::on("postgres://nobody:hunter2@127.0.0.1:1/nowhere");
    let done = installation.run(&["doctor"]);
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("FAULT    database"), "{}", done.out);
    assert!(!done.out.contains("hunter2") && !done.err.contains("hunter2"));
}

#[test]
fn a_standby_that_nobody_waits_for_is_reported() {
    testkit::run(Engine::Postgres, async |database: EmptyDatabase| {
        let one = Installation::at(&database);
        one.organization();
        let said = |installation: &Installation| {
            let out = installation.run(&["doctor"]).out;
            out.lines().find(|line| line.contains(" failover ")).unwrap_or_else(|| panic!("{out}")).to_owned()
        };
        assert!(said(&one).starts_with("ok "), "a server alone");
        let url = one.database.as_ref().unwrap();
        let several = Installation::on(&url.replace("@127.0.0.1:", "@127.0.0.1:1,127.0.0.1:"));
        let line = said(&several);
        assert!(line.starts_with("warning ") && line.contains("synchronous_standby_names"), "{line}");
    });
}

#[test]
fn an_expiring_or_foreign_certificate_is_reported() {
    let installation = Installation::new();
    installation.organization();
    let look = |name: &str, last_year: i32| {
        let files = Files::with(&Pair::new(name, last_year));
        let flags = files.flags();
        let arguments: Vec<_> = flags.iter().map(String::as_str).collect();
        examine(&installation, &arguments).1
    };
    assert_eq!(look("bailiwick.example", 2100), []);
    assert!(look("other.example", 2100)[0].1.contains("not for bailiwick.example"));
    let ended = look("bailiwick.example", 2021);
    assert!(ended[0].0 == "certificate fault" && ended[0].1.starts_with('-'), "{ended:?}");
}

#[test]
fn missing_backups_are_reported() {
    let installation = Installation::new();
    installation.organization();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let look = || {
        let (code, found) = examine(&installation, &["--backups", to]);
        assert_eq!(code, Some(0), "{found:?}");
        found
            .into_iter()
            .filter(|(check, _)| check.starts_with("backups"))
            .map(|(_, detail)| detail)
            .collect()
    };
    let none: Vec<String> = look();
    assert!(none.len() == 1 && none[0].contains("there is none"), "{none:?}");
    let made = installation.json(&["backup", "--json", "--to", to]);
    assert_eq!(look(), Vec::<String>::new());
    std::fs::rename(made["backup"].as_str().unwrap(), folder.path().join("bailiwick-20200101T000000Z"))
        .unwrap();
    let old = look();
    assert!(old.len() == 1 && old[0].contains("hours old"), "{old:?}");
    std::fs::remove_file(folder.path().join("bailiwick-20200101T000000Z/bailiwick.db")).unwrap();
    assert_eq!(look().len(), 2, "it is broken, and there is no other");
}
