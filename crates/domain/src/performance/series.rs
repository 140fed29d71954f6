//! The figure at many moments, by one pass over the evaluations.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

/// The most moments of a series.
pub const MOST_POINTS: usize = 400;

crate::words! {
    "SeriesStep"
    /// How far apart the moments of a series are.
    pub enum Step {
        /// 24 hours.
        Day = "day",
        /// Seven times 24 hours.
        Week = "week",
        /// A month of the calendar, in UTC.
        Month = "month",
    }
}

impl Step {
    /// The moments from `from` on and not after `to`; none if there would be more than [`MOST_POINTS`].
    pub fn moments(self, from: Timestamp, to: Timestamp) -> Option<Vec<Timestamp>> {
        let mut moments = Vec::new();
        for number in 0_i64.. {
            let at = match self {
                Self::Day => from.checked_add(SignedDuration::from_hours(24 * number)),
                Self::Week => from.checked_add(SignedDuration::from_hours(7 * 24 * number)),
                Self::Month => {
                    from.to_zoned(TimeZone::UTC).checked_add(number.months()).map(|at| at.timestamp())
                }
            };
            let Some(at) = at.ok().filter(|at| *at <= to) else { break };
            if moments.len() == MOST_POINTS {
                return None;
            }
            moments.push(at);
        }
        Some(moments)
    }
}

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Its first moment.
    pub from: Timestamp,
    /// The first moment after it; [`Timestamp::MAX`] if it has no end.
    pub before: Timestamp,
}

impl Span {
    /// What belongs to both.
    pub fn and(self, other: Self) -> Option<Self> {
        let both = Self { from: self.from.max(other.from), before: self.before.min(other.before) };
        (both.from < both.before).then_some(both)
    }
}

/// An evaluation, as far as figures need it.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// When it was recorded, and before when it counted: then it was superseded.
    pub counted: Span,
    /// The time that it describes, and its number: the greatest of these that counts is the latest.
    pub order: (Timestamp, i64),
    /// Its performance, if the risk had a target.
    pub basis_points: Option<i64>,
}

/// Adds up, at each moment, the risks that count and their basis points.
#[derive(Debug)]
pub struct Sweep {
    points: Vec<Timestamp>,
    period: SignedDuration,
    /// What changes at each moment: how many risks count, and their sum.
    changes: Vec<(i64, i64)>,
}

impl Sweep {
    /// The figures of so many days until each of these moments, which are in order.
    pub fn new(points: Vec<Timestamp>, period_days: i64) -> Self {
        let changes = vec![(0, 0); points.len() + 1];
        Self { points, period: SignedDuration::from_hours(24 * period_days), changes }
    }

    /// Adds a risk, which counts within these spans, with all its evaluations.
    pub fn add(&mut self, counting: &[Span], evaluations: &[Judged]) {
        let begin = |it: &Judged| (it.counted.from, true, *it);
        let end = |it: &Judged| (it.counted.before, false, *it);
        let mut events: Vec<_> = evaluations.iter().flat_map(|it| [begin(it), end(it)]).collect();
        events.sort_by_key(|(at, ..)| *at);
        let mut current = BTreeMap::new();
        let mut events = events.into_iter().peekable();
        while let Some((at, begins, it)) = events.next() {
            match begins {
                true => current.insert(it.order, it.basis_points),
                false => current.remove(&it.order),
            };
            let next = events.peek().map_or(Timestamp::MAX, |(next, ..)| *next);
            let latest = current.last_key_value().filter(|_| at < next);
            if let Some(((evaluated_at, _), Some(basis_points))) = latest {
                let expires = evaluated_at.saturating_add(self.period).unwrap_or(Timestamp::MAX);
                self.count(counting, Span { from: at, before: next.min(expires) }, *basis_points);
            }
        }
    }

    fn count(&mut self, counting: &[Span], span: Span, basis_points: i64) {
        for Span { from, before } in counting.iter().filter_map(|it| it.and(span)) {
            let index = |at: Timestamp| self.points.partition_point(|point| *point < at);
            for (index, sign) in [(index(from), 1), (index(before), -1)] {
                if let Some((risks, sum)) = self.changes.get_mut(index) {
                    (*risks, *sum) = (*risks + sign, *sum + sign * basis_points);
                }
            }
        }
    }

    /// Each moment with how many risks count, and the sum of their basis points.
    pub fn figures(self) -> impl Iterator<Item = (Timestamp, i64, i64)> {
        self.points.into_iter().zip(self.changes).scan((0, 0), |(risks, sum), (at, change)| {
            (*risks, *sum) = (*risks + change.0, *sum + change.1);
            Some((at, *risks, *sum))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_second(number * 86_400).unwrap()
    }

    fn span(from: i64, before: i64) -> Span {
        Span { from: day(from), before: day(before) }
    }

    fn figures(counting: &[Span], evaluations: &[Judged]) -> Vec<(i64, i64)> {
        let mut sweep = Sweep::new((0..10).map(day).collect(), 3);
        sweep.add(counting, evaluations);
        sweep.figures().map(|(_, risks, sum)| (risks, sum)).collect()
    }

    #[test]
    fn an_evaluation_counts_from_its_record_until_the_period_is_over() {
        let whole = [Span { from: day(0), before: Timestamp::MAX }];
        let it =
            Judged { counted: Span { from: day(2), ..whole[0] }, order: (day(1), 1), basis_points: Some(7) };
        let (no, one) = ((0, 0), (1, 7));
        assert_eq!(figures(&whole, &[it]), [no, no, one, one, no, no, no, no, no, no]);
        assert_eq!(figures(&[span(3, 9)], &[it]), [no, no, no, one, no, no, no, no, no, no]);
        let none = Judged { basis_points: None, ..it };
        assert_eq!(figures(&whole, &[none]), [no; 10]);
        // Another describes a later time, is superseded on the day 5, and then the first would count again.
        let later = Judged { counted: span(3, 5), order: (day(3), 2), basis_points: Some(9) };
        let long = Judged { order: (day(2), 1), ..it };
        let two = (1, 9);
        assert_eq!(figures(&whole, &[later, long]), [no, no, one, two, two, no, no, no, no, no]);
    }

    #[test]
    fn moments_are_a_step_apart_and_no_more_than_there_may_be() {
        assert_eq!(Step::Day.moments(day(0), day(2)), Some(vec![day(0), day(1), day(2)]));
        assert_eq!(Step::Week.moments(day(0), day(13)), Some(vec![day(0), day(7)]));
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let months = Step::Month.moments(at("2026-01-31T12:00:00Z"), at("2026-04-01T00:00:00Z"));
        let ends = ["2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z"];
        assert_eq!(months, Some(ends.map(at).to_vec()));
        assert_eq!(Step::Day.moments(day(1), day(0)), Some(Vec::new()));
        assert!(Step::Day.moments(day(0), day(399)).is_some_and(|all| all.len() == MOST_POINTS));
        assert_eq!(Step::Day.moments(day(0), day(400)), None);
    }
}
