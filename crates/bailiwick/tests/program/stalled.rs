//! Receivers of an export that stall, or take their time, while the register is changed.

use std::time::{Duration, Instant};

use http::limits::SEND_TIMEOUT;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;

use crate::service::{Api, Declared, Installation};
use crate::wire;

/// Three pages of an export, far more than the buffers of a connection take.
const INCIDENTS: usize = 1_100;
const DESCRIPTION_BYTES: usize = 20_000;

/// A read that is older, and still there after so long again, is kept open: far less than the service waits for a client
/// that takes nothing (`SEND_TIMEOUT`).
const OLDEST: Duration = Duration::from_secs(3);

/// Bytes a second of the receiver that takes its time: about as long as the other one stalls.
const SLOWLY: f64 = 700_000.0;

#[both_engines]
async fn a_stalled_export_holds_no_read_and_a_slow_one_is_complete(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    declare_all(&api).await;
    let before = api.incidents().await;
    assert_eq!(before.len(), INCIDENTS);

    let mut stalled = wire::connect_narrow(&service).await;
    let request = wire::head(&api, "GET", "/v1/incidents/export?format=ndjson") + "\r\n";
    stalled.write_all(request.as_bytes()).await.unwrap();
    // The answer begins once the export knows as of when it is: no change may come before that.
    let slow = api.request(Method::GET, "/v1/incidents/export?format=ndjson").send().await.unwrap();
    let slow = tokio::spawn(received_slowly(slow));
    let reads = Reads::of(&installation).await;
    let mut changes = 0;
    // Until the service gives the stalled one up.
    let is_stalled = || wire::is_held(&service, &stalled);
    assert!(is_stalled());
    while is_stalled() {
        change(&api, INCIDENTS - changes % INCIDENTS, &format!("Change {changes}")).await;
        if changes % 20 == 0 {
            assert!(!reads.is_one_open(is_stalled).await, "after {changes} changes");
        }
        changes += 1;
    }

    let (_, received) = wire::until_closed(&mut stalled).await;
    let whole = (INCIDENTS * DESCRIPTION_BYTES) as u64;
    assert!(received < whole / 2, "{received} bytes were on their way to the client that stalled");
    let titles = |incident: &Value| {
        let text = |name: &str| incident[name].as_str().unwrap().to_owned();
        (text("id"), text("title"))
    };
    let file = slow.await.unwrap();
    assert_eq!(file.iter().map(titles).collect::<Vec<_>>(), before, "the register as of the beginning");
    assert!(reads.notices_one(&installation, &api).await, "a read that stays open is not noticed");
}

/// Declares the incidents, eight at a time.
async fn declare_all(api: &Api) {
    let mut tasks = JoinSet::new();
    for task in 0..8 {
        let api = api.clone();
        tasks.spawn(async move {
            let description = "x".repeat(DESCRIPTION_BYTES);
            for number in (task..INCIDENTS).step_by(8) {
                let declared = api.declare(&format!("Incident {number}"), &description).await;
                assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

async fn change(api: &Api, number: usize, title: &str) {
    let body = json!({"title": title, "description": "y".repeat(DESCRIPTION_BYTES)});
    let request = api.request(Method::PATCH, &format!("/v1/incidents/{number}")).json(&body);
    assert_eq!(request.send().await.unwrap().status(), 200);
}

/// The incidents of an export that is received slowly, and steadily.
async fn received_slowly(mut response: reqwest::Response) -> Vec<Value> {
    let from = Instant::now();
    assert_eq!(response.status(), 200);
    let mut file = Vec::new();
    while let Some(part) = response.chunk().await.unwrap() {
        file.extend_from_slice(&part);
        let due = Duration::from_secs_f64(file.len() as f64 / SLOWLY);
        tokio::time::sleep(due.saturating_sub(from.elapsed())).await;
    }
    assert!(from.elapsed() > SEND_TIMEOUT / 2, "it took only {:?}", from.elapsed());
    let text = String::from_utf8(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What sees from outside whether the service keeps a read open.
enum Reads {
    /// SQLite: a read keeps the log from starting over.
    Log(rusqlite::Connection),
    /// PostgreSQL: a read is a transaction.
    Transactions(tokio_postgres::Client),
}

impl Reads {
    async fn of(installation: &Installation) -> Self {
        match &installation.database {
            None => {
                let log = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
                log.busy_timeout(Duration::from_secs(1)).unwrap();
                Self::Log(log)
            }
            Some(url) => Self::Transactions(testkit::postgres::connect(url).await),
        }
    }

    /// Whether one is open as long as the export stalls. On a slow machine one that is about to end is seen for a while.
    async fn is_one_open(&self, is_stalled: impl Fn() -> bool) -> bool {
        let from = Instant::now();
        while is_stalled() || from.elapsed() < OLDEST {
            if !self.is_one_seen().await {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        true
    }

    async fn is_one_seen(&self) -> bool {
        match self {
            // It is also refused while the service moves the log itself, whatever the busy timeout.
            Self::Log(log) => {
                let restart = "PRAGMA wal_checkpoint(RESTART)";
                log.query_row(restart, [], |row| row.get::<_, i64>(0)).unwrap() != 0
            }
            Self::Transactions(client) => {
                let sql = "SELECT count(*) FROM pg_stat_activity
                           WHERE datname = current_database() AND backend_type = 'client backend'
                             AND xact_start < clock_timestamp() - make_interval(secs => $1)";
                let row = client.query_one(sql, &[&OLDEST.as_secs_f64()]).await.unwrap();
                row.get::<_, i64>(0) > 0
            }
        }
    }

    /// Whether a read that stays open while the register is changed is seen.
    async fn notices_one(&self, installation: &Installation, api: &Api) -> bool {
        let read = "BEGIN; SELECT count(*) FROM incident";
        let reader = Self::of(installation).await;
        match &reader {
            Self::Log(log) => log.execute_batch(read).unwrap(),
            Self::Transactions(client) => client.batch_execute(read).await.unwrap(),
        }
        change(api, 1, "After the export").await;
        if let Self::Transactions(_) = reader {
            tokio::time::sleep(OLDEST + Duration::from_millis(200)).await;
        }
        self.is_one_open(|| false).await
    }
}
