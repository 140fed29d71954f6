//! A rating by likelihood and impact.

use std::ops::RangeInclusive;

use macros::Body;

/// The levels of likelihood and of impact that a scale can have.
pub const LEVELS: RangeInclusive<i64> = 1..=10;

/// A rating in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
#[body(name = "NewRating")]
pub struct Rating {
    /// How likely it is.
    #[body(range = LEVELS, example = 4)]
    pub likelihood: i64,
    /// How bad it would be.
    #[body(range = LEVELS, example = 5)]
    pub impact: i64,
}

impl Rating {
    /// Likelihood times impact.
    pub fn score(self) -> i64 {
        self.likelihood * self.impact
    }
}
