//! Changing a risk by a merge patch (RFC 7396).

use jiff::Timestamp;
use macros::Body;

use super::{ELSEWHERE, LEVELS, MAX_CONTROLS, READ_ONLY, Rating, Risk, RiskStatus, Treatment, target_within};
use crate::change::{Change, merge};
use crate::document::{Control, read_distinct};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};
use crate::text::{Line, Prose, ProseOrEmpty, Reason};

/// A rating in a merge patch: absent members stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
#[body(patch)]
pub struct RatingPatch {
    /// How likely it is.
    #[body(range = LEVELS)]
    pub likelihood: Option<i64>,
    /// How bad it would be.
    #[body(range = LEVELS)]
    pub impact: Option<i64>,
}

impl RatingPatch {
    fn apply(patch: Option<Self>, before: Rating) -> Rating {
        let (patch, mut after) = (patch.unwrap_or_default(), before);
        merge!(patch into after: likelihood, impact);
        after
    }

    /// The rating of a patch that has both members; each missing one is a fault.
    fn whole(self, faults: &mut Faults) -> Option<Rating> {
        for (member, level) in [("likelihood", self.likelihood), ("impact", self.impact)] {
            if level.is_none() {
                faults.add(
                    format!("#/target/{member}"),
                    FaultCode::Required,
                    "A new target needs both members.",
                );
            }
        }
        Some(Rating { likelihood: self.likelihood?, impact: self.impact? })
    }
}

/// A merge patch (RFC 7396) of a risk: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY, elsewhere = ELSEWHERE)]
pub struct RiskPatch {
    /// One line, not blank.
    #[body(example = "Loss of the only data centre")]
    pub title: Option<Line>,
    /// Markdown, at most 64 KiB.
    pub description: Option<ProseOrEmpty>,
    /// The category, free text.
    pub category: Change<Line>,
    /// The owner's id: a member of the organization.
    pub owner: Change<UserId>,
    /// The name of the owner in a list from elsewhere.
    pub owner_name: Change<Line>,
    /// What would be harmed.
    pub asset: Change<Reason>,
    /// What could happen to it.
    pub threat: Change<Reason>,
    /// The weakness that the threat needs.
    pub vulnerability: Change<Reason>,
    /// The controls that exist, as Markdown.
    pub existing_controls: Change<Prose>,
    /// The numbers of the controls that concern it, all of them.
    #[body(read = read_distinct(MAX_CONTROLS), most = MAX_CONTROLS)]
    pub controls: Option<Vec<Control>>,
    /// Its reference in the list that it comes from.
    pub external_ref: Change<Line>,
    /// What is done about it.
    pub treatment: Option<Treatment>,
    /// How, as Markdown.
    pub treatment_plan: Change<Prose>,
    /// `closed` needs a reason; `open` clears it.
    pub status: Option<RiskStatus>,
    /// The reason for closing the risk.
    pub status_reason: Change<Prose>,
    /// The inherent rating, without controls.
    pub inherent: Option<RatingPatch>,
    /// The target rating of the treatment. A risk without one needs both members.
    pub target: Change<RatingPatch>,
}

impl RiskPatch {
    /// The merged record, changed at `at`, or `None` when nothing changes. `owner` is the member that
    /// the field names. The merged record is checked whole; an open risk has no reason, whatever was
    /// sent.
    pub fn apply(&self, before: &Risk, owner: Option<Person>, at: Timestamp) -> crate::Result<Option<Risk>> {
        let mut faults = Faults::new();
        let owner = person::changed(&self.owner, &before.owner, owner, "#/owner", &mut faults);
        let status = self.status.unwrap_or(before.status);
        let status_reason = match status {
            RiskStatus::Open => None,
            RiskStatus::Closed => self.status_reason.of(&before.status_reason),
        };
        if status == RiskStatus::Closed && status_reason.is_none() {
            faults.add("#/status_reason", FaultCode::Required, "A closed risk needs a reason.");
        }
        let mut merged = Risk {
            owner,
            status,
            status_reason,
            inherent: RatingPatch::apply(self.inherent, before.inherent),
            target: self.target(before.target, &mut faults),
            ..before.clone()
        };
        merge!(self into merged: title, description, category, owner_name, asset, threat, vulnerability);
        merge!(self into merged: existing_controls, controls, external_ref, treatment, treatment_plan);
        if let Some(target) = merged.target {
            target_within(merged.inherent, target, &mut faults);
        }
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        faults.or(Some(Risk { updated_date: at, version: before.version + 1, ..merged }))
    }

    fn target(&self, before: Option<Rating>, faults: &mut Faults) -> Option<Rating> {
        match (self.target, before) {
            (Change::Keep, before) => before,
            (Change::Clear, _) => None,
            (Change::Set(patch), Some(before)) => Some(RatingPatch::apply(Some(patch), before)),
            (Change::Set(patch), None) => patch.whole(faults),
        }
    }
}
