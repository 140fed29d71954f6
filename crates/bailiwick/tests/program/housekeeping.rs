//! The service clears away by itself what has had its time, also when it is killed in between.

use std::path::Path;
use std::process::Command;

use db::{Db, Location, Options, Tx};
use domain::OrgId;
use domain::incident::NewIncident;
use serde_json::Value;
use testkit::{EmptyDatabase, TestClock, author, both_engines, patient, seeded, until};

use crate::metrics::{metrics_address, sample};
use crate::service::{Done, Installation, Service};

/// In every text that is to be gone.
const SECRET: &str = "Quatschkopf";

const TRASH: i64 = 400;

/// A new register, as a service of long ago would have it open.
pub(crate) async fn open_long_ago(installation: &Installation) -> Db {
    let location = match &installation.database {
        Some(url) => Location::Postgres(url.clone()),
        None => Location::Sqlite(installation.data.join("bailiwick.db")),
    };
    std::fs::create_dir_all(&installation.data).unwrap();
    let clock = TestClock::new();
    clock.set("2020-01-01T00:00:00Z");
    let db = Db::open(patient(Options::new(location, clock.handle(), seeded(5)))).await.unwrap();
    db.migrate(store::migrations::ALL).await.unwrap();
    db
}

/// Fills the trash long ago; the organization.
async fn long_ago(installation: &Installation) -> OrgId {
    let db = open_long_ago(installation).await;
    let made: store::Result<_> = db
        .write_instance(async move |tx: &mut Tx| store::organizations::create(tx, &author(), "Acme").await)
        .await;
    let org = made.unwrap().id;
    let filled: store::Result<_> = db
        .write_alone(org, async move |tx: &mut Tx| {
            let (by, mut ids) = (author(), Vec::new());
            let new = NewIncident { title: domain::Line::stored(SECRET), ..NewIncident::untitled() };
            for _ in 0..TRASH {
                ids.push(store::incidents::create(tx, org, &by, &new).await?.number);
            }
            store::incidents::delete_many(tx, org, &by, &ids).await
        })
        .await;
    assert_eq!(filled.unwrap().changed_count, TRASH);
    db.close().await;
    org
}

/// How many rows or records a job of this service has removed so far.
async fn removed(service: &Service, job: &str) -> f64 {
    let text = reqwest::get(format!("http://{}/metrics", metrics_address(service))).await.unwrap();
    let name = format!("bailiwick_housekeeping_removed_total{{job=\"{job}\"}}");
    sample(&text.text().await.unwrap(), &name)
}

/// Waits until it has removed so many.
pub(crate) async fn until_removed(service: &Service, job: &str, count: f64) {
    until("so many are removed", async || removed(service, job).await >= count).await;
}

/// The entries of a chain, once the program and the checker in another language find them sound.
pub(crate) fn checked_entries(installation: &Installation, org: OrgId) -> Vec<Value> {
    let verified = installation.run(&["journal", "verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    let exported = installation.run(&["journal", "export", "--organization", &org.to_string()]);
    let file = installation.data.join("export.ndjson");
    std::fs::write(&file, &exported.out).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_journal.py");
    let checked = Done::of(Command::new("python3").arg(script).arg(&file));
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
    exported.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(entries: &[Value], kind: &str) -> i64 {
    i64::try_from(entries.iter().filter(|entry| entry["kind"] == kind).count()).unwrap()
}

#[both_engines]
async fn the_trash_is_emptied_though_the_service_is_killed_in_between(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let org = long_ago(&installation).await;
    let metrics = ["--metrics-listen", "127.0.0.1:0"];
    let service = installation.serve_with(&[], &metrics);
    until_removed(&service, "deleted_incidents", 20.0).await;
    service.kill();
    let entries = checked_entries(&installation, org);
    let done = count(&entries, "incident.purged");
    assert!((20..TRASH).contains(&done), "{done} were purged before it was killed");
    let told: Vec<_> = entries.iter().filter(|entry| !entry["payload"].is_null()).collect();
    assert_eq!(told.len(), usize::try_from(2 * (TRASH - done) + done).unwrap(), "whole or not at all");

    let service = installation.serve_with(&[], &metrics);
    #[expect(clippy::cast_precision_loss, reason = "hundreds")]
    until_removed(&service, "deleted_incidents", (TRASH - done) as f64).await;
    // Another round finds nothing; the line of the log comes with the end of the job.
    service.until_logged("deleted_incidents").await;
    assert!(!service.log().contains(SECRET) && !service.log().contains("failed"), "{}", service.log());
    let entries = checked_entries(&installation, org);
    assert_eq!(count(&entries, "incident.purged"), TRASH, "each once");
    let mut subjects: Vec<_> = entries
        .iter()
        .filter(|entry| entry["kind"] == "incident.purged")
        .map(|entry| entry["subject"]["id"].as_str().unwrap())
        .collect();
    subjects.sort_unstable();
    subjects.dedup();
    assert_eq!(i64::try_from(subjects.len()).unwrap(), TRASH);
    assert!(!entries.iter().any(|entry| entry.to_string().contains(SECRET)));
}
