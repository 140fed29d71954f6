//! The incident that a duplicate is said to be a duplicate of, and what it must be.

use super::Incident;
use super::status::ResolutionReason;
use crate::fault::{FaultCode, Faults};

/// What `duplicate_of` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuplicateTarget {
    /// There is none with this number, or it is deleted.
    Unknown,
    /// There is one that the author does not see. Only a duplicate that is one already differs from an unknown number: its
    /// original may have been deleted since.
    Hidden,
    /// It is itself, or leads to it over other duplicates.
    Cycle,
    /// It can stand for the duplicate.
    Valid,
}

/// Checks the original of a record as it will be, when its resolution reason or its original is new; `is_sent` says
/// whether the change names one.
pub(super) fn check(
    after: &Incident,
    is_sent: bool,
    duplicate: Option<DuplicateTarget>,
    faults: &mut Faults,
) {
    let is_duplicate = after.resolution_reason == Some(ResolutionReason::Duplicate);
    let (code, detail) = match duplicate {
        None if is_duplicate => (FaultCode::Required, "is required for a duplicate"),
        Some(DuplicateTarget::Unknown | DuplicateTarget::Hidden) if is_duplicate => {
            (FaultCode::UnknownIncident, "There is no incident with this id in your organization.")
        }
        Some(DuplicateTarget::Cycle) if is_duplicate => (
            FaultCode::DuplicateCycle,
            "An incident cannot be a duplicate of itself, directly or over other duplicates.",
        ),
        _ if !is_duplicate && is_sent => {
            (FaultCode::NotInStatus, "is only set with the resolution reason duplicate")
        }
        _ => return,
    };
    faults.add("#/duplicate_of", code, detail);
}
