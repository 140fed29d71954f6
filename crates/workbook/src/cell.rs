//! What stands in a cell.

use jiff::Span;
use jiff::civil::{Date, Time, date};

/// What stands in a cell; of a formula its stored result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'w> {
    /// Nothing, or only spaces.
    Empty,
    /// A text without spaces around it.
    Text(&'w str),
    /// A number.
    Number(f64),
    /// A number that is shown as a percentage; 0.2 is 20 %.
    Percent(f64),
    /// Yes or no.
    Bool(bool),
    /// Days since 1899-12-30, also of a workbook that counts from 1904.
    Date(f64),
    /// The error that a formula has, such as `#REF!`.
    Error(&'w str),
}

impl Cell<'_> {
    /// Whether nothing stands in it.
    pub fn is_empty(self) -> bool {
        self == Self::Empty
    }

    /// Its text as a person reads it; dates as ISO 8601.
    pub fn shown(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Error(text) => text.to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Percent(share) => format!("{}%", (share * 1e8).round() / 1e6),
            Self::Bool(flag) => flag.to_string(),
            Self::Date(serial) => match moment(serial) {
                Some((date, Some(time))) => format!("{date} {time}"),
                Some((date, None)) => date.to_string(),
                None => serial.to_string(),
            },
        }
    }
}

/// The last day that spreadsheets know, 9999-12-31.
const LAST_SERIAL: f64 = 2_958_466.0;

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// The date of a serial, with its time unless it is midnight. Spreadsheets have a 29 February 1900, which is number 60.
pub(crate) fn moment(serial: f64) -> Option<(Date, Option<Time>)> {
    if !(1.0..LAST_SERIAL).contains(&serial) {
        return None;
    }
    let seconds = (serial.fract() * DAY).round();
    let carried = seconds >= DAY;
    let days = whole(serial.trunc())? + i64::from(carried);
    let epoch = if days < 60 { date(1899, 12, 31) } else { date(1899, 12, 30) };
    let date = epoch.checked_add(Span::new().try_days(days).ok()?).ok()?;
    let second = if carried { 0 } else { whole(seconds)? };
    let part = |value: i64| i8::try_from(value).ok();
    let time = Time::new(part(second / 3600)?, part(second / 60 % 60)?, part(second % 60)?, 0).ok()?;
    Some((date, (second > 0).then_some(time)))
}

/// A number without a fraction, if it is one that is not large.
pub(crate) fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "it is small and has no fraction")]
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}
