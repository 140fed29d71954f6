//! No answer leaves before the disk has it: what the kernel was asked, in which order.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::load::{Load, Promised};
use crate::service::{Declared, Installation};

/// What strace is asked to note. Marks are found in the first bytes of a page or an answer.
const STRACE: &[&str] =
    &["strace", "-f", "-y", "-s", "20000", "-e", "trace=pwrite64,fsync,fdatasync,write,writev,sendto"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_leaves_after_its_frames_are_on_the_disk() {
    let trace = traced(&Installation::new()).await;
    let verdict = judge(&trace);
    assert_eq!(verdict.faults, Vec::<String>::new());
    assert!(verdict.answers >= 40, "only {} answers were judged", verdict.answers);
}

/// Shows that the test above can fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_synchronous_the_same_check_fails() {
    let trace = traced(&Installation::new().with("BAILIWICK_UNSAFE_SYNCHRONOUS", "off")).await;
    let verdict = judge(&trace);
    assert!(verdict.answers >= 40, "only {} answers were judged", verdict.answers);
    assert_eq!(verdict.faults.len(), verdict.answers);
}

/// Declares incidents under strace, at first one by one and then side by side, and answers what was noted.
async fn traced(installation: &Installation) -> Vec<Call> {
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:write");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let mut service = installation.serve_with(&[STRACE, &["-o", file.to_str().unwrap()]].concat(), &[]);
    let api = service.sign_in(&credentials).await;
    let promised = Arc::new(Promised::default());
    for callers in [1, 8] {
        let wanted = promised.count() + 20;
        let load = Load::start(&api, callers, &promised);
        promised.until(wanted).await;
        load.stop().await;
    }
    service.terminate();
    service.wait();
    read(&file)
}

/// One system call: the lines at which it began and ended, what it was and what it answered.
struct Call {
    from: usize,
    to: usize,
    text: String,
    succeeded: bool,
}

/// Reads strace's notes, joining calls that were interrupted by another thread's.
fn read(file: &Path) -> Vec<Call> {
    let notes = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut begun: HashMap<&str, (usize, &str)> = HashMap::new();
    let mut calls = Vec::new();
    for (number, line) in notes.lines().enumerate() {
        let Some((thread, text)) = line.split_once(' ') else { continue };
        let text = text.trim_start();
        let succeeded = text.rsplit_once(" = ").is_some_and(|(_, result)| !result.starts_with('-'));
        if let Some(text) = text.strip_suffix(" <unfinished ...>") {
            begun.insert(thread, (number, text));
        } else if let Some(rest) = text.strip_prefix("<... ") {
            let Some((from, start)) = begun.remove(thread) else { continue };
            calls.push(Call { from, to: number, text: format!("{start}{rest}"), succeeded });
        } else {
            calls.push(Call { from: number, to: number, text: text.to_owned(), succeeded });
        }
    }
    calls.sort_by_key(|call| call.from);
    calls
}

struct Verdict {
    answers: usize,
    faults: Vec<String>,
}

/// For every 201: its mark was written to the log before, and a sync of the log that began after that had succeeded
/// when the answer began to leave.
fn judge(calls: &[Call]) -> Verdict {
    let frames: Vec<_> = calls
        .iter()
        .filter(|call| call.text.starts_with("pwrite64(") && call.text.contains("-wal>"))
        .collect();
    let is_sync = |call: &&Call| call.text.starts_with("fsync(") || call.text.starts_with("fdatasync(");
    let syncs: Vec<_> =
        calls.iter().filter(is_sync).filter(|call| call.text.contains("-wal>") && call.succeeded).collect();
    let mut verdict = Verdict { answers: 0, faults: Vec::new() };
    for answer in calls.iter().filter(|call| call.text.contains("HTTP/1.1 201 ")) {
        let mark = mark_of(&answer.text).expect("an incident's answer carries its title");
        verdict.answers += 1;
        let Some(frame) = frames.iter().find(|frame| frame.text.contains(&mark)) else {
            verdict.faults.push(format!("{mark} was answered and never written"));
            continue;
        };
        if !syncs.iter().any(|sync| sync.from > frame.to && sync.to < answer.from) {
            verdict.faults.push(format!("{mark} was answered before its frames were synced"));
        }
    }
    verdict
}

/// The title of the incident in an answer: `load 000042`.
fn mark_of(answer: &str) -> Option<String> {
    let at = answer.find("load ")?;
    answer.get(at..at + "load 000042".len()).map(str::to_owned)
}

/// The log that a process left behind may not be on the disk: if a sync failed, its pages only look written. So it is
/// in the main file, and that synced, before anything new is answered: the connection of the migrations, which is the
/// last to close, does that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_log_holds_is_settled_before_anything_new_is_answered() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let title = "left in the log";
    assert!(matches!(api.declare(title, "").await, Declared::Done(_)));
    service.kill();

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let mut service = installation.serve_with(&[STRACE, &["-o", file.to_str().unwrap()]].concat(), &[]);
    let declared = api.moved_to(&service).declare("load 000001", "").await;
    assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
    service.terminate();
    service.wait();
    let calls = read(&file);
    let main = |call: &&Call| call.text.contains("/bailiwick.db>") && call.succeeded;
    let moved = calls.iter().filter(main).find(|call| call.text.contains(title)).expect("it is moved");
    let is_sync = |call: &&Call| call.text.starts_with("fsync(") || call.text.starts_with("fdatasync(");
    let synced =
        calls.iter().filter(main).find(|call| is_sync(call) && call.from > moved.to).expect("it is synced");
    let answered = calls.iter().find(|call| call.text.contains("HTTP/1.1 201 ")).expect("it is answered");
    assert!(synced.to < answered.from);
}

/// After a failed fsync the content of the disk is unknown; a service that continued could not guarantee durability.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_refuses_to_sync_ends_the_service() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    // Each thread's syncs from the thirtieth on; only the one that writes gets that far.
    let failing = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO:when=30+"];
    let strace = [&["strace", "-f", "-qq", "-o", "/dev/null"], &failing[..]].concat();
    let mut service = installation.serve_with(&strace, &[]);
    let api = service.sign_in(&credentials).await;
    let mut acknowledged = Vec::new();
    let refused = loop {
        let title = format!("number {}", acknowledged.len());
        match api.declare(&title, "").await {
            Declared::Done(id) => acknowledged.push((id, title)),
            refused => break refused,
        }
        assert!(acknowledged.len() < 100, "the disk never failed");
    };
    assert!(!acknowledged.is_empty(), "{refused:?}");
    assert_eq!(service.wait(), Some(70), "{}", service.log());
    assert!(service.log().contains("disk"), "{}", service.log());

    let again = installation.serve();
    let found = api.moved_to(&again).incidents().await;
    // The refused one may be there or not; the client got no answer.
    assert_eq!(found[..acknowledged.len()], acknowledged);
    installation.verify();
}
