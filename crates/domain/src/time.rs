//! Dates on the wire: RFC 3339 in, with an offset; UTC with six fractional digits and `Z` out.

use jiff::Timestamp;
use jiff::civil::Date;

/// How far ahead of the clock a date may lie: clocks differ.
pub const CLOCK_TOLERANCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// Whether a date lies in the future, by a clock that may be slow.
pub fn is_ahead(date: Timestamp, now: Timestamp) -> bool {
    date > now.saturating_add(CLOCK_TOLERANCE).unwrap_or(Timestamp::MAX)
}

/// The earliest date that is taken, because RFC 3339 can write no earlier one: `0000-01-01T00:00:00Z`.
pub const EARLIEST: Timestamp = Timestamp::constant(-62_167_219_200, 0);

const BEFORE_EARLIEST: &str = "must not be before 0000-01-01T00:00:00Z, the earliest date-time that is taken";

/// The time library has no later moments, so that each has a local time before the year 10000 in every zone.
const AFTER_LATEST: &str =
    "must not be after 9999-12-30T22:00:00.999999Z, the latest date-time that is taken";

/// Truncates to microseconds.
pub fn cut(at: Timestamp) -> Timestamp {
    let finer = at.as_nanosecond().rem_euclid(1_000);
    // The first nanosecond of the range is a whole microsecond, so there is always one to go back to.
    Timestamp::from_nanosecond(at.as_nanosecond() - finer).unwrap_or(at)
}

/// Reads an RFC 3339 date-time (section 5.6; `T` and `Z` in either case, a space for `T`, a leap
/// second). The offset is required. Anything finer than a microsecond is truncated. A date that lies before the
/// year 0 in UTC could not be written again, and is refused.
pub fn parse(text: &str) -> Option<Timestamp> {
    let at = has_rfc3339_shape(text.as_bytes()).then(|| text.parse::<Timestamp>().ok()).flatten()?;
    (at >= EARLIEST).then(|| cut(at))
}

/// Why [`parse`] refuses a date-time that RFC 3339 can write: it is beyond a limit, which the sentence names. `None` for a
/// text that is no date-time.
pub fn beyond_limits(text: &str) -> Option<&'static str> {
    let (day, rest) = text.split_at_checked(10).filter(|_| has_rfc3339_shape(text.as_bytes()))?;
    // Whether the day and the rest exist is checked apart, as the time library has no such moment.
    let exists = day.parse::<Date>().is_ok() && format!("2000-06-15{rest}").parse::<Timestamp>().is_ok();
    match day.get(..4)? {
        _ if !exists || parse(text).is_some() => None,
        "9999" => Some(AFTER_LATEST),
        _ => Some(BEFORE_EARLIEST),
    }
}

/// `2026-03-01T09:00:00.000000Z`.
pub fn format(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// The start of the span of so many seconds, counted from the epoch, that `at` lies in.
pub fn floor(at: Timestamp, seconds: i64) -> Timestamp {
    let start = at.as_microsecond().div_euclid(seconds * 1_000_000) * seconds;
    Timestamp::from_second(start).unwrap_or(at)
}

/// Whether a time that was read from a file is a stored one, which the file may have without its fraction of a second: it has none
/// then, and is the second in which the stored one lies.
pub fn is_same(read: Timestamp, stored: Timestamp) -> bool {
    read == stored || read == floor(stored, 1)
}

/// The first of the stored times that one which was read from a file is, or else that one.
pub fn stored_or<const N: usize>(
    read: Option<Timestamp>,
    stored: [Option<Timestamp>; N],
) -> Option<Timestamp> {
    let read = read?;
    stored.into_iter().flatten().find(|stored| is_same(read, *stored)).or(Some(read))
}

/// jiff reads more forms than RFC 3339 has (week dates, missing minutes, bracketed zones).
fn has_rfc3339_shape(text: &[u8]) -> bool {
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let [y @ .., b'-', m1, m2, b'-', d1, d2] = text.get(..10).unwrap_or_default() else { return false };
    let Some([b'T' | b't' | b' ', h1, h2, b':', n1, n2, b':', s1, s2]) = text.get(10..19) else {
        return false;
    };
    if !digits(y) || y.len() != 4 || !digits(&[*m1, *m2, *d1, *d2, *h1, *h2, *n1, *n2, *s1, *s2]) {
        return false;
    }
    let mut rest = text.get(19..).unwrap_or_default();
    if let [b'.', fraction @ ..] = rest {
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = fraction.get(count..).unwrap_or_default();
        if count == 0 {
            return false;
        }
    }
    match rest {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => digits(&[*h1, *h2, *m1, *m2]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_rfc_3339_allows() {
        for (text, expected) in [
            ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z"),
            ("2026-03-01t09:00:00z", "2026-03-01T09:00:00.000000Z"),
            ("2026-03-01 09:00:00.5+01:00", "2026-03-01T08:00:00.500000Z"),
            ("2026-03-01T09:00:00.123456789Z", "2026-03-01T09:00:00.123456Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000000Z"),
            ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
            ("9999-12-30T22:00:00.999999999Z", "9999-12-30T22:00:00.999999Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(parse(text).map(format).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        for text in [
            "",
            "2026-03-01",
            "2026-03-01T09:00:00",
            "2026-03-01T09:00Z",
            "2026-03-01T09Z",
            "20260301T090000Z",
            "2026-03-01T09:00:00.Z",
            "2026-03-01T09:00:00+0100",
            "2026-03-01T09:00:00Z[UTC]",
            "2026-02-30T09:00:00Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T09:00:00,5Z",
            " 2026-03-01T09:00:00Z",
            "2026-W09-7T09:00:00Z",
            "+002026-03-01T09:00:00Z",
            "2026-03-01T09:00:00+99:99",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_beyond_a_limit_is_told_from_what_is_no_date() {
        for late in ["9999-12-31T23:59:59Z", "9999-12-30T22:00:01Z", "9999-12-31t23:59:60.5+23:59"] {
            assert_eq!((parse(late), beyond_limits(late)), (None, Some(AFTER_LATEST)), "{late}");
        }
        assert_eq!(beyond_limits("0000-01-01T00:00:00+00:01"), Some(BEFORE_EARLIEST));
        for other in
            ["", "9999-12-32T00:00:00Z", "9999-12-31T24:00:00Z", "9999-12-31", "2026-02-30T00:00:00Z"]
        {
            assert_eq!((parse(other), beyond_limits(other)), (None, None), "{other}");
        }
        assert_eq!(beyond_limits("2026-03-01T09:00:00Z"), None);
        // The limits that are named are those that hold.
        for limit in [AFTER_LATEST, BEFORE_EARLIEST] {
            let named = limit.split([' ', ',']).find(|word| word.ends_with('Z')).unwrap();
            assert!(parse(named).is_some(), "{named}");
        }
        assert!(AFTER_LATEST.contains(&format(cut(Timestamp::MAX))));
    }

    #[test]
    fn cuts_to_microseconds_over_the_whole_range() {
        for at in [Timestamp::MIN, Timestamp::UNIX_EPOCH, Timestamp::MAX] {
            assert_eq!(cut(at).as_nanosecond() % 1_000, 0, "{at}");
            assert!(at.as_nanosecond() - cut(at).as_nanosecond() < 1_000, "{at}");
        }
    }

    #[test]
    fn a_time_without_a_fraction_is_each_of_its_second() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        for (read, stored, is_one) in [
            ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00.999999Z", true),
            ("2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00.5Z", true),
            ("2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00.6Z", false),
            ("2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00Z", false),
            ("2026-01-05T10:00:01Z", "2026-01-05T10:00:00.999999Z", false),
            ("1969-12-31T23:59:58Z", "1969-12-31T23:59:58.5Z", true),
        ] {
            assert_eq!(is_same(at(read), at(stored)), is_one, "{read} {stored}");
            let kept = if is_one { stored } else { read };
            assert_eq!(stored_or(Some(at(read)), [None, Some(at(stored))]), Some(at(kept)));
        }
    }

    #[test]
    fn floors_before_the_epoch_too() {
        let at: Timestamp = "1969-12-31T23:59:59.5Z".parse().unwrap();
        assert_eq!(format(floor(at, 60)), "1969-12-31T23:59:00.000000Z");
    }
}
