//! Weeks and months in a time zone.

use jiff::civil::{Date, ISOWeekDate};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::MOST_GROUPS;

/// What a period is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// A week of ISO 8601, which begins on Monday.
    Week,
    /// A month of the calendar.
    Month,
}

/// A week or a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    unit: Unit,
    first_day: Date,
}

impl Period {
    /// The period that this moment lies in.
    pub fn of(unit: Unit, at: Timestamp, zone: &TimeZone) -> Self {
        let day = zone.to_datetime(at).date();
        let first_day = match unit {
            // The first week of all times has lost its Monday.
            Unit::Week => day.iso_week_date().first_of_week().map_or(day, ISOWeekDate::date),
            Unit::Month => day.first_of_month(),
        };
        Self { unit, first_day }
    }

    /// What it is.
    pub fn unit(self) -> Unit {
        self.unit
    }

    /// Its first day.
    pub fn first_day(self) -> Date {
        self.first_day
    }

    /// When it begins; none beyond the range of time.
    pub fn begin(self, zone: &TimeZone) -> Option<Timestamp> {
        zone.to_timestamp(self.first_day.at(0, 0, 0, 0)).ok()
    }

    /// The one after it; none beyond the range of time.
    pub fn next(self) -> Option<Self> {
        let length = match self.unit {
            Unit::Week => 1.week(),
            Unit::Month => 1.month(),
        };
        self.first_day.checked_add(length).ok().map(|first_day| Self { first_day, ..self })
    }
}

/// `2026-W48`, `2026-11`.
impl std::fmt::Display for Period {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.unit {
            Unit::Week => {
                let week = self.first_day.iso_week_date();
                write!(f, "{:04}-W{:02}", week.year(), week.week())
            }
            Unit::Month => write!(f, "{:04}-{:02}", self.first_day.year(), self.first_day.month()),
        }
    }
}

/// The periods from one to another, both included; none if there are more than [`MOST_GROUPS`].
pub fn periods(first: Period, last: Period) -> Option<Vec<Period>> {
    let all = std::iter::successors(Some(first), |period| period.next());
    let found: Vec<Period> = all.take_while(|period| *period <= last).take(MOST_GROUPS + 1).collect();
    (found.len() <= MOST_GROUPS).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::organization::zone_named;

    fn month(at: &str, zone: &TimeZone) -> Period {
        Period::of(Unit::Month, at.parse().unwrap(), zone)
    }

    fn week(at: &str) -> Period {
        Period::of(Unit::Week, at.parse().unwrap(), &TimeZone::UTC)
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

    /// The year of a week is that of its Thursday (ISO 8601): 2026 has 53 weeks.
    #[test]
    fn a_week_begins_on_monday_and_belongs_to_the_year_of_its_thursday() {
        let last = week("2027-01-03T23:59:59Z");
        assert_eq!((last.to_string().as_str(), last), ("2026-W53", week("2026-12-28T00:00:00Z")));
        assert_eq!(last.begin(&TimeZone::UTC).unwrap().to_string(), "2026-12-28T00:00:00Z");
        assert_eq!(last.next().unwrap().to_string(), "2027-W01");
        assert_eq!(week("2024-12-30T12:00:00Z").to_string(), "2025-W01");
    }

    #[test]
    fn periods_have_no_gaps() {
        let utc = TimeZone::UTC;
        let of = |first, last| periods(month(first, &utc), month(last, &utc));
        let names =
            |found: Option<Vec<Period>>| found.unwrap().iter().map(Period::to_string).collect::<Vec<_>>();
        let found = of("2025-11-30T00:00:00Z", "2026-02-01T00:00:00Z");
        assert_eq!(names(found), ["2025-11", "2025-12", "2026-01", "2026-02"]);
        let weeks = periods(week("2026-12-27T00:00:00Z"), week("2027-01-04T00:00:00Z"));
        assert_eq!(names(weeks), ["2026-W52", "2026-W53", "2027-W01"]);
        assert_eq!(of("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"), Some(Vec::new()));
        assert_eq!(of("1926-12-01T00:00:00Z", "2026-11-01T00:00:00Z").unwrap().len(), 1_200);
        assert_eq!(of("1926-11-01T00:00:00Z", "2026-11-01T00:00:00Z"), None);
    }
}
