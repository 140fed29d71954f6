//! Checking a chain, entry by entry.

use crate::ledger::journal::entry::{Entry, payload_hash};

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
    /// Records compared with their entries.
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

    /// A checker for what follows an entry that was checked before.
    pub(crate) fn after(entry: &Entry) -> Self {
        let head = Position { seq: entry.seq, hash: entry.hash.clone() };
        Self { expected: None, head, at: Some(entry.at), report: Report::default() }
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

    /// How many records were compared so far.
    pub fn records(&self) -> i64 {
        self.report.records
    }

    /// Counts a record that was compared.
    pub(crate) fn count_record(&mut self) {
        self.report.records += 1;
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
