//! Messages of external systems. Each is about the incident that has the system's own reference, and changes what nobody
//! else has changed since the system sent it.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Incident, IncidentPatch, Kind, NewIncident};
use crate::actor::{Actor, ActorKind};
use crate::change::Change;
use crate::fault::Faults;
use crate::ids::IncidentNumber;
use crate::person::Person;
use crate::record::{Record as _, Value};
use crate::severity::Severity;
use crate::text::Line;
use crate::time::{self, CLOCK_TOLERANCE};

/// The most messages that are kept of an incident while it is not open. Further ones are counted.
pub const MAX_MESSAGES: i64 = 1_000;

/// The most bytes of these messages: 16 MiB.
pub const MAX_MESSAGE_BYTES: i64 = 16 * 1024 * 1024;

/// An external system, and its reference of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The system.
    pub source: Line,
    /// Its reference.
    pub reference: Line,
}

impl Reference {
    /// A reference whose two texts are lines that are not blank.
    pub fn new(source: &str, reference: &str) -> Option<Self> {
        let mut faults = Faults::new();
        let (source, reference) =
            (Line::new(source.to_owned(), "", &mut faults), Line::new(reference.to_owned(), "", &mut faults));
        Some(Self { source: source?, reference: reference? })
    }
}

crate::words! {
    "ReportedField"
    /// The fields of an incident that an external system can send.
    pub enum ReportedField {
        /// The title.
        Title = "title",
        /// The description.
        Description = "description",
        /// What kind of event it is.
        Kind = "kind",
        /// Where it was detected.
        Source = "source",
        /// Where it happened.
        Location = "location",
        /// The assignee.
        AssignedTo = "assigned_to",
        /// When it started.
        Occurred = "occurred_date",
        /// When it was detected.
        Detected = "detected_date",
        /// When the response started.
        Responded = "responded_date",
        /// When its harm no longer grew.
        Contained = "contained_date",
        /// The severity with its reasoning.
        Severity = "severity",
    }
}

/// A message of an external system about an incident: what it would declare. What is absent is not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(pub NewIncident);

impl Message {
    /// The same as [`NewIncident::check`], with the differences between clocks that this author may have.
    pub fn check(
        &self,
        assignee: Option<Person>,
        author: &Actor,
        at: Timestamp,
    ) -> crate::Result<Option<Person>> {
        self.0.check_within(assignee, at, clock_skew(author), Faults::new())
    }

    /// The incident that the first message under a reference declares, after [`Message::check`].
    pub fn declare(
        &self,
        reference: &Reference,
        number: IncidentNumber,
        assigned_to: Option<Person>,
        opened_by: Actor,
        at: Timestamp,
    ) -> Incident {
        let mut incident = self.0.open(number, assigned_to, opened_by, at);
        let mut sent = Sent::default();
        // Where the system does not say when it detected the incident, the time of its message counts as said.
        sent.note(ReportedField::Detected, stored(&incident, ReportedField::Detected));
        incident.external_sent = Some(sent.with(self).to_text());
        incident.external_source = Some(reference.source.clone());
        incident.external_ref = Some(reference.reference.clone());
        incident
    }

    /// The change of an incident that this message makes: of the fields that nobody else has changed since the system sent
    /// them, or with `overwrite` of all that it contains.
    pub fn patch(&self, before: &Incident, overwrite: bool) -> IncidentPatch {
        let last = Sent::of(before);
        let takes = |field| {
            let (new, now) = (self.text(field), stored(before, field));
            new.is_some() && new != now && (overwrite || last.is_untouched(field, now.as_deref()))
        };
        let new = &self.0;
        IncidentPatch {
            title: takes(ReportedField::Title).then(|| new.title.clone()),
            description: takes(ReportedField::Description).then(|| new.description.clone()),
            kind: new.kind.filter(|_| takes(ReportedField::Kind)),
            source: said(takes(ReportedField::Source), &new.source),
            location: said(takes(ReportedField::Location), &new.location),
            assigned_to: said(takes(ReportedField::AssignedTo), &new.assigned_to),
            occurred_date: said(takes(ReportedField::Occurred), &new.occurred_date),
            detected_date: new.detected_date.filter(|_| takes(ReportedField::Detected)),
            responded_date: said(takes(ReportedField::Responded), &new.responded_date),
            contained_date: said(takes(ReportedField::Contained), &new.contained_date),
            severity: new.stated_severity().filter(|_| takes(ReportedField::Severity)),
            external_sent: Some(last.with(self).to_text()),
            ..IncidentPatch::default()
        }
    }

    /// Whether the system has said all this before, as far as the incident knows.
    pub fn is_known(&self, incident: &Incident) -> bool {
        let last = Sent::of(incident);
        let said = |field: &ReportedField| {
            self.text(*field).is_none_or(|text| last.0.get(field.as_str()) == Some(&fingerprint(&text)))
        };
        ReportedField::ALL.iter().all(said)
    }

    /// The message as JSON: what it contains, in a fixed order.
    pub fn to_json(&self) -> String {
        let contained =
            ReportedField::ALL.iter().filter_map(|field| Some((field.as_str(), self.text(*field)?)));
        json(contained.collect::<BTreeMap<_, _>>())
    }

    /// What stands for a message that is only counted: enough to tell whether the next one is the same.
    pub fn to_json_counted(&self) -> String {
        json(BTreeMap::from([(NOT_KEPT, fingerprint(&self.to_json()))]))
    }

    /// A field as it is compared; none if the message does not contain it.
    fn text(&self, field: ReportedField) -> Option<String> {
        let new = &self.0;
        match field {
            ReportedField::Title => Some(new.title.to_string()),
            ReportedField::Description => Some(new.description.to_string()),
            ReportedField::Kind => self.0.kind.map(|kind| kind.as_str().to_owned()),
            ReportedField::Source => new.source.as_deref().map(str::to_owned),
            ReportedField::Location => new.location.as_deref().map(str::to_owned),
            ReportedField::AssignedTo => new.assigned_to.map(|id| id.to_string()),
            ReportedField::Occurred => new.occurred_date.map(time::format),
            ReportedField::Detected => new.detected_date.map(time::format),
            ReportedField::Responded => new.responded_date.map(time::format),
            ReportedField::Contained => new.contained_date.map(time::format),
            ReportedField::Severity => {
                new.severity.map(|severity| judged(severity, new.severity_reasoning.as_deref()))
            }
        }
    }
}

/// A field that a message sets, or leaves as it is.
fn said<T: Clone>(is_taken: bool, sent: &Option<T>) -> Change<T> {
    if is_taken { sent.clone().into() } else { Change::Keep }
}

/// The member of a message that is only counted: its fingerprint.
const NOT_KEPT: &str = "not_kept";

/// Whether a message, as it is stored, is only counted.
pub fn is_only_counted(message: &str) -> bool {
    message.starts_with(&format!("{{\"{NOT_KEPT}\":"))
}

/// A severity with its reasoning, as it is compared.
fn judged(severity: Severity, reasoning: Option<&str>) -> String {
    format!("{severity} {}", reasoning.unwrap_or_default())
}

/// How much the clocks of an external system may differ from each other.
pub fn clock_skew(author: &Actor) -> SignedDuration {
    match author.kind {
        ActorKind::Client => CLOCK_TOLERANCE,
        ActorKind::User | ActorKind::Operator => SignedDuration::ZERO,
    }
}

/// The fields of an incident that have been changed since an external system sent them. Its messages leave them as they
/// are, unless they overwrite.
pub fn kept(incident: &Incident) -> Vec<ReportedField> {
    if incident.external_sent.is_none() {
        return Vec::new();
    }
    let last = Sent::of(incident);
    let is_kept = |field: &ReportedField| {
        last.0.contains_key(field.as_str()) && !last.is_untouched(*field, stored(incident, *field).as_deref())
    };
    ReportedField::ALL.iter().copied().filter(is_kept).collect()
}

/// A field of the record as it is compared.
fn stored(incident: &Incident, field: ReportedField) -> Option<String> {
    if field == ReportedField::Severity {
        let reasoning = incident.severity_reasoning.as_deref();
        return incident.severity_source.map(|_| judged(incident.severity, reasoning));
    }
    match (Incident::field(field.as_str())?.value)(incident) {
        Value::Text(text) => Some(text.to_owned()),
        Value::Word(word) => Some(word.to_owned()),
        Value::Time(at) => Some(time::format(at)),
        Value::Person(person) => Some(person.id.to_string()),
        _ => None,
    }
}

/// What a system sent last, by field. Fingerprints are enough to compare with, and no text stands here that somebody
/// removes from the incident later.
#[derive(Default)]
struct Sent(BTreeMap<String, String>);

impl Sent {
    fn of(incident: &Incident) -> Self {
        let text = incident.external_sent.as_deref();
        Self(text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default())
    }

    fn note(&mut self, field: ReportedField, text: Option<String>) {
        if let Some(text) = text {
            self.0.insert(field.as_str().to_owned(), fingerprint(&text));
        }
    }

    /// The same after a message.
    fn with(mut self, message: &Message) -> Self {
        for field in ReportedField::ALL {
            self.note(*field, message.text(*field));
        }
        self
    }

    /// Whether the incident has what was sent last, or what every incident has at first if nothing was sent.
    fn is_untouched(&self, field: ReportedField, now: Option<&str>) -> bool {
        match (self.0.get(field.as_str()), field) {
            (Some(sent), _) => now.is_some_and(|now| fingerprint(now) == *sent),
            (None, ReportedField::Kind) => now == Some(Kind::default().as_str()),
            (None, _) => now.is_none(),
        }
    }

    fn to_text(&self) -> String {
        json(&self.0)
    }
}

/// The first 128 bits of the SHA-256 of a text, in hexadecimal digits.
fn fingerprint(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn json(fields: impl Serialize) -> String {
    // An object of texts always has a JSON form.
    serde_json::to_string(&fields).unwrap_or_default()
}
