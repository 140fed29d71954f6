//! When a risk is to be evaluated and reviewed next. An evaluation moves the one day, only a review the other.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Risk, RiskStatus};
use crate::document::Day;

/// The days from one evaluation or review to the next.
pub const CADENCE_DAYS: RangeInclusive<i64> = 1..=3_650;

/// A review is due soon if it is due within so many days.
pub const DUE_SOON_DAYS: i64 = 30;

crate::words! {
    "RiskReviewDue"
    /// When the next review of an open risk is due, by the days of the organization's time zone.
    pub enum ReviewDue {
        /// Its day has passed.
        Overdue = "overdue",
        /// Today, or within 30 days.
        Due30 = "due_30",
    }
}

crate::words! {
    "RiskEvaluationDue"
    /// Which evaluation a risk lacks, by the days of the organization's time zone.
    pub enum EvaluationDue {
        /// The risk is open, and the day of its next evaluation has passed.
        Overdue = "overdue",
        /// The risk has no evaluation that counts.
        Never = "never",
        /// A rating of the risk is by an earlier scale that cannot be compared with the present one.
        ScaleOutdated = "scale_outdated",
    }
}

impl Risk {
    /// The day on which the next evaluation is due: `evaluate_every_days` after the latest one, or after the risk was created;
    /// the day of its reopening if there is none since. None of a closed risk, or without a cadence. The same is in SQL, for
    /// lists.
    pub fn next_evaluation_date(&self) -> Option<Day> {
        if self.status == RiskStatus::Closed {
            return None;
        }
        let is_since = |at| self.status_date.is_none_or(|reopened| at >= reopened);
        let day = match (self.current.filter(|it| is_since(it.evaluated_at)), self.status_date) {
            (Some(current), _) => current.evaluated_day.checked_add(self.evaluate_every_days?)?,
            (None, Some(_)) => self.evaluations_from?,
            (None, None) => self.evaluations_from?.checked_add(self.evaluate_every_days?)?,
        };
        Day::of_number(day)
    }

    /// Whether the day of its next evaluation has passed.
    pub fn is_evaluation_overdue(&self, today: &Day) -> bool {
        self.next_evaluation_date().is_some_and(|day| day < *today)
    }

    /// Whether it is open, and the day of its next review has passed.
    pub fn is_review_overdue(&self, today: &Day) -> bool {
        self.status == RiskStatus::Open && self.next_review_date.as_ref().is_some_and(|day| day < today)
    }

    /// Whether [`Risk::with_days`] would change it.
    pub fn lacks_days(&self) -> bool {
        (self.is_counted() && self.evaluations_from.is_none())
            || (self.review_every_days.is_some() && self.next_review_date.is_none())
    }

    /// The same risk with the days that follow from its cadences and are not set yet, in the organization's time zone. The first
    /// review is due so many days after the change that asked for reviews.
    #[must_use]
    pub fn with_days(self, zone: &TimeZone) -> Self {
        let from = self.status_date.unwrap_or(self.created_date);
        let counted = self.is_counted().then(|| Day::in_zone(from, zone).number());
        let first_review = self.next_review(zone);
        Self {
            evaluations_from: self.evaluations_from.or(counted),
            next_review_date: self.next_review_date.or(first_review),
            ..self
        }
    }

    /// Whether evaluations are counted from a day: there is a cadence, or the risk was reopened.
    fn is_counted(&self) -> bool {
        let is_reopened = self.status == RiskStatus::Open && self.status_date.is_some();
        self.evaluate_every_days.is_some() || is_reopened
    }

    /// The day of the review that follows one on the day of the latest change.
    fn next_review(&self, zone: &TimeZone) -> Option<Day> {
        Day::in_zone(self.updated_date, zone).later(self.review_every_days?)
    }

    /// The same risk after a review at `at`; none if its next review is not moved by it.
    pub fn reviewed(&self, at: Timestamp, zone: &TimeZone) -> Option<Self> {
        let changed = Self { updated_date: at, version: self.version + 1, ..self.clone() };
        let next_review_date = changed.next_review(zone);
        (next_review_date != self.next_review_date).then_some(Self { next_review_date, ..changed })
    }
}
