//! Records of a file as incidents, by the rules of a body that has the same members.

use std::collections::HashSet;
use std::iter::successors;

use domain::import::{ImportedIncident, MAX_ORIGINALS, PreparedRow, RowContent, RowFault};
use domain::incident::{NewIncident, Past, Reference, ResolutionReason, Status};
use domain::json::Json;
use domain::severity::{Severity, SeveritySource};
use domain::time::CLOCK_TOLERANCE;
use domain::{FaultCode, Faults, ProseOrEmpty};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use workbook::{Field, Record};

use super::reader::{Reader, add_paragraph, read};

/// The system of a reference of which the file does not say one.
const SYSTEM: &str = "import";

/// The fields of a record that a body has too, as texts.
const TEXTS: &[(Field, &str)] = &[
    (Field::Title, "title"),
    (Field::Description, "description"),
    (Field::EventKind, "kind"),
    (Field::Source, "source"),
    (Field::Location, "location"),
];

/// The same as times.
const TIMES: &[(Field, &str)] = &[
    (Field::OccurredAt, "occurred_date"),
    (Field::DetectedAt, "detected_date"),
    (Field::RespondedAt, "responded_date"),
    (Field::ContainedAt, "contained_date"),
];

/// What people write for yes and for no.
const FLAGS: [(bool, &[&str]); 2] = [
    (true, &["true", "yes", "y", "1", "x", "ja", "oui", "si", "sì", "sí"]),
    (false, &["false", "no", "n", "0", "nein", "non", "nee"]),
];

impl Reader<'_> {
    /// The incident of a record at a place of the file; none if something is wrong with it, which is added.
    pub(super) fn incident(
        &mut self,
        record: &Record,
        place: usize,
        wrong: &mut Vec<RowFault>,
    ) -> Option<ImportedIncident> {
        let mut faults = Faults::new();
        let past = self.past(record, &mut faults);
        let body = self.incident_body(record, &past);
        // The write knows what is in the future.
        let new = NewIncident::read(Json::from(&body), Timestamp::MAX, CLOCK_TOLERANCE, &mut faults);
        let reference = reference(record, &mut faults);
        let severity_reasoning =
            read(record.text(Field::SeverityReasoning), "severity_reasoning", &mut faults);
        let resolution_summary =
            read(record.text(Field::ResolutionSummary), "resolution_summary", &mut faults);
        let legal_hold_reason = read(record.text(Field::LegalHoldReason), "legal_hold_reason", &mut faults);
        let restricted = flag(record, Field::Restricted, &mut faults);
        let legal_hold = flag(record, Field::LegalHold, &mut faults);
        let tasks = self.tasks(record, &mut faults);
        let mut all: Vec<RowFault> = faults.iter().map(|fault| self.fault(record, fault)).collect();
        if let Some(Reference { source, reference }) = &reference
            && let Some(before) = self.named_once(record, format!("{source}\n{reference}"))
        {
            let detail = format!("Row {before} has the same reference.");
            all.push(self.at(record, Field::ExternalRef, detail));
        }
        if !all.is_empty() {
            wrong.extend(all);
            return None;
        }
        let ids = [Field::OwnId, Field::ExternalRef].into_iter().filter_map(|field| record.text(field));
        self.places.extend(ids.map(|id| (id.to_owned(), place)));
        let original = record.text(Field::DuplicateOf).filter(|_| is_duplicate(&past));
        self.duplicates.extend(original.map(|id| (place, id.to_owned())));
        let word = |field| record.text(field);
        let mut imported = ImportedIncident {
            new: new?,
            reference,
            severity: word(Field::Severity).and_then(Severity::parse),
            severity_reasoning,
            severity_source: word(Field::SeveritySource)
                .and_then(|it| SeveritySource::parse(&it.to_lowercase())),
            resolution_summary,
            restricted,
            legal_hold,
            legal_hold_reason,
            past,
            tasks: tasks?,
            original: None,
            nth: 0,
        };
        if imported.reference.is_none() {
            let (title, detected) = imported.name();
            imported.nth = self.nth(format!("{title}\n{detected:?}"));
        }
        Some(imported)
    }

    /// The members of a new incident.
    fn incident_body(&self, record: &Record, past: &Past) -> Value {
        let mut body = Map::new();
        for (field, member) in TEXTS {
            body.extend(record.text(*field).map(|text| ((*member).to_owned(), json!(text))));
        }
        for (field, member) in TIMES {
            let at = self.time(record, *field);
            body.extend(at.map(|at| ((*member).to_owned(), json!(at.to_string()))));
        }
        body.insert("tags".to_owned(), json!(record.list(Field::Tags)));
        body.entry("description").or_insert_with(|| json!(""));
        match self.owner(record) {
            (Some(id), _) => drop(body.insert("assigned_to".to_owned(), json!(id))),
            (None, called) => self.paragraph(&mut body, Field::Owner, "Assignee", called),
        }
        self.paragraph(&mut body, Field::Note, "Note", record.text(Field::Note).map(str::to_owned));
        let system = record.text(Field::ExternalSource).filter(|_| record.text(Field::ExternalRef).is_none());
        self.paragraph(&mut body, Field::ExternalSource, "System", system.map(str::to_owned));
        let original = record.text(Field::DuplicateOf).filter(|_| !is_duplicate(past));
        self.paragraph(&mut body, Field::DuplicateOf, "Duplicate of", original.map(str::to_owned));
        Value::Object(body)
    }

    /// What we have no field for: a paragraph, named like the column.
    fn paragraph(&self, body: &mut Map<String, Value>, field: Field, name: &str, text: Option<String>) {
        let column = self.proposal.columns.iter().find(|column| column.field == field);
        let name = column.map_or(name, |column| column.name.as_str());
        add_paragraph(body, "description", text.map(|text| format!("**{name}:** {text}")));
    }

    /// The status with the dates that come with it. One with an end and without a status has the status of that end.
    fn past(&self, record: &Record, faults: &mut Faults) -> Past {
        let [resolved_date, closed_date] =
            [Field::ResolvedAt, Field::ClosedAt].map(|field| self.time(record, field));
        let ended = match (resolved_date, closed_date) {
            (_, Some(_)) => Some(Status::Closed),
            (Some(_), None) => Some(Status::Resolved),
            (None, None) => None,
        };
        let count = record.text(Field::ReopenCount).map(|text| text.parse::<u32>().ok());
        if count == Some(None) {
            faults.add("#/reopen_count", FaultCode::Type, "must be a number");
        }
        let status = record.text(Field::Status).and_then(Status::parse).or(ended);
        let reason = record.text(Field::ResolutionReason).and_then(ResolutionReason::parse);
        let is_duplicate = status == Some(Status::Dismissed) && record.text(Field::DuplicateOf).is_some();
        Past {
            status,
            status_reason: read(record.text(Field::StatusReason), "status_reason", faults),
            status_date: self.time(record, Field::StatusDate),
            resolved_date,
            closed_date,
            first_contained_date: self.time(record, Field::FirstContainedAt),
            first_resolved_date: self.time(record, Field::FirstResolvedAt),
            reopen_count: count.flatten().map(i64::from),
            resolution_reason: reason.or(is_duplicate.then_some(ResolutionReason::Duplicate)),
        }
    }

    /// Refuses incidents without a reference and a time whose title others have with a time: which of those each is would depend
    /// on what the register has.
    pub(super) fn undated(rows: &mut [PreparedRow]) {
        let named = |row: &PreparedRow| match &row.content {
            RowContent::Incident(it) if it.reference.is_none() => {
                Some((it.new.title.to_string(), it.new.detected_date.is_some()))
            }
            _ => None,
        };
        let dated: HashSet<String> =
            rows.iter().filter_map(named).filter(|(_, is_dated)| *is_dated).map(|(title, _)| title).collect();
        for row in rows {
            if named(row).is_some_and(|(title, is_dated)| !is_dated && dated.contains(&title)) {
                row.content = RowContent::Wrong;
                let detail =
                    "Another row has the same title with a time of detection, and this one has no time.";
                row.faults.push(RowFault::of(row.first_row, detail.to_owned()));
            }
        }
    }

    /// Says of which row each duplicate has its original, once all rows are read. One that no row has is a paragraph.
    pub(super) fn originals(&self, rows: &mut [PreparedRow]) {
        for (place, id) in &self.duplicates {
            let Some(RowContent::Incident(incident)) = rows.get_mut(*place).map(|row| &mut row.content)
            else {
                continue;
            };
            incident.original = self.places.get(id).copied().filter(|original| original != place);
            if incident.original.is_none() {
                let text = format!("{}\n\n**Duplicate of:** {id}", &*incident.new.description);
                let text = ProseOrEmpty::new(text.trim_start().to_owned(), "#", &mut Faults::new());
                incident.new.description = text.unwrap_or_else(|| incident.new.description.clone());
            }
        }
        let is_wrong = |(place, _): &&(usize, String)| leads_far(rows, *place);
        for (place, id) in self.duplicates.iter().filter(is_wrong).collect::<Vec<_>>() {
            let column = self.proposal.columns.iter().find(|column| column.field == Field::DuplicateOf);
            let Some(row) = rows.get_mut(*place) else { continue };
            row.content = RowContent::Wrong;
            row.faults.push(RowFault {
                row: row.first_row,
                column: column.and_then(|column| i64::try_from(column.index).ok()),
                read: id.chars().take(200).collect(),
                detail: format!("It leads to its last original over more than {MAX_ORIGINALS} others."),
                nearest: None,
            });
        }
    }
}

/// Whether a duplicate leads over too many originals, and not into a circle.
fn leads_far(rows: &[PreparedRow], place: usize) -> bool {
    let original = |place: &usize| rows.get(*place)?.original();
    let far = successors(Some(place), original).nth(MAX_ORIGINALS + 1);
    far.is_some_and(|far| !successors(original(&far), original).take(MAX_ORIGINALS).any(|it| it == far))
}

/// Whether it was dismissed as a duplicate: another one has no original.
fn is_duplicate(past: &Past) -> bool {
    past.status == Some(Status::Dismissed) && past.resolution_reason == Some(ResolutionReason::Duplicate)
}

/// The reference of a record, if it has one.
fn reference(record: &Record, faults: &mut Faults) -> Option<Reference> {
    let text = record.text(Field::ExternalRef)?;
    let system = record.text(Field::ExternalSource).unwrap_or(SYSTEM);
    let (source, reference) =
        (read(Some(system), "external_source", faults), read(Some(text), "external_ref", faults));
    Some(Reference { source: source?, reference: reference? })
}

fn flag(record: &Record, field: Field, faults: &mut Faults) -> Option<bool> {
    let text = record.text(field)?.to_lowercase();
    let known = FLAGS.iter().find(|(_, words)| words.contains(&text.as_str())).map(|(flag, _)| *flag);
    if known.is_none() {
        faults.add(format_args!("#/{}", field.name()), FaultCode::Enum, "must be yes or no");
    }
    known
}
