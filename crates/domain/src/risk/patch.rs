//! Changing a risk by a merge patch (RFC 7396).

use jiff::Timestamp;

use super::{Rating, Risk, RiskStatus, target_within};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};

/// A change of a rating: what is absent stays. Each level has passed its check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Rating")]
pub struct RatingPatch {
    pub likelihood: Option<i64>,
    pub impact: Option<i64>,
}

impl RatingPatch {
    fn apply(patch: Option<Self>, before: Rating) -> Rating {
        let patch = patch.unwrap_or_default();
        Rating {
            likelihood: patch.likelihood.unwrap_or(before.likelihood),
            impact: patch.impact.unwrap_or(before.impact),
        }
    }
}

/// A change of a risk: `None` leaves a field, `Some(None)` clears it. Each text and level has passed
/// its check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Risk")]
pub struct RiskPatch {
    pub title: Option<String>,
    pub description: Option<String>,
    pub category: Option<Option<String>>,
    pub owner: Option<Option<UserId>>,
    pub status: Option<RiskStatus>,
    pub status_reason: Option<Option<String>>,
    pub inherent: Option<RatingPatch>,
    pub target: Option<RatingPatch>,
}

impl RiskPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. `owner` is the member that
    /// the field names. The merged record is checked whole; an open risk has no reason, whatever was
    /// sent.
    pub fn apply(&self, before: &Risk, owner: Option<Person>, at: Timestamp) -> crate::Result<Option<Risk>> {
        let mut faults = Faults::new();
        let owner = match self.owner {
            Some(sent) => person::member(sent, owner, "#/owner", &mut faults),
            None => before.owner.clone(),
        };
        let status = self.status.unwrap_or(before.status);
        let status_reason = match status {
            RiskStatus::Open => None,
            RiskStatus::Closed => self.status_reason.as_ref().unwrap_or(&before.status_reason).clone(),
        };
        if status == RiskStatus::Closed && status_reason.is_none() {
            faults.add("#/status_reason", FaultCode::Required, "A closed risk needs a reason.");
        }
        let merged = Risk {
            title: self.title.as_ref().unwrap_or(&before.title).clone(),
            description: self.description.as_ref().unwrap_or(&before.description).clone(),
            category: self.category.as_ref().unwrap_or(&before.category).clone(),
            owner,
            status,
            status_reason,
            inherent: RatingPatch::apply(self.inherent, before.inherent),
            target: RatingPatch::apply(self.target, before.target),
            ..before.clone()
        };
        target_within(merged.inherent, merged.target, &mut faults);
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        faults.or(Some(Risk { updated_date: at, version: before.version + 1, ..merged }))
    }
}
