//! What the fields of an incident may be while it has its status.

use super::life::{Need, Step};
use super::status::{Category, ResolutionReason, Status};
use super::{Incident, IncidentPatch};
use crate::change::Change;
use crate::fault::{FaultCode, Faults};

/// Checks what depends on the status that the incident will have.
pub(super) fn check(
    patch: &IncidentPatch,
    before: &Incident,
    after: &Incident,
    step: Option<&Step>,
    faults: &mut Faults,
) {
    let status = after.status;
    let is_end = matches!(status, Status::Resolved | Status::Closed);
    let (is_closed, is_over) = (status == Status::Closed, status.category() == Category::Closed);
    let (no_response, no_containment) = (after.responded_date.is_none(), after.contained_date.is_none());
    let lost = lost_date(patch, before, after, step).filter(|_| is_end);
    let is_summary_cleared = patch.resolution_summary == Change::Clear;
    let rows = [
        ("#/resolved_date", "set", patch.resolved_date.is_some() && !is_end),
        ("#/closed_date", "set", patch.closed_date.is_some() && !is_over),
        ("#/responded_date", "cleared", status == Status::Investigating && no_response),
        ("#/contained_date", "cleared", status == Status::Contained && no_containment),
        (lost.unwrap_or_default(), "cleared", lost.is_some()),
        ("#/resolution_summary", "cleared", is_closed && is_summary_cleared),
    ];
    for (pointer, change, _) in rows.into_iter().filter(|(_, _, is_wrong)| *is_wrong) {
        let detail = format_args!("cannot be {change} while the incident is {status}");
        faults.add(pointer, FaultCode::NotInStatus, detail);
    }
    if let Some(sent) = patch.resolution_reason {
        check_outcome(sent, before, after, step, faults);
    }
    if after.external_source.is_some() && after.external_ref.is_none() {
        let detail = "cannot be cleared while the incident has an external source";
        faults.add("#/external_ref", FaultCode::NotInStatus, detail);
    }
}

/// Only an incident that somebody took or contained is resolved: where the last of the two dates was cleared. What the step
/// from new needs is checked with the step.
fn lost_date(
    patch: &IncidentPatch,
    before: &Incident,
    after: &Incident,
    step: Option<&Step>,
) -> Option<&'static str> {
    let has_one = |it: &Incident| it.responded_date.is_some() || it.contained_date.is_some();
    let is_checked = step.is_some_and(|step| step.needs(Need::RespondedDate));
    let is_lost = !is_checked && has_one(before) && !has_one(after);
    let pointer = if patch.responded_date.is_sent() { "#/responded_date" } else { "#/contained_date" };
    is_lost.then_some(pointer)
}

/// Each status has its reasons, and a duplicate neither begins nor ends while the status stays.
fn check_outcome(
    sent: ResolutionReason,
    before: &Incident,
    after: &Incident,
    step: Option<&Step>,
    faults: &mut Faults,
) {
    let status = after.status;
    // A closed incident keeps the reason that it was resolved with.
    let of = if status == Status::Closed { Status::Resolved } else { status };
    let mut wrong = |detail: &str| faults.add("#/resolution_reason", FaultCode::NotInStatus, detail);
    if !of.resolution_reasons().contains(&sent) {
        wrong(&format!("cannot be {sent} while the incident is {status}"));
    }
    let was_duplicate = before.resolution_reason == Some(ResolutionReason::Duplicate);
    match (was_duplicate, sent == ResolutionReason::Duplicate) {
        _ if step.is_some() => {}
        (false, true) => wrong("becomes duplicate only by dismissing the incident"),
        (true, false) => wrong("stays duplicate while the incident is dismissed"),
        _ => {}
    }
}
