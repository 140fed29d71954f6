//! Fields for days: a filter of a list takes the time at which a day begins in the zone of the page.

use super::Form;
use crate::frame::clock::Clock;

/// The fields, and how many days after the day that they have the time is: the last day is included.
const DAYS: [(&str, i64); 3] = [("detected_from", 0), ("detected_to", 1), ("updated_since", 0)];

impl Form {
    /// The same with the time of each day. What is a time already stays.
    #[must_use]
    pub(crate) fn with_times_of_days(mut self, clock: &Clock) -> Self {
        for (name, value) in &mut self.pairs {
            let later = DAYS.iter().find(|(known, _)| *known == name.as_str()).map(|(_, later)| *later);
            if let Some(at) = later.and_then(|later| clock.start_of_day(value, later)) {
                *value = domain::time::format(at);
            }
        }
        self
    }

    /// The day of a field, whose value is a time; empty without one, and none if the time is within a day.
    pub(crate) fn day(&self, name: &str, clock: &Clock) -> Option<String> {
        let (_, later) = DAYS.iter().find(|(known, _)| *known == name)?;
        match self.text(name) {
            "" => Some(String::new()),
            time => clock.day_of_start(domain::time::parse(time)?, *later),
        }
    }
}
