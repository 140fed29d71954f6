//! Dates on the wire: RFC 3339 in, with an offset; UTC with six fractional digits and `Z` out.

use jiff::Timestamp;

/// How far ahead of the clock a date may lie: clocks differ.
pub const CLOCK_TOLERANCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// The earliest date that RFC 3339 can write: `0000-01-01T00:00:00Z`.
const EARLIEST: Timestamp = Timestamp::constant(-62_167_219_200, 0);

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

/// `2026-03-01T09:00:00.000000Z`.
pub fn format(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// The start of the span of so many seconds, counted from the epoch, that `at` lies in.
pub fn floor(at: Timestamp, seconds: i64) -> Timestamp {
    let start = at.as_microsecond().div_euclid(seconds * 1_000_000) * seconds;
    Timestamp::from_second(start).unwrap_or(at)
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
    fn cuts_to_microseconds_over_the_whole_range() {
        for at in [Timestamp::MIN, Timestamp::UNIX_EPOCH, Timestamp::MAX] {
            assert_eq!(cut(at).as_nanosecond() % 1_000, 0, "{at}");
            assert!(at.as_nanosecond() - cut(at).as_nanosecond() < 1_000, "{at}");
        }
    }

    #[test]
    fn floors_before_the_epoch_too() {
        let at: Timestamp = "1969-12-31T23:59:59.5Z".parse().unwrap();
        assert_eq!(format(floor(at, 60)), "1969-12-31T23:59:00.000000Z");
    }
}
