//! PostgreSQL that goes and comes back, and several services on one database.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use testkit::{EmptyDatabase, Engine, both_engines, until};

use crate::disk::{assert_unavailable, recovered};
use crate::load::{Load, Promised};
use crate::service::{Declared, Installation};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_killed_under_load_loses_nothing_and_recovers_without_a_restart() {
    let cluster = DurableCluster::start();
    let installation = Installation::on(&cluster.url);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let promised = Arc::new(Promised::default());
    for round in 0..3 {
        let before = promised.count();
        let load = Load::start(&api, 8, &promised);
        promised.until(before + 1).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.run("kill");
        until("writes are refused", async || promised.refused_count() > 0).await;
        assert_unavailable_or_unknown(&api.declare("while it is gone", "").await);
        let read = api.request(reqwest::Method::GET, "/v1/incidents").send().await.unwrap();
        assert_eq!(read.status(), 503);
        assert!(read.headers().contains_key("retry-after"));
        load.stop().await;
        promised.take_refused().iter().for_each(assert_unavailable_or_unknown);

        cluster.run("start");
        let title = format!("back in round {round}");
        recovered(&api, &title).await;
        let found = api.incidents().await;
        promised.check(&found);
        assert!(found.iter().any(|(_, found)| *found == title));
    }
    installation.verify();
}

/// A write that was at its COMMIT when the server died may end as `outcome_unknown`; any other is `unavailable`.
pub(crate) fn assert_unavailable_or_unknown(declared: &Declared) {
    if !declared.is_unknown() {
        assert_unavailable(declared);
    }
}

#[both_engines]
async fn two_services_share_one_organization_and_number_without_gaps(database: EmptyDatabase) {
    let first = Installation::at(&database);
    let organization = first.organization();
    let credentials = first.client(&organization, "incidents:read incidents:write");
    let mut services = vec![first.serve()];
    // SQLite's two services share the folder, too.
    let second = (database.engine() == Engine::Postgres).then(|| first.beside());
    services.push(second.as_ref().unwrap_or(&first).serve());
    let promised = Arc::new(Promised::default());
    let mut loads = Vec::new();
    let api = services[0].sign_in(&credentials).await;
    for service in &services {
        // A token of the one is good at the other.
        loads.push(Load::start(&api.moved_to(service), 8, &promised));
    }
    promised.until(300).await;
    for load in loads {
        load.stop().await;
    }
    let refused = promised.take_refused();
    assert!(refused.is_empty(), "{refused:?}");
    let found = api.moved_to(&services[1]).incidents().await;
    promised.check(&found);
    assert_eq!(found.len(), promised.count(), "there is a record that was not acknowledged");
    first.verify();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_postgres_the_service_says_so_at_once() {
    let installation = Installation::on("postgres://nobody:nothing@127.0.0.1:1/nowhere");
    let done = installation.run(&["serve", "--listen", "127.0.0.1:0", "--database-wait-seconds", "0"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("database") || done.err.contains("PostgreSQL"), "{}", done.err);
    assert!(!done.err.contains("nothing"), "the password is in the log: {}", done.err);
}

/// A cluster of the test's own, durable as one in use.
pub(crate) struct DurableCluster {
    home: tempfile::TempDir,
    pub(crate) url: String,
}

impl DurableCluster {
    pub(crate) fn start() -> Self {
        let mut cluster = Self { home: tempfile::tempdir().unwrap(), url: String::new() };
        cluster.url = cluster.run("start");
        cluster
    }

    /// `start` or `kill`; what it printed.
    pub(crate) fn run(&self, verb: &str) -> String {
        let output = self.command(verb).output().unwrap();
        assert!(output.status.success(), "{verb}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn command(&self, verb: &str) -> Command {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts/test-postgres");
        let mut command = Command::new(script);
        command.arg(verb).env("TEST_POSTGRES_HOME", self.home.path().join("cluster"));
        if verb == "start" {
            command.args(["-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "full_page_writes=on"]);
        }
        command
    }
}

impl Drop for DurableCluster {
    fn drop(&mut self) {
        let _ = self.command("stop").status();
    }
}
