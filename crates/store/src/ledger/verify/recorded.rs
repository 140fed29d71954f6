//! What the database has of a record, as it is held against the journal.

use std::collections::HashMap;

use db::Tx;
use domain::{Actor, ActorKind, OrgId};
use jiff::Timestamp;
use serde_json::Value;

use crate::ledger::error::Result;
use crate::ledger::journal::Subject;
use crate::ledger::record::{self, Record, Versioned};

/// A record with all that follows from its entries.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// What its entries call it.
    pub(crate) subject: Subject,
    /// The number of its latest entry, where the record keeps it.
    pub(crate) seq_from: Option<i64>,
    /// Its journaled fields as they are now.
    pub(crate) fields: HashMap<String, Value>,
    /// Fields that the journal has a salted hash of, with what the database has.
    pub(crate) hashed: HashMap<String, Vec<u8>>,
    /// When it was made, and by whom, where the record keeps that.
    pub(crate) made: Option<Made>,
    /// Every state that it had, the first one first, where there is a history.
    pub(crate) versions: Vec<Version>,
    /// Every state of each of its parts that has a history.
    pub(crate) histories: Vec<PartHistory>,
    /// Fields that stand for rows of their own, with the entries that made and ended each.
    pub(crate) links: Vec<Link>,
    /// The latest states of its parts that have versions.
    pub(crate) parts: Vec<PartState>,
    /// Derived rows that are not what follows from the record.
    pub(crate) faults: Vec<String>,
}

/// When something was made, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) at: Timestamp,
    pub(crate) by: Option<(ActorKind, String)>,
}

impl Made {
    /// Made at this moment.
    pub(crate) fn at(at: Timestamp) -> Self {
        Self { at, by: None }
    }

    /// Made at this moment by this actor.
    pub(crate) fn by(at: Timestamp, actor: &Actor) -> Self {
        Self { at, by: Some((actor.kind, actor.id.clone())) }
    }
}

/// Every state of a part of a record.
#[derive(Debug)]
pub(crate) struct PartHistory {
    /// The part as entries name it, such as `comments/3`. The names of its fields begin with it.
    pub(crate) name: String,
    /// Its states, the first one first.
    pub(crate) versions: Vec<Version>,
}

/// A state of a record, or of a part of one, with a history.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) number: i64,
    pub(crate) updated: Timestamp,
    pub(crate) seq_from: i64,
    pub(crate) seq_to: Option<i64>,
    pub(crate) fields: HashMap<String, Value>,
}

impl Version {
    fn of<R: Versioned>(record: &R, seq_to: Option<i64>) -> Self {
        Self {
            number: record.version(),
            updated: record.updated_date(),
            seq_from: record.seq_from(),
            seq_to,
            fields: record::journaled(record).map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }
}

/// Every state of these records, by number.
pub(crate) async fn versions<R: Versioned>(
    tx: &mut Tx,
    organization: OrgId,
    records: &[R],
) -> Result<HashMap<i64, Vec<Version>>> {
    let mut versions: HashMap<_, Vec<_>> = HashMap::new();
    let earlier = record::history::<R>(tx, organization, records.iter().map(R::number)).await?;
    for (state, seq_to) in &earlier {
        versions.entry(state.number()).or_default().push(Version::of(state, Some(*seq_to)));
    }
    for present in records {
        versions.entry(present.number()).or_default().push(Version::of(present, None));
    }
    Ok(versions)
}

/// A row that a field stands for: an evaluation, or a tag on a record.
#[derive(Debug)]
pub(crate) struct Link {
    /// The field that tells of it.
    pub(crate) field: String,
    /// The entry that set the field.
    pub(crate) seq_from: i64,
    /// The entry that cleared it.
    pub(crate) seq_to: Option<i64>,
    /// When the row was made and by whom, where it keeps that.
    pub(crate) made: Option<Made>,
}

/// The latest state of a part of a record.
#[derive(Debug)]
pub(crate) struct PartState {
    /// The part as entries name it, such as `tasks/3`.
    pub(crate) name: String,
    /// What the names of the other parts begin with whose entries `version` counts too.
    pub(crate) counted_with: Option<&'static str>,
    /// Its version.
    pub(crate) version: i64,
    /// When it was last changed.
    pub(crate) updated: Timestamp,
    /// The entry of its latest change.
    pub(crate) seq: i64,
}

impl PartState {
    /// Whether its version also counts the entries about this part.
    pub(crate) fn is_counted_with(&self, other: &str) -> bool {
        let prefix = self.counted_with.and_then(|prefix| other.strip_prefix(prefix));
        prefix.is_some_and(|rest| rest.starts_with('/'))
    }
}

impl Recorded {
    /// A record of which only the fields are known.
    pub(crate) fn new(subject: Subject, fields: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self {
            subject,
            seq_from: None,
            fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            hashed: HashMap::new(),
            made: None,
            versions: Vec::new(),
            histories: Vec::new(),
            links: Vec::new(),
            parts: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// A record with its list of columns.
    pub(crate) fn of<R: Record>(subject: Subject, record: &R) -> Self {
        Self::new(subject, record::journaled(record))
    }

    /// The same, made at this moment.
    pub(crate) fn made(self, made: Made) -> Self {
        Self { made: Some(made), ..self }
    }
}
