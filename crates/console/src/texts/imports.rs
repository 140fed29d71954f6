//! Texts of the pages about imports.

use domain::import::{ImportCounts, ImportKind, ImportState, RowOutcome};

use crate::frame::words::label_of;

pub(crate) const FILE_WAS_READ: &str = "File read. Nothing is imported yet.";
pub(crate) const IMPORT_PREVIEWED: &str = "Preview updated. Nothing is imported yet.";
pub(crate) const IMPORT_CANCELLED: &str = "Import cancelled.";
pub(crate) const LEAVE_OUT_WRONG: &str =
    "Some rows cannot be imported. Correct them in the file and upload it again, or leave them out.";

/// What a file is imported as.
pub(crate) fn import_of(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Risks => "Import risks",
        ImportKind::Evaluations => "Import evaluations",
        ImportKind::Incidents => "Import incidents",
        ImportKind::Tags => "Import tags",
    }
}

/// What a record of a file is called.
pub(crate) fn imported_record(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Risks | ImportKind::Evaluations => "Risk",
        ImportKind::Incidents => "Incident",
        ImportKind::Tags => "Tag",
    }
}

/// What a column can be imported as, with its label.
const FIELDS: &[(&str, &str)] = &[
    ("external_ref", "External reference"),
    ("owner_email", "Owner: e-mail address"),
    ("inherent.likelihood", "Inherent likelihood"),
    ("inherent.impact", "Inherent impact"),
    ("inherent.score", "Inherent score (checked only)"),
    ("current.likelihood", "Current likelihood"),
    ("current.impact", "Current impact"),
    ("current.score", "Current score (checked only)"),
    ("target.likelihood", "Target likelihood"),
    ("target.impact", "Target impact"),
    ("target.score", "Target score (checked only)"),
    ("residual.likelihood", "Residual likelihood"),
    ("residual.impact", "Residual impact"),
    ("residual.score", "Residual score (checked only)"),
    ("likelihood", "Likelihood (single rating)"),
    ("impact", "Impact (single rating)"),
    ("score", "Score (checked only)"),
    ("task_due", "Task: due date"),
    ("evaluate_every_days", "Evaluate every (days)"),
    ("review_every_days", "Review every (days)"),
    ("next_review_date", "Next review"),
    ("note", "Rationale of the rating"),
    ("own_id", "ID in the file"),
    ("occurred_date", "Started at"),
    ("detected_date", "Detected at"),
    ("responded_date", "Responded at"),
    ("contained_date", "Contained at"),
    ("resolved_date", "Resolved at"),
    ("closed_date", "Closed at"),
    ("first_contained_date", "First contained at"),
    ("first_resolved_date", "First resolved at"),
    ("status_date", "Status since"),
    ("external_source", "External system"),
    ("color", "Colour"),
    ("aliases", "Other names"),
    ("block", "Paragraph in the description"),
    ("ignore", "Do not import"),
];

/// What a column is imported as.
pub(crate) fn import_field(name: &'static str) -> String {
    let known = FIELDS.iter().find(|(field, _)| *field == name);
    known.map_or_else(|| label_of(name), |(_, label)| (*label).to_owned())
}

/// An answer to a question about a file.
pub(crate) fn import_answer(question: &str, answer: &str) -> String {
    let label = match (question.split(':').next().unwrap_or_default(), answer) {
        ("owner", _) => "Keep the name only",
        ("stage", "current") => "Today: the current rating",
        ("stage", "target") => "What the treatment aims at: the target rating",
        ("stage", "inherent") => "Without controls: the inherent rating",
        ("stage", "both") => "Both the inherent and the current rating",
        ("dates", "day_first") => "The first: 4 May",
        ("dates", "month_first") => "The second: April 5",
        ("treatment" | "status" | "severity" | "kind" | "resolution_reason", word) => return label_of(word),
        (_, other) => other,
    };
    label.to_owned()
}

/// What a count of rows is called, before and after they are imported.
pub(crate) fn import_outcome(outcome: RowOutcome, is_run: bool) -> &'static str {
    match (outcome, is_run) {
        (RowOutcome::Created, false) => "to add",
        (RowOutcome::Created, true) => "added",
        (RowOutcome::Updated, false) => "to update",
        (RowOutcome::Updated, true) => "updated",
        (RowOutcome::Unchanged, _) => "unchanged",
        (RowOutcome::Skipped, _) => "empty rows",
        (RowOutcome::Wrong, false) => "with problems",
        (RowOutcome::Wrong, true) => "not imported",
    }
}

/// What was imported.
pub(crate) fn rows_imported(state: ImportState, counts: ImportCounts) -> String {
    let ImportCounts { created, updated, unchanged, .. } = counts;
    let stopped = if state == ImportState::Failed { " It stopped before rows with problems." } else { "" };
    format!("{created} added, {updated} updated, {unchanged} unchanged.{stopped}")
}
