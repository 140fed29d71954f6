//! Acceptances of risks: what was accepted, and how long that holds.

#[cfg(test)]
mod tests;

use jiff::Timestamp;

use crate::actor::Actor;
use crate::decision::{Decision, DecisionState, DecisionStep};
use crate::document::Day;
use crate::ids::RiskNumber;
use crate::rating::Rating;
use crate::risk::Treatment;
use crate::scale::{Scale, Scales};
use crate::text::Prose;

/// So many days after a change of the scale a rating is accepted that cannot be compared with the present scale any more.
pub const OUTDATED_DAYS: i64 = 90;

crate::words! {
    "RiskAcceptance"
    /// How it stands with the acceptance of a risk.
    pub enum RiskAcceptance {
        /// It is asked for, and nobody has decided yet.
        Requested = "requested",
        /// An acceptance is in force.
        Accepted = "accepted",
        /// What was accepted has become worse since.
        Stale = "stale",
        /// The last day of an acceptance has passed, and no later one is in force or stale.
        Expired = "expired",
        /// It is not asked for, and none is in force or stale.
        None = "none",
    }
}

crate::words! {
    "RiskDecision"
    /// What is open about the acceptance of a risk.
    pub enum RiskDecision {
        /// The risk is open, its band wants a decision of the owner or of named people, and no acceptance is in force.
        Missing = "missing",
    }
}

crate::words! {
    "AcceptanceDecider"
    /// What is so for who accepted a risk, or confirmed that last.
    pub enum AcceptanceDecider {
        /// They are not a member any more.
        Left = "left",
    }
}

/// The acceptance of a remaining risk. With the request it has what was asked for, from the decision on what was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// The risk.
    pub risk: RiskNumber,
    /// Counts per risk from 1, never reused.
    pub number: i64,
    /// What became of it.
    pub decision: Decision,
    /// The version of the risk.
    pub risk_version: i64,
    /// What is done about the risk.
    pub treatment: Treatment,
    /// How, as Markdown.
    pub treatment_plan: Option<Prose>,
    /// The evaluation.
    pub evaluation: i64,
    /// The time that the evaluation describes.
    pub evaluated_at: Timestamp,
    /// The remaining rating.
    pub rating: Rating,
    /// The version of the scale that the rating was made by.
    pub scale_version: i64,
    /// The name of its band.
    pub band: String,
    /// The place of the band from 0, the lowest.
    pub band_place: i64,
    /// How many bands the scale had.
    pub band_count: i64,
    /// The first evaluation that counts and is higher than what was accepted, while it is stale.
    pub stale_by: Option<i64>,
    /// The last day on which it holds without an evaluation by the present scale, which is another one.
    pub scale_until: Option<Day>,
}

/// An evaluation that counts for an acceptance: the latest one of the risk, or one later than what was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counting {
    /// Its number.
    pub evaluation: i64,
    /// Its rating.
    pub rating: Rating,
    /// The version of the scale that it was made by.
    pub scale_version: i64,
}

/// What an acceptance depends on after a change of its risk or of the scale.
#[derive(Debug, Clone, Copy)]
pub struct Present<'p> {
    /// Whether the risk is closed, and if so the reason that was given.
    pub closed: Option<Option<&'p Prose>>,
    /// The evaluations that count for it.
    pub counting: &'p [Counting],
    /// The scales.
    pub scales: &'p Scales,
}

impl Acceptance {
    /// The state on a day: beside the last day, a rating by another scale is accepted for a while only.
    pub fn state_on(&self, today: &Day) -> DecisionState {
        let is_outdated = self.scale_until.as_ref().is_some_and(|until| until < today);
        match self.decision.state_on(today) {
            DecisionState::Accepted if is_outdated => DecisionState::Stale,
            state => state,
        }
    }

    /// The acceptance after a change by `author` of what it depends on; none if it stays as it is.
    pub fn follow(&self, present: Present<'_>, author: &Actor, at: Timestamp) -> Option<Self> {
        if let Some(reason) = present.closed {
            let step = match self.decision.state {
                DecisionState::Requested => DecisionStep::Withdraw,
                _ => DecisionStep::Revoke,
            };
            let decision = self.decision.end(step, reason.cloned(), author.clone(), at).ok()?;
            return Some(Self { decision, ..self.clone() });
        }
        if !self.decision.state_on(&Day::of(at)).is_live() {
            return None;
        }
        let higher = present.counting.iter().filter(|it| self.is_below(it, present.scales));
        let stale_by = higher.map(|it| it.evaluation).min();
        let step = match stale_by {
            Some(_) => DecisionStep::Worsen,
            None => DecisionStep::Recover,
        };
        let is_other_scale = !present.scales.is_present(self.scale_version);
        let limit = || is_other_scale.then(|| Day::of(at).later(OUTDATED_DAYS)).flatten();
        let scale_until = self.scale_until.clone().or_else(limit);
        let decision = match self.decision.after(step, at) {
            Ok(after) => after,
            Err(_) if (&self.scale_until, self.stale_by) == (&scale_until, stale_by) => return None,
            Err(_) => {
                Decision { updated_date: at, version: self.decision.version + 1, ..self.decision.clone() }
            }
        };
        Some(Self { decision, stale_by, scale_until, ..self.clone() })
    }

    /// Whether an evaluation has a higher score or is in a higher band than what was accepted, or cannot be compared with it.
    fn is_below(&self, it: &Counting, scales: &Scales) -> bool {
        let (own, its) = (scales.read_by(self.scale_version), scales.read_by(it.scale_version));
        own.generation != its.generation
            || it.rating.score() > self.rating.score()
            || its.band_of(it.rating) > self.place_in(its)
    }

    /// The place of the accepted band in a version of the scale: the same among as many bands, else that of the same name, else
    /// one as far from the lowest.
    fn place_in(&self, scale: &Scale) -> i64 {
        let count = i64::try_from(scale.content.bands.len()).unwrap_or(i64::MAX);
        if count == self.band_count {
            return self.band_place;
        }
        let named = scale.content.bands.iter().position(|band| band.name.as_str() == self.band);
        let named = named.and_then(|place| i64::try_from(place).ok());
        named.unwrap_or_else(|| self.band_place * (count - 1) / (self.band_count - 1).max(1))
    }
}
