//! Writing, publishing and correcting a review by a merge patch (RFC 7396).

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;

use super::{Action, MAX_ACTIONS, Review, ReviewSection, ReviewState};
use crate::actor::Actor;
use crate::error::{Error, Result};
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
use crate::person::{self, Person};

/// A change of a review: `None` leaves a field, `Some(None)` clears it. Each text has passed its check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Review")]
pub struct ReviewPatch {
    pub owner: Option<Option<UserId>>,
    pub summary: Option<Option<String>>,
    pub root_cause: Option<Option<String>>,
    pub contributing_factors: Option<Option<String>>,
    pub impact: Option<Option<String>>,
    pub went_well: Option<Option<String>>,
    pub lessons: Option<Option<String>>,
    pub actions: Option<Vec<Action>>,
    pub state: Option<ReviewState>,
}

/// What the register knows that a change of a review depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewFacts {
    /// The member that `owner` names, if there is one.
    pub owner: Option<Person>,
    /// The members among the owners of the actions.
    pub members: HashSet<UserId>,
    /// Which of the numbers in the actions are those of tasks of the incident.
    pub tasks: BTreeSet<i64>,
}

impl ReviewPatch {
    /// The edition after the change, made by `by` at `at`, or `None` when nothing changes. Without a review `before`, it is
    /// begun; a published one is frozen until another state begins the next edition.
    pub fn apply(
        &self,
        before: Option<&Review>,
        incident: IncidentNumber,
        facts: &ReviewFacts,
        by: &Actor,
        at: Timestamp,
    ) -> Result<Option<Review>> {
        let mut faults = Faults::new();
        let base = match before {
            None => Review::empty(incident, by.clone(), at),
            Some(before) => self.edition_to_change(before, by, at),
        };
        let after = self.merge(&base, facts, &mut faults);
        if faults.is_empty() && before == Some(&after) {
            return Ok(None);
        }
        if base.state == ReviewState::Published {
            let title = "The published review is frozen";
            return Err(Error::Conflict { code: "review_published", title });
        }
        let publishes = after.state == ReviewState::Published;
        if publishes {
            check_required(&after, &mut faults);
        }
        let published_date = publishes.then_some(at);
        faults.or(Some(Review { published_date, updated_date: at, version: base.version + 1, ..after }))
    }

    /// The edition itself, or the one after a published one if the state says that work on it begins.
    fn edition_to_change(&self, before: &Review, by: &Actor, at: Timestamp) -> Review {
        let reopens = self.state.is_some_and(|state| state != ReviewState::Published);
        if before.state != ReviewState::Published || !reopens {
            return before.clone();
        }
        Review {
            edition: before.edition + 1,
            state: ReviewState::Draft,
            created_by: by.clone(),
            created_date: at,
            published_date: None,
            ..before.clone()
        }
    }

    fn merge(&self, base: &Review, facts: &ReviewFacts, faults: &mut Faults) -> Review {
        let owner = match self.owner {
            Some(sent) => person::member(sent, facts.owner.clone(), "#/owner", faults),
            None => base.owner.clone(),
        };
        let text =
            |sent: &Option<Option<String>>, base: &Option<String>| sent.as_ref().unwrap_or(base).clone();
        if let Some(actions) = &self.actions {
            check_actions(actions, base, facts, faults);
        }
        Review {
            owner,
            summary: text(&self.summary, &base.summary),
            root_cause: text(&self.root_cause, &base.root_cause),
            contributing_factors: text(&self.contributing_factors, &base.contributing_factors),
            impact: text(&self.impact, &base.impact),
            went_well: text(&self.went_well, &base.went_well),
            lessons: text(&self.lessons, &base.lessons),
            actions: self.actions.as_ref().unwrap_or(&base.actions).clone(),
            state: self.state.unwrap_or(base.state),
            ..base.clone()
        }
    }
}

/// Who owned an action before may have left, and a task that it became may be deleted.
fn check_actions(actions: &[Action], base: &Review, facts: &ReviewFacts, faults: &mut Faults) {
    if actions.len() > MAX_ACTIONS {
        faults.add("#/actions", FaultCode::TooMany, format_args!("must have at most {MAX_ACTIONS} elements"));
    }
    for (place, action) in actions.iter().enumerate() {
        let stood = |is_same: &dyn Fn(&Action) -> bool| base.actions.iter().any(is_same);
        if let Some(owner) = action.owner
            && !facts.members.contains(&owner)
            && !stood(&|other| other.owner == Some(owner))
        {
            let detail = "No member of the organization has this id.";
            faults.add(format_args!("#/actions/{place}/owner"), FaultCode::UnknownUser, detail);
        }
        if let Some(task) = action.task
            && !facts.tasks.contains(&task)
            && !stood(&|other| other.task == Some(task))
        {
            let detail = "The incident has no task of this number.";
            faults.add(format_args!("#/actions/{place}/task"), FaultCode::UnknownTask, detail);
        }
    }
}

fn check_required(review: &Review, faults: &mut Faults) {
    for section in ReviewSection::REQUIRED.into_iter().filter(|section| review.lacks(*section)) {
        faults.add(format_args!("#/{section}"), FaultCode::Required, "is required to publish the review");
    }
}
