//! What comes back is what was there.

use std::sync::Arc;

use domain::OrgId;
use serde_json::{Value, json};
use store::journal::{Payload, Subject};

use super::{back_up, back_up_slowly, path, restore, status};
use crate::load::{Load, Promised};
use crate::service::{Api, Done, Installation};

const SCOPES: &str =
    "incidents:read incidents:write risks:read tags:read documents:read users:read organizations:read";

/// Every record of a list, deleted ones too where there are any.
async fn all(api: &Api, list: &str) -> Vec<Value> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = api.read(&format!("/v1/{list}?limit=200{cursor}")).await;
        found.extend(page["data"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_has_every_acknowledged_record_as_it_was() {
    let installation = Installation::new();
    drop(installation.serve_with(&[], &["--demo"]));
    let organization =
        installation.json(&["organization", "list", "--json"])["id"].as_str().unwrap().to_owned();
    let credentials = installation.client(&organization, SCOPES);
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let to = tempfile::tempdir().unwrap();

    let promised = Arc::new(Promised::default());
    let load = Load::start(&api, 8, &promised);
    promised.until(100).await;
    let before = promised.acknowledged();
    let done = tokio::task::block_in_place(|| Done::of(&mut back_up_slowly(&installation, to.path())));
    let made: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
    let after = promised.count();
    load.stop().await;
    assert!(promised.take_refused().is_empty(), "a write was refused because of the backup");
    assert!(after > before.len(), "no write came while it was made");

    let new = to.path().join("restored");
    let key = installation.data.join("master.key");
    let (done, report) = tokio::task::block_in_place(|| {
        let flags = ["--from", to.path().to_str().unwrap(), "--to", new.to_str().unwrap(), "--verify"];
        restore(&[&flags[..], &["--master-key", key.to_str().unwrap()]].concat())
    });
    assert_eq!((done.code, &report["status"]), (Some(0), &json!("ok")), "{}{}", done.out, done.err);

    // The same token is good, because the keys are the same.
    let restored = Installation::in_folder(&new);
    let again = restored.serve();
    let there = api.moved_to(&again);
    let (ours, theirs) = (all(&api, "incidents").await, all(&there, "incidents").await);
    for (id, title) in &before {
        let found = theirs.iter().find(|found| found["id"] == id.as_str());
        assert!(
            found.is_some_and(|found| found["title"] == title.as_str()),
            "{id} was acknowledged before it began"
        );
    }
    assert!(theirs.len() <= ours.len());
    for record in &theirs {
        let original = ours.iter().find(|found| found["id"] == record["id"]);
        assert_eq!(Some(record), original);
        let one = format!("/v1/incidents/{}", id(record));
        let mut one = there.read(&one).await;
        // A list does not have what stood before each step back.
        one.as_object_mut().unwrap().remove("spells");
        assert_eq!(one, *record);
    }
    for list in ["risks", "tags", "documents", "users"] {
        let records = all(&there, list).await;
        assert!(!records.is_empty(), "{list}");
        assert_eq!(records, all(&api, list).await, "{list}");
    }
    let figure = format!("/v1/organizations/{organization}/risk-performance");
    assert_eq!(there.read(&figure).await, api.read(&figure).await);
    compare_journals(&installation, &restored, &made, &report);
    // And it goes on: the next number is free.
    let next = there.declare("after it was restored", "").await;
    assert!(
        matches!(&next, crate::service::Declared::Done(id) if theirs.iter().all(|found| found["id"] != id.as_str()))
    );
}

/// Each journal of the restored register is the beginning of the original's, byte by byte, and ends where manifest and
/// report say.
fn compare_journals(installation: &Installation, restored: &Installation, made: &Value, report: &Value) {
    let manifest = std::fs::read_to_string(path(made).join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let journals = manifest["journals"].as_array().unwrap();
    assert_eq!(journals.len(), 2, "the instance's and the organization's");
    for noted in journals {
        let organization = noted["organization"].as_str().unwrap();
        let export = |installation: &Installation| {
            installation.run(&["journal", "export", "--organization", organization]).out
        };
        let (ours, theirs) = (export(installation), export(restored));
        assert!(ours.starts_with(&theirs), "{organization}");
        let last: Value = serde_json::from_str(theirs.lines().last().unwrap()).unwrap();
        assert_eq!((&last["seq"], &last["hash"]), (&noted["seq"], &noted["hash"]));
        let told = report["organizations"].as_array().unwrap();
        let told = told.iter().find(|told| told["organization"] == organization).unwrap();
        assert_eq!(told["head"], format!("{}:{}", noted["seq"], noted["hash"].as_str().unwrap()));
        assert_eq!(told["entries"], noted["seq"]);
        assert!(told["records"].as_i64().unwrap() > 0 && told["faults"] == json!([]), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_an_older_release_is_verified_and_brought_up_to_date() {
    let installation = Installation::new();
    let (latest, older) = store::migrations::ALL.split_last().unwrap();
    register_of(&installation, older).await;
    let to = tempfile::tempdir().unwrap();
    let made = back_up(&installation, to.path(), &[]);
    let copy = path(&made).join("bailiwick.db");
    let bytes = std::fs::read(&copy).unwrap();

    let from = to.path().to_str().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let installed = Installation::new().with("TMPDIR", scratch.path().to_str().unwrap());
    let done = Done::of(&mut installed.bare_command(&["restore", "--json", "--from", from, "--verify"]));
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains(&format!("upgraded with {}", latest.name)), "{}", done.out);
    assert_eq!(std::fs::read(&copy).unwrap(), bytes, "the backup was changed");
    assert_eq!(super::names(scratch.path()), Vec::<String>::new(), "something was left behind");

    let new = scratch.path().join("new");
    let (done, report) = restore(&["--from", from, "--to", new.to_str().unwrap(), "--verify"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert_eq!(status(&report, "schema"), ["ok"]);
    assert_eq!(Installation::in_folder(&new).run(&["migrate"]).out, "up to date\n");
}

/// A register with these steps of the schema and one entry.
async fn register_of(installation: &Installation, steps: &[db::Migration]) {
    std::fs::create_dir_all(&installation.data).unwrap();
    let location = db::Location::Sqlite(installation.data.join("bailiwick.db"));
    let options = db::Options::new(location, testkit::TestClock::new().handle(), testkit::seeded(1));
    let db = db::Db::open(testkit::patient(options)).await.unwrap();
    db.migrate(steps).await.unwrap();
    let author = testkit::author();
    let written: store::Result<i64> = db
        .write_instance(async move |tx| {
            let (subject, payload) = (Subject::new("note", "1"), Payload::new());
            store::journal::append(tx, OrgId::INSTANCE, &author, "note.made", subject, payload).await
        })
        .await;
    assert_eq!(written, Ok(1));
    db.close().await;
}
