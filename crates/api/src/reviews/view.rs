//! A review as responses show it.

use std::collections::HashMap;

use domain::person::Person;
use domain::review::{Action, ReviewSection, ReviewState};
use domain::{Line, Prose, UserId};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::reviews::ReviewDetails;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView};
use crate::tasks::view::IncidentNameView;

/// An edition of the review of an incident.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Review, examples(json!({
    "summary": "Three people entered their passwords on a copy of our sign-in page.",
    "missing": ["root_cause", "contributing_factors", "impact", "went_well", "lessons"],
})))]
#[view(ReviewDetails { review: it, incident_title, people })]
pub(crate) struct ReviewView {
    /// The incident.
    #[view(IncidentNameView::new(it.incident, incident_title))]
    incident: IncidentNameView,
    /// The edition: counted from 1. A published one is frozen, and a correction is the next one.
    #[schema(minimum = 1)]
    edition: i64,
    /// The state of this edition.
    state: ReviewStateView,
    /// The owner of the review.
    owner: Option<PersonView>,
    /// What happened, as Markdown.
    summary: Option<Prose>,
    /// Why it happened, as Markdown.
    root_cause: Option<Prose>,
    /// What made it more likely or worse, as Markdown.
    contributing_factors: Option<Prose>,
    /// Whom and what it affected, as Markdown.
    impact: Option<Prose>,
    /// What went well, as Markdown.
    went_well: Option<Prose>,
    /// What was learned, as Markdown.
    lessons: Option<Prose>,
    /// What is to be done.
    #[schema(max_items = 50)]
    #[view((1..).zip(&it.actions).map(|(number, action)| ActionView::new(number, action, &people)))]
    actions: Vec<ActionView>,
    /// The sections that have nothing in them. Only `summary` and `root_cause` must be there to publish.
    #[schema(max_items = 7)]
    #[view(it.missing())]
    missing: Vec<SectionView>,
    /// Who started this edition.
    created_by: ActorView,
    /// When this edition was begun.
    created_date: Timestamp,
    /// When this edition was published; null if it is not.
    published_date: Option<Timestamp>,
    /// When this edition was last changed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change of any edition.
    #[schema(minimum = 1)]
    version: i64,
}

type ReviewStateView = OneOf<ReviewState>;
type SectionView = OneOf<ReviewSection>;

/// An action of a review.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewAction, examples(json!({"title": "Turn on a second factor for the mail accounts"})))]
struct ActionView {
    /// Its place in the list, from 1 on.
    #[schema(minimum = 1, maximum = 50)]
    number: i64,
    /// One line.
    title: Line,
    /// Who is to do it.
    owner: Option<PersonView>,
    /// Until when.
    due: Option<Timestamp>,
    /// The number of the task of the incident that it became; null before.
    task: Option<i64>,
}

impl ActionView {
    fn new(number: i64, action: &Action, people: &HashMap<UserId, Person>) -> Self {
        Self {
            number,
            title: action.title.clone(),
            owner: action.owner.and_then(|owner| people.get(&owner).cloned()).map(PersonView::from),
            due: action.due.map(Timestamp),
            task: action.task,
        }
    }
}
