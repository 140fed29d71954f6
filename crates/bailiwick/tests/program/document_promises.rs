//! What was promised to the callers who work on a document, and whether it is kept.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use serde_json::Value;

use crate::service::Api;

pub(crate) const DOCUMENT: &str = "/v1/documents/policy";

/// The item of a writer.
pub(crate) fn item(writer: usize) -> String {
    format!("item-{writer}")
}

/// A write that the service acknowledged.
#[derive(Debug)]
pub(crate) enum Promise {
    /// A value of the writer's own item.
    Edit { writer: usize, proposal: i64, change_set: i64, value: u64 },
    /// The summary of a proposal.
    Submission { proposal: i64, summary: u64 },
    /// The approval of a text, which publishes it.
    Approval { proposal: i64, sha256: String },
    /// That a person has acknowledged a version.
    Acknowledgement { person: String, version: i64 },
}

/// What the callers have in common.
#[derive(Default)]
pub(crate) struct Work {
    is_over: AtomicBool,
    /// Values and summaries are numbers, each greater than those before.
    number: AtomicU64,
    promises: Mutex<Vec<Promise>>,
    approvals: AtomicUsize,
    /// The hashes that were sent with an approval, also those without an answer.
    sent: Mutex<HashSet<String>>,
}

impl Work {
    pub(crate) fn begin(&self) {
        self.is_over.store(false, Ordering::SeqCst);
    }

    /// Lets every caller finish its request.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    pub(crate) fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::SeqCst)
    }

    pub(crate) fn next_number(&self) -> u64 {
        1 + self.number.fetch_add(1, Ordering::SeqCst)
    }

    pub(crate) fn approvals(&self) -> usize {
        self.approvals.load(Ordering::SeqCst)
    }

    pub(crate) fn approval_is_sent(&self, sha256: &str) {
        self.sent.lock().unwrap().insert(sha256.to_owned());
    }

    pub(crate) fn promised(&self, promise: Promise) {
        let is_approval = matches!(promise, Promise::Approval { .. });
        self.promises.lock().unwrap().push(promise);
        self.approvals.fetch_add(usize::from(is_approval), Ordering::SeqCst);
    }

    /// How many promises of each kind there are.
    pub(crate) fn counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for promise in self.promises.lock().unwrap().iter() {
            let kind = match promise {
                Promise::Edit { .. } => 0,
                Promise::Submission { .. } => 1,
                Promise::Approval { .. } => 2,
                Promise::Acknowledgement { .. } => 3,
            };
            counts[kind] += 1;
        }
        counts
    }

    /// Fails unless every promise is kept and each version was approved.
    pub(crate) async fn check(&self, api: &Api) {
        let versions = all(api, &format!("{DOCUMENT}/versions")).await;
        for (version, number) in versions.iter().rev().zip(1..) {
            assert_eq!(version["number"], number, "the numbers have a gap");
        }
        let proposals = all(api, &format!("{DOCUMENT}/proposals")).await;
        let proposals: HashMap<_, _> =
            proposals.iter().map(|it| (it["number"].as_i64().unwrap(), it)).collect();
        let covered = all(api, &format!("{DOCUMENT}/acknowledgements")).await;
        let mut edits = HashMap::new();
        for number in proposals.keys() {
            edits.insert(*number, all(api, &format!("{DOCUMENT}/proposals/{number}/edits")).await);
        }
        for version in &versions {
            let sent = self.sent.lock().unwrap();
            assert!(sent.contains(version["sha256"].as_str().unwrap()), "approved by nobody: {version}");
        }
        let mut change_sets = HashMap::new();
        for promise in self.promises.lock().unwrap().iter() {
            let is_kept = match promise {
                Promise::Edit { writer, proposal, change_set, value } => {
                    let owner = change_sets.entry(*change_set).or_insert((*proposal, *writer));
                    assert_eq!(*owner, (*proposal, *writer), "a number was given twice: {promise:?}");
                    edits[proposal].iter().any(|it| {
                        (it["node_id"] == item(*writer) && it["change_set"] == *change_set)
                            && number(&it["value"]) >= *value
                    })
                }
                Promise::Submission { proposal, summary } => {
                    number(&proposals[proposal]["summary"]) >= *summary
                }
                Promise::Approval { proposal, sha256 } => {
                    versions.iter().any(|it| it["proposal"] == *proposal && it["sha256"] == **sha256)
                }
                Promise::Acknowledgement { person, version } => covered.iter().any(|it| {
                    it["user"]["id"] == **person && it["acknowledged_version"].as_i64() >= Some(*version)
                }),
            };
            assert!(is_kept, "{promise:?} was acknowledged and is lost");
        }
    }
}

fn number(text: &Value) -> u64 {
    text.as_str().unwrap().parse().unwrap()
}

/// All pages of a list.
async fn all(api: &Api, path: &str) -> Vec<Value> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = api.read(&format!("{path}?limit=200{cursor}")).await;
        found.extend(page["data"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}
