//! How many people have acknowledged.

use jiff::Timestamp;

use super::Coverage;

/// How many people are asked, and how many of those are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Those who are asked: the sum of `covered`, `open` and `not_reached`.
    pub asked: usize,
    /// Those who are covered.
    pub covered: usize,
    /// Those who have not acknowledged, overdue or not.
    pub open: usize,
    /// Those among `open` whose time is over.
    pub overdue: usize,
    /// Those who cannot sign in.
    pub not_reached: usize,
}

impl Totals {
    /// Counts these at a moment.
    pub fn of<'c>(all: impl IntoIterator<Item = &'c Coverage>, at: Timestamp) -> Self {
        let mut totals = Self::default();
        for coverage in all {
            match coverage {
                Coverage::NotAsked => continue,
                Coverage::Covered { .. } => totals.covered += 1,
                Coverage::Open { .. } => totals.open += 1,
                Coverage::NotReached => totals.not_reached += 1,
            }
            totals.asked += 1;
            totals.overdue += usize::from(coverage.is_overdue(at));
        }
        totals
    }
}
