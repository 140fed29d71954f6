//! How incidents ended.

use domain::incident::ResolutionReason;

use super::super::when::When;

/// How an incident ended, after the last of its dates and steps.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Outcome {
    /// The work goes on.
    Open,
    /// It was resolved, and closed later if a moment is given.
    Resolved {
        /// When it was resolved.
        at: When,
        /// In which way.
        reason: ResolutionReason,
        /// What was found and done.
        summary: &'static str,
        /// When it was closed.
        closed: Option<When>,
    },
    /// It was dismissed.
    Dismissed {
        /// When it was dismissed.
        at: When,
        /// Why, as a word.
        reason: ResolutionReason,
        /// Why, as text; empty if the word says enough.
        why: &'static str,
        /// The title of the incident that it is a duplicate of.
        original: Option<&'static str>,
    },
}

/// It was resolved and waits to be closed.
pub(super) const fn resolved(at: When, reason: ResolutionReason, summary: &'static str) -> Outcome {
    Outcome::Resolved { at, reason, summary, closed: None }
}

/// It was resolved, and closed later.
pub(super) const fn closed(
    at: When,
    reason: ResolutionReason,
    summary: &'static str,
    closed: When,
) -> Outcome {
    Outcome::Resolved { at, reason, summary, closed: Some(closed) }
}

/// It was dismissed.
pub(super) const fn dismissed(at: When, reason: ResolutionReason, why: &'static str) -> Outcome {
    Outcome::Dismissed { at, reason, why, original: None }
}

/// It was dismissed as a duplicate of the incident with this title.
pub(super) const fn duplicate(at: When, original: &'static str) -> Outcome {
    Outcome::Dismissed { at, reason: ResolutionReason::Duplicate, why: "", original: Some(original) }
}

impl Outcome {
    /// When it was resolved or dismissed.
    pub(in super::super) fn at(&self) -> Option<When> {
        match self {
            Self::Open => None,
            Self::Resolved { at, .. } | Self::Dismissed { at, .. } => Some(*at),
        }
    }

    /// When it was closed.
    pub(in super::super) fn closed(&self) -> Option<When> {
        match self {
            Self::Resolved { closed, .. } => *closed,
            Self::Open | Self::Dismissed { .. } => None,
        }
    }
}
