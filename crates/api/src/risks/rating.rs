//! A risk by its title, and its rating: likelihood and impact.

use domain::RiskNumber;
use domain::risk::Rating;
use domain::scale::Grade;
use serde::Serialize;
use utoipa::ToSchema;

/// A risk with its title.
#[derive(Serialize, ToSchema)]
#[schema(as = NamedRisk)]
pub(super) struct NamedRiskView {
    /// `RSK-` and the number.
    pub(super) id: RiskNumber,
    /// The title, one line.
    #[schema(max_length = 200, examples("Loss of the only data centre"))]
    pub(super) title: String,
}

/// A rating as responses show it.
#[derive(Serialize, ToSchema)]
#[schema(as = Rating)]
pub(super) struct RatingView {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 10)]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 10)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 100)]
    score: i64,
    /// The version of the scale that the rating was made by.
    #[schema(minimum = 1)]
    scale_version: i64,
    /// The name of the band that the rating is in, by the latest version that its version can be compared with.
    #[schema(max_length = 80, examples("High"))]
    band: String,
}

impl RatingView {
    /// A rating that was made by a version of the scale.
    pub(super) fn of(it: Rating, scale_version: i64, grade: Option<&Grade>) -> Self {
        let band = grade.map(|grade| grade.name.clone()).unwrap_or_default();
        Self { likelihood: it.likelihood, impact: it.impact, score: it.score(), scale_version, band }
    }
}
