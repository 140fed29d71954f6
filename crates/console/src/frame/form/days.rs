//! Filters by dates. A list takes the times between which a date is: as a page shows them, those are the days of its zone.

use super::Form;
use crate::frame::clock::Clock;

/// A date of records, and the parameters of a list with which a range of it begins and ends.
pub(crate) struct Range {
    pub(crate) date: &'static str,
    pub(crate) from: &'static str,
    /// Empty for a date whose ranges have no end.
    pub(crate) to: &'static str,
}

const RANGES: [Range; 7] = [
    Range { date: "closed", from: "closed_from", to: "closed_to" },
    Range { date: "created", from: "created_from", to: "created_to" },
    Range { date: "detected", from: "detected_from", to: "detected_to" },
    Range { date: "evaluated", from: "evaluated_from", to: "evaluated_to" },
    Range { date: "next_review", from: "next_review_from", to: "next_review_to" },
    Range { date: "resolved", from: "resolved_from", to: "resolved_to" },
    Range { date: "updated", from: "updated_since", to: "" },
];

/// The fields of the control for any of the dates: which one, and its first and its last day.
pub(crate) const CONTROL: [&str; 3] = ["date", "date_from", "date_to"];

/// How many days after the day of a field the time is: the last day is included. None if it is no such field.
fn later(name: &str) -> Option<i64> {
    let ends = |it: &Range| [(it.from, 0), (it.to, 1)];
    RANGES.iter().flat_map(ends).find(|(end, _)| *end == name).map(|(_, later)| later)
}

impl Range {
    /// That of a date.
    pub(crate) fn of(date: &str) -> Option<&'static Self> {
        RANGES.iter().find(|it| it.date == date)
    }
}

impl Form {
    /// The same with the range of the date that was chosen in the control, instead of another range of that date.
    #[must_use]
    pub(crate) fn with_chosen_date(self) -> Self {
        let [date, first, last] = CONTROL;
        let Some(Range { from, to, .. }) = Range::of(self.text(date)) else { return self };
        let days = [(*from, self.text(first).to_owned()), (*to, self.text(last).to_owned())];
        let days = days.into_iter().filter(|(name, day)| !name.is_empty() && !day.is_empty());
        self.without(&[date, first, last, from, to]).and(days)
    }

    /// The same with the time of each day.
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
        match self.text(name) {
            "" => Some(String::new()),
            time => clock.day_of_start(domain::time::parse(time)?, later(name)?),
        }
    }
}
