//! What docs/backup.md says of PostgreSQL, done as it stands there.

use std::path::Path;
use std::process::Command;

use testkit::{EmptyDatabase, Engine, both_engines};

use super::{names, restore, status};
use crate::service::{Declared, Done, Installation};

const PAGE: &str = include_str!("../../../../../docs/backup.md");

/// The commands of the page's section, in their order.
fn documented() -> String {
    let (_, section) = PAGE.split_once("\n## PostgreSQL\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let blocks = section.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let script = blocks.collect::<String>();
    assert!(["pg_dump", "pg_restore", "--verify"].iter().all(|word| script.contains(word)), "{script}");
    script
}

/// A database of the test's cluster, empty at first, that goes with its owner.
struct NewDatabase {
    name: String,
    url: String,
}

impl NewDatabase {
    async fn make() -> Self {
        let name = format!("restored_{}", std::process::id());
        let cluster = testkit::postgres::connect(&testkit::postgres::cluster_url()).await;
        cluster.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        let url = testkit::postgres::url_of(&name);
        Self { name, url }
    }

    async fn run(&self, sql: &str) {
        testkit::postgres::connect(&self.url).await.batch_execute(sql).await.unwrap();
    }

    async fn remove(self) {
        let cluster = testkit::postgres::connect(&testkit::postgres::cluster_url()).await;
        cluster.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name)).await.unwrap();
    }
}

#[both_engines]
async fn the_documented_commands_restore_and_verify_a_postgresql_register(database: EmptyDatabase) {
    if database.engine() == Engine::Sqlite {
        return sqlite_in_place(&database);
    }
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for number in 0..5 {
        assert!(matches!(api.declare(&format!("number {number}"), "").await, Declared::Done(_)));
    }
    let source = installation.database.clone().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let refused = installation.run(&["backup", "--to", folder.path().to_str().unwrap()]);
    assert!(refused.code == Some(1) && refused.err.contains("docs/backup.md"), "{}", refused.err);

    let target = NewDatabase::make().await;
    let program = Path::new(env!("CARGO_BIN_EXE_bailiwick")).parent().unwrap();
    let path = format!("{}:/usr/lib/postgresql/15/bin:{}", program.display(), std::env::var("PATH").unwrap());
    let mut script = Command::new("bash");
    script.args(["-euo", "pipefail", "-c", &documented()]).current_dir(folder.path());
    script.env("PATH", path).env("SOURCE", &source).env("TARGET", &target.url).env("BACKUPS", folder.path());
    script.env("BAILIWICK_DATA", &installation.data);
    let done = Done::of(&mut script);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("the master key opens all") && !done.out.contains("FAULT"), "{}", done.out);

    // The restored register serves the same records.
    let mut restored = Installation::in_folder(&installation.data);
    restored.database = Some(target.url.clone());
    let again = restored.serve();
    assert_eq!(api.moved_to(&again).incidents().await, api.incidents().await);
    drop(again);

    // It may have grown since, and may not have lost anything or been changed.
    let backup = folder.path().join(&names(folder.path())[0]);
    let manifest = backup.join("manifest.json");
    let verify = |url: &str| {
        let flags = ["--verify", "--manifest", manifest.to_str().unwrap(), "--database", url];
        restore(&[&flags[..], &["--data", installation.data.to_str().unwrap()]].concat())
    };
    api.declare("later", "").await;
    let (done, report) = verify(&source);
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert_eq!(report["organizations"][1]["entries_since_manifest"], 1, "{}", done.out);
    target.run("UPDATE incident SET title = 'another' WHERE number = 3").await;
    let (done, report) = verify(&target.url);
    assert_eq!((done.code, status(&report, "journal").len()), (Some(1), 2), "{}", done.out);
    assert!(done.out.contains("title of the incident INC-0003"), "{}", done.out);
    // A dump that is older than the manifest lacks something.
    std::fs::remove_dir_all(&backup).unwrap();
    let noted = installation.run(&["backup", "--manifest-only", "--to", folder.path().to_str().unwrap()]);
    assert_eq!(noted.code, Some(0), "{}", noted.err);
    let manifest = Path::new(noted.out.trim()).join("manifest.json");
    target.run("UPDATE incident SET title = 'number 2' WHERE number = 3").await;
    let flags = ["--verify", "--manifest", manifest.to_str().unwrap(), "--database", &target.url];
    let (done, _) = restore(&flags);
    assert!(done.code == Some(1) && done.out.contains("before the noted entry"), "{}", done.out);
    target.remove().await;
}

/// The same verification of a data folder that some other tool brought back.
fn sqlite_in_place(database: &EmptyDatabase) {
    let installation = Installation::at(database);
    installation.organization();
    let folder = tempfile::tempdir().unwrap();
    let noted = installation.run(&["backup", "--manifest-only", "--to", folder.path().to_str().unwrap()]);
    let manifest = Path::new(noted.out.trim()).join("manifest.json");
    installation.organization();
    let verify = || {
        let flags = ["--verify", "--manifest", manifest.to_str().unwrap()];
        restore(&[&flags[..], &["--data", installation.data.to_str().unwrap()]].concat())
    };
    let (done, report) = verify();
    assert_eq!(
        (done.code, status(&report, "database")),
        (Some(0), vec!["ok".to_owned()]),
        "{}{}",
        done.out,
        done.err
    );
    let database = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    database.execute("UPDATE organization SET name = 'Another'", []).unwrap();
    let (done, _) = verify();
    assert!(done.code == Some(1) && done.out.contains("name of the organization"), "{}", done.out);
}
