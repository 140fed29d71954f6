//! What changes an incident: a merge patch (RFC 7396), a transition, or both at once.

use jiff::Timestamp;

use super::NewHold;
use super::status::{Kind, ResolutionReason, Status};
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
use crate::severity::StatedSeverity;

/// A change of an incident: `None` leaves a field, `Some(None)` clears it. Each text has passed its
/// check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the other fields are those of Incident")]
pub struct IncidentPatch {
    pub title: Option<String>,
    pub description: Option<String>,
    pub kind: Option<Kind>,
    pub source: Option<Option<String>>,
    pub external_ref: Option<Option<String>>,
    pub assigned_to: Option<Option<UserId>>,
    pub restricted: Option<bool>,
    pub readers: Option<Vec<UserId>>,
    pub occurred_date: Option<Option<Timestamp>>,
    pub detected_date: Option<Timestamp>,
    pub responded_date: Option<Option<Timestamp>>,
    pub contained_date: Option<Option<Timestamp>>,
    pub resolved_date: Option<Timestamp>,
    pub closed_date: Option<Timestamp>,
    pub resolution_reason: Option<ResolutionReason>,
    pub resolution_summary: Option<Option<String>>,
    pub duplicate_of: Option<IncidentNumber>,
    pub hold: Option<Option<NewHold>>,
    pub severity: Option<StatedSeverity>,
    pub legal_hold: Option<bool>,
    /// What an external system sent last, if this is its message.
    pub external_sent: Option<String>,
    /// The next status.
    pub status: Option<Status>,
    /// Why the status or the legal hold changes.
    pub reason: Option<String>,
    /// When the next status began; by default now, or the latest date of the incident if that is later.
    pub at: Option<Timestamp>,
    /// Whether to close it although something is missing.
    pub is_override: bool,
}

impl IncidentPatch {
    /// Checks members that only belong to others.
    pub fn check(&self, faults: &mut Faults) {
        let has_status = self.status.is_some();
        let only_with_status = [
            ("#/at", self.at.is_some() && !has_status),
            ("#/override", self.is_override && self.status != Some(Status::Closed)),
            ("#/reason", self.reason.is_some() && !has_status && self.legal_hold.is_none()),
            ("#/duplicate_of", self.duplicate_of.is_some() && !has_status),
        ];
        for (pointer, _) in only_with_status.into_iter().filter(|(_, is_wrong)| *is_wrong) {
            let detail = match pointer {
                "#/override" => "is only sent when an incident is closed",
                "#/reason" => "is only sent with a status or a legal hold",
                _ => "is only sent with a status",
            };
            faults.add(pointer, FaultCode::NotInStatus, detail);
        }
    }

    /// Whether what is around an incident with this status decides about the change.
    pub fn depends_on_surroundings(&self, before: Status) -> bool {
        let is_about_gate =
            self.kind.is_some() || self.severity.is_some() || self.resolution_summary.is_some();
        self.status == Some(Status::Closed) || (before == Status::Closed && is_about_gate)
    }
}
