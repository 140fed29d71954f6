//! A disk that fails, as strace makes the kernel say: no write, no space, no sync, no haste.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::Value;

use crate::disk::{assert_unavailable, recovered};
use crate::load::{Load, Promised};
use crate::service::{Api, Declared, Installation, PATIENCE, Service};

/// Long enough that a hundred of them fill more of the log than is left in it.
const LONG: usize = 60_000;

/// So many of them are more than a reader keeps in memory.
const COUNT: usize = 80;

/// An installation with one client, run by strace that fails calls on one of its files.
struct Faulty {
    installation: Installation,
    service: Service,
    api: Api,
}

impl Faulty {
    /// `inject` as strace takes it, on the file of this name in the data folder. What counts as the how many-th call is
    /// counted for each thread.
    async fn start(file: &str, inject: &str) -> Self {
        Self::start_under(&[], file, inject).await
    }

    async fn start_under(shell: &[&str], file: &str, inject: &str) -> Self {
        let installation = Installation::new().with_usual_limits();
        let organization = installation.organization();
        let credentials = installation.client(&organization, "incidents:read incidents:write");
        let service = serve(&installation, shell, &installation.data.join(file), inject);
        let api = service.sign_in(&credentials).await;
        Self { installation, service, api }
    }

    /// Declares until the first refusal: what was acknowledged, and the refusal.
    async fn declare_until_refused(&self, description: &str) -> (Vec<(String, String)>, Declared) {
        let (mut acknowledged, from) = (Vec::new(), Instant::now());
        loop {
            let title = format!("number {}", acknowledged.len() + 1);
            match self.api.declare(&title, description).await {
                Declared::Done(id) => acknowledged.push((id, title)),
                refused => return (acknowledged, refused),
            }
            assert!(from.elapsed() < PATIENCE, "the disk never failed");
            if acknowledged.len() % 60 == 0 {
                // A checkpoint comes to its end only while nothing is written.
                tokio::time::sleep(Duration::from_millis(400)).await;
            }
        }
    }

    /// The whole story of a disk that refuses for a while.
    async fn fails_for_a_while_and_recovers(&self) {
        let (mut acknowledged, refused) = self.declare_until_refused("").await;
        assert_unavailable(&refused);
        assert!(!acknowledged.is_empty());
        assert_eq!(self.api.incidents().await, acknowledged, "reading goes on");
        let id = recovered(&self.api, "after the fault").await;
        acknowledged.push((id, "after the fault".to_owned()));
        assert_eq!(self.api.incidents().await, acknowledged);
        self.installation.verify();
    }
}

fn serve(installation: &Installation, shell: &[&str], file: &Path, inject: &str) -> Service {
    let calls = inject.split(':').next().unwrap();
    let (trace, inject) = (format!("trace={calls}"), format!("inject={inject}"));
    let strace =
        ["strace", "-f", "-qq", "-o", "/dev/null", "-P", file.to_str().unwrap(), "-e", &trace, "-e", &inject];
    installation.serve_with(&[shell, &strace].concat(), &[])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_cannot_be_written_is_unavailable_and_recovers() {
    Faulty::start("bailiwick.db-wal", "pwrite64:error=EIO:when=60..80")
        .await
        .fails_for_a_while_and_recovers()
        .await;
}

/// A full disk, without the right to mount a small one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_without_space_is_unavailable_and_recovers() {
    Faulty::start("bailiwick.db-wal", "pwrite64:error=ENOSPC:when=60..80")
        .await
        .fails_for_a_while_and_recovers()
        .await;
}

/// The service's own log is on the full disk, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_line_that_cannot_be_written_ends_nothing() {
    let shell = ["sh", "-c", r#"exec "$0" "$@" 2>/dev/full"#];
    let fault = "pwrite64:error=ENOSPC:when=60..80";
    let faulty = Faulty::start_under(&shell, "bailiwick.db-wal", fault).await;
    faulty.fails_for_a_while_and_recovers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_main_file_that_cannot_be_written_delays_its_checkpoint_only() {
    let faulty = Faulty::start("bailiwick.db", "pwrite64:error=EIO:when=1..12").await;
    let file = faulty.installation.data.join("bailiwick.db");
    let length = || std::fs::metadata(&file).unwrap().len();
    let (description, from) = ("x".repeat(LONG), Instant::now());
    let mut acknowledged = Vec::new();
    while length() < 4 << 20 {
        assert!(from.elapsed() < PATIENCE, "no checkpoint came through");
        let title = format!("number {}", acknowledged.len() + 1);
        match faulty.api.declare(&title, &description).await {
            Declared::Done(id) => acknowledged.push((id, title)),
            refused => panic!("{refused:?}"),
        }
    }
    let failed = faulty.service.log().matches("a checkpoint failed").count();
    assert!(failed > 2, "only {failed} checkpoints failed");
    assert_eq!(faulty.api.incidents().await, acknowledged);
    faulty.installation.verify();
}

/// More is stored than a reader keeps in memory, so that most reads ask the disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_main_file_that_cannot_be_read_is_unavailable_and_recovers() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut filling = installation.serve();
    let api = filling.sign_in(&credentials).await;
    let description = "x".repeat(LONG);
    for number in 1..=COUNT {
        let declared = api.declare(&format!("number {number}"), &description).await;
        assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
    }
    filling.terminate();
    assert_eq!(filling.wait(), Some(0));
    let file = installation.data.join("bailiwick.db");
    let service = serve(&installation, &[], &file, "pread64:error=EIO:when=400..440");
    let api = api.moved_to(&service);
    let (mut refused, mut in_a_row) = (0, 0);
    for number in (1..=COUNT).cycle().take(40 * COUNT) {
        let answer = api.request(Method::GET, &format!("/v1/incidents/{number}")).send().await.unwrap();
        match answer.status().as_u16() {
            200 => in_a_row += 1,
            503 => {
                assert!(answer.headers().contains_key("retry-after"));
                assert_eq!(answer.json::<Value>().await.unwrap()["code"], "unavailable");
                (refused, in_a_row) = (refused + 1, 0);
            }
            other => panic!("{other}: {}", answer.text().await.unwrap()),
        }
        if refused > 0 && in_a_row == 2 * COUNT {
            recovered(&api, "after the fault").await;
            return installation.verify();
        }
    }
    panic!("{refused} refused, {in_a_row} read since");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_main_file_that_cannot_be_synced_ends_the_service() {
    let mut faulty = Faulty::start("bailiwick.db", "fsync,fdatasync:error=EIO").await;
    // Short ones: the first checkpoint comes after 200 pages, and some have to be acknowledged by then.
    let (acknowledged, refused) = faulty.declare_until_refused("").await;
    assert!(!acknowledged.is_empty(), "{refused:?}");
    assert_eq!(faulty.service.wait(), Some(70), "{}", faulty.service.log());
    assert!(faulty.service.log().contains("the disk failed to sync"), "{}", faulty.service.log());
    let again = faulty.installation.serve();
    let found = faulty.api.moved_to(&again).incidents().await;
    // The refused one may be there or not; the client got no answer.
    assert_eq!(found[..acknowledged.len()], acknowledged);
    faulty.installation.verify();
}

/// Writes wait for the disk, and those that would wait too long are refused; reads do not wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_stalls_holds_up_writes_only() {
    // For longer than a write waits, and again later, should nobody have been in line at first.
    let stall = "fsync,fdatasync:delay_enter=12000000:when=30+500";
    let faulty = Faulty::start("bailiwick.db-wal", stall).await;
    let promised = Arc::new(Promised::default());
    let mut loads = vec![Load::start(&faulty.api, 4, &promised)];
    // How many reads came one after another while nothing was acknowledged.
    let mut quiet = 0;
    let from = Instant::now();
    while promised.refused_count() == 0 {
        assert!(from.elapsed() < PATIENCE, "no write was refused");
        let before = promised.count();
        faulty.api.read("/v1/incidents?limit=1").await;
        quiet = if promised.count() == before { quiet + 1 } else { 0 };
        // The others may all be in the batch whose sync stalls, and none in the line behind it.
        if quiet % 20 == 19 {
            loads.push(Load::start(&faulty.api, 1, &promised));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // A read that waited for the disk would have been the only one.
    assert!(quiet > 1, "reads wait for the disk");
    recovered(&faulty.api, "after the disk has rested").await;
    for load in loads {
        load.stop().await;
    }
    let refused = promised.take_refused();
    refused.iter().for_each(assert_unavailable);
    promised.check(&faulty.api.incidents().await);
    faulty.installation.verify();
}
