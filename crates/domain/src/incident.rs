//! Incidents: something that happened, with its dates.

mod dates;
mod patch;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

pub use dates::{DateField, Dates, Warning, check_dates, warnings};
pub use patch::IncidentPatch;

use crate::actor::Actor;
use crate::fault::Faults;
use crate::ids::{IncidentNumber, UserId};
use crate::person::{self, Person};
use crate::text;

/// The title of an incident that was declared without a body.
pub const UNTITLED: &str = "Untitled incident";

/// An incident as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// Counted per organization, never reused.
    pub number: IncidentNumber,
    /// One line.
    pub title: String,
    /// Markdown.
    pub description: String,
    /// Its lifecycle status.
    pub status: Status,
    /// The sentence that explains the severity.
    pub severity_reasoning: Option<String>,
    /// Where it was noticed.
    pub source: Option<String>,
    /// The person assigned to it.
    pub assigned_to: Option<Person>,
    /// The actor that declared it.
    pub opened_by: Actor,
    /// When it began.
    pub occurred_date: Option<Timestamp>,
    /// When it was noticed.
    pub detected_date: Timestamp,
    /// When work on it began.
    pub responded_date: Option<Timestamp>,
    /// When the harm stopped growing.
    pub contained_date: Option<Timestamp>,
    /// When it was declared.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    pub deleted_date: Option<Timestamp>,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

impl Incident {
    /// The dates that are checked against each other.
    pub fn dates(&self) -> Dates {
        Dates {
            occurred: self.occurred_date,
            detected: Some(self.detected_date),
            responded: self.responded_date,
            contained: self.contained_date,
        }
    }
}

crate::words! {
    "IncidentStatus"
    /// The lifecycle status of an incident. Only `new` is used so far.
    pub enum Status {
        /// Declared.
        New = "new",
        /// Being worked on.
        Investigating = "investigating",
        /// The harm no longer grows.
        Contained = "contained",
        /// Eradicated and recovered.
        Resolved = "resolved",
        /// Reviewed.
        Closed = "closed",
        /// Not an incident, a duplicate or a test.
        Dismissed = "dismissed",
    }
}

/// An incident that is about to be declared. Each text has passed its check; the dates and the
/// assignee are checked by [`NewIncident::open`], which knows the time and the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIncident {
    /// See [`title`].
    pub title: String,
    /// See [`description`].
    pub description: String,
    /// See [`source`].
    pub source: Option<String>,
    /// A member of the organization.
    pub assigned_to: Option<UserId>,
    /// When it began.
    pub occurred_date: Option<Timestamp>,
    /// When it was noticed; by default the moment of creation, or `occurred_date` if that is later.
    pub detected_date: Option<Timestamp>,
    /// When work on it began.
    pub responded_date: Option<Timestamp>,
    /// When the harm stopped growing.
    pub contained_date: Option<Timestamp>,
}

impl NewIncident {
    /// "Declare now, describe later": what a creation without a body declares.
    pub fn untitled() -> Self {
        Self {
            title: UNTITLED.to_owned(),
            description: String::new(),
            source: None,
            assigned_to: None,
            occurred_date: None,
            detected_date: None,
            responded_date: None,
            contained_date: None,
        }
    }

    /// Checks what needs the register: the dates against the write's time `at`, and that `assignee`
    /// is the member that `assigned_to` names. Pointers are relative to the body.
    pub fn check(&self, assignee: Option<Person>, at: Timestamp) -> crate::Result<Option<Person>> {
        let sent = Dates {
            occurred: self.occurred_date,
            detected: self.detected_date,
            responded: self.responded_date,
            contained: self.contained_date,
        };
        let mut faults = Faults::new();
        let assignee = person::member(self.assigned_to, assignee, "#/assigned_to", &mut faults);
        check_dates(&sent, |field| sent.get(field).is_some(), at, &mut faults);
        faults.or(assignee)
    }

    /// The record, declared at `at`, after [`NewIncident::check`]. The journal's number is still 0.
    pub fn open(
        &self,
        number: IncidentNumber,
        assigned_to: Option<Person>,
        opened_by: Actor,
        at: Timestamp,
    ) -> Incident {
        Incident {
            number,
            title: self.title.clone(),
            description: self.description.clone(),
            status: Status::New,
            severity_reasoning: None,
            source: self.source.clone(),
            assigned_to,
            opened_by,
            occurred_date: self.occurred_date,
            detected_date: self
                .detected_date
                .unwrap_or_else(|| self.occurred_date.map_or(at, |it| it.max(at))),
            responded_date: self.responded_date,
            contained_date: self.contained_date,
            created_date: at,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq_from: 0,
        }
    }
}

/// Checks an incident's title.
pub fn title(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

/// Checks an incident's description, which may be empty.
pub fn description(text: &str, pointer: &str, faults: &mut Faults) {
    text::prose(text, pointer, faults);
}

/// Checks where an incident was noticed.
pub fn source(text: &str, pointer: &str, faults: &mut Faults) {
    text::line(text, pointer, faults);
}

/// Checks the sentence that explains the severity.
pub fn severity_reasoning(text: &str, pointer: &str, faults: &mut Faults) {
    text::prose(text, pointer, faults);
}
