//! What a figure is made of: the formula in words, and which risks it leaves out.

use jiff::Timestamp;

use crate::risk::Risk;

/// Counts the changes of the formula.
pub const FORMULA_VERSION: i64 = 1;

/// The performance of a risk.
pub const FORMULA_OF_RISK: &str = "(inherent - current) / (inherent - target), limited to the range from 0 to 1, in basis \
     points rounded half up; without a planned reduction 1 if the target is met, else 0";

/// The figure.
pub const FORMULA: &str =
    "the sum of the basis points of all contributions, divided by their number and by 100, rounded half up";

crate::words! {
    "RiskExclusion"
    /// Why a risk counts in no figure.
    pub enum Exclusion {
        /// It is deleted.
        Deleted = "deleted",
        /// It has no target, or had none when it was evaluated.
        NoTarget = "no_target",
        /// It was never evaluated.
        NeverEvaluated = "never_evaluated",
        /// Its latest evaluation is not in the period.
        NotEvaluatedInWindow = "not_evaluated_in_window",
    }
}

/// Why a risk does not count in the period after `after` until `until`; none if it counts.
pub fn exclusion(risk: &Risk, after: Timestamp, until: Timestamp) -> Option<Exclusion> {
    if risk.deleted_date.is_some() {
        return Some(Exclusion::Deleted);
    }
    if risk.target.is_none() {
        return Some(Exclusion::NoTarget);
    }
    let Some(current) = risk.current else { return Some(Exclusion::NeverEvaluated) };
    if current.evaluated_at <= after || current.evaluated_at > until {
        return Some(Exclusion::NotEvaluatedInWindow);
    }
    current.performance_basis_points.is_none().then_some(Exclusion::NoTarget)
}
