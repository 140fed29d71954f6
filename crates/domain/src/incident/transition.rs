//! Moving an incident to another status: what the step needs, and what it sets and clears. Every way to change a status
//! comes through here.

use jiff::Timestamp;

use super::duplicate::{self, DuplicateTarget};
use super::life::{Need, Step, allowed};
use super::requirement::{Surroundings, missing};
use super::status::{ResolutionReason, Status};
use super::{Incident, IncidentPatch};
use crate::error::{Error, Result};
use crate::fault::{FaultCode, Faults};
use crate::scope::{Scope, Scopes};

/// The step from the incident's status to another; fails with [`Error::TransitionNotAllowed`].
pub(super) fn step(before: &Incident, to: Status) -> Result<&'static Step> {
    let has_response = before.responded_date.is_some();
    let step = Step::between(before.status, to);
    let step = step.filter(|step| !(has_response && step.needs(Need::NoResponse)));
    step.ok_or_else(|| Error::TransitionNotAllowed {
        from: before.status,
        to,
        allowed: allowed(before.status, has_response),
    })
}

/// The incident as a step leaves it before anything that was sent is added: what stood is kept by a spell, and what belongs
/// after the new status is cleared.
pub(super) fn leave(before: &Incident, step: &Step) -> Incident {
    // Only a dismissed incident has an original, and every step from there goes back.
    let duplicate_of = None;
    let mut after =
        Incident { status: step.to, hold: None, status_reason: None, duplicate_of, ..before.clone() };
    if !step.is_back() {
        return after;
    }
    after.last_step_back = Some(before.version + 1);
    after.reopen_count += i64::from(step.is_reopening());
    if step.to == Status::Investigating {
        after.first_contained_date = before.first_contained_date();
        after.contained_date = None;
    }
    after.first_resolved_date = before.first_resolved_date();
    (after.resolved_date, after.closed_date) = (None, None);
    if step.from != Status::Contained {
        (after.resolution_reason, after.resolution_summary) = (None, None);
        after.overridden = Vec::new();
    }
    after
}

/// Sets the date of the stage that begins, unless it is known.
pub(super) fn enter(after: &mut Incident, at: Timestamp, patch: &IncidentPatch) {
    match after.status {
        Status::New => {}
        Status::Investigating => after.responded_date = after.responded_date.or(Some(at)),
        Status::Contained => after.contained_date = after.contained_date.or(Some(at)),
        Status::Resolved => after.resolved_date = patch.resolved_date.or(Some(at)),
        Status::Closed | Status::Dismissed => after.closed_date = patch.closed_date.or(Some(at)),
    }
    (after.status_date, after.status_reason) = (Some(at), patch.reason.clone());
}

/// Checks what the step needs of what was sent and of the record as it will be.
pub(super) fn check_needs(
    step: &Step,
    after: &Incident,
    patch: &IncidentPatch,
    duplicate: Option<DuplicateTarget>,
    faults: &mut Faults,
) {
    if step.needs(Need::ResolutionReason) && patch.resolution_reason.is_none() {
        let words: Vec<&str> = step.to.resolution_reasons().iter().map(|word| word.as_str()).collect();
        let detail = format!("is required: one of {}", words.join(", "));
        faults.add("#/resolution_reason", FaultCode::Required, detail);
    }
    if step.needs(Need::RespondedDate) && after.responded_date.is_none() {
        let detail = "is required, because nobody has taken the incident before";
        faults.add("#/responded_date", FaultCode::Required, detail);
    }
    if let (Some(why), None) = (reason_needed(step, after), &patch.reason) {
        faults.add("#/reason", FaultCode::Required, format_args!("is required {why}"));
    }
    duplicate::check(after, patch.duplicate_of.is_some(), duplicate, faults);
}

/// Why a free-text reason is needed, as the end of a sentence; none if it is not.
fn reason_needed(step: &Step, after: &Incident) -> Option<&'static str> {
    if step.needs(Need::Reason) {
        Some("to reopen an incident")
    } else if step.needs(Need::ResolutionReason) {
        outcome_reason(after)
    } else {
        None
    }
}

/// Why the outcome of an incident needs a free-text reason.
pub(super) fn outcome_reason(after: &Incident) -> Option<&'static str> {
    if after.resolution_reason == Some(ResolutionReason::Other) {
        Some("with the resolution reason other")
    } else if after.status == Status::Dismissed && after.severity.is_high() {
        Some("to dismiss an incident of high or critical severity")
    } else {
        None
    }
}

/// Checks what closing requires. What is missing can be overridden with a reason by those who may.
pub(super) fn check_gate(
    step: &Step,
    after: &mut Incident,
    patch: &IncidentPatch,
    around: &Surroundings,
    scopes: Scopes,
) -> Result<()> {
    if !step.needs(Need::Gate) {
        return Ok(());
    }
    let missing = missing(after, around);
    if missing.is_empty() {
        return Ok(());
    }
    if !patch.is_override {
        return Err(Error::CloseRequirements(missing));
    }
    scopes.require_all(Scope::IncidentsOverride.into())?;
    if patch.reason.is_none() {
        return Err(Error::invalid("#/reason", FaultCode::Required, "is required with an override"));
    }
    after.overridden = missing;
    Ok(())
}
