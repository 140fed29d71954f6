//! Months in a time zone.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::MOST_GROUPS;

/// A month of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    first_day: Date,
}

impl Month {
    /// The month that this moment lies in.
    pub fn of(at: Timestamp, zone: &TimeZone) -> Self {
        Self { first_day: zone.to_datetime(at).date().first_of_month() }
    }

    /// Its first day.
    pub fn first_day(self) -> Date {
        self.first_day
    }

    /// When it begins; none beyond the range of time.
    pub fn begin(self, zone: &TimeZone) -> Option<Timestamp> {
        zone.to_timestamp(self.first_day.at(0, 0, 0, 0)).ok()
    }

    /// The month after it; none beyond the range of time.
    pub fn next(self) -> Option<Self> {
        self.first_day.last_of_month().tomorrow().ok().map(|first_day| Self { first_day })
    }
}

/// `2026-11`.
impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}", self.first_day.year(), self.first_day.month())
    }
}

/// The months from one to another, both included; none if there are more than [`MOST_GROUPS`].
pub fn months(first: Month, last: Month) -> Option<Vec<Month>> {
    let all = std::iter::successors(Some(first), |month| month.next());
    let found: Vec<Month> = all.take_while(|month| *month <= last).take(MOST_GROUPS + 1).collect();
    (found.len() <= MOST_GROUPS).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::organization::zone_named;

    fn month(at: &str, zone: &TimeZone) -> Month {
        Month::of(at.parse().unwrap(), zone)
    }

    #[test]
    fn the_zone_decides_the_month() {
        let berlin = zone_named("Europe/Berlin").unwrap();
        let late = "2026-10-31T23:30:00Z";
        assert_eq!(month(late, &TimeZone::UTC).to_string(), "2026-10");
        let november = month(late, &berlin);
        assert_eq!(november.to_string(), "2026-11");
        assert_eq!(november.begin(&berlin).unwrap().to_string(), "2026-10-31T23:00:00Z");
        assert_eq!(november.next().unwrap().to_string(), "2026-12");
    }

    /// In Paraguay the clocks went forward at midnight on 1 October 2017: the day began at 1.
    #[test]
    fn a_month_whose_first_midnight_is_skipped_begins_after_it() {
        let zone = zone_named("America/Asuncion").unwrap();
        let october = month("2017-10-15T12:00:00Z", &zone);
        assert_eq!(october.begin(&zone).unwrap().to_string(), "2017-10-01T04:00:00Z");
    }

    #[test]
    fn months_have_no_gaps() {
        let utc = TimeZone::UTC;
        let of = |first, last| months(month(first, &utc), month(last, &utc));
        let found = of("2025-11-30T00:00:00Z", "2026-02-01T00:00:00Z").unwrap();
        let names: Vec<_> = found.iter().map(Month::to_string).collect();
        assert_eq!(names, ["2025-11", "2025-12", "2026-01", "2026-02"]);
        assert_eq!(of("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"), Some(Vec::new()));
        assert_eq!(of("1926-12-01T00:00:00Z", "2026-11-01T00:00:00Z").unwrap().len(), 1_200);
        assert_eq!(of("1926-11-01T00:00:00Z", "2026-11-01T00:00:00Z"), None);
    }
}
