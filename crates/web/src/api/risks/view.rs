//! A risk as answers show it.

use domain::risk::{Current, Risk, RiskStatus};
use domain::tag::TagLabel;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::rating::RatingView;
use crate::api::as_of::AsOfShown;
use crate::api::shared::{Moment, PersonView};
use crate::api::word::OneOf;

/// A risk.
#[derive(Serialize, ToSchema)]
#[schema(as = Risk)]
pub(crate) struct RiskView {
    /// `RSK-` and the number.
    #[schema(examples("RSK-1"), pattern = "^RSK-[1-9][0-9]*$")]
    id: String,
    /// One line.
    #[schema(min_length = 1, max_length = 200, examples("Loss of the only data centre"))]
    title: String,
    /// Markdown.
    description: String,
    /// Free text.
    category: Option<String>,
    /// Who answers for it.
    owner: Option<PersonView>,
    /// Whether it is still looked after.
    status: RiskStatusView,
    /// Why it was closed; null while it is open.
    status_reason: Option<String>,
    /// The rating without controls.
    inherent: RatingView,
    /// The rating that the treatment aims at.
    target: RatingView,
    /// The latest evaluation; null before the first.
    current: Option<CurrentView>,
    /// Its tags, by name.
    tags: Vec<TagLabelView>,
    /// When it was registered.
    #[schema(value_type = String, format = DateTime)]
    created_date: Moment,
    /// When it was last changed; evaluations and tags do not count.
    #[schema(value_type = String, format = DateTime)]
    updated_date: Moment,
    /// When it was deleted; there only if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    deleted_date: Option<Moment>,
    /// Counts its changes from 1.
    #[schema(minimum = 1)]
    version: i64,
    /// The moment the answer speaks of, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    as_of: Option<Moment>,
    /// The journal's number the answer speaks of, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

pub(super) type RiskStatusView = OneOf<RiskStatus>;

/// The latest evaluation of a risk.
#[derive(Serialize, ToSchema)]
#[schema(as = CurrentRating)]
struct CurrentView {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 5)]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 5)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 25)]
    score: i64,
    /// The number of the evaluation.
    #[schema(minimum = 1)]
    evaluation: i64,
    /// The time it speaks of.
    #[schema(value_type = String, format = DateTime)]
    evaluated_at: Moment,
    /// The share of the planned reduction that is reached; 1 is 0.01 %.
    #[schema(minimum = 0, maximum = 10000)]
    performance_basis_points: i64,
}

/// A tag as it is shown on a record.
#[derive(Serialize, ToSchema)]
#[schema(as = TagLabel)]
struct TagLabelView {
    /// Its id.
    id: Uuid,
    /// Its name today.
    #[schema(examples("phishing"))]
    name: String,
    /// `#rrggbb`.
    #[schema(examples("#64748b"))]
    color: String,
}

impl From<Current> for CurrentView {
    fn from(it: Current) -> Self {
        Self {
            likelihood: it.rating.likelihood,
            impact: it.rating.impact,
            score: it.rating.score(),
            evaluation: it.evaluation,
            evaluated_at: it.evaluated_at.into(),
            performance_basis_points: it.performance_basis_points,
        }
    }
}

impl From<TagLabel> for TagLabelView {
    fn from(it: TagLabel) -> Self {
        Self { id: it.id.uuid(), name: it.name, color: it.color }
    }
}

impl From<Risk> for RiskView {
    fn from(it: Risk) -> Self {
        Self {
            id: it.number.to_string(),
            title: it.title,
            description: it.description,
            category: it.category,
            owner: it.owner.map(PersonView::from),
            status: it.status.into(),
            status_reason: it.status_reason,
            inherent: it.inherent.into(),
            target: it.target.into(),
            current: it.current.map(CurrentView::from),
            tags: it.tags.into_iter().map(TagLabelView::from).collect(),
            created_date: it.created_date.into(),
            updated_date: it.updated_date.into(),
            deleted_date: it.deleted_date.map(Moment),
            version: it.version,
            as_of: None,
            as_of_seq: None,
        }
    }
}

impl RiskView {
    /// The same, naming the moment it speaks of.
    pub(super) fn seen(risk: Risk, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..Self::from(risk) }
    }
}
