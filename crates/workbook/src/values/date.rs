//! Dates: serials, ISO 8601, and texts in either order.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use crate::cell::{Cell, moment};
use crate::words::folded;

/// A date, with its time and the offset from UTC if it says them.
pub(crate) type Moment = (Date, Option<Time>, Option<Offset>);

/// Which number of `04/05/2026` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    DayFirst,
    MonthFirst,
}

/// The beginnings of the names of months in six languages, folded.
const MONTHS: [&[&str]; 12] = [
    &["jan", "janv", "ene", "gen"],
    &["feb", "fev", "fevr"],
    &["mar", "mrz", "maerz", "maar", "mrt"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mei", "mag", "mayo"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "dic"],
];

/// The date of a cell.
pub(crate) fn of(cell: Cell<'_>, order: Order) -> Option<Moment> {
    match cell {
        Cell::Date(serial) | Cell::Number(serial) => moment(serial).map(|(date, time)| (date, time, None)),
        Cell::Text(text) => of_text(text, order),
        _ => None,
    }
}

/// Whether a text is a date, in whichever order.
pub(crate) fn looks_like_one(text: &str) -> bool {
    of_text(text, Order::DayFirst).is_some() || of_text(text, Order::MonthFirst).is_some()
}

/// The order that a text shows by a number above 12; none if it has no order, or either fits.
pub(crate) fn order_of(text: &str) -> Option<Order> {
    match (of_text(text, Order::DayFirst), of_text(text, Order::MonthFirst)) {
        (Some(_), None) => Some(Order::DayFirst),
        (None, Some(_)) => Some(Order::MonthFirst),
        _ => None,
    }
}

/// Whether a text is another date in the other order.
pub(crate) fn is_ambiguous(text: &str) -> bool {
    let (day, month) = (of_text(text, Order::DayFirst), of_text(text, Order::MonthFirst));
    day.is_some() && month.is_some() && day != month
}

fn of_text(text: &str, order: Order) -> Option<Moment> {
    let text = text.trim();
    if !(6..=40).contains(&text.len()) {
        return None;
    }
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) if time.contains(':') => (day, Some(time_of(time, text.contains('T'))?)),
        _ => (text, None),
    };
    let date = numbers(day, order).or_else(|| named(day))?;
    let (time, offset) = time.unzip();
    Some((date, time, offset.flatten()))
}

/// A time, with the offset from UTC if it says one. `9:00-10:00` without a `T` before it is none.
fn time_of(text: &str, is_iso: bool) -> Option<(Time, Option<Offset>)> {
    let lower = text.trim().to_ascii_lowercase();
    let sign = lower.rfind(['+', '-']).and_then(|at| lower.split_at_checked(at));
    let (text, offset) = match (lower.strip_suffix('z').or_else(|| lower.strip_suffix("utc")), sign) {
        (Some(text), _) => (text, Some(Offset::UTC)),
        (None, Some((text, offset))) => {
            let has_seconds = text.matches(':').count() == 2;
            let is_one = is_iso || has_seconds || offset.starts_with('+');
            (text, Some(offset_of(offset).filter(|_| is_one)?))
        }
        (None, None) => (&*lower, None),
    };
    let text = text.trim_end();
    let (text, is_afternoon) = match text.strip_suffix("pm") {
        Some(text) => (text.trim_end(), Some(true)),
        None => text.strip_suffix("am").map_or((text, None), |text| (text.trim_end(), Some(false))),
    };
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let mut parts = clock.split(':');
    let hour: i8 = parts.next()?.parse().ok()?;
    let minute = parts.next()?.parse().ok()?;
    let second = parts.next().map_or(Some(0), |second| second.parse().ok())?;
    let hour = match is_afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    Some((Time::new(hour, minute, second, digits.parse().ok()?).ok()?, offset))
}

/// `+02:00`, `-0530`, `+2`.
fn offset_of(text: &str) -> Option<Offset> {
    let digits = text.get(1..)?.replace(':', "");
    if digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i32 = digits.parse().ok()?;
    let (hours, minutes) = if digits.len() > 2 { (number / 100, number % 100) } else { (number, 0) };
    let seconds = (hours * 60 + minutes) * 60;
    Offset::from_seconds(if text.starts_with('-') { -seconds } else { seconds }).ok()
}

/// `2026-01-31`, `31.01.2026`, `1/31/26`. With points the day is first, with the year first the month is second.
fn numbers(text: &str, order: Order) -> Option<Date> {
    let sign = text.chars().find(|letter| !letter.is_ascii_digit())?;
    if !['-', '/', '.'].contains(&sign) {
        return None;
    }
    let parts: Vec<&str> = text.split(sign).map(str::trim).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    if first.len() == 4 {
        return date(first, second.parse().ok()?, third.parse().ok()?);
    }
    let (day, month) = match order {
        Order::MonthFirst if sign != '.' => (second, first),
        _ => (first, second),
    };
    date(third, month.parse().ok()?, day.parse().ok()?)
}

/// `31 January 2026`, `Jan 31, 2026`, `31-gen-2026`.
fn named(text: &str) -> Option<Date> {
    let words = folded(text);
    let words: Vec<&str> = words.split(' ').filter(|word| !["de", "of"].contains(word)).collect();
    let [first, second, third] = words.as_slice() else { return None };
    let (day, month) = if first.starts_with(|letter: char| letter.is_ascii_digit()) {
        (first, second)
    } else {
        (second, first)
    };
    let place = MONTHS.iter().position(|names| names.iter().any(|name| month.starts_with(name)))?;
    let day = day.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    date(third, i8::try_from(place + 1).ok()?, day.parse().ok()?)
}

/// A year of two digits is one of this century.
fn date(year: &str, month: i8, day: i8) -> Option<Date> {
    let number: i16 = year.parse().ok()?;
    let year = match year.len() {
        4 => number,
        2 => 2_000 + number,
        _ => return None,
    };
    Date::new(year, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::{Order, is_ambiguous, of, of_text, order_of};
    use crate::cell::Cell;

    #[test]
    fn texts_are_dates_in_either_order() {
        let day = |text| of_text(text, Order::DayFirst).map(|(date, ..)| date.to_string());
        for text in [
            "2026-03-04",
            "04.03.2026",
            "4/3/26",
            "4 March 2026",
            "Mar 4, 2026",
            "4. März 2026",
            "4-mrt-2026",
        ] {
            assert_eq!(day(text).as_deref(), Some("2026-03-04"), "{text}");
        }
        let month = of_text("4/3/2026", Order::MonthFirst).map(|(date, ..)| date.to_string());
        assert_eq!(month.as_deref(), Some("2026-04-03"));
        assert!(is_ambiguous("4/3/2026") && !is_ambiguous("04.03.2026") && !is_ambiguous("4/4/2026"));
        assert_eq!(order_of("31/01/2026"), Some(Order::DayFirst));
        assert_eq!(order_of("01/31/2026"), Some(Order::MonthFirst));
        for text in ["Q3 2026", "31.02.2026", "soon, we hope", "1.2.3", "2026-13-01", ""] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn times_and_serials_are_read() {
        let shown = |cell| of(cell, Order::DayFirst).map(|(date, time, _)| format!("{date} {time:?}"));
        assert_eq!(shown(Cell::Number(46085.0)).as_deref(), Some("2026-03-04 None"));
        assert_eq!(shown(Cell::Text("2026-03-04T12:30:00Z")), shown(Cell::Date(46085.0 + 750.0 / 1440.0)));
        assert_eq!(shown(Cell::Text("3/4/2026 1:05 PM")), shown(Cell::Text("2026-04-03 13:05")));
        let precise = shown(Cell::Text("2026-03-04T12:30:00.000250Z"));
        assert_eq!(precise.as_deref(), Some("2026-03-04 Some(12:30:00.00025)"));
        assert_eq!(shown(Cell::Number(-1.0)), None);
        assert_eq!(shown(Cell::Number(1.0)).as_deref(), Some("1900-01-01 None"));
    }
    #[test]
    fn a_time_may_say_its_offset_from_utc() {
        let seconds = |time: &str| {
            let found = of_text(&format!("2026-03-04{time}"), Order::DayFirst);
            found.and_then(|(.., offset)| offset).map(jiff::tz::Offset::seconds)
        };
        for (time, offset) in [
            ("T12:30:00Z", 0),
            (" 12:30 UTC", 0),
            ("T12:30+02:00", 7_200),
            (" 12:30 +0200", 7_200),
            ("T12:30:00.000250-05:30", -19_800),
            (" 12:30:00-5", -18_000),
        ] {
            assert_eq!(seconds(time), Some(offset), "{time}");
        }
        assert_eq!(seconds("T12:30:00"), None);
        // Better no date than another time: a span, and an offset that nobody reads.
        for time in [" 9:00-10:00", "T12:30:00+", "T12:30:00.5 CET", "T12:30:00+123456"] {
            assert_eq!(of_text(&format!("2026-03-04{time}"), Order::DayFirst), None, "{time}");
        }
    }
}
