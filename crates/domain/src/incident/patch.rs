//! Changing an incident by a merge patch (RFC 7396).

use jiff::Timestamp;

use super::{DateField, Incident, check_dates};
use crate::fault::Faults;
use crate::ids::UserId;
use crate::person::{self, Person};

/// A change of an incident: `None` leaves a field, `Some(None)` clears it. Each text has passed its
/// check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Incident")]
pub struct IncidentPatch {
    pub title: Option<String>,
    pub description: Option<String>,
    pub severity_reasoning: Option<Option<String>>,
    pub source: Option<Option<String>>,
    pub assigned_to: Option<Option<UserId>>,
    pub occurred_date: Option<Option<Timestamp>>,
    pub detected_date: Option<Timestamp>,
    pub responded_date: Option<Option<Timestamp>>,
    pub contained_date: Option<Option<Timestamp>>,
}

impl IncidentPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. `assignee` is the member
    /// that `assigned_to` names. The merged dates are checked; faults point at what was sent.
    pub fn apply(
        &self,
        before: &Incident,
        assignee: Option<Person>,
        at: Timestamp,
    ) -> crate::Result<Option<Incident>> {
        let mut faults = Faults::new();
        let assigned_to = match self.assigned_to {
            Some(sent) => person::member(sent, assignee, "#/assigned_to", &mut faults),
            None => before.assigned_to.clone(),
        };
        let merged = Incident {
            title: self.title.as_ref().unwrap_or(&before.title).clone(),
            description: self.description.as_ref().unwrap_or(&before.description).clone(),
            severity_reasoning: self
                .severity_reasoning
                .as_ref()
                .unwrap_or(&before.severity_reasoning)
                .clone(),
            source: self.source.as_ref().unwrap_or(&before.source).clone(),
            assigned_to,
            occurred_date: self.occurred_date.unwrap_or(before.occurred_date),
            detected_date: self.detected_date.unwrap_or(before.detected_date),
            responded_date: self.responded_date.unwrap_or(before.responded_date),
            contained_date: self.contained_date.unwrap_or(before.contained_date),
            ..before.clone()
        };
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        check_dates(&merged.dates(), |field| self.sends(field), at, &mut faults);
        faults.or(Some(Incident { updated_date: at, version: before.version + 1, ..merged }))
    }

    /// Whether the patch sets or clears this date.
    fn sends(&self, field: DateField) -> bool {
        match field {
            DateField::Occurred => self.occurred_date.is_some(),
            DateField::Detected => self.detected_date.is_some(),
            DateField::Responded => self.responded_date.is_some(),
            DateField::Contained => self.contained_date.is_some(),
        }
    }
}
