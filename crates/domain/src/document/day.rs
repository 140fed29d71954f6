//! A day, as a document names the one from which it holds.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::fault::{FaultCode, Faults};
use crate::schema::TextSchema;
use crate::text::texts;

/// A day, such as `2026-03-01`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(String);

texts! {
    () Day = day,
        TextSchema::of(10, 10, "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$").such_as("2026-03-01");
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self(date.to_string())
    }
}

impl Day {
    /// The day of a moment (UTC).
    pub fn of(at: Timestamp) -> Self {
        Self::in_zone(at, &TimeZone::UTC)
    }

    /// The day of a moment in a time zone.
    pub fn in_zone(at: Timestamp, zone: &TimeZone) -> Self {
        Self::from(at.to_zoned(zone.clone()).date())
    }

    /// The day as a calendar has it; the first one of all for a text that is none.
    pub fn date(&self) -> Date {
        self.0.parse().unwrap_or(Date::MIN)
    }

    /// So many days later; none after the year 9999.
    pub fn later(&self, days: i64) -> Option<Self> {
        Self::of_number(self.number().checked_add(days)?)
    }

    /// The days since 1970-01-01.
    pub fn number(&self) -> i64 {
        self.date().duration_since(FIRST).as_secs().div_euclid(SECONDS)
    }

    /// The day that is so many days after 1970-01-01.
    pub fn of_number(number: i64) -> Option<Self> {
        FIRST.checked_add(Span::new().try_days(number).ok()?).ok().map(Self::from)
    }
}

/// The day with the number 0.
const FIRST: Date = date(1970, 1, 1);

/// The seconds of a day, without its time zone.
const SECONDS: i64 = 86_400;

fn day(text: &str, pointer: &str, faults: &mut Faults) {
    if text.len() != 10 || text.parse::<Date>().is_err() {
        faults.add(pointer, FaultCode::Format, "must be a day, such as 2026-03-01");
    }
}
