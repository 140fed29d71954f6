//! Times of the story, told from the day it is shown.

use jiff::{SignedDuration, Timestamp};

/// Days the story reaches back.
pub(super) const STORY_DAYS: i64 = 120;

/// A moment before now.
///
/// The two forms never overlap, so that the order of the tables is the order of time at any hour:
/// a `Day` is at least two days before today, `Ago` is less than 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// So many days before today, at a time of the day in UTC, in minutes after midnight.
    Day(i64, i64),
    /// So many minutes before now.
    Ago(i64),
}

/// `days` before today at `hour`:`minute` UTC.
pub(super) const fn at(days: i64, hour: i64, minute: i64) -> When {
    When::Day(days, hour * 60 + minute)
}

/// `hours` and `minutes` before now.
pub(super) const fn ago(hours: i64, minutes: i64) -> When {
    When::Ago(hours * 60 + minutes)
}

impl When {
    /// The moment, seen from `now`.
    pub(super) fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Day(days, minutes) => {
                domain::time::floor(now, 86_400) - SignedDuration::from_hours(24 * days)
                    + SignedDuration::from_mins(minutes)
            }
            // People and machines note whole minutes.
            Self::Ago(minutes) => domain::time::floor(now, 60) - SignedDuration::from_mins(minutes),
        }
    }
}
