//! What may be sent with the status that an incident has already. Members that equal what is stored are a retry, which
//! changes nothing; those that belong to the beginning of a status have nothing to begin; every other change obeys the
//! rules of the way in.

use super::duplicate::{self, DuplicateTarget};
use super::status::Status;
use super::transition::outcome_reason;
use super::{Incident, IncidentPatch};
use crate::fault::{FaultCode, Faults};

/// Checks a change that leaves the status as it is.
pub(super) fn check(
    before: &Incident,
    after: &Incident,
    patch: &IncidentPatch,
    duplicate: Option<DuplicateTarget>,
    faults: &mut Faults,
) {
    for (pointer, is_new, detail) in beginning(before, patch) {
        if is_new {
            faults.add(pointer, FaultCode::NotInStatus, detail);
        }
    }
    check_outcome(before, after, patch, duplicate, faults);
}

/// The members that begin a status, whether each is sent and not what is stored, and what is wrong then. What is wrong without
/// a status at all is refused by [`IncidentPatch::check`].
fn beginning(before: &Incident, patch: &IncidentPatch) -> [(&'static str, bool, &'static str); 3] {
    let is_time_new = patch.status.is_some() && patch.at.is_some_and(|sent| sent != before.status_date());
    [
        ("#/at", is_time_new, "is only sent when the status changes"),
        ("#/reason", is_reason_new(before, patch), "is only sent when the status or the legal hold changes"),
        ("#/override", is_override_new(before, patch), "is only sent when the incident gets closed"),
    ]
}

/// A reason belongs to a status or a legal hold: it is new if it is not the stored one of those that are sent.
fn is_reason_new(before: &Incident, patch: &IncidentPatch) -> bool {
    let Some(sent) = &patch.reason else { return false };
    let of_status = patch.status.map(|_| before.status_reason.as_deref());
    let of_hold = patch.legal_hold.map(|_| before.legal_hold_reason.as_deref());
    let is_about_hold = patch.legal_hold.is_some_and(|hold| hold != before.legal_hold);
    let mut stored = of_status.into_iter().chain(of_hold).peekable();
    !is_about_hold && stored.peek().is_some() && !stored.any(|stored| stored == Some(sent.as_str()))
}

/// Whether something was missing when the incident was closed is stored, an override that was not needed is not: its retry is
/// known by its reason.
fn is_override_new(before: &Incident, patch: &IncidentPatch) -> bool {
    let is_same_call = patch.reason.is_some() && patch.reason.as_deref() == before.status_reason.as_deref();
    let is_closed = before.status == Status::Closed && patch.status.is_some();
    patch.is_override && is_closed && before.overridden.is_empty() && !is_same_call
}

/// Checks another resolution reason, and another original of a duplicate, as when the status began.
fn check_outcome(
    before: &Incident,
    after: &Incident,
    patch: &IncidentPatch,
    duplicate: Option<DuplicateTarget>,
    faults: &mut Faults,
) {
    let is_reason_other = patch.resolution_reason.is_some_and(|sent| before.resolution_reason != Some(sent));
    let is_original_other = patch.duplicate_of.is_some_and(|sent| before.duplicate_of != Some(sent));
    // An original that the author does not see is unknown, whether its number was guessed rightly or not.
    if is_reason_other || is_original_other || duplicate == Some(DuplicateTarget::Hidden) {
        duplicate::check(after, patch.duplicate_of.is_some(), duplicate, faults);
    }
    let needs = if is_reason_other { outcome_reason(after) } else { None };
    if let (Some(why), None, None) = (needs, &patch.reason, &after.status_reason) {
        let detail = format_args!("is required {why}: reopen the incident to give one");
        faults.add("#/reason", FaultCode::Required, detail);
    }
}
