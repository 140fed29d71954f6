//! Whole rounds, on both engines, with the requests of others beside them.

use std::sync::Arc;
use std::time::Duration;

use db::Tx;
use domain::incident::NewIncident;
use domain::{IncidentNumber, OrgId, Role, UserId};
use prometheus_client::encoding::text;
use prometheus_client::registry::Registry;
use store::sweeps::Sweep;
use testkit::{Engine, TestDb, author};
use tokio::sync::Notify;

use super::job::{Job, ROWS};
use super::{Metrics, round};

/// Puts so many incidents into the trash.
async fn trash(db: &TestDb, org: OrgId, count: i64) {
    db.write(org, async move |tx: &mut Tx| {
        let (by, mut ids) = (author(), Vec::new());
        for _ in 0..count {
            ids.push(store::incidents::create(tx, org, &by, &NewIncident::untitled()).await?.number);
        }
        store::incidents::delete_many(tx, org, &by, &ids).await
    })
    .await
    .unwrap();
}

/// Refuses sign-ins of a person in so many hours, once in each.
async fn refuse_sign_ins(db: &TestDb, person: UserId, hours: i64) {
    for _ in 0..hours {
        let count = async move |tx: &mut Tx| store::refused_sign_ins::count(tx, Some(person)).await;
        let counted: store::Result<()> = db.write_instance(count).await;
        counted.unwrap();
        db.clock.advance_seconds(3_600);
    }
}

async fn count(tx: &mut Tx, table: &str) -> i64 {
    let (count,) = tx.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap();
    count
}

async fn rows(db: &db::Db, table: &str) -> i64 {
    count(&mut db.read().await.unwrap(), table).await
}

async fn assert_sound(db: &TestDb, org: OrgId) {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults, []);
}

/// The samples as Prometheus reads them.
fn samples(metrics: &Metrics) -> String {
    let mut registry = Registry::default();
    metrics.register(&mut registry);
    encoded(&registry)
}

fn encoded(registry: &Registry) -> String {
    let mut out = String::new();
    text::encode(&mut out, registry).unwrap();
    out
}

#[testkit::both_engines]
async fn a_round_removes_all_that_is_due_and_measures_it(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    let metrics = Metrics::default();
    for (job, figure) in [("sessions", "runs"), ("deleted_risks", "failures"), ("refusals", "removed")] {
        let line = format!("bailiwick_housekeeping_{figure}_total{{job=\"{job}\"}} 0\n");
        assert!(samples(&metrics).contains(&line), "{line}");
    }
    let keys = 2 * ROWS + 1;
    db.keep_answers(org, 0..keys).await;
    trash(&db, org, 60).await;
    trash(&db, other, 1).await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Owner).await;
    refuse_sign_ins(&db, ada, 3).await;
    db.clock.advance_days(90);
    round(&db, &metrics).await;
    assert_eq!(rows(&db, "idempotency_key").await, 0);
    assert_eq!((rows(&db, "incident").await, rows(&db, "incident_history").await), (0, 0));
    let text = samples(&metrics);
    for line in [
        format!("bailiwick_housekeeping_removed_total{{job=\"idempotency_keys\"}} {keys}\n"),
        "bailiwick_housekeeping_removed_total{job=\"deleted_incidents\"} 61\n".to_owned(),
        "bailiwick_housekeeping_removed_total{job=\"refused_sign_ins\"} 3\n".to_owned(),
        "bailiwick_housekeeping_removed_total{job=\"deleted_risks\"} 0\n".to_owned(),
        // 2026-05-30T12:00:00Z
        "bailiwick_housekeeping_last_success_timestamp_seconds{job=\"deleted_incidents\"} 1780142400.0\n"
            .to_owned(),
    ] {
        assert!(text.contains(&line), "{line}{text}");
    }
    for job in Job::all() {
        let line = format!("bailiwick_housekeeping_runs_total{{job=\"{}\"}} 1\n", job.name());
        assert!(text.contains(&line), "{line}{text}");
        assert!(text.contains(&format!("bailiwick_housekeeping_seconds_total{{job=\"{}\"}}", job.name())));
    }
    for org in [org, other, OrgId::INSTANCE] {
        assert_sound(&db, org).await;
    }
    // A second one finds nothing, and so writes nothing.
    let commits = db.commits();
    round(&db, &metrics).await;
    assert_eq!(db.commits(), commits);
}

#[testkit::both_engines]
async fn a_job_that_fails_keeps_no_other_from_its_work(db: TestDb) {
    let org = db.organization("Acme").await;
    trash(&db, org, 1).await;
    db.clock.advance_days(90);
    db.write_instance(async |tx: &mut Tx| tx.execute("DROP TABLE client_refusal", &[]).await).await.unwrap();
    let metrics = Metrics::default();
    round(&db, &metrics).await;
    assert_eq!(rows(&db, "incident").await, 0);
    let text = samples(&metrics);
    for job in Job::all() {
        let failed = u32::from(job == Job::Sweep(Sweep::Refusals));
        let line = format!("bailiwick_housekeeping_failures_total{{job=\"{}\"}} {failed}\n", job.name());
        assert!(text.contains(&line), "{line}{text}");
    }
    assert!(!text.contains("last_success_timestamp_seconds{job=\"refusals\"}"), "{text}");
}

/// Runs `job` beside ten writes of `org` while a write of `held` blocks the lane; how many rows of
/// `table` each of the ten saw.
async fn seen_beside(db: &TestDb, job: Job, held: OrgId, org: OrgId, table: &'static str) -> Vec<i64> {
    let (gate, opened) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (inside, wait) = (Arc::clone(&opened), Arc::clone(&gate));
    let blocking = db.db();
    let blocking = tokio::spawn(async move {
        let work = async move |_: &mut Tx| {
            inside.notify_one();
            wait.notified().await;
            Ok::<_, store::Error>(())
        };
        blocking.write(held, work).await.unwrap();
    });
    opened.notified().await;
    let working = db.db();
    let working = tokio::spawn(async move { job.run(&working, |_| {}).await.unwrap() });
    let mut registry = Registry::default();
    db.register_metrics(&mut registry);
    until_waiting(&registry, 1).await;
    let others: Vec<_> = (0..10)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move {
                db.write(org, async move |tx: &mut Tx| Ok::<_, store::Error>(count(tx, table).await)).await
            })
        })
        .collect();
    // PostgreSQL has another lane for another organization: nothing of that waits for the gate.
    if db.engine() == Engine::Sqlite || held == org {
        until_waiting(&registry, 11).await;
        gate.notify_one();
    }
    let mut seen = Vec::new();
    for other in others {
        seen.push(other.await.unwrap().unwrap());
    }
    gate.notify_one();
    blocking.await.unwrap();
    working.await.unwrap();
    assert_eq!(rows(db, table).await, 0, "the job came to its end all the same");
    seen
}

/// Waits until so many writes stand in the queue.
async fn until_waiting(registry: &Registry, count: usize) {
    let line = format!("bailiwick_db_writes_waiting {count}\n");
    testkit::until(&line, async || encoded(registry).contains(&line)).await;
}

#[testkit::both_engines]
async fn no_request_waits_behind_more_than_one_write_of_a_job(db: TestDb) {
    let org = db.organization("Acme").await;
    db.keep_answers(org, 0..4 * ROWS).await;
    trash(&db, org, 180).await;
    db.clock.advance_days(90);
    let sweep = Job::Sweep(Sweep::IdempotencyKeys);
    let seen = seen_beside(&db, sweep, OrgId::INSTANCE, org, "idempotency_key").await;
    // PostgreSQL has another lane for them: they do not wait at all.
    let expected = if db.engine() == Engine::Sqlite { i64::from(3 * ROWS) } else { i64::from(4 * ROWS) };
    assert_eq!(seen, [expected; 10]);
    let purge = Job::Purge(store::REGISTRY.trash_named("deleted_incidents").unwrap());
    let seen = seen_beside(&db, purge, org, org, "incident").await;
    assert_eq!(seen, [160; 10]);
    assert_sound(&db, org).await;
}

#[testkit::both_engines]
async fn a_round_may_be_stopped_at_any_moment_and_taken_up_later(db: TestDb) {
    let org = db.organization("Acme").await;
    trash(&db, org, 300).await;
    db.keep_answers(org, 0..3 * ROWS).await;
    db.clock.advance_days(90);
    let all = rows(&db, "incident").await + rows(&db, "idempotency_key").await;
    let left = async || rows(&db, "incident").await + rows(&db, "idempotency_key").await;
    let mut moments = vec![0, 1, 3, 10, 30, 60, 90];
    let mut tried = 0;
    while let Some(millis) = moments.get(tried).copied() {
        tried += 1;
        let (handle, metrics) = (db.db(), Metrics::default());
        let running = tokio::spawn(async move { round(&handle, &metrics).await });
        tokio::time::sleep(Duration::from_millis(millis)).await;
        running.abort();
        let _ = running.await;
        assert_sound(&db, org).await;
        // On a slow machine none of them may have come to its first write.
        if tried == moments.len() && left().await == all {
            moments.push(2 * millis);
        }
    }
    let (metrics, other) = (Metrics::default(), db.second(2).await);
    // Two processes at once.
    tokio::join!(round(&db, &metrics), round(&other, &metrics));
    assert_eq!(rows(&db, "incident").await + rows(&db, "idempotency_key").await, 0);
    let mut read = db.read().await.unwrap();
    let entries = store::journal::list(&mut read, org, 0, 10_000).await.unwrap();
    let purged = entries.iter().filter(|entry| entry.kind == "incident.purged");
    let mut purged: Vec<_> = purged.map(|entry| entry.subject_id.clone()).collect();
    purged.sort();
    let each: Vec<_> = (1..=300).map(|number| IncidentNumber(number).to_string()).collect();
    assert_eq!(purged, each, "each once");
    drop(read);
    assert_sound(&db, org).await;
    // Closing waits for what is on its way, and takes no more.
    let (handle, metrics) = (db.db(), Metrics::default());
    trash(&db, org, 120).await;
    db.clock.advance_days(90);
    let running = tokio::spawn(async move { round(&handle, &metrics).await });
    tokio::time::sleep(Duration::from_millis(5)).await;
    running.abort();
    db.close().await;
    assert_sound(&other, org).await;
}

#[testkit::both_engines]
async fn refused_sign_ins_are_journaled_once_by_rounds_at_once_and_after_some_that_were_stopped(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Owner).await;
    let hours = 2 * i64::from(ROWS) + 30;
    refuse_sign_ins(&db, ada, hours).await;
    for millis in [0, 5, 15] {
        let handle = db.db();
        let running = tokio::spawn(async move { Job::RefusedSignIns.run(&handle, |_| {}).await });
        tokio::time::sleep(Duration::from_millis(millis)).await;
        running.abort();
        let _ = running.await;
        assert_sound(&db, OrgId::INSTANCE).await;
    }
    let (metrics, other) = (Metrics::default(), db.second(2).await);
    tokio::join!(round(&db, &metrics), round(&other, &metrics));
    assert_eq!(rows(&db, "refused_sign_in").await, 0);
    let mut read = db.read().await.unwrap();
    let entries = store::journal::list(&mut read, OrgId::INSTANCE, 0, 10_000).await.unwrap();
    drop(read);
    let found = entries.into_iter().filter(|entry| entry.kind == "user.sign_ins_refused");
    let found: Vec<_> = found.map(|entry| (entry.actor.id, entry.payload.unwrap())).collect();
    let begin = db.clock.now() - jiff::SignedDuration::from_hours(hours);
    let each = (0..hours).map(|hour| {
        let hour = domain::time::format(begin + jiff::SignedDuration::from_hours(hour));
        ("service".to_owned(), format!(r#"{{"hour":[null,"{hour}"],"count":[null,1]}}"#))
    });
    assert_eq!(found, each.collect::<Vec<_>>());
    assert_sound(&db, OrgId::INSTANCE).await;
}
