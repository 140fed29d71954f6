//! The review of an incident (post-mortem): what happened, why, and what is to be done about it. A published edition is
//! frozen; a correction is the next edition.

mod action;
mod patch;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::Record;

pub use action::{Action, MAX_ACTIONS, list_from_stored, list_to_stored};
pub use patch::{ReviewFacts, ReviewPatch};

use crate::actor::Actor;
use crate::error::{Error, ResourceKind};
use crate::error_code::ErrorCode;
use crate::ids::IncidentNumber;
use crate::person::Person;
use crate::text::Prose;

crate::words! {
    "ReviewState"
    /// The state of a review.
    pub enum ReviewState {
        /// It is being written.
        Draft = "draft",
        /// Others read it before it is published.
        InReview = "in_review",
        /// It is frozen. A correction is the next edition.
        Published = "published",
    }
}

crate::words! {
    "ReviewSection"
    /// A section of a review.
    pub enum ReviewSection {
        /// What happened, in a few sentences.
        Summary = "summary",
        /// Why it happened; if it was not found, say why.
        RootCause = "root_cause",
        /// What made it more likely or worse.
        ContributingFactors = "contributing_factors",
        /// Who and what was affected.
        Impact = "impact",
        /// What went well.
        WentWell = "went_well",
        /// What was learned.
        Lessons = "lessons",
        /// What is to be done so that it does not happen again.
        Actions = "actions",
    }
}

impl ReviewSection {
    /// The sections without which no review is published.
    pub const REQUIRED: [Self; 2] = [Self::Summary, Self::RootCause];
}

/// An edition of the review of an incident.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
#[expect(missing_docs, reason = "the other fields are those of ReviewSection, in Markdown")]
pub struct Review {
    /// The incident.
    pub incident: IncidentNumber,
    /// Counts per incident from 1.
    pub edition: i64,
    /// The owner of the review.
    pub owner: Option<Person>,
    #[record(label = "Summary", holds = Prose, redacted, searched)]
    pub summary: Option<Prose>,
    #[record(label = "Root cause", holds = Prose, redacted, searched)]
    pub root_cause: Option<Prose>,
    #[record(label = "Contributing factors", holds = Prose, redacted, searched)]
    pub contributing_factors: Option<Prose>,
    #[record(label = "Impact", holds = Prose, redacted, searched)]
    pub impact: Option<Prose>,
    #[record(label = "What went well", holds = Prose, redacted, searched)]
    pub went_well: Option<Prose>,
    #[record(label = "Lessons learned", holds = Prose, redacted, searched)]
    pub lessons: Option<Prose>,
    #[record(label = "Actions", holds = Actions, redacted, searched)]
    pub actions: Vec<Action>,
    /// Its state.
    pub state: ReviewState,
    /// Who started this edition.
    pub created_by: Actor,
    /// When this edition was begun.
    pub created_date: Timestamp,
    /// When it was published, if it was.
    pub published_date: Option<Timestamp>,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// Counts the changes of all editions from 1.
    pub version: i64,
    /// The journal's number of the entry that began it.
    pub seq_from: i64,
    /// The journal's number of its latest change.
    pub seq: i64,
}

impl Review {
    /// The first edition, empty and of version 0.
    pub fn empty(incident: IncidentNumber, by: Actor, at: Timestamp) -> Self {
        Self {
            incident,
            edition: 1,
            owner: None,
            summary: None,
            root_cause: None,
            contributing_factors: None,
            impact: None,
            went_well: None,
            lessons: None,
            actions: Vec::new(),
            state: ReviewState::Draft,
            created_by: by,
            created_date: at,
            published_date: None,
            updated_date: at,
            version: 0,
            seq_from: 0,
            seq: 0,
        }
    }

    /// The action with this number, which is its place from 1 on, unless it is a task already.
    pub fn action(&self, number: i64) -> crate::Result<&Action> {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let action = place.and_then(|place| self.actions.get(place));
        let action = action.ok_or(Error::NotFound(ResourceKind::ReviewAction))?;
        match action.task {
            None => Ok(action),
            Some(_) => Err(Error::Conflict(ErrorCode::ActionIsTask)),
        }
    }

    /// The review, changed at `at`, whose action with this number is a task now. That may also be noted in a published
    /// edition: it changes nothing of what was published.
    #[must_use]
    pub fn with_task(&self, number: i64, task: i64, at: Timestamp) -> Self {
        let mut after = Self { updated_date: at, version: self.version + 1, ..self.clone() };
        for (_, action) in (1..).zip(&mut after.actions).filter(|(place, _)| *place == number) {
            action.task = Some(task);
        }
        after
    }

    /// The sections that have nothing in them.
    pub fn missing(&self) -> Vec<ReviewSection> {
        ReviewSection::ALL.iter().copied().filter(|section| self.lacks(*section)).collect()
    }

    fn lacks(&self, section: ReviewSection) -> bool {
        match section {
            ReviewSection::Summary => self.summary.is_none(),
            ReviewSection::RootCause => self.root_cause.is_none(),
            ReviewSection::ContributingFactors => self.contributing_factors.is_none(),
            ReviewSection::Impact => self.impact.is_none(),
            ReviewSection::WentWell => self.went_well.is_none(),
            ReviewSection::Lessons => self.lessons.is_none(),
            ReviewSection::Actions => self.actions.is_empty(),
        }
    }
}
