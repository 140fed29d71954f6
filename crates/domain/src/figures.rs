//! How long incidents take from one of their dates to another: what each figure measures, and what is left out.
//! See docs/figures.md.

mod period;
mod summary;

use jiff::Timestamp;

use crate::incident::{Kind, Status};
use crate::severity::Severity;

/// The most groups of figures: the months of a hundred years, the weeks of 23.
pub const MOST_GROUPS: usize = 1_200;

pub use period::{Period, Unit, periods};
pub use summary::{FEW, FigureStatus, Summaries, Summary, Tallies, Tally};

crate::words! {
    "IncidentFigure"
    /// A length of time that is measured.
    pub enum Figure {
        /// From the beginning to the detection.
        TimeToDetect = "time_to_detect",
        /// From the detection to the beginning of the response.
        TimeToRespond = "time_to_respond",
        /// From the detection to the first containment.
        TimeToContain = "time_to_contain",
        /// From the detection to the first resolution.
        TimeToFirstResolve = "time_to_first_resolve",
        /// From the detection to the last resolution.
        TimeToResolve = "time_to_resolve",
        /// From the last resolution to the closing.
        TimeToClose = "time_to_close",
        /// From the detection to the declaration in the register.
        ReportLag = "report_lag",
    }
}

crate::words! {
    "FigureExclusion"
    /// Why an incident is in no figure.
    pub enum Exclusion {
        /// It is deleted.
        Deleted = "deleted",
        /// It is a drill.
        Drill = "drill",
        /// It is a test.
        Test = "test",
        /// It was dismissed.
        Dismissed = "dismissed",
        /// It was recorded long after it happened, and such incidents are not asked for.
        Retrospective = "retrospective",
        /// It nearly happened, and such incidents are not asked for.
        NearMiss = "near_miss",
    }
}

crate::words! {
    "FigureInclude"
    /// A kind of incidents that figures count only on request.
    pub enum Include {
        /// Those that were recorded long after they happened.
        Retrospective = "retrospective",
        /// Those that nearly happened.
        NearMiss = "near_miss",
    }
}

crate::words! {
    "FigureGrouping"
    /// What figures are grouped by.
    pub enum GroupBy {
        /// The severity.
        Severity = "severity",
        /// The kind.
        Kind = "kind",
        /// The tags; an incident with several tags counts for each.
        Tag = "tag",
        /// The week of the detection, from Monday (ISO 8601), in the time zone of the organization.
        Week = "week",
        /// The month of the detection, in the time zone of the organization.
        Month = "month",
    }
}

impl GroupBy {
    /// The unit of the periods, if it groups by the time of the detection.
    pub fn unit(self) -> Option<Unit> {
        match self {
            Self::Week => Some(Unit::Week),
            Self::Month => Some(Unit::Month),
            Self::Severity | Self::Kind | Self::Tag => None,
        }
    }
}

crate::words! {
    "FigureOutcome"
    /// What a figure finds of an incident.
    pub enum Outcome {
        /// Both dates are there, the second not before the first.
        Measured = "measured",
        /// A date is missing, and its stage has been passed.
        Missing = "missing",
        /// The second date lies before the first.
        Invalid = "invalid",
        /// The second date is still to come.
        Open = "open",
    }
}

/// What figures read of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "explained at `Incident`")]
pub struct Milestones {
    pub status: Status,
    pub kind: Kind,
    pub severity: Severity,
    pub occurred: Option<Timestamp>,
    pub detected: Timestamp,
    pub created: Timestamp,
    pub responded: Option<Timestamp>,
    pub first_contained: Option<Timestamp>,
    pub first_resolved: Option<Timestamp>,
    pub resolved: Option<Timestamp>,
    pub closed: Option<Timestamp>,
    pub deleted: Option<Timestamp>,
}

/// What a figure measures of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// It took so many microseconds.
    Took(i64),
    /// The second date lies before the first.
    Invalid,
    /// The second date is still to come.
    Open,
    /// A date is missing.
    Missing,
}

impl Include {
    /// The kind of incidents that it adds.
    pub fn kind(self) -> Kind {
        match self {
            Self::Retrospective => Kind::Retrospective,
            Self::NearMiss => Kind::NearMiss,
        }
    }
}

/// The kinds of incidents that figures count.
pub fn counted_kinds(include: &[Include]) -> Vec<Kind> {
    std::iter::once(Kind::Real).chain(include.iter().map(|it| it.kind())).collect()
}

impl Milestones {
    /// Why figures leave this incident out; none if they count it.
    pub fn exclusion(&self, include: &[Include]) -> Option<Exclusion> {
        match self.kind {
            _ if self.deleted.is_some() => Some(Exclusion::Deleted),
            Kind::Drill => Some(Exclusion::Drill),
            Kind::Test => Some(Exclusion::Test),
            _ if self.status == Status::Dismissed => Some(Exclusion::Dismissed),
            Kind::Retrospective if !include.contains(&Include::Retrospective) => {
                Some(Exclusion::Retrospective)
            }
            Kind::NearMiss if !include.contains(&Include::NearMiss) => Some(Exclusion::NearMiss),
            Kind::Real | Kind::Retrospective | Kind::NearMiss => None,
        }
    }
}

impl Figure {
    /// What this figure measures of an incident.
    pub fn of(self, it: &Milestones) -> Measure {
        match (self.begin(it), self.end(it)) {
            (Some(begin), Some(end)) if end < begin => Measure::Invalid,
            (Some(begin), Some(end)) => Measure::Took(end.as_microsecond() - begin.as_microsecond()),
            (_, None) if self.open_statuses().contains(&it.status) => Measure::Open,
            _ => Measure::Missing,
        }
    }

    fn begin(self, it: &Milestones) -> Option<Timestamp> {
        match self {
            Self::TimeToDetect => it.occurred,
            Self::TimeToClose => it.resolved,
            Self::TimeToRespond
            | Self::TimeToContain
            | Self::TimeToFirstResolve
            | Self::TimeToResolve
            | Self::ReportLag => Some(it.detected),
        }
    }

    fn end(self, it: &Milestones) -> Option<Timestamp> {
        match self {
            Self::TimeToDetect => Some(it.detected),
            Self::TimeToRespond => it.responded,
            Self::TimeToContain => it.first_contained,
            Self::TimeToFirstResolve => it.first_resolved,
            Self::TimeToResolve => it.resolved,
            Self::TimeToClose => it.closed,
            Self::ReportLag => Some(it.created),
        }
    }

    /// The statuses of incidents whose second date is still to come, unless it is there.
    pub fn open_statuses(self) -> &'static [Status] {
        use Status::{Contained, Investigating, New, Resolved};
        match self {
            Self::TimeToDetect | Self::ReportLag => &[],
            Self::TimeToRespond => &[New],
            Self::TimeToContain => &[New, Investigating],
            Self::TimeToFirstResolve | Self::TimeToResolve => &[New, Investigating, Contained],
            Self::TimeToClose => &[New, Investigating, Contained, Resolved],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i8) -> Timestamp {
        format!("2026-11-01T{hour:02}:00:00Z").parse().unwrap()
    }

    /// An incident that was detected at 10 and declared at 11.
    fn milestones(status: Status) -> Milestones {
        Milestones {
            status,
            kind: Kind::Real,
            severity: Severity::Undetermined,
            occurred: None,
            detected: at(10),
            created: at(11),
            responded: None,
            first_contained: None,
            first_resolved: None,
            resolved: None,
            closed: None,
            deleted: None,
        }
    }

    const HOUR: i64 = 3_600_000_000;

    #[test]
    fn what_has_both_dates_is_measured() {
        let whole = Milestones {
            occurred: Some(at(8)),
            responded: Some(at(10)),
            first_contained: Some(at(12)),
            resolved: Some(at(18)),
            first_resolved: Some(at(15)),
            closed: Some(at(19)),
            ..milestones(Status::Closed)
        };
        let hours = Figure::ALL.iter().map(|figure| figure.of(&whole)).collect::<Vec<_>>();
        assert_eq!(hours, [2, 0, 2, 5, 8, 1, 1].map(|hours| Measure::Took(hours * HOUR)));
        let early = Milestones { responded: Some(at(9)), ..whole };
        assert_eq!(Figure::TimeToRespond.of(&early), Measure::Invalid);
    }

    #[test]
    fn a_stage_that_was_skipped_is_missing_and_one_to_come_is_open() {
        for (figure, open_in) in [
            (Figure::TimeToDetect, &[][..]),
            (Figure::TimeToRespond, &[Status::New]),
            (Figure::TimeToContain, &[Status::New, Status::Investigating]),
            (Figure::TimeToFirstResolve, &[Status::New, Status::Investigating, Status::Contained]),
            (Figure::TimeToResolve, &[Status::New, Status::Investigating, Status::Contained]),
            (Figure::TimeToClose, &[Status::New, Status::Investigating, Status::Contained, Status::Resolved]),
        ] {
            for status in
                [Status::New, Status::Investigating, Status::Contained, Status::Resolved, Status::Closed]
            {
                let expected = if open_in.contains(&status) { Measure::Open } else { Measure::Missing };
                assert_eq!(figure.of(&milestones(status)), expected, "{figure} {status}");
            }
        }
    }

    #[test]
    fn drills_tests_dismissed_and_deleted_ones_are_left_out() {
        let of = |kind, status| Milestones { kind, ..milestones(status) }.exclusion(&[]);
        assert_eq!(of(Kind::Real, Status::New), None);
        assert_eq!(of(Kind::Drill, Status::Dismissed), Some(Exclusion::Drill));
        assert_eq!(of(Kind::Test, Status::New), Some(Exclusion::Test));
        assert_eq!(of(Kind::Real, Status::Dismissed), Some(Exclusion::Dismissed));
        assert_eq!(of(Kind::NearMiss, Status::New), Some(Exclusion::NearMiss));
        assert_eq!(of(Kind::Retrospective, Status::New), Some(Exclusion::Retrospective));
        let deleted = Milestones { deleted: Some(at(12)), kind: Kind::Drill, ..milestones(Status::New) };
        assert_eq!(deleted.exclusion(&[]), Some(Exclusion::Deleted));
        for include in Include::ALL {
            let it = Milestones { kind: include.kind(), ..milestones(Status::New) };
            assert_eq!(it.exclusion(&[*include]), None);
        }
        assert_eq!(counted_kinds(Include::ALL), [Kind::Real, Kind::Retrospective, Kind::NearMiss]);
    }
}
