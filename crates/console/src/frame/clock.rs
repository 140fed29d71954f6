//! Times as people read them, in the zone of the organization.

use jiff::tz::TimeZone;
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

    /// `22 November 2026, 06:08:41`.
    pub(crate) fn long(&self, at: &Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%-d %B %Y, %H:%M:%S").to_string()
    }

    /// The exact instant, for `datetime`.
    pub(crate) fn exact(&self, at: &Timestamp) -> String {
        domain::time::format(*at)
    }

    /// `2026-11-22T06:08`, as a field of a form has it.
    pub(crate) fn field(&self, at: &Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// The instant of a field of a form, with the offset that the zone has then; any other text as it was typed, which is
    /// refused by those who read it.
    pub(crate) fn instant(&self, field: &str) -> String {
        let Ok(local) = field.parse::<jiff::civil::DateTime>() else { return field.to_owned() };
        match local.to_zoned(self.zone.clone()) {
            Ok(zoned) => domain::time::format(zoned.timestamp()),
            // It is later than any moment that is taken, in every zone; who reads it names the limit.
            Err(_) => format!("{local}Z"),
        }
    }

    /// How long ago that was: `37 min`, `4 h 52 min`, `11 days`.
    pub(crate) fn age(&self, since: &Timestamp) -> String {
        duration(self.now.duration_since(*since))
    }

    /// How long the second was after the first.
    pub(crate) fn between(&self, first: &Timestamp, second: &Timestamp) -> String {
        duration(second.duration_since(*first))
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

/// A length of time that was measured in seconds.
pub(crate) fn length(seconds: f64) -> String {
    if seconds < 59.5 {
        return format!("{seconds:.0} s");
    }
    SignedDuration::try_from_secs_f64(seconds + 0.5).map_or_else(|_| String::new(), duration)
}

/// A length of time in one or two units.
fn duration(length: SignedDuration) -> String {
    let minutes = length.as_mins();
    match minutes {
        ..1 => "0 min".to_owned(),
        1..60 => format!("{minutes} min"),
        60..2_880 => match minutes % 60 {
            0 => format!("{} h", minutes / 60),
            rest => format!("{} h {rest} min", minutes / 60),
        },
        _ => format!("{} days", minutes / 1_440),
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
        assert_eq!(clock().long(&"2025-07-02T03:04:05Z".parse().unwrap()), "2 July 2025, 05:04:05");
    }

    #[test]
    fn what_is_typed_is_a_time_of_the_zone() {
        assert_eq!(clock().instant("2026-11-22T10:00"), "2026-11-22T09:00:00.000000Z");
        assert_eq!(clock().instant("2026-07-22T10:00:30"), "2026-07-22T08:00:30.000000Z");
        assert_eq!(clock().instant("yesterday"), "yesterday");
        let late = clock().instant("9999-12-31T12:00");
        assert!(domain::time::beyond_limits(&late).is_some(), "{late}");
        let at = "2026-07-22T08:00:30Z".parse().unwrap();
        assert_eq!(clock().instant(&clock().field(&at)), "2026-07-22T08:00:30.000000Z");
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
        assert_eq!(age("2026-11-22T23:29:30Z"), "0 min");
        assert_eq!(age("2026-11-22T22:53:00Z"), "37 min");
        assert_eq!(age("2026-11-22T18:38:00Z"), "4 h 52 min");
        assert_eq!(age("2026-11-21T23:30:00Z"), "24 h");
        assert_eq!(age("2026-11-11T12:00:00Z"), "11 days");
        assert_eq!(age("2026-11-23T12:00:00Z"), "0 min");
    }
}
