//! How long incidents take, from one of their dates to another: what each figure counts, and what is left out of it.

mod summary;

use jiff::Timestamp;

use crate::incident::{Incident, Kind, Status};

pub use summary::{FigureStatus, Summary};

crate::words! {
    "Figure"
    /// A length of time that is measured.
    pub enum Figure {
        /// From when the incident began to when it was detected.
        TimeToDetect = "time_to_detect",
        /// From when it was detected to when the response began.
        TimeToRespond = "time_to_respond",
        /// From when it was detected to when it was contained for the first time.
        TimeToContain = "time_to_contain",
        /// From when it was detected to when it was resolved for the first time.
        TimeToFirstResolve = "time_to_first_resolve",
        /// From when it was detected to when it was resolved for good.
        TimeToResolve = "time_to_resolve",
        /// From when it was resolved to when it was closed.
        TimeToClose = "time_to_close",
        /// From when it was detected to when it was declared.
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
        /// It was declared long after it was over, and such ones are not asked for.
        Retrospective = "retrospective",
        /// It nearly happened, and such ones are not asked for.
        NearMiss = "near_miss",
    }
}

/// The kinds of incidents that figures count beside real ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AlsoCounted {
    /// Those that were declared long after they were over.
    pub retrospective: bool,
    /// Those that nearly happened.
    pub near_miss: bool,
}

/// Why figures leave this incident out; none if they count it.
pub fn exclusion(incident: &Incident, also: AlsoCounted) -> Option<Exclusion> {
    match incident.kind {
        _ if incident.deleted_date.is_some() => Some(Exclusion::Deleted),
        Kind::Drill => Some(Exclusion::Drill),
        Kind::Test => Some(Exclusion::Test),
        _ if incident.status == Status::Dismissed => Some(Exclusion::Dismissed),
        Kind::Retrospective if !also.retrospective => Some(Exclusion::Retrospective),
        Kind::NearMiss if !also.near_miss => Some(Exclusion::NearMiss),
        Kind::Real | Kind::Retrospective | Kind::NearMiss => None,
    }
}

/// What a figure finds of one incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// It took so many microseconds.
    Took(i64),
    /// The end lies before the beginning.
    Invalid,
    /// It has not ended: the stage that it ends with has not been passed.
    Open,
    /// A date is missing.
    Missing,
}

impl Figure {
    /// What this figure finds of an incident.
    pub fn of(self, incident: &Incident) -> Measure {
        match (self.begin(incident), self.end(incident)) {
            (Some(begin), Some(end)) if end < begin => Measure::Invalid,
            (Some(begin), Some(end)) => Measure::Took(end.as_microsecond() - begin.as_microsecond()),
            (_, None) if !self.has_passed(incident.status) => Measure::Open,
            _ => Measure::Missing,
        }
    }

    fn begin(self, incident: &Incident) -> Option<Timestamp> {
        match self {
            Self::TimeToDetect => incident.occurred_date,
            Self::TimeToClose => incident.resolved_date,
            Self::TimeToRespond
            | Self::TimeToContain
            | Self::TimeToFirstResolve
            | Self::TimeToResolve
            | Self::ReportLag => Some(incident.detected_date),
        }
    }

    fn end(self, incident: &Incident) -> Option<Timestamp> {
        match self {
            Self::TimeToDetect => Some(incident.detected_date),
            Self::TimeToRespond => incident.responded_date,
            Self::TimeToContain => incident.first_contained_date(),
            Self::TimeToFirstResolve => incident.first_resolved_date(),
            Self::TimeToResolve => incident.resolved_date,
            Self::TimeToClose => incident.closed_date,
            Self::ReportLag => Some(incident.created_date),
        }
    }

    /// Whether an incident of this status has passed the stage that the figure ends with.
    fn has_passed(self, status: Status) -> bool {
        let last = match self {
            Self::TimeToDetect | Self::ReportLag => return true,
            Self::TimeToRespond => Status::Investigating,
            Self::TimeToContain => Status::Contained,
            Self::TimeToFirstResolve | Self::TimeToResolve => Status::Resolved,
            Self::TimeToClose => Status::Closed,
        };
        Status::ALL.iter().skip_while(|it| **it != last).any(|it| *it == status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::IncidentNumber;
    use crate::incident::NewIncident;
    use crate::{Actor, ActorKind};

    fn at(hour: i8) -> Timestamp {
        format!("2026-11-01T{hour:02}:00:00Z").parse().unwrap()
    }

    /// An incident that was detected at 10 and declared at 11.
    fn incident(status: Status) -> Incident {
        let new = NewIncident { detected_date: Some(at(10)), ..NewIncident::untitled() };
        let actor = Actor { kind: ActorKind::Client, id: "c".to_owned(), name: "C".to_owned() };
        Incident { status, ..new.open(IncidentNumber(1), None, actor, at(11)) }
    }

    const HOUR: i64 = 3_600_000_000;

    #[test]
    fn what_has_both_dates_is_measured() {
        let whole = Incident {
            occurred_date: Some(at(8)),
            responded_date: Some(at(10)),
            contained_date: Some(at(14)),
            first_contained_date: Some(at(12)),
            resolved_date: Some(at(18)),
            first_resolved_date: Some(at(15)),
            closed_date: Some(at(19)),
            ..incident(Status::Closed)
        };
        let hours = Figure::ALL.iter().map(|figure| figure.of(&whole)).collect::<Vec<_>>();
        assert_eq!(hours, [2, 0, 2, 5, 8, 1, 1].map(|hours| Measure::Took(hours * HOUR)));
        let early = Incident { responded_date: Some(at(9)), ..whole };
        assert_eq!(Figure::TimeToRespond.of(&early), Measure::Invalid);
    }

    #[test]
    fn a_stage_that_was_skipped_is_missing_and_one_to_come_is_open() {
        for (figure, open_in) in [
            (Figure::TimeToDetect, &[][..]),
            (Figure::TimeToRespond, &[Status::New]),
            (Figure::TimeToContain, &[Status::New, Status::Investigating]),
            (Figure::TimeToResolve, &[Status::New, Status::Investigating, Status::Contained]),
            (Figure::TimeToClose, &[Status::New, Status::Investigating, Status::Contained, Status::Resolved]),
        ] {
            for status in
                [Status::New, Status::Investigating, Status::Contained, Status::Resolved, Status::Closed]
            {
                let expected = if open_in.contains(&status) { Measure::Open } else { Measure::Missing };
                assert_eq!(figure.of(&incident(status)), expected, "{figure} {status}");
            }
        }
    }

    #[test]
    fn drills_tests_and_what_was_none_are_left_out() {
        let also = AlsoCounted::default();
        let of = |kind, status| exclusion(&Incident { kind, ..incident(status) }, also);
        assert_eq!(of(Kind::Real, Status::New), None);
        assert_eq!(of(Kind::Drill, Status::Dismissed), Some(Exclusion::Drill));
        assert_eq!(of(Kind::Test, Status::New), Some(Exclusion::Test));
        assert_eq!(of(Kind::Real, Status::Dismissed), Some(Exclusion::Dismissed));
        assert_eq!(of(Kind::NearMiss, Status::New), Some(Exclusion::NearMiss));
        assert_eq!(of(Kind::Retrospective, Status::New), Some(Exclusion::Retrospective));
        let deleted = Incident { deleted_date: Some(at(12)), kind: Kind::Drill, ..incident(Status::New) };
        assert_eq!(exclusion(&deleted, also), Some(Exclusion::Deleted));
        let both = AlsoCounted { retrospective: true, near_miss: true };
        for kind in [Kind::NearMiss, Kind::Retrospective] {
            assert_eq!(exclusion(&Incident { kind, ..incident(Status::New) }, both), None);
        }
    }
}
