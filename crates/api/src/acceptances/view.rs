//! An acceptance of a risk as responses show it.

use domain::acceptance::Acceptance;
use domain::decision::DecisionState;
use domain::document::Day;
use domain::risk::Treatment;
use domain::{Line, Prose, Reason, RiskNumber};
use http::as_of::AsOfShown;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::acceptances::AcceptanceDetails;
use utoipa::ToSchema;

use crate::shared::{ActorView, PersonView, RecordedView, recorded};

type StateView = OneOf<DecisionState>;
type TreatmentView = OneOf<Treatment>;

/// The acceptance of what remains of a risk. The rating is the one that was asked for, from the decision on the one that was
/// decided about.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Acceptance)]
#[view(AcceptanceDetails)]
pub(crate) struct AcceptanceView {
    /// The number: counted from 1 for each risk.
    #[schema(minimum = 1)]
    #[view(it.acceptance.number)]
    number: i64,
    /// The risk's id.
    #[view(it.acceptance.risk)]
    risk: RiskNumber,
    /// The risk's title.
    risk_title: Line,
    /// What became of it, as of today (UTC), or of the day of `as_of`.
    state: StateView,
    /// Why it was asked for, as Markdown.
    #[view(it.acceptance.decision.reason.clone())]
    reason: Prose,
    /// The last day on which it holds (UTC).
    #[view(it.acceptance.decision.until.clone())]
    until: Day,
    /// Who asked for it.
    #[view(it.acceptance.decision.requested_by.clone())]
    requested_by: ActorView,
    /// When.
    #[view(it.acceptance.decision.requested_date)]
    requested_date: Timestamp,
    /// The number of the evaluation.
    #[schema(minimum = 1)]
    #[view(it.acceptance.evaluation)]
    evaluation: i64,
    /// What remains of the risk.
    #[view(it.acceptance.clone())]
    rating: AcceptedRatingView,
    /// The version of the risk.
    #[schema(minimum = 1)]
    #[view(it.acceptance.risk_version)]
    risk_version: i64,
    /// What is done about the risk; approved with the acceptance, as is the plan.
    #[view(it.acceptance.treatment)]
    treatment: TreatmentView,
    /// How, as Markdown.
    #[view(it.acceptance.treatment_plan.clone())]
    treatment_plan: Option<Prose>,
    /// Why those may decide who have asked; null unless that was allowed.
    #[view(it.acceptance.decision.four_eyes_waived.clone())]
    four_eyes_waived: Option<Reason>,
    /// Who decided, or recorded the decision; null while nobody has.
    #[view(it.acceptance.decision.decided_by.clone())]
    decided_by: Option<ActorView>,
    /// When.
    #[view(it.acceptance.decision.decided_date)]
    decided_date: Option<Timestamp>,
    /// The owner, if a deputy decided in their place.
    #[view(it.acceptance.decision.on_behalf_of.clone())]
    on_behalf_of: Option<PersonView>,
    /// The decision of others that was recorded; null if somebody decided themselves.
    #[view(recorded(&it.acceptance.decision))]
    recorded: Option<RecordedView>,
    /// What was said with the decision, as Markdown.
    #[view(it.acceptance.decision.note.clone())]
    note: Option<Prose>,
    /// Who confirmed it last, instead of who decided; null if nobody has.
    #[view(it.acceptance.decision.confirmed_by.clone())]
    confirmed_by: Option<ActorView>,
    /// The owner, if a deputy confirmed it in their place.
    #[view(it.acceptance.decision.confirmed_on_behalf_of.clone())]
    confirmed_on_behalf_of: Option<PersonView>,
    /// When.
    #[view(it.acceptance.decision.confirmed_date)]
    confirmed_date: Option<Timestamp>,
    /// Whether it holds or is stale, and who accepted it or confirmed it last is not a member any more.
    #[view(it.has_left)]
    decider_left: bool,
    /// The first evaluation that is higher than what was accepted; null unless it is stale.
    #[schema(minimum = 1)]
    #[view(it.acceptance.stale_by)]
    stale_by: Option<i64>,
    /// The last day on which it holds without another evaluation, because the scale cannot be compared with that of the rating any
    /// more; null if it can.
    #[view(it.acceptance.scale_until.clone())]
    scale_until: Option<Day>,
    /// Why it was revoked, or why the request ended with the risk.
    #[view(it.acceptance.decision.end_reason.clone())]
    end_reason: Option<Prose>,
    /// Who withdrew, replaced or revoked it.
    #[view(it.acceptance.decision.ended_by.clone())]
    ended_by: Option<ActorView>,
    /// When.
    #[view(it.acceptance.decision.ended_date)]
    ended_date: Option<Timestamp>,
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

impl AcceptanceView {
    /// The same with the requested point in time.
    pub(super) fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}

/// What was accepted of a risk, or is to be.
#[derive(Serialize, ToSchema, View)]
#[schema(as = AcceptedRating)]
#[view(Acceptance)]
pub(crate) struct AcceptedRatingView {
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
    /// The version of the scale that the rating was made by.
    #[schema(minimum = 1)]
    scale_version: i64,
    /// The name that its band had.
    #[schema(max_length = 80, examples("High"))]
    band: String,
}

/// An acceptance as the risk shows it: `GET /v1/risks/{risk_id}/acceptances/{number}` has all of it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = AcceptanceOfRisk)]
#[view(Acceptance)]
pub(crate) struct AcceptanceOfRiskView {
    /// The number: counted from 1 for each risk.
    #[schema(minimum = 1)]
    number: i64,
    /// What became of it.
    #[view(it.decision.state)]
    state: StateView,
    /// The last day on which it holds (UTC).
    #[view(it.decision.until.clone())]
    until: Day,
    /// The number of the evaluation.
    #[schema(minimum = 1)]
    evaluation: i64,
    /// Who asked for it.
    #[view(it.decision.requested_by.clone())]
    requested_by: ActorView,
    /// When.
    #[view(it.decision.requested_date)]
    requested_date: Timestamp,
    /// Who decided, or recorded the decision; null while nobody has.
    #[view(it.decision.decided_by.clone())]
    decided_by: Option<ActorView>,
    /// When.
    #[view(it.decision.decided_date)]
    decided_date: Option<Timestamp>,
}
