//! A version of the scale as responses show it.

use domain::scale::{Acceptance, AcceptanceBy, MATRIX, Scale, ScaleBand, ScaleColor, ScaleLevel};
use domain::schema::openapi;
use domain::{GroupId, Line, LineOrEmpty, Reason, RiskNumber, UserId};
use http::as_of::AsOfShown;
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use store::scale_change::{BandMove, Effects};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::shared::ActorView;

type ScaleColorView = OneOf<ScaleColor>;
type AcceptanceByView = OneOf<AcceptanceBy>;

/// A version of the scale.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Scale, examples(json!({
    "reason": "The board accepts less.", "matrix": [[0, 1], [1, 2]], "created_date": "2026-03-01T09:30:00.000000Z",
})))]
#[view(Scale)]
pub(crate) struct ScaleView {
    /// The version: 1 is that with which every organization begins.
    #[schema(minimum = 1)]
    #[view(it.number)]
    version: i64,
    /// Counts the incompatible changes from 1: ratings by versions of one generation can be compared.
    #[schema(minimum = 1)]
    generation: i64,
    /// The reason for the change; null of version 1.
    reason: Option<Reason>,
    /// The levels of likelihood, from the lowest.
    #[schema(max_items = 10)]
    #[view(it.content.likelihood)]
    likelihood: Vec<LevelView>,
    /// The levels of impact, from the lowest.
    #[schema(max_items = 10)]
    #[view(it.content.impact)]
    impact: Vec<LevelView>,
    /// The bands, from the lowest.
    #[schema(max_items = 10)]
    #[view(it.content.bands)]
    bands: Vec<BandView>,
    /// A row for each level of likelihood, with the band of each level of impact: 0 is the lowest band.
    #[schema(schema_with = matrix)]
    #[view(it.content.matrix)]
    matrix: Vec<Vec<i64>>,
    /// Who made the version; null of version 1.
    created_by: Option<ActorView>,
    /// When the version was made; null of version 1.
    created_date: Option<Timestamp>,
    /// What the version would do to the open risks, if `dry_run` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = EffectsView, required = false)]
    #[view(None)]
    effects: Option<EffectsView>,
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

fn matrix() -> RefOr<Schema> {
    openapi(&MATRIX)
}

impl ScaleView {
    /// The same with the requested point in time.
    pub(super) fn seen(scale: Scale, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..Self::from(scale) }
    }

    /// The same with what the version would do to the risks.
    pub(super) fn with_effects(scale: Scale, effects: Effects) -> Self {
        Self { effects: Some(effects.into()), ..Self::from(scale) }
    }
}

/// A level of likelihood or of impact.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ScaleLevel)]
#[view(ScaleLevel)]
pub(crate) struct LevelView {
    /// What the level is called.
    #[schema(max_length = 80, examples("Likely"))]
    name: Line<80>,
    /// What the level means.
    #[schema(max_length = 200, examples("Once a year"))]
    description: LineOrEmpty,
    /// Its colour; null is none.
    color: Option<ScaleColorView>,
}

/// A band of ratings.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ScaleBand)]
#[view(ScaleBand)]
struct BandView {
    /// What the band is called.
    #[schema(max_length = 80, examples("High"))]
    name: Line<80>,
    /// Its colour.
    color: ScaleColorView,
    /// Who may accept a remaining risk of it.
    acceptance: AcceptanceView,
}

/// Who may accept a remaining risk of a band.
#[derive(Serialize, ToSchema, View)]
#[schema(as = AcceptanceCriterion)]
#[view(Acceptance)]
struct AcceptanceView {
    /// Who may accept it.
    by: AcceptanceByView,
    /// These members, with `people` only.
    #[schema(max_items = 100)]
    users: Option<Vec<UserId>>,
    /// The members of this group, with `people` only.
    group: Option<GroupId>,
}

/// What a version of the scale would do to the open risks.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ScaleEffects)]
#[view(Effects)]
struct EffectsView {
    /// The risks that change band.
    #[schema(max_items = 100)]
    moves: Vec<MoveView>,
    /// How many risks want an evaluation, because a rating is by an earlier scale that cannot be compared with this one.
    #[schema(minimum = 0)]
    outdated: i64,
}

/// Risks whose latest evaluation gets into another band.
#[derive(Serialize, ToSchema, View)]
#[schema(as = BandMove)]
#[view(BandMove)]
struct MoveView {
    /// The band that they are in.
    #[schema(max_length = 80, examples("Medium"))]
    from: String,
    /// The band that they get into.
    #[schema(max_length = 80, examples("High"))]
    to: String,
    /// How many they are.
    #[schema(minimum = 1)]
    count: i64,
    /// Some of them, if the caller has `risks:read`: up to 10 of each rating.
    #[schema(max_items = 1000)]
    risks: Vec<RiskNumber>,
}
