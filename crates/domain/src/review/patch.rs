//! Writing, publishing and correcting a review by a merge patch (RFC 7396).

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;
use macros::Body;

use super::{Action, MAX_ACTIONS, Review, ReviewSection, ReviewState};
use crate::actor::Actor;
use crate::change::{Change, merge};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
use crate::json::{self, FromJson as _, Json, Pointer};
use crate::person::{self, Person};
use crate::text::Prose;

/// The members that only the service sets.
const READ_ONLY: &[&str] = &[
    "incident",
    "edition",
    "missing",
    "created_by",
    "created_date",
    "published_date",
    "updated_date",
    "version",
];

/// A merge patch (RFC 7396) of a review: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct ReviewPatch {
    /// The id of the owner: the member who is responsible for the review.
    pub owner: Change<UserId>,
    /// What happened, as Markdown, at most 64 KiB.
    #[body(example = "Three people entered their passwords on a copy of our sign-in page.")]
    pub summary: Change<Prose>,
    /// Why it happened, as Markdown, at most 64 KiB. "Not found, because…" is an answer.
    pub root_cause: Change<Prose>,
    /// What made it more likely or worse, as Markdown, at most 64 KiB.
    pub contributing_factors: Change<Prose>,
    /// Whom and what it affected, as Markdown, at most 64 KiB.
    pub impact: Change<Prose>,
    /// What went well, as Markdown, at most 64 KiB.
    pub went_well: Change<Prose>,
    /// What was learned, as Markdown, at most 64 KiB.
    pub lessons: Change<Prose>,
    /// What is to be done: the whole list.
    #[body(read = read_actions, most = MAX_ACTIONS)]
    pub actions: Option<Vec<Action>>,
    /// `published` freezes the edition; another state of a published review starts the next edition.
    pub state: Option<ReviewState>,
}

fn read_actions(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
    let items = json::array(value, at, faults)?;
    if items.len() > MAX_ACTIONS {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_ACTIONS} elements"));
        return None;
    }
    json::items_of(items, at, faults, Action::from_json)
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
    /// begun; a published one is frozen until another state creates the next edition.
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
            return Err(Error::Conflict(ErrorCode::ReviewPublished));
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
        let owner = person::changed(&self.owner, &base.owner, facts.owner.clone(), "#/owner", faults);
        if let Some(actions) = &self.actions {
            check_actions(actions, base, facts, faults);
        }
        let mut after = Review { owner, ..base.clone() };
        merge!(self into after: summary, root_cause, contributing_factors, impact, went_well, lessons, actions, state);
        after
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
