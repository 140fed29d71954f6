//! Verification: the chain is walked, and the records are compared with their latest entries.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use serde_json::Value;

use crate::error::Result;
use crate::journal::entry::{Entry, payload_hash};

/// Entries that are read at a time.
const PAGE: i64 = 1_000;

/// A head that was noted elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The entry's number.
    pub seq: i64,
    /// Its hash.
    pub hash: [u8; 32],
}

/// Something that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The entry at which it shows.
    pub seq: i64,
    /// A sentence for a person.
    pub detail: String,
}

/// An entry and its hash; 0 and zeros before the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Position {
    /// The entry's number.
    pub seq: i64,
    /// Its hash.
    pub hash: Vec<u8>,
}

/// What a verification found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries walked.
    pub entries: i64,
    /// Entries whose payload was erased; the chain still covers them.
    pub erased: i64,
    /// Records compared with their latest entry.
    pub records: i64,
    /// The last entry walked.
    pub head: Position,
    /// Everything that does not fit.
    pub faults: Vec<Fault>,
}

/// Checks one entry after the other; works on an export as well as on the database.
#[derive(Debug, Clone)]
pub struct Checker {
    expected: Option<Expected>,
    head: Position,
    at: Option<jiff::Timestamp>,
    report: Report,
}

impl Checker {
    /// A checker for a chain, from its first entry.
    pub fn new(expected: Option<Expected>) -> Self {
        let report = Report::default();
        Self { expected, head: Position { seq: 0, hash: vec![0; 32] }, at: None, report }
    }

    /// Checks the next entry.
    pub fn check(&mut self, entry: &Entry) {
        self.report.entries += 1;
        if entry.seq != self.head.seq + 1 {
            self.fault(entry.seq, format!("Entry {} follows entry {}.", entry.seq, self.head.seq));
        }
        if entry.prev_hash != self.head.hash {
            self.fault(entry.seq, "It does not name the hash of the entry before.".to_owned());
        }
        if self.at.is_some_and(|at| entry.at < at) {
            self.fault(entry.seq, "It is older than the entry before.".to_owned());
        }
        match (&entry.payload, &entry.salt) {
            (Some(payload), Some(salt)) if payload_hash(salt, payload).as_slice() != entry.payload_hash => {
                self.fault(entry.seq, "The payload is not the one that was hashed.".to_owned());
            }
            (Some(_), Some(_)) => {}
            _ => self.report.erased += 1,
        }
        if entry.expected_hash().as_slice() != entry.hash {
            self.fault(entry.seq, "The entry is not the one that was hashed.".to_owned());
        }
        let noted = self.expected.as_ref().filter(|expected| expected.seq == entry.seq);
        if noted.is_some_and(|expected| expected.hash.as_slice() != entry.hash) {
            self.fault(entry.seq, "The hash is not the one that was noted for this entry.".to_owned());
        }
        self.head = Position { seq: entry.seq, hash: entry.hash.clone() };
        self.at = Some(entry.at);
    }

    /// Where the chain stands after the entries so far.
    pub fn position(&self) -> (i64, &[u8]) {
        (self.head.seq, &self.head.hash)
    }

    /// Notes something that does not fit.
    pub fn fault(&mut self, seq: i64, detail: String) {
        self.report.faults.push(Fault { seq, detail });
    }

    /// The report, once every entry was checked.
    pub fn finish(mut self) -> Report {
        if let Some(expected) = self.expected.take().filter(|expected| expected.seq > self.head.seq) {
            let detail =
                format!("The journal ends at {}, before the noted entry {}.", self.head.seq, expected.seq);
            self.fault(self.head.seq, detail);
        }
        self.report.head = self.head;
        self.report
    }
}

/// A record's journaled fields as they are now, and the entry that last changed it.
pub(crate) struct Current {
    pub(crate) subject_kind: &'static str,
    pub(crate) subject_id: String,
    /// None when the record does not keep it.
    pub(crate) seq_from: Option<i64>,
    pub(crate) fields: HashMap<String, Value>,
}

/// What the journal says about one record.
#[derive(Default)]
struct Story {
    /// Its latest entry.
    seq: i64,
    /// Whether that one says that the record was purged.
    is_purged: bool,
    /// The latest value of each field.
    fields: HashMap<String, Value>,
    /// Whether a payload was erased, so that a field may be missing from the journal.
    has_gap: bool,
}

/// The stories by kind of record and id.
type Told = HashMap<(String, String), Story>;

/// Walks the chain of `organization`, compares it with its head and its records with their entries.
pub async fn verify(tx: &mut Tx, organization: OrgId, expected: Option<Expected>) -> Result<Report> {
    let mut checker = Checker::new(expected);
    let mut told = Told::new();
    loop {
        let page = super::read::list(tx, organization, checker.position().0, PAGE).await?;
        let Some(last) = page.last() else { break };
        let (before, last) = (checker.position().0, last.seq);
        for entry in &page {
            checker.check(entry);
            remember(&mut told, entry);
        }
        if last <= before {
            break;
        }
    }
    let head = super::read::head(tx, organization).await?;
    if (head.seq, head.hash.as_slice()) != checker.position() {
        let detail = format!("The organization's head says entry {}.", head.seq);
        checker.fault(checker.position().0, detail);
    }
    for current in crate::records::current(tx, organization).await? {
        checker.report.records += 1;
        let story = told.remove(&(current.subject_kind.to_owned(), current.subject_id.clone()));
        compare(&mut checker, story.as_ref(), &current);
    }
    look_for_missing(&mut checker, &told);
    Ok(checker.finish())
}

fn remember(told: &mut Told, entry: &Entry) {
    let key = (entry.subject_kind.clone(), entry.subject_id.clone());
    let story = told.entry(key).or_default();
    story.seq = entry.seq;
    story.is_purged = entry.kind.ends_with(".purged");
    story.has_gap |= entry.payload.is_none();
    let payload = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    if let Some(Value::Object(changes)) = payload {
        for (field, change) in changes {
            if let Value::Array(mut pair) = change {
                story.fields.insert(field, pair.pop().unwrap_or(Value::Null));
            }
        }
    }
}

fn compare(checker: &mut Checker, story: Option<&Story>, current: &Current) {
    let (kind, id) = (current.subject_kind, &current.subject_id);
    let Some(story) = story else {
        checker.fault(0, format!("The {kind} {id} has no entry."));
        return;
    };
    if story.is_purged {
        checker.fault(story.seq, format!("The {kind} {id} was purged and is there all the same."));
        return;
    }
    if current.seq_from.is_some_and(|from| from != story.seq) {
        checker.fault(story.seq, format!("The {kind} {id} was changed without an entry."));
    }
    for (field, value) in &current.fields {
        // A field that no entry mentions is null, unless its entry's payload was erased.
        let fits = match story.fields.get(field) {
            Some(told) => told == value,
            None => value.is_null() || story.has_gap,
        };
        if !fits {
            checker
                .fault(story.seq, format!("{field} of the {kind} {id} is not what its latest entry says."));
        }
    }
    look_for_missing_fields(checker, story, current);
}

/// Fields in the journal that the record does not have.
fn look_for_missing_fields(checker: &mut Checker, story: &Story, current: &Current) {
    let (kind, id) = (current.subject_kind, &current.subject_id);
    let is_missing =
        |(field, value): &(&String, &Value)| !value.is_null() && !current.fields.contains_key(field.as_str());
    let mut missing: Vec<_> = story.fields.iter().filter(is_missing).map(|(field, _)| field).collect();
    missing.sort();
    for field in missing {
        checker.fault(story.seq, format!("{field} of the {kind} {id} is not there."));
    }
}

/// Records in the journal that no longer exist although they were not purged.
fn look_for_missing(checker: &mut Checker, told: &Told) {
    let is_missing = |kind: &str, story: &Story| crate::records::STAY.contains(&kind) && !story.is_purged;
    let mut missing: Vec<_> = told.iter().filter(|((kind, _), story)| is_missing(kind, story)).collect();
    missing.sort_by_key(|(_, story)| story.seq);
    for ((kind, id), story) in missing {
        checker.fault(story.seq, format!("The {kind} {id} is not there and was not purged."));
    }
}
