//! A risk as responses show it.

use domain::document::{Control, Day};
use domain::risk::{Current, Risk, RiskStatus, Treatment};
use domain::scale::Grade;
use domain::{Line, Prose, ProseOrEmpty, Reason, RiskNumber};
use http::as_of::AsOfShown;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::rating::RatingView;
use crate::acceptances::view::AcceptanceOfRiskView;
use crate::shared::PersonView;
use crate::tags::TagLabelView;

/// A risk.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Risk, examples(json!({
    "title": "Loss of the only data centre", "description": "All services run in one building.", "category": "continuity",
    "updated_date": "2026-03-01T09:30:00.000000Z",
})))]
#[view(Risk)]
pub(crate) struct RiskView {
    /// `RSK-` and the number.
    #[view(it.number)]
    id: RiskNumber,
    /// The title, one line.
    title: Line,
    /// The description, as Markdown.
    description: ProseOrEmpty,
    /// The category, free text.
    category: Option<Line>,
    /// The accountable user.
    owner: Option<PersonView>,
    /// The name of the owner in a list from elsewhere.
    owner_name: Option<Line>,
    /// What would be harmed.
    asset: Option<Reason>,
    /// What could happen to it.
    threat: Option<Reason>,
    /// The weakness that the threat needs.
    vulnerability: Option<Reason>,
    /// The controls that exist, as Markdown.
    existing_controls: Option<Prose>,
    /// The numbers of the controls that concern it.
    #[schema(max_items = 100)]
    controls: Vec<Control>,
    /// Its reference in the list that it comes from.
    external_ref: Option<Line>,
    /// What is done about it.
    treatment: TreatmentView,
    /// How, as Markdown.
    treatment_plan: Option<Prose>,
    /// The risk's status: open or closed.
    status: RiskStatusView,
    /// The reason for closing the risk, or for reopening it while it is open again; null if it was never closed.
    status_reason: Option<Prose>,
    /// When the risk was last closed or reopened; null if it was never closed.
    status_date: Option<Timestamp>,
    /// Days from one evaluation to the next.
    #[schema(minimum = 1, maximum = 3650, examples(90))]
    evaluate_every_days: Option<i64>,
    /// Days from one review to the next.
    #[schema(minimum = 1, maximum = 3650, examples(365))]
    review_every_days: Option<i64>,
    /// The day on which the next review is due. Only a review moves it.
    next_review_date: Option<Day>,
    /// The day on which the next evaluation is due: `evaluate_every_days` after the latest one, or after the risk was
    /// created. A reopened risk is due from its reopening until its next evaluation; a closed one never.
    #[view(it.next_evaluation_date())]
    next_evaluation_date: Option<Day>,
    /// The inherent rating, without controls.
    #[view(RatingView::of(it.inherent, it.scale_version, it.grades.inherent.as_ref()))]
    inherent: RatingView,
    /// The target rating of the treatment; null if there is none.
    #[view(it.target.map(|target| RatingView::of(target, it.scale_version, it.grades.target.as_ref())))]
    target: Option<RatingView>,
    /// The latest evaluation; null before the first.
    #[view(it.current.map(|current| (current, it.grades.current.as_ref())))]
    current: Option<CurrentView>,
    /// Whether a rating is by an earlier scale that cannot be compared with the present one: the next evaluation has to bring the
    /// inherent and the target rating too.
    #[view(it.grades.is_outdated)]
    scale_outdated: bool,
    /// The acceptance that is in force or stale; null if there is none.
    #[view(it.acceptance.map(|it| *it))]
    acceptance: Option<AcceptanceOfRiskView>,
    /// The open request to accept the risk; null if there is none.
    #[view(it.acceptance_request.map(|it| *it))]
    acceptance_request: Option<AcceptanceOfRiskView>,
    /// Its tags, sorted by name.
    #[schema(max_items = 50)]
    tags: Vec<TagLabelView>,
    /// When the risk was created.
    created_date: Timestamp,
    /// When the risk was last changed; evaluations and tags do not count as changes.
    updated_date: Timestamp,
    /// When the risk was deleted; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    deleted_date: Option<Timestamp>,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    #[view(None)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    #[view(None)]
    as_of_seq: Option<i64>,
}

pub(super) type RiskStatusView = OneOf<RiskStatus>;
pub(super) type TreatmentView = OneOf<Treatment>;

/// The latest evaluation of a risk.
#[derive(Serialize, ToSchema, View)]
#[schema(as = CurrentRating)]
#[view((it, grade): (Current, Option<&Grade>))]
struct CurrentView {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 10)]
    #[view(it.rating.likelihood)]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 10)]
    #[view(it.rating.impact)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 100)]
    #[view(it.rating.score())]
    score: i64,
    /// The version of the scale that the evaluation was made by.
    #[schema(minimum = 1)]
    scale_version: i64,
    /// The name of the band that the rating is in, by the latest version that its version can be compared with.
    #[schema(max_length = 80, examples("High"))]
    #[view(grade.map(|grade| grade.name.clone()).unwrap_or_default())]
    band: String,
    /// The number of the evaluation.
    #[schema(minimum = 1)]
    evaluation: i64,
    /// The time that the evaluation refers to.
    #[schema(examples("2026-03-01T09:30:00.000000Z"))]
    evaluated_at: Timestamp,
    /// The share of the planned reduction that is achieved, in basis points: 1 is 0.01 %. Null without a target.
    #[schema(minimum = 0, maximum = 10000, examples(5714))]
    performance_basis_points: Option<i64>,
}

impl RiskView {
    /// The same with the requested point in time.
    pub(super) fn seen(risk: Risk, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..Self::from(risk) }
    }
}
