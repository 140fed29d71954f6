//! Changing an incident by a patch.

use jiff::{SignedDuration, Timestamp};

use super::closed::check_closed;
use super::facts::Facts;
use super::life::Step;
use super::patch::IncidentPatch;
use super::status::{Category, Status};
use super::{DateField, Incident, Viewer, by_reference, check_dates_within, in_status, staying, transition};
use crate::change::Change;
use crate::error::{Error, Result};
use crate::fault::{FaultCode, Faults};
use crate::scope::Scope;
use crate::time::{self, CLOCK_TOLERANCE};

impl IncidentPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. The merged record is checked; faults point at
    /// what was sent.
    pub fn apply(&self, before: &Incident, facts: &Facts, at: Timestamp) -> Result<Option<Incident>> {
        self.check_access(before, facts)?;
        let mut faults = Faults::new();
        let step = match self.status.filter(|to| *to != before.status) {
            Some(to) => Some(transition::step(before, to)?),
            None => None,
        };
        let base = step.map_or_else(|| before.clone(), |step| transition::leave(before, step));
        let mut after = self.merge(&base, facts, at, &mut faults);
        match step {
            Some(step) => {
                let latest = after.dates().latest().map_or(at, |latest| latest.max(at));
                transition::enter(&mut after, self.at.unwrap_or(latest), self);
                self.check_time(&after, at, &mut faults);
                transition::check_needs(step, &after, self, facts.duplicate, &mut faults);
            }
            None => staying::check(before, &after, self, facts.duplicate, &mut faults),
        }
        if faults.is_empty() && after == *before {
            return Ok(None);
        }
        in_status::check(self, before, &after, step, &mut faults);
        self.check_hold(&after, at, &mut faults);
        let skew = match self.external_sent {
            Some(_) => by_reference::clock_skew(&facts.author),
            None => SignedDuration::ZERO,
        };
        let pointer = |field| self.pointer(field, step);
        check_dates_within(&after.dates(), pointer, at, skew, &mut faults);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        match step {
            Some(step) => transition::check_gate(step, &mut after, self, &facts.around, facts.scopes)?,
            None => check_closed(before, &after, &facts.around)?,
        }
        Ok(Some(Incident { updated_date: at, version: before.version + 1, ..after }))
    }

    /// Who sees an incident is changed by those who may, and a legal hold by those who delete.
    pub(super) fn check_access(&self, before: &Incident, facts: &Facts) -> Result<()> {
        let restricts = self.restricted.is_some_and(|it| it != before.restricted)
            || self.readers.as_ref().is_some_and(|it| *it != before.readers);
        if restricts && !Viewer::new(&facts.author, facts.scopes).may_restrict(before) {
            return Err(Error::Forbidden(Scope::IncidentsRestricted.into()));
        }
        if self.legal_hold.is_some() {
            facts.scopes.require_all(Scope::IncidentsDelete.into())?;
        }
        Ok(())
    }

    /// Checks the time of a transition that is no date of the incident; its dates are checked together.
    fn check_time(&self, after: &Incident, now: Timestamp, faults: &mut Faults) {
        let latest = now.saturating_add(CLOCK_TOLERANCE).unwrap_or(Timestamp::MAX);
        let is_date = DateField::ALL.into_iter().any(|field| after.dates().get(field) == self.at);
        if self.at.is_some_and(|sent| sent > latest) && !is_date {
            let detail = format!("must not be in the future; it is {} now", time::format(now));
            faults.add("#/at", FaultCode::DateInFuture, detail);
        }
    }

    fn check_hold(&self, after: &Incident, at: Timestamp, faults: &mut Faults) {
        let Change::Set(new) = &self.hold else { return };
        if after.status.category() == Category::Closed {
            let detail = format!("cannot be set while the incident is {}", after.status);
            faults.add("#/hold", FaultCode::NotInStatus, detail);
        }
        if new.until.is_some_and(|until| until <= at) {
            faults.add("#/hold/until", FaultCode::Range, "must be in the future");
        }
    }

    /// Where a date was sent: in its field, or as the time at which the status began.
    fn pointer(&self, field: DateField, step: Option<&Step>) -> Option<&'static str> {
        let is_sent = match field {
            DateField::Occurred => self.occurred_date.is_sent(),
            DateField::Detected => self.detected_date.is_some(),
            DateField::Responded => self.responded_date.is_sent(),
            DateField::Contained => self.contained_date.is_sent(),
            DateField::Resolved => self.resolved_date.is_some(),
            DateField::Closed => self.closed_date.is_some(),
        };
        if is_sent {
            return Some(field.pointer());
        }
        let begins = match step?.to {
            Status::New => None,
            Status::Investigating => Some(DateField::Responded),
            Status::Contained => Some(DateField::Contained),
            Status::Resolved => Some(DateField::Resolved),
            Status::Closed | Status::Dismissed => Some(DateField::Closed),
        };
        (begins == Some(field)).then_some("#/at")
    }
}
