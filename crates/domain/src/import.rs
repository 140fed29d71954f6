//! Imports: spreadsheets that become records. What a file has is read elsewhere; here is what an import is, and what becomes of
//! each row.

mod evaluation_row;
mod incident_row;
mod risk_row;
mod tag_row;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use evaluation_row::{ImportedEvaluation, RiskKey};
pub use incident_row::ImportedIncident;
pub use risk_row::ImportedRisk;
pub use tag_row::ImportedTag;

use crate::actor::Actor;
use crate::ids::ImportId;
use crate::incident::{Sees, Viewer};
use crate::scope::Scope;

/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

/// The most rows that are written at once, all or none.
pub const MAX_ROWS_AT_ONCE: usize = 10_000;

/// Over so many originals a duplicate may lead to the last one.
pub const MAX_ORIGINALS: usize = 100;

crate::words! {
    "ImportKind"
    /// What a file is imported as.
    pub enum ImportKind {
        /// Risks with their ratings.
        Risks = "risks",
        /// Evaluations of risks that are there.
        Evaluations = "evaluations",
        /// Incidents.
        Incidents = "incidents",
        /// Tags with their other names.
        Tags = "tags",
    }
}

impl ImportKind {
    /// What importing anything needs: one of these.
    pub const SCOPES: &'static [Scope] = &[Scope::RisksWrite, Scope::IncidentsWrite, Scope::TagsWrite];

    /// What an import of this kind needs.
    pub fn scope(self) -> Scope {
        match self {
            Self::Risks | Self::Evaluations => Scope::RisksWrite,
            Self::Incidents => Scope::IncidentsWrite,
            Self::Tags => Scope::TagsWrite,
        }
    }
}

crate::words! {
    "ImportState"
    /// How far an import is.
    pub enum ImportState {
        /// Something is to be answered, or the proposals have to be accepted.
        NeedsAnswers = "needs_answers",
        /// It can be run.
        Ready = "ready",
        /// Some of its rows are written. The next run goes on.
        Running = "running",
        /// Its rows are written.
        Done = "done",
        /// A later part of a long file has rows that cannot be imported. What was written before stays; a run that leaves such
        /// rows out goes on.
        Failed = "failed",
        /// Somebody has ended it. What it had written stays.
        Cancelled = "cancelled",
    }
}

impl ImportState {
    /// Whether nothing more is done with it.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

crate::words! {
    "ImportOutcome"
    /// What becomes of a row.
    pub enum RowOutcome {
        /// A record is made of it.
        Created = "created",
        /// It changes a record.
        Updated = "updated",
        /// The record is so already.
        Unchanged = "unchanged",
        /// Nothing is in it that could be imported.
        Skipped = "skipped",
        /// It cannot be imported.
        Wrong = "wrong",
    }
}

/// How many rows have each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ImportCounts {
    /// Records that are made.
    pub created: i64,
    /// Records that are changed.
    pub updated: i64,
    /// Records that are so already.
    pub unchanged: i64,
    /// Rows without content.
    pub skipped: i64,
    /// Records that cannot be imported.
    pub wrong: i64,
}

impl ImportCounts {
    /// Counts one more; skipped rows count each, the rows of a record once.
    pub fn add(&mut self, row: &ImportRow) {
        match row.outcome {
            RowOutcome::Created => self.created += 1,
            RowOutcome::Updated => self.updated += 1,
            RowOutcome::Unchanged => self.unchanged += 1,
            RowOutcome::Skipped => self.skipped += row.last_row - row.first_row + 1,
            RowOutcome::Wrong => self.wrong += 1,
        }
    }
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Its id.
    pub id: ImportId,
    /// What the file is imported as.
    pub kind: ImportKind,
    /// How far it is.
    pub state: ImportState,
    /// The name of the file, if it has one.
    pub file_name: Option<String>,
    /// The same for files with the same header.
    pub fingerprint: String,
    /// What is proposed for the file, with what was chosen and answered, as JSON.
    pub proposal: String,
    /// What was chosen, as JSON.
    pub choices: String,
    /// What was answered, as JSON.
    pub answers: String,
    /// How many entries the file has: records, and ranges of rows that are skipped.
    pub entries: i64,
    /// How many of them are written, and of a long file after these how many duplicates have their originals.
    pub done: i64,
    /// What became of the rows, or would by the latest dry run.
    pub counts: ImportCounts,
    /// Who sent the file.
    pub created_by: Actor,
    /// When the file was sent.
    pub created_date: Timestamp,
    /// When the import was last changed.
    pub updated_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
}

impl Import {
    /// How many of its entries are written.
    pub fn written(&self) -> i64 {
        self.done.min(self.entries)
    }

    /// Whether this caller sees it. The file may have incidents that are restricted.
    pub fn is_seen_by(&self, viewer: &Viewer) -> bool {
        let by = &self.created_by;
        let is_maker = viewer.actor().is_some_and(|actor| actor.kind == by.kind && actor.id == by.id);
        self.kind != ImportKind::Incidents || viewer.sees() == Sees::All || is_maker
    }
}

/// Something about a row that somebody has to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowFault {
    /// The number of the row.
    pub row: i64,
    /// The index of the column, from 0; none if something is missing that no column has.
    pub column: Option<i64>,
    /// What was read.
    pub read: String,
    /// What is wrong.
    pub detail: String,
    /// The nearest right value.
    pub nearest: Option<String>,
}

impl RowFault {
    /// One of a row as a whole.
    pub fn of(row: i64, detail: String) -> Self {
        Self { row, column: None, read: String::new(), detail, nearest: None }
    }
}

/// What becomes of a record of a file, or of rows that have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// The import.
    pub import: ImportId,
    /// Its place in the file, from 0.
    pub place: i64,
    /// The number of its first row.
    pub first_row: i64,
    /// The number of its last row.
    pub last_row: i64,
    /// The title of the record, if the file has one.
    pub title: Option<String>,
    /// What becomes of it.
    pub outcome: RowOutcome,
    /// The id of the record, if there is one.
    pub record: Option<String>,
    /// What is wrong, or remarkable.
    pub faults: Vec<RowFault>,
    /// When the file was sent, after which it is kept for some days.
    pub created_date: Timestamp,
}

impl ImportRow {
    /// Whether it cannot be imported.
    pub fn is_wrong(&self) -> bool {
        self.outcome == RowOutcome::Wrong
    }
}

/// A record that was read from a file, or rows that have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedRow {
    /// The number of its first row.
    pub first_row: i64,
    /// The number of its last row.
    pub last_row: i64,
    /// The title of the record, if the file has one.
    pub title: Option<String>,
    /// What is wrong, or remarkable.
    pub faults: Vec<RowFault>,
    /// What is in it.
    pub content: RowContent,
}

/// What is in rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowContent {
    /// Nothing that could be imported.
    Skipped,
    /// A record that cannot be imported.
    Wrong,
    /// A record of a long file, which is read again when it is planned or written.
    Outline {
        /// About how many bytes of texts writing it takes.
        bytes: usize,
        /// How many risks without a reference and with the same title the file has before it.
        nth: usize,
    },
    /// A risk.
    Risk(Box<ImportedRisk>),
    /// An evaluation.
    Evaluation(Box<ImportedEvaluation>),
    /// An incident.
    Incident(Box<ImportedIncident>),
    /// A tag.
    Tag(Box<ImportedTag>),
}

impl PreparedRow {
    /// About how many bytes of texts writing it takes.
    pub fn bytes(&self) -> usize {
        match &self.content {
            RowContent::Risk(risk) => 2 * risk.bytes(),
            RowContent::Evaluation(it) => it.new.note.as_ref().map_or(0, |note| note.len()),
            RowContent::Incident(incident) => 2 * incident.bytes(),
            RowContent::Tag(tag) => tag.new.description.as_ref().map_or(0, |text| text.len()),
            RowContent::Outline { bytes, .. } => *bytes,
            RowContent::Skipped | RowContent::Wrong => 0,
        }
    }

    /// What is kept of a record that is read again; all of one that other rows say something about.
    #[must_use]
    pub fn outline(self) -> Self {
        let nth = match &self.content {
            RowContent::Risk(risk) => risk.nth,
            RowContent::Tag(_) => 0,
            _ => return self,
        };
        let content = RowContent::Outline { bytes: self.bytes(), nth };
        Self { title: None, faults: Vec::new(), content, ..self }
    }

    /// The place in the file of the incident that it is a duplicate of.
    pub fn original(&self) -> Option<usize> {
        match &self.content {
            RowContent::Incident(incident) => incident.original,
            _ => None,
        }
    }

    /// What becomes of it, at a place of an import.
    pub fn outcome(
        &self,
        import: &Import,
        place: usize,
        outcome: RowOutcome,
        record: Option<String>,
    ) -> ImportRow {
        ImportRow {
            import: import.id,
            place: i64::try_from(place).unwrap_or(i64::MAX),
            first_row: self.first_row,
            last_row: self.last_row,
            title: self.title.clone(),
            outcome,
            record,
            faults: self.faults.clone(),
            created_date: import.created_date,
        }
    }
}
