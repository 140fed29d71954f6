//! A day, as a document names the one from which it holds.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

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
        Self::from(at.to_zoned(TimeZone::UTC).date())
    }
}

fn day(text: &str, pointer: &str, faults: &mut Faults) {
    if text.len() != 10 || text.parse::<Date>().is_err() {
        faults.add(pointer, FaultCode::Format, "must be a day, such as 2026-03-01");
    }
}
