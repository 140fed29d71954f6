//! Times as people read and type them, in the zone of the organization.

use domain::time::EARLIEST;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan as _};

/// The moment at which a page is made, and the zone of its times.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    now: Timestamp,
    zone: TimeZone,
    zone_name: String,
}

impl Clock {
    pub(crate) fn new(now: Timestamp, zone: TimeZone, zone_name: &str) -> Self {
        Self { now, zone, zone_name: zone_name.to_owned() }
    }

    /// A clock for pages outside an organization.
    pub(crate) fn utc(now: Timestamp) -> Self {
        Self::new(now, TimeZone::UTC, "UTC")
    }

    /// The moment at which the page is made.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// The zone.
    pub(crate) fn time_zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The name of the zone.
    pub(crate) fn zone(&self) -> &str {
        &self.zone_name
    }

    /// `Today 06:08`, `21 Nov 22:11`, and in other years `21 Nov 2025`.
    pub(crate) fn short(&self, at: &Timestamp) -> String {
        let (then, today) = (at.to_zoned(self.zone.clone()), self.now.to_zoned(self.zone.clone()));
        let format = match () {
            () if then.date() == today.date() => "Today %H:%M",
            () if then.year() == today.year() => "%-d %b %H:%M",
            () => "%-d %b %Y",
        };
        then.strftime(format).to_string()
    }

    /// Whether that is on the same day.
    pub(crate) fn is_today(&self, at: &Timestamp) -> bool {
        at.to_zoned(self.zone.clone()).date() == self.now.to_zoned(self.zone.clone()).date()
    }

    /// `22 November 2026`.
    pub(crate) fn day(&self, at: &Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%-d %B %Y").to_string()
    }

    /// A day that is written so: `2026-11-22` as `22 Nov 2026`.
    pub(crate) fn date(&self, day: &str) -> String {
        day.parse::<Date>().map_or_else(|_| day.to_owned(), |day| day.strftime("%-d %b %Y").to_string())
    }

    /// `22 November 2026, 06:08:41`.
    pub(crate) fn long(&self, at: &Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%-d %B %Y, %H:%M:%S").to_string()
    }

    /// In full, as it is printed: `22 November 2026 06:08 CET`, with seconds unless there are none.
    pub(crate) fn full(&self, at: &Timestamp) -> String {
        let at = at.to_zoned(self.zone.clone());
        at.strftime(if at.second() == 0 { "%-d %B %Y %H:%M %Z" } else { "%-d %B %Y %H:%M:%S %Z" }).to_string()
    }

    /// The exact instant, for `datetime`.
    pub(crate) fn exact(&self, at: &Timestamp) -> String {
        domain::time::format(*at)
    }

    /// `2026-11-22T06:08:41`, as a field of a form has it.
    pub(crate) fn field(&self, at: &Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// Whether a field with this text shows that moment. A browser may leave out seconds that are zero.
    pub(crate) fn shows(&self, field: &str, at: &Timestamp) -> bool {
        let shown: Option<DateTime> = self.field(at).parse().ok();
        shown.is_some() && shown == field.parse().ok()
    }

    /// What a field of a form means in the zone.
    pub(crate) fn typed(&self, field: &str) -> Typed {
        if field.is_empty() {
            return Typed::Nothing;
        }
        let Ok(local) = field.parse::<DateTime>() else { return Typed::Other(field.to_owned()) };
        let offsets = match self.zone.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => [offset; 2],
            AmbiguousOffset::Fold { before, after } => [before, after],
            // The clocks skip it: an hour earlier on them, or an hour later.
            AmbiguousOffset::Gap { before, after } => [after, before],
        };
        match offsets.map(|offset| offset.to_timestamp(local)) {
            // It is earlier than any moment that is taken.
            [Ok(one), Ok(other)] if one.min(other) < EARLIEST => Typed::Other(field.to_owned()),
            [Ok(one), Ok(other)] if one == other => Typed::Moment(one),
            [Ok(one), Ok(other)] => Typed::Unclear([one, other]),
            // It is later than any moment that is taken, in every zone; who reads it names the limit.
            _ => Typed::Other(format!("{local}Z")),
        }
    }

    /// When a day begins in the zone that a field for days has, so many days after it; none for one before the year 0.
    pub(crate) fn start_of_day(&self, field: &str, later: i64) -> Option<Timestamp> {
        let day = Date::strptime("%Y-%m-%d", field).ok()?.checked_add(later.days()).ok()?;
        let begin = day.to_zoned(self.zone.clone()).ok()?.timestamp();
        (begin >= EARLIEST).then_some(begin)
    }

    /// The last moment of a day in the zone that a field for days has.
    pub(crate) fn end_of_day(&self, field: &str) -> Option<Timestamp> {
        Some(self.start_of_day(field, 1)? - SignedDuration::from_micros(1))
    }

    /// What such a field has for a moment at which a day begins; none for any other.
    pub(crate) fn day_of_start(&self, at: Timestamp, later: i64) -> Option<String> {
        let day = at.to_zoned(self.zone.clone()).date().checked_sub(later.days()).ok()?.to_string();
        (self.start_of_day(&day, later) == Some(at)).then_some(day)
    }

    /// A moment with the offset of the zone, to tell it from another with the same time of day: `25 October 2026, 02:30:00
    /// (UTC+02)`.
    pub(crate) fn with_offset(&self, at: &Timestamp) -> String {
        let zoned = at.to_zoned(self.zone.clone());
        format!("{} (UTC{})", zoned.strftime("%-d %B %Y, %H:%M:%S"), zoned.offset())
    }

    /// The same clock in another zone, if there is one of that name.
    #[must_use]
    pub(crate) fn in_zone(&self, name: &str) -> Self {
        if name.is_empty() || name == self.zone_name {
            return self.clone();
        }
        TimeZone::get(name).map_or_else(|_| self.clone(), |zone| Self::new(self.now, zone, name))
    }

    /// How long ago that was: `37 min`, `4 h 52 min`, `2 d 4 h`, `11 d`.
    pub(crate) fn age(&self, since: &Timestamp) -> String {
        duration(self.now.duration_since(*since))
    }

    /// The months that have begun after a time, with their names: `Nov`, and in January `2026`.
    pub(crate) fn months_since(&self, first: Timestamp) -> Vec<(Timestamp, String)> {
        let mut months = Vec::new();
        let mut month = first.to_zoned(self.zone.clone()).date().first_of_month();
        while let Ok(next) = month.checked_add(1.month()) {
            month = next;
            let Ok(begin) = month.to_zoned(self.zone.clone()) else { break };
            if begin.timestamp() > self.now {
                break;
            }
            let format = if month.month() == 1 { "%Y" } else { "%b" };
            months.push((begin.timestamp(), month.strftime(format).to_string()));
        }
        months
    }

    /// The hour of the day.
    pub(crate) fn hour(&self) -> i8 {
        self.now.to_zoned(self.zone.clone()).hour()
    }
}

/// What a person typed into a field for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// Nothing.
    Nothing,
    /// A moment.
    Moment(Timestamp),
    /// A time at which the clocks of the zone are changed: it exists twice or not at all. The two moments that may be meant,
    /// the earlier one first.
    Unclear([Timestamp; 2]),
    /// No time that is taken.
    Other(String),
}

/// A length of time that was measured in seconds.
pub(crate) fn length(seconds: f64) -> String {
    if seconds < 59.5 {
        return format!("{seconds:.0} s");
    }
    SignedDuration::try_from_secs_f64(seconds + 0.5).map_or_else(|_| String::new(), duration)
}

/// A length of time in one unit, or in two that are neighbours.
fn duration(length: SignedDuration) -> String {
    let two = |count: i64, unit: &str, rest: i64, part: &str| match rest {
        0 => format!("{count} {unit}"),
        _ => format!("{count} {unit} {rest} {part}"),
    };
    match length.as_mins() {
        ..1 => "<1 min".to_owned(),
        minutes @ 1..60 => format!("{minutes} min"),
        minutes @ 60..1_440 => two(minutes / 60, "h", minutes % 60, "min"),
        minutes @ 1_440..14_400 => two(minutes / 1_440, "d", minutes % 1_440 / 60, "h"),
        minutes => format!("{} d", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        Clock::new("2026-11-22T23:30:00Z".parse().unwrap(), zone, "Europe/Berlin")
    }

    #[test]
    fn a_time_is_as_long_as_it_must_be() {
        let short = |text: &str| clock().short(&text.parse().unwrap());
        assert_eq!(short("2026-11-22T23:05:00Z"), "Today 00:05");
        assert_eq!(short("2026-11-22T22:05:00Z"), "22 Nov 23:05");
        assert_eq!(short("2025-01-02T03:04:05Z"), "2 Jan 2025");
        let full = |text: &str| clock().full(&text.parse().unwrap());
        assert_eq!(full("2026-11-21T21:11:00Z"), "21 November 2026 22:11 CET");
        assert_eq!(full("2025-07-02T03:04:05Z"), "2 July 2025 05:04:05 CEST");
        assert_eq!(clock().long(&"2025-07-02T03:04:05Z".parse().unwrap()), "2 July 2025, 05:04:05");
    }

    #[test]
    fn what_is_typed_is_a_time_of_the_zone() {
        let moment = |text: &str| Typed::Moment(text.parse().unwrap());
        assert_eq!(clock().typed("2026-11-22T10:00"), moment("2026-11-22T09:00:00Z"));
        assert_eq!(clock().typed("2026-07-22T10:00:30"), moment("2026-07-22T08:00:30Z"));
        assert_eq!(clock().typed("yesterday"), Typed::Other("yesterday".to_owned()));
        assert_eq!(clock().typed(""), Typed::Nothing);
        let Typed::Other(late) = clock().typed("9999-12-31T12:00") else { panic!("a moment") };
        assert!(domain::time::beyond_limits(&late).is_some(), "{late}");
        // The last one lies before the year 0 in UTC.
        for early in ["-009000-01-01T00:00:00", "-000001-12-31T12:00", "0000-01-01T00:00"] {
            assert_eq!(clock().typed(early), Typed::Other(early.to_owned()));
        }
        assert!(matches!(clock().typed("0000-01-02T00:00"), Typed::Moment(_)));
    }

    #[test]
    fn a_day_begins_and_ends_in_the_zone() {
        for (day, later, begin) in [
            ("2026-11-22", 0, "2026-11-21T23:00:00Z"),
            ("2026-11-22", 1, "2026-11-22T23:00:00Z"),
            ("2026-03-29", 1, "2026-03-29T22:00:00Z"),
        ] {
            let begin: Timestamp = begin.parse().unwrap();
            assert_eq!(clock().start_of_day(day, later), Some(begin));
            assert_eq!(clock().day_of_start(begin, later).as_deref(), Some(day));
        }
        for other in ["", "2026-02-30", "2026-11-22T10:00", "2026-11-22T00:00:00Z", "yesterday"] {
            assert_eq!(clock().start_of_day(other, 0), None, "{other}");
        }
        assert_eq!(clock().day_of_start("2026-11-22T00:00:00Z".parse().unwrap(), 0), None);
        for early in ["-9000-01-01", "-009000-01-01", "-0001-12-30", "0000-01-01"] {
            assert_eq!(clock().start_of_day(early, 0), None, "{early}");
        }
        assert!(clock().start_of_day("0000-01-02", 0).is_some());
    }

    #[test]
    fn a_time_that_exists_twice_or_not_at_all_is_one_of_two_moments() {
        let unclear = |field: &str, moments: [&str; 2], shown: [&str; 2]| {
            let moments = moments.map(|text| text.parse().unwrap());
            assert_eq!(clock().typed(field), Typed::Unclear(moments), "{field}");
            assert_eq!(moments.map(|at| clock().with_offset(&at)), shown);
        };
        unclear(
            "2026-10-25T02:30",
            ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"],
            ["25 October 2026, 02:30:00 (UTC+02)", "25 October 2026, 02:30:00 (UTC+01)"],
        );
        unclear(
            "2026-03-29T02:30",
            ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"],
            ["29 March 2026, 01:30:00 (UTC+01)", "29 March 2026, 03:30:00 (UTC+02)"],
        );
    }

    #[test]
    fn months_begin_in_the_zone() {
        let months = |first: &str| -> Vec<String> {
            let begun = clock().months_since(first.parse().unwrap());
            begun.into_iter().map(|(at, label)| format!("{at} {label}")).collect()
        };
        assert_eq!(months("2026-09-30T12:00:00Z"), ["2026-09-30T22:00:00Z Oct", "2026-10-31T23:00:00Z Nov"]);
        assert_eq!(months("2025-12-02T00:00:00Z")[0], "2025-12-31T23:00:00Z 2026");
        assert!(months("2026-11-01T00:00:00Z").is_empty());
    }

    #[test]
    fn a_length_has_one_or_two_units() {
        let age = |text: &str| clock().age(&text.parse().unwrap());
        assert_eq!(age("2026-11-22T23:29:30Z"), "<1 min");
        assert_eq!(age("2026-11-22T22:53:00Z"), "37 min");
        assert_eq!(age("2026-11-22T18:38:00Z"), "4 h 52 min");
        assert_eq!(age("2026-11-21T23:30:00Z"), "1 d");
        assert_eq!(age("2026-11-20T19:30:00Z"), "2 d 4 h");
        assert_eq!(age("2026-11-11T12:00:00Z"), "11 d");
        assert_eq!(age("2026-11-23T12:00:00Z"), "<1 min");
    }
}
