//! Fields for days: a filter of a list takes the time at which a day begins in the zone of the page.

use super::Form;
use crate::frame::clock::Clock;

/// The fields.
const DAYS: [&str; 11] = [
    "closed_from",
    "closed_to",
    "created_from",
    "created_to",
    "detected_from",
    "detected_to",
    "evaluated_from",
    "evaluated_to",
    "resolved_from",
    "resolved_to",
    "updated_since",
];

/// How many days after the day of a field the time is: the last day is included. None if it is no such field.
fn later(name: &str) -> Option<i64> {
    DAYS.contains(&name).then(|| i64::from(name.ends_with("_to")))
}

impl Form {
    /// The same with the time of each day. What is a time already stays.
    #[must_use]
    pub(crate) fn with_times_of_days(mut self, clock: &Clock) -> Self {
        for (name, value) in &mut self.pairs {
            if let Some(at) = later(name).and_then(|later| clock.start_of_day(value, later)) {
                *value = domain::time::format(at);
            }
        }
        self
    }

    /// The day of a field, whose value is a time; empty without one, and none if the time is within a day.
    pub(crate) fn day(&self, name: &str, clock: &Clock) -> Option<String> {
        let later = later(name)?;
        match self.text(name) {
            "" => Some(String::new()),
            time => clock.day_of_start(domain::time::parse(time)?, later),
        }
    }
}
