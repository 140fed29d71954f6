//! The status and the past of an incident as an import brings them: beside the rules of transitions and without the gate, by
//! those who may override these.

use jiff::Timestamp;

use super::dates::{check_past, reversed};
use super::facts::Facts;
use super::life::Step;
use super::requirement::missing;
use super::status::{Category, ResolutionReason, Status};
use super::transition::leave;
use super::{DateField, Dates, Incident, IncidentPatch, check_dates_within};
use crate::change::merge;
use crate::error::{Error, Result};
use crate::fault::{FaultCode, Faults};
use crate::scope::Scope;
use crate::text::Reason;
use crate::time::{CLOCK_TOLERANCE, stored_or};

/// What only transitions set otherwise. What is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Past {
    /// Its status.
    pub status: Option<Status>,
    /// Why it has this status.
    pub status_reason: Option<Reason>,
    /// When its status began.
    pub status_date: Option<Timestamp>,
    /// When it was resolved.
    pub resolved_date: Option<Timestamp>,
    /// When it was closed or dismissed.
    pub closed_date: Option<Timestamp>,
    /// When it was contained for the first time.
    pub first_contained_date: Option<Timestamp>,
    /// When it was resolved for the first time.
    pub first_resolved_date: Option<Timestamp>,
    /// How often it was reopened.
    pub reopen_count: Option<i64>,
    /// Why it was resolved or dismissed.
    pub resolution_reason: Option<ResolutionReason>,
}

impl Past {
    /// Whether it is another one than that of the incident.
    pub fn is_other(&self, incident: &Incident) -> bool {
        let past = self.with_times_of(incident);
        past.written(past.moved(incident, Timestamp::UNIX_EPOCH), incident.status) != *incident
    }

    /// The same with the times of an incident where these have lost only their fraction of a second.
    fn with_times_of(&self, incident: &Incident) -> Self {
        let Incident { contained_date, resolved_date, .. } = *incident;
        let first_contained = [incident.first_contained_date, contained_date];
        let first_resolved = [incident.first_resolved_date, resolved_date];
        Self {
            status_date: stored_or(self.status_date, [incident.status_date]),
            resolved_date: stored_or(self.resolved_date, [resolved_date]),
            closed_date: stored_or(self.closed_date, [incident.closed_date]),
            first_contained_date: stored_or(self.first_contained_date, first_contained),
            first_resolved_date: stored_or(self.first_resolved_date, first_resolved),
            ..self.clone()
        }
    }

    /// The incident with a patch and this past, changed at `at`; none if nothing changes. Faults point at fields of the result.
    ///
    /// # Errors
    /// What is wrong with it. With another past the author needs `incidents:override`.
    pub fn apply(
        &self,
        patch: &IncidentPatch,
        before: &Incident,
        facts: &Facts,
        at: Timestamp,
    ) -> Result<Option<Incident>> {
        if !self.is_other(before) {
            return patch.apply(before, facts, at);
        }
        facts.scopes.require_all(Scope::IncidentsOverride.into())?;
        patch.check_access(before, facts)?;
        let (past, mut faults) = (self.with_times_of(before), Faults::new());
        let moved = patch.merge(&past.moved(before, at), facts, at, &mut faults);
        let mut after = past.written(moved, before.status);
        if after.status != before.status {
            let is_closed = after.status == Status::Closed;
            after.overridden = if is_closed { missing(&after, &facts.around) } else { Vec::new() };
        }
        check(&after, at, &mut faults);
        past.check_dates(&after.dates(), at, &mut faults);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        Ok(Some(Incident { updated_date: at, version: before.version + 1, ..after }))
    }

    /// The incident with its status, before anything else that is there.
    fn moved(&self, before: &Incident, at: Timestamp) -> Incident {
        let Some(status) = self.status.filter(|status| *status != before.status) else {
            return before.clone();
        };
        let step = Step::back(before.status, status);
        let moved = step.map_or_else(|| ahead(before, status), |step| leave(before, &step));
        Incident { status_date: Some(at), ..moved }
    }

    /// The incident, which had the status `was`, with what is there, unchecked.
    fn written(&self, mut after: Incident, was: Status) -> Incident {
        merge!(self into after: status_reason, resolved_date, closed_date, reopen_count, resolution_reason);
        // The dates of the stages that it goes back to are those of their first time.
        if after.status != was && Step::back(was, after.status).is_none() {
            after.status_date = begun(&after).or(after.status_date);
        }
        // The status of one that is new began when it was declared.
        if after.status != Status::New {
            merge!(self into after: status_date);
        }
        let is_first = |first: &Option<Timestamp>, present| first.filter(|at| Some(*at) != present);
        let contained = is_first(&self.first_contained_date, after.contained_date);
        let resolved = is_first(&self.first_resolved_date, after.resolved_date);
        after.first_contained_date = contained.or(after.first_contained_date);
        after.first_resolved_date = resolved.or(after.first_resolved_date);
        after
    }

    /// Checks its dates that are none of [`DateField`] against the clock, and the first ones against those of the incident.
    fn check_dates(&self, dates: &Dates, now: Timestamp, faults: &mut Faults) {
        use DateField::{Closed, Contained, Detected, Occurred, Resolved};
        /// The name and the date, the dates before it, and those after it.
        type Checked<'c> = (&'static str, Option<Timestamp>, &'c [DateField], &'c [DateField]);
        let rows: [Checked<'_>; 3] = [
            ("first_contained_date", self.first_contained_date, &[Occurred], &[Contained]),
            ("first_resolved_date", self.first_resolved_date, &[Occurred, Detected], &[Resolved, Closed]),
            ("status_date", self.status_date, &[], &[]),
        ];
        for (name, date, earlier, later) in rows {
            let Some(date) = date else { continue };
            let pointer = format!("#/{name}");
            check_past(&pointer, date, now, faults);
            let of = |field: &DateField| Some((field.name(), dates.get(*field)?));
            for earlier in earlier.iter().filter_map(of).filter(|(_, it)| date < *it) {
                faults.push(reversed(&pointer, earlier, (name, date)));
            }
            for later in later.iter().filter_map(of).filter(|(_, it)| *it < date) {
                faults.push(reversed(&pointer, (name, date), later));
            }
        }
    }
}

/// The incident with another status, without what belongs to none but other statuses.
fn ahead(before: &Incident, status: Status) -> Incident {
    let is_end = matches!(status, Status::Resolved | Status::Closed);
    let is_over = status.category() == Category::Closed;
    Incident {
        status,
        hold: None,
        status_reason: None,
        resolved_date: before.resolved_date.filter(|_| is_end),
        closed_date: before.closed_date.filter(|_| is_over),
        resolution_reason: before.resolution_reason.filter(|_| is_end || is_over),
        duplicate_of: before.duplicate_of.filter(|_| status == Status::Dismissed),
        ..before.clone()
    }
}

/// When the status of an incident began, by its dates.
fn begun(incident: &Incident) -> Option<Timestamp> {
    match incident.status {
        Status::New => None,
        Status::Investigating => incident.responded_date,
        Status::Contained => incident.contained_date,
        Status::Resolved => incident.resolved_date,
        Status::Closed | Status::Dismissed => incident.closed_date,
    }
}

/// Checks an incident that was imported: its dates with each other, and what its status cannot have.
pub fn check(incident: &Incident, now: Timestamp, faults: &mut Faults) {
    let (dates, status) = (incident.dates(), incident.status);
    let is_end = matches!(status, Status::Resolved | Status::Closed);
    let rows = [
        (DateField::Resolved, is_end || incident.resolved_date.is_none()),
        (DateField::Closed, status.category() == Category::Closed || incident.closed_date.is_none()),
    ];
    for (field, _) in rows.into_iter().filter(|(_, is_right)| !is_right) {
        let detail = format_args!("cannot be set while the incident is {status}");
        faults.add(field.pointer(), FaultCode::NotInStatus, detail);
    }
    // A closed incident keeps the reason that it was resolved with.
    let of = if status == Status::Closed { Status::Resolved } else { status };
    if let Some(reason) = incident.resolution_reason.filter(|it| !of.resolution_reasons().contains(it)) {
        let detail = format_args!("cannot be {reason} while the incident is {status}");
        faults.add("#/resolution_reason", FaultCode::NotInStatus, detail);
    }
    let pointer = |field: DateField| dates.get(field).map(|_| field.pointer());
    check_dates_within(&dates, pointer, now, CLOCK_TOLERANCE, faults);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actor::{Actor, ActorKind};
    use crate::ids::IncidentNumber;
    use crate::incident::{NewIncident, Requirement, Spell, Surroundings};
    use crate::scope::Scopes;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn now() -> Timestamp {
        at("2026-03-01T09:00:00Z")
    }

    fn facts(scopes: Scopes) -> Facts {
        let author = Actor { kind: ActorKind::Client, id: "siem".to_owned(), name: "siem".to_owned() };
        let members = std::collections::BTreeSet::new();
        let around = Surroundings::default();
        Facts { assignee: None, members, duplicate: None, around, author, scopes }
    }

    fn declared() -> Incident {
        let new = NewIncident { detected_date: Some(at("2026-01-05T10:00:00Z")), ..NewIncident::untitled() };
        new.open(IncidentNumber(1), None, facts(Scopes::default()).author, now())
    }

    fn closed() -> Past {
        Past {
            status: Some(Status::Closed),
            resolved_date: Some(at("2026-01-06T10:00:00Z")),
            closed_date: Some(at("2026-01-07T10:00:00Z")),
            reopen_count: Some(1),
            ..Past::default()
        }
    }

    fn applied(past: &Past, before: &Incident, scopes: Scopes) -> Result<Option<Incident>> {
        past.apply(&IncidentPatch::default(), before, &facts(scopes), now())
    }

    #[test]
    fn a_past_needs_the_scope_and_skips_the_gate() {
        let before = declared();
        let refused = applied(&closed(), &before, Scope::IncidentsWrite.into());
        assert_eq!(refused, Err(Error::Forbidden(Scope::IncidentsOverride.into())));
        let after = applied(&closed(), &before, Scopes::all()).unwrap().unwrap();
        assert_eq!((after.status, after.version, after.reopen_count), (Status::Closed, 2, 1));
        assert_eq!((after.status_date(), after.responded_date), (at("2026-01-07T10:00:00Z"), None));
        let missed = [Requirement::SeverityUndetermined, Requirement::ResolutionSummaryMissing];
        assert_eq!(after.overridden, missed);
        // The same again needs no scope and changes nothing.
        assert_eq!(applied(&closed(), &after, Scope::IncidentsWrite.into()), Ok(None));
        let back = Past { status: Some(Status::Investigating), ..Past::default() };
        let back = applied(&back, &after, Scopes::all()).unwrap().unwrap();
        assert_eq!((back.resolved_date, back.closed_date, back.overridden), (None, None, Vec::new()));
    }

    #[test]
    fn a_past_whose_times_lost_their_fractions_is_the_same() {
        let (resolved, ended) = (Some(at("2026-01-06T10:00:00.5Z")), Some(at("2026-01-07T10:00:00.25Z")));
        let exact = Past { resolved_date: resolved, closed_date: ended, ..closed() };
        let after = applied(&exact, &declared(), Scopes::all()).unwrap().unwrap();
        let before = Incident { contained_date: Some(at("2026-01-05T12:00:00.5Z")), ..after };
        let cut = Past {
            first_contained_date: Some(at("2026-01-05T12:00:00Z")),
            status_date: Some(at("2026-01-07T10:00:00Z")),
            ..closed()
        };
        assert_eq!(applied(&cut, &before, Scope::IncidentsWrite.into()), Ok(None));
        let other = Past { closed_date: Some(at("2026-01-07T10:00:01Z")), ..cut };
        let after = applied(&other, &before, Scopes::all()).unwrap().unwrap();
        assert_eq!((after.closed_date, after.resolved_date), (other.closed_date, resolved));
    }

    #[test]
    fn what_goes_back_keeps_what_stood_as_a_step_back_does() {
        let contained_date = Some(at("2026-01-05T12:00:00Z"));
        let closed = applied(&closed(), &declared(), Scopes::all()).unwrap().unwrap();
        let before = Incident { contained_date, resolution_summary: Some("Rebuilt.".into()), ..closed };
        for (status, contained) in [(Status::Investigating, None), (Status::Contained, contained_date)] {
            let back = Past { status: Some(status), ..Past::default() };
            let after = applied(&back, &before, Scopes::all()).unwrap().unwrap();
            assert_eq!((after.contained_date, after.first_contained_date()), (contained, contained_date));
            assert_eq!(after.first_resolved_date, before.resolved_date);
            assert_eq!((after.reopen_count, after.last_step_back), (2, Some(after.version)));
            assert_eq!((after.resolution_summary.as_ref(), after.status_date()), (None, now()));
            let spell = Spell::between(&before, &after);
            assert_eq!((spell.is_reopening, spell.closed_date), (true, before.closed_date));
        }
        // What the file says counts.
        let status = Some(Status::Investigating);
        let said =
            Past { status, reopen_count: Some(5), first_resolved_date: contained_date, ..Past::default() };
        let after = applied(&said, &before, Scopes::all()).unwrap().unwrap();
        assert_eq!((after.reopen_count, after.first_resolved_date), (5, contained_date));
    }

    fn faults_of(past: &Past, before: &Incident) -> Vec<(String, FaultCode)> {
        match applied(past, before, Scopes::all()) {
            Err(Error::Invalid(faults)) => {
                faults.iter().map(|fault| (fault.pointer.clone(), fault.code)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_no_incident_can_be_is_refused_all_at_once() {
        let early = Past { resolved_date: Some(at("2026-01-04T10:00:00Z")), ..closed() };
        let dates = [
            Past { status: Some(Status::Contained), ..closed() },
            Past { resolution_reason: Some(ResolutionReason::FalsePositive), ..early },
        ];
        let faults = dates.map(|past| faults_of(&past, &declared()));
        let not_in_status = |pointer: &str| (pointer.to_owned(), FaultCode::NotInStatus);
        assert_eq!(faults[0], ["#/resolved_date", "#/closed_date"].map(not_in_status));
        let order = ("#/resolved_date".to_owned(), FaultCode::DateOrder);
        assert_eq!(faults[1], [not_in_status("#/resolution_reason"), order]);
        let early = Past {
            first_contained_date: Some(at("2026-01-08T10:00:00Z")),
            first_resolved_date: Some(at("2026-01-04T10:00:00Z")),
            status_date: Some(at("2026-03-02T09:00:00Z")),
            ..closed()
        };
        let late = Past {
            first_contained_date: Some(at("2026-03-02T09:00:00Z")),
            first_resolved_date: Some(at("2026-01-08T10:00:00Z")),
            ..closed()
        };
        let contained = Incident { contained_date: Some(at("2026-01-05T12:00:00Z")), ..declared() };
        let fault = |name: &str, code| (format!("#/{name}"), code);
        let (first_contained, first_resolved) = ("first_contained_date", "first_resolved_date");
        let expected = [
            fault(first_contained, FaultCode::DateOrder),
            fault(first_resolved, FaultCode::DateOrder),
            fault("status_date", FaultCode::DateInFuture),
        ];
        assert_eq!(faults_of(&early, &contained), expected);
        let expected = [
            fault(first_contained, FaultCode::DateInFuture),
            fault(first_resolved, FaultCode::DateOrder),
            fault(first_resolved, FaultCode::DateOrder),
        ];
        assert_eq!(faults_of(&late, &declared()), expected);
    }
}
