//! Which tasks are due when. Days and weeks are those of the organization's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::TaskStatus;

crate::words! {
    "TaskDue"
    /// When tasks are due, by the days of the organization's time zone.
    pub enum Due {
        /// The day on which it is due has passed, and the task is open or in progress.
        Overdue = "overdue",
        /// It is due in the current week, which starts on Monday.
        Week = "week",
    }
}

impl Due {
    /// From when on and before when such a task is due, as seen `now`; an absent end is none.
    pub fn range(self, now: Timestamp, zone: &TimeZone) -> (Option<Timestamp>, Option<Timestamp>) {
        let today = now.to_zoned(zone.clone()).date();
        match self {
            Self::Overdue => (None, start_of(today, zone)),
            Self::Week => {
                let monday = days_after(today, -i64::from(today.weekday().to_monday_zero_offset()));
                let next = monday.and_then(|monday| days_after(monday, 7));
                let start = |day: Option<Date>| day.and_then(|day| start_of(day, zone));
                (start(monday), start(next))
            }
        }
    }

    /// The statuses that such a task has; none where the status does not matter.
    pub fn statuses(self) -> &'static [TaskStatus] {
        match self {
            Self::Overdue => &TaskStatus::OPEN,
            Self::Week => &[],
        }
    }
}

fn days_after(day: Date, days: i64) -> Option<Date> {
    day.checked_add(days.days()).ok()
}

/// The first moment of a day; a day on which the clocks go forward at midnight begins later.
fn start_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned(zone.clone()).ok().map(|start| start.timestamp())
}
