//! An incident's dates against the clock and against each other.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::Status;
use crate::fault::{Fault, FaultCode, Faults};
use crate::time;

/// The dates of an incident that are checked against each other, in their natural order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DateField {
    /// When it started.
    Occurred,
    /// When it was noticed.
    Detected,
    /// When work on it began.
    Responded,
    /// When the harm stopped growing.
    Contained,
    /// When it was eradicated and recovered from.
    Resolved,
    /// When it was closed or dismissed.
    Closed,
}

impl DateField {
    /// Every date, in the natural order.
    pub const ALL: [Self; 6] =
        [Self::Occurred, Self::Detected, Self::Responded, Self::Contained, Self::Resolved, Self::Closed];

    /// The name of the field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Occurred => "occurred_date",
            Self::Detected => "detected_date",
            Self::Responded => "responded_date",
            Self::Contained => "contained_date",
            Self::Resolved => "resolved_date",
            Self::Closed => "closed_date",
        }
    }

    /// Whether an incident with this status and without the date can still get it as it goes on: the status that sets it is ahead.
    pub fn is_ahead_of(self, status: Status) -> bool {
        let before: &[Status] = match self {
            Self::Occurred | Self::Detected => &[],
            Self::Responded => &[Status::New],
            Self::Contained => &[Status::New, Status::Investigating],
            Self::Resolved => &[Status::New, Status::Investigating, Status::Contained],
            Self::Closed => &[Status::New, Status::Investigating, Status::Contained, Status::Resolved],
        };
        before.contains(&status)
    }

    /// Where it stands in a body.
    pub fn pointer(self) -> &'static str {
        match self {
            Self::Occurred => "#/occurred_date",
            Self::Detected => "#/detected_date",
            Self::Responded => "#/responded_date",
            Self::Contained => "#/contained_date",
            Self::Resolved => "#/resolved_date",
            Self::Closed => "#/closed_date",
        }
    }
}

/// The values of those dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "explained at DateField")]
pub struct Dates {
    pub occurred: Option<Timestamp>,
    pub detected: Option<Timestamp>,
    pub responded: Option<Timestamp>,
    pub contained: Option<Timestamp>,
    pub resolved: Option<Timestamp>,
    pub closed: Option<Timestamp>,
}

impl Dates {
    /// One of them.
    pub fn get(&self, field: DateField) -> Option<Timestamp> {
        match field {
            DateField::Occurred => self.occurred,
            DateField::Detected => self.detected,
            DateField::Responded => self.responded,
            DateField::Contained => self.contained,
            DateField::Resolved => self.resolved,
            DateField::Closed => self.closed,
        }
    }

    /// The latest of them.
    pub fn latest(&self) -> Option<Timestamp> {
        DateField::ALL.into_iter().filter_map(|field| self.get(field)).max()
    }

    /// Both values if both are there and the second lies before the first.
    fn reversed(&self, first: DateField, second: DateField) -> Option<(Timestamp, Timestamp)> {
        let (first, second) = (self.get(first)?, self.get(second)?);
        (second < first).then_some((first, second))
    }
}

/// Pairs that cannot be reversed: nothing is noticed, contained or ended before it began, and the end comes last.
const IMPOSSIBLE: [(DateField, DateField); 10] = {
    use DateField::{Closed, Contained, Detected, Occurred, Resolved, Responded};
    [
        (Occurred, Detected),
        (Occurred, Contained),
        (Occurred, Resolved),
        (Occurred, Closed),
        (Contained, Resolved),
        (Detected, Resolved),
        (Resolved, Closed),
        (Detected, Closed),
        (Contained, Closed),
        (Responded, Closed),
    ]
};

/// Pairs whose reversal is unusual, not impossible: a vendor may respond first, an agent on the machine may contain first,
/// an outage may end by itself before somebody takes it. The first pair is only ever reversed by an external system.
const ODD: [(DateField, DateField, &str); 6] = {
    use DateField::{Contained, Detected, Occurred, Resolved, Responded};
    [
        (Occurred, Detected, "detected_before_occurred"),
        (Occurred, Responded, "responded_before_occurred"),
        (Detected, Responded, "responded_before_detected"),
        (Detected, Contained, "contained_before_detected"),
        (Responded, Contained, "contained_before_responded"),
        (Responded, Resolved, "resolved_before_responded"),
    ]
};

/// Checks dates as they will be stored: those that were sent against the clock (at most 5 minutes ahead of `now`), and
/// each pair with at least one sent date against the order. `pointer` is where a date was sent; none if it was not. A
/// pair's fault points at its later field if that was sent, else at the other.
pub fn check_dates(
    dates: &Dates,
    pointer: impl Fn(DateField) -> Option<&'static str>,
    now: Timestamp,
    faults: &mut Faults,
) {
    check_dates_within(dates, pointer, now, SignedDuration::ZERO, faults);
}

/// The same where `detected` may lie before `occurred` by up to `skew`: the clocks of two systems differ, and their alerts
/// must not be lost.
pub fn check_dates_within(
    dates: &Dates,
    pointer: impl Fn(DateField) -> Option<&'static str>,
    now: Timestamp,
    skew: SignedDuration,
    faults: &mut Faults,
) {
    for field in DateField::ALL {
        if let (Some(pointer), Some(date)) = (pointer(field), dates.get(field)) {
            check_past(pointer, date, now, faults);
        }
    }
    for (first, second) in IMPOSSIBLE {
        let Some((first_date, second_date)) = dates.reversed(first, second) else { continue };
        if (first, second) == (DateField::Occurred, DateField::Detected)
            && first_date.duration_since(second_date) <= skew
        {
            continue;
        }
        let Some(at) = [second, first].into_iter().find_map(&pointer) else { continue };
        faults.push(reversed(at, (first.name(), first_date), (second.name(), second_date)));
    }
}

/// Checks that a date is not in the future.
pub(super) fn check_past(pointer: &str, date: Timestamp, now: Timestamp, faults: &mut Faults) {
    if time::is_ahead(date, now) {
        let detail = format!("must not be in the future; it is {} now", time::format(now));
        faults.add(pointer, FaultCode::DateInFuture, detail);
    }
}

/// The fault of two dates of which the second lies before the first.
pub(super) fn reversed(
    pointer: &str,
    (first, first_date): (&'static str, Timestamp),
    (second, second_date): (&'static str, Timestamp),
) -> Fault {
    let (first_at, second_at) = (time::format(first_date), time::format(second_date));
    let detail = format!("The {second} {second_at} is before the {first} {first_at}.");
    Fault { fields: Some([first, second]), ..Fault::new(pointer, FaultCode::DateOrder, detail) }
}

/// Something unusual about an incident's dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Stable machine code.
    pub code: &'static str,
    /// The earlier value's field, then the later value's.
    pub fields: [&'static str; 2],
    /// A sentence for a person.
    pub message: String,
}

/// What is unusual about these dates, in a fixed order.
pub fn warnings(dates: &Dates) -> Vec<Warning> {
    let odd = ODD.into_iter().filter(|(first, second, _)| dates.reversed(*first, *second).is_some());
    odd.map(|(first, second, code)| Warning {
        code,
        fields: [second.name(), first.name()],
        message: format!("{} is before {}.", second.name(), first.name()),
    })
    .collect()
}
