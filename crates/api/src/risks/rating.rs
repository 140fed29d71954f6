//! The rating of a risk: likelihood and impact.

use domain::risk::Rating;
use serde::Serialize;
use utoipa::ToSchema;

/// A rating as responses show it.
#[derive(Serialize, ToSchema)]
#[schema(as = Rating)]
pub(super) struct RatingView {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 5)]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 5)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 25)]
    score: i64,
}

impl From<Rating> for RatingView {
    fn from(it: Rating) -> Self {
        Self { likelihood: it.likelihood, impact: it.impact, score: it.score() }
    }
}
