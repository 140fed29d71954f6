//! What became of a risk between two states of the register.

mod span;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::iter;

pub use span::{End, Span};

use crate::decision::DecisionState;
use crate::rating::Rating;
use crate::risk::{RiskStatus, Treatment};
use crate::scale::{Scale, Scales};

crate::words! {
    "RiskChangeKind"
    /// What became of a risk, or what was decided about it.
    pub enum RiskChangeKind {
        /// Its latest evaluation is in a higher band, or else has a higher score.
        Worse = "worse",
        /// Its latest evaluation is in a lower band, or else has a lower score.
        Better = "better",
        /// Its latest evaluation is by another scale that cannot be compared with the one before.
        NotComparable = "not_comparable",
        /// It was evaluated for the first time.
        FirstEvaluated = "first_evaluated",
        /// It was created or restored.
        New = "new",
        /// It was open before and is closed.
        Closed = "closed",
        /// It was closed before and is open.
        Reopened = "reopened",
        /// It was deleted.
        Gone = "gone",
        /// The inherent rating was changed.
        InherentMoved = "inherent_moved",
        /// The target rating was set, changed or removed.
        TargetMoved = "target_moved",
        /// Another treatment was chosen.
        TreatmentChanged = "treatment_changed",
        /// What remains of it was accepted.
        RiskAccepted = "risk_accepted",
        /// A request to accept it was refused.
        AcceptanceRefused = "acceptance_refused",
        /// A request to accept it was withdrawn, or the risk was closed before a decision.
        AcceptanceWithdrawn = "acceptance_withdrawn",
        /// An acceptance was ended before its last day, also by closing the risk.
        AcceptanceRevoked = "acceptance_revoked",
        /// An exception that leads to it was accepted.
        ExceptionAccepted = "exception_accepted",
        /// A request for an exception that would lead to it was refused.
        ExceptionRefused = "exception_refused",
        /// A request for an exception that would lead to it was withdrawn.
        ExceptionWithdrawn = "exception_withdrawn",
        /// An exception that leads to it was ended before its last day.
        ExceptionRevoked = "exception_revoked",
        /// The scale of all risks was changed.
        ScaleChanged = "scale_changed",
    }
}

impl RiskChangeKind {
    /// What a decision about the acceptance of a risk is that led to a state; none if no decision leads to it.
    pub fn of_acceptance(state: DecisionState) -> Option<Self> {
        match state {
            DecisionState::Accepted => Some(Self::RiskAccepted),
            DecisionState::Refused => Some(Self::AcceptanceRefused),
            DecisionState::Withdrawn => Some(Self::AcceptanceWithdrawn),
            DecisionState::Revoked => Some(Self::AcceptanceRevoked),
            _ => None,
        }
    }

    /// The same of an exception.
    pub fn of_exception(state: DecisionState) -> Option<Self> {
        match state {
            DecisionState::Accepted => Some(Self::ExceptionAccepted),
            DecisionState::Refused => Some(Self::ExceptionRefused),
            DecisionState::Withdrawn => Some(Self::ExceptionWithdrawn),
            DecisionState::Revoked => Some(Self::ExceptionRevoked),
            _ => None,
        }
    }
}

/// A rating and the version of the scale that it was made by.
pub type RatedBy = (Rating, i64);

/// A state of a risk, as far as its changes are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is deleted.
    pub is_deleted: bool,
    /// Its status.
    pub status: RiskStatus,
    /// What is done about it.
    pub treatment: Treatment,
    /// Its inherent rating.
    pub inherent: Rating,
    /// Its target.
    pub target: Option<Rating>,
    /// The version of the scale that both ratings were made by.
    pub scale_version: i64,
}

impl Standing {
    /// What became of a risk that had the state `before`, if there was one.
    pub fn became(before: Option<&Self>, after: Option<&Self>) -> Option<RiskChangeKind> {
        let there = |it: Option<&Self>| it.filter(|it| !it.is_deleted).map(|it| it.status);
        match (there(before), there(after)) {
            (None, Some(_)) => Some(RiskChangeKind::New),
            (Some(_), None) => Some(RiskChangeKind::Gone),
            (Some(RiskStatus::Open), Some(RiskStatus::Closed)) => Some(RiskChangeKind::Closed),
            (Some(RiskStatus::Closed), Some(RiskStatus::Open)) => Some(RiskChangeKind::Reopened),
            _ => None,
        }
    }

    /// The treatments before and after one step, if they differ.
    pub fn treated(&self, after: &Self) -> Option<(Treatment, Treatment)> {
        (self.treatment != after.treatment).then_some((self.treatment, after.treatment))
    }

    /// Which ratings were moved in one step, with those before and after.
    pub fn moved(
        &self,
        after: &Self,
        scales: &Scales,
    ) -> Vec<(RiskChangeKind, Option<RatedBy>, Option<RatedBy>)> {
        let generation = |it: &Self| scales.read_by(it.scale_version).generation;
        let is_other_scale = generation(self) != generation(after);
        let by = |it: &Self, rating: Option<Rating>| rating.map(|rating| (rating, it.scale_version));
        let inherent = (RiskChangeKind::InherentMoved, Some(self.inherent), Some(after.inherent));
        let target = (RiskChangeKind::TargetMoved, self.target, after.target);
        let moved = [inherent, target]
            .into_iter()
            .filter(|(_, before, after)| before != after || is_other_scale && before.is_some());
        moved.map(|(kind, old, new)| (kind, by(self, old), by(after, new))).collect()
    }
}

/// How a later evaluation compares with an earlier one: by the bands that each had in its own time, and then by the score. If there
/// are more or fewer bands by now, both are read by the later scale.
pub fn compare(before: RatedBy, after: RatedBy, then: &Scales, now: &Scales) -> Option<RiskChangeKind> {
    let (earlier, later) = (then.read_by(before.1), now.read_by(after.1));
    if earlier.generation != later.generation {
        return Some(RiskChangeKind::NotComparable);
    }
    let has_same_bands = earlier.content.bands.len() == later.content.bands.len();
    let first = if has_same_bands { earlier } else { later };
    let (old, new) = (first.band_of(before.0), later.band_of(after.0));
    match (new, after.0.score()).cmp(&(old, before.0.score())) {
        Ordering::Greater => Some(RiskChangeKind::Worse),
        Ordering::Less => Some(RiskChangeKind::Better),
        Ordering::Equal => None,
    }
}

/// The last of these versions, which were made after `then` in this order, that moved a rating into another band.
pub fn last_move<'e>(rated: RatedBy, then: &'e Scales, edits: &'e [Scale]) -> Option<&'e Scale> {
    let first = then.read_by(rated.1);
    let edits = edits.iter().filter(|it| it.generation == first.generation);
    let steps = iter::once(first).chain(edits.clone()).zip(edits);
    steps
        .filter(|(before, after)| before.band_of(rated.0) != after.band_of(rated.0))
        .last()
        .map(|(_, edit)| edit)
}
