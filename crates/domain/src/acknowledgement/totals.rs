//! How many people have acknowledged.

use jiff::Timestamp;

use super::{AcknowledgementStatus, Coverage};

/// How many people are asked, and how many of those have each status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Those who are asked: the sum of the others.
    pub asked: i64,
    /// Those who are covered.
    pub covered: i64,
    /// Those who still have time.
    pub open: i64,
    /// Those whose time is over.
    pub overdue: i64,
    /// Those who cannot sign in.
    pub not_reached: i64,
}

impl Totals {
    /// Counts these at a moment.
    pub fn of<'c>(all: impl IntoIterator<Item = &'c Coverage>, at: Timestamp) -> Self {
        let mut totals = Self::default();
        for status in all.into_iter().filter_map(|coverage| coverage.status(at)) {
            totals.asked += 1;
            *match status {
                AcknowledgementStatus::Covered => &mut totals.covered,
                AcknowledgementStatus::Open => &mut totals.open,
                AcknowledgementStatus::Overdue => &mut totals.overdue,
                AcknowledgementStatus::NotReached => &mut totals.not_reached,
            } += 1;
        }
        totals
    }
}
