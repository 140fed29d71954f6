//! An incident that was read from a file.

use jiff::Timestamp;

use crate::change::Change;
use crate::error::Result;
use crate::fault::Faults;
use crate::ids::IncidentNumber;
use crate::incident::{Facts, Incident, IncidentPatch, NewIncident, Past, Reference, check_imported};
use crate::person;
use crate::scope::Scope;
use crate::severity::{Severity, SeveritySource, StatedSeverity};
use crate::task::NewTask;
use crate::text::{Line, Prose, Reason};
use crate::time::stored_or;

/// Why something is so of which the file does not say it.
const BY_FILE: &str = "It is so in the file that was imported.";

/// An incident that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedIncident {
    /// What a new one has, with its tags and without its severity.
    pub new: NewIncident,
    /// The reference of the system that it comes from.
    pub reference: Option<Reference>,
    /// How severe it is.
    pub severity: Option<Severity>,
    /// Why it is so severe.
    pub severity_reasoning: Option<Prose>,
    /// How the severity came about.
    pub severity_source: Option<SeveritySource>,
    /// What was found and done.
    pub resolution_summary: Option<Prose>,
    /// Whether only those who are named see it.
    pub restricted: Option<bool>,
    /// Whether it may not be purged.
    pub legal_hold: Option<bool>,
    /// Why it may not be purged.
    pub legal_hold_reason: Option<Reason>,
    /// Its status and the dates that come with it.
    pub past: Past,
    /// What is to be done.
    pub tasks: Vec<NewTask>,
    /// The place in the file of the incident that it is a duplicate of.
    pub original: Option<usize>,
    /// How many incidents without a reference, with the same title and detection time the file has before it.
    pub nth: usize,
}

impl ImportedIncident {
    /// A new one as it is declared, and as it becomes if it has a past.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn declare(
        &self,
        number: IncidentNumber,
        facts: &Facts,
        at: Timestamp,
    ) -> Result<(Incident, Option<Incident>)> {
        let mut faults = Faults::new();
        person::member(self.new.assigned_to, facts.assignee.clone(), "#/assigned_to", &mut faults);
        let declared = self.open(number, facts, at);
        if declared.legal_hold {
            facts.scopes.require_all(Scope::IncidentsDelete.into())?;
        }
        let after = self.past.apply(&IncidentPatch::default(), &declared, facts, at)?;
        if after.is_none() {
            check_imported(&declared, at, &mut faults);
        }
        faults.or((declared, after))
    }

    fn open(&self, number: IncidentNumber, facts: &Facts, at: Timestamp) -> Incident {
        let opened = self.new.open(number, facts.assignee.clone(), facts.author.clone(), at);
        let severity = self.stated_severity(opened.severity).unwrap_or_else(|| opened.stated_severity());
        let is_held = self.legal_hold == Some(true);
        Incident {
            severity: severity.severity,
            severity_reasoning: severity.reasoning,
            severity_source: severity.source,
            external_source: self.reference.as_ref().map(|it| it.source.clone()),
            external_ref: self.reference.as_ref().map(|it| it.reference.clone()),
            resolution_summary: self.resolution_summary.clone(),
            restricted: self.restricted.unwrap_or_default(),
            legal_hold: is_held,
            legal_hold_reason: self.legal_hold_reason.clone().or(is_held.then(|| BY_FILE.into())),
            ..opened
        }
    }

    /// The change of an incident that is there: what the file has, and nothing else. A time that is there stays if the file has only
    /// lost its fraction of a second.
    pub fn patch(&self, before: &Incident) -> IncidentPatch {
        let new = &self.new;
        let [occurred, detected, responded, contained] = [
            (new.occurred_date, before.occurred_date),
            (new.detected_date, Some(before.detected_date)),
            (new.responded_date, before.responded_date),
            (new.contained_date, before.contained_date),
        ]
        .map(|(read, stored)| stored_or(read, [stored]));
        let legal_hold = self.legal_hold.filter(|hold| *hold != before.legal_hold);
        // A hold that ends needs a reason of its own.
        let held = legal_hold.filter(|is_held| *is_held).map(|_| BY_FILE.into());
        IncidentPatch {
            title: Some(new.title.clone()),
            description: Some(new.description.clone()).filter(|text| !text.is_empty()),
            kind: new.kind,
            source: set(new.source.as_ref()),
            location: set(new.location.as_ref()),
            assigned_to: set(new.assigned_to.as_ref()),
            restricted: self.restricted,
            occurred_date: set(occurred.as_ref()),
            detected_date: detected,
            responded_date: set(responded.as_ref()),
            contained_date: set(contained.as_ref()),
            resolution_summary: set(self.resolution_summary.as_ref()),
            severity: self.stated_severity(before.severity),
            legal_hold,
            reason: legal_hold.and(self.legal_hold_reason.clone()).or(held),
            ..IncidentPatch::default()
        }
    }

    /// What the file says of the severity of an incident that has one; nothing if it has only the same level.
    fn stated_severity(&self, before: Severity) -> Option<StatedSeverity> {
        let reasoning = self.severity_reasoning.clone();
        let severity = self.severity.unwrap_or(before);
        if reasoning.is_none() && severity == before {
            return None;
        }
        let reasoning = reasoning.unwrap_or_else(|| BY_FILE.into());
        let source = self.severity_source.unwrap_or(SeveritySource::Manual);
        Some(StatedSeverity { severity, reasoning: Some(reasoning), source: Some(source), answers: None })
    }

    /// What names it, if it has no reference: its title, and when it was detected if the file says so.
    pub fn name(&self) -> (&Line, Option<Timestamp>) {
        (&self.new.title, self.new.detected_date)
    }

    /// How many bytes its texts have.
    pub(super) fn bytes(&self) -> usize {
        let long = [&self.severity_reasoning, &self.resolution_summary];
        let long: usize = long.into_iter().flatten().map(|text| text.len()).sum();
        let tasks: usize = self.tasks.iter().map(|task| task.title.len() + 1_000).sum();
        self.new.title.len() + self.new.description.len() + long + tasks
    }
}

fn set<T: Clone>(value: Option<&T>) -> Change<T> {
    value.map_or(Change::Keep, |value| Change::Set(value.clone()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::actor::{Actor, ActorKind};
    use crate::error::Error;
    use crate::incident::Surroundings;
    use crate::scope::Scopes;
    use crate::text::LineOrEmpty;

    fn facts(scopes: Scopes) -> Facts {
        let author = Actor { kind: ActorKind::Client, id: "siem".to_owned(), name: "siem".to_owned() };
        let around = Surroundings::default();
        Facts { assignee: None, members: BTreeSet::new(), duplicate: None, around, author, scopes }
    }

    fn row() -> ImportedIncident {
        ImportedIncident {
            new: NewIncident { detected_date: Some(Timestamp::UNIX_EPOCH), ..NewIncident::untitled() },
            reference: None,
            severity: Some(Severity::High),
            severity_reasoning: None,
            severity_source: None,
            resolution_summary: None,
            restricted: None,
            legal_hold: None,
            legal_hold_reason: None,
            past: Past::default(),
            tasks: Vec::new(),
            original: None,
            nth: 0,
        }
    }

    fn declared(row: &ImportedIncident, scopes: Scopes) -> Result<Incident> {
        Ok(row.declare(IncidentNumber(1), &facts(scopes), Timestamp::UNIX_EPOCH)?.0)
    }

    #[test]
    fn the_same_row_again_changes_nothing_and_keeps_what_it_does_not_say() {
        let (row, facts) = (row(), facts(Scope::IncidentsWrite.into()));
        let made = declared(&row, facts.scopes).unwrap();
        assert_eq!((made.severity, made.severity_source), (Severity::High, Some(SeveritySource::Manual)));
        let before = Incident {
            severity_reasoning: Some(Prose::stored("Forty mailboxes.")),
            location: Some(LineOrEmpty::stored("Leeds")),
            // The file has lost its fraction.
            detected_date: Timestamp::from_millisecond(500).unwrap(),
            ..made
        };
        let again = |row: &ImportedIncident| {
            row.past.apply(&row.patch(&before), &before, &facts, Timestamp::UNIX_EPOCH)
        };
        assert_eq!(again(&row), Ok(None));
        let low = again(&ImportedIncident { severity: Some(Severity::Low), ..row }).unwrap().unwrap();
        assert_eq!((low.severity, low.location), (Severity::Low, before.location));
        assert_eq!(low.detected_date, before.detected_date);
    }

    #[test]
    fn a_legal_hold_needs_who_may_delete() {
        let held = ImportedIncident { legal_hold: Some(true), ..row() };
        assert!(declared(&held, Scope::IncidentsWrite.into()).is_err());
        let held = declared(&held, Scopes::all()).unwrap();
        assert!(held.legal_hold && held.legal_hold_reason.is_some());
        let ended = |legal_hold_reason| {
            let row = ImportedIncident { legal_hold: Some(false), legal_hold_reason, ..row() };
            row.past.apply(&row.patch(&held), &held, &facts(Scopes::all()), Timestamp::UNIX_EPOCH)
        };
        assert!(matches!(ended(None), Err(Error::Invalid(_))), "{:?}", ended(None));
        let ended = ended(Some(Reason::stored("The court has ruled."))).unwrap().unwrap();
        assert_eq!(
            (ended.legal_hold, ended.legal_hold_reason.as_deref()),
            (false, Some("The court has ruled."))
        );
    }
}
