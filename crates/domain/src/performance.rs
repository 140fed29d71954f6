//! The risk performance of an organization: the figure, and which sums answer it.

mod explained;
mod series;

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};

pub use explained::{Exclusion, FORMULA, FORMULA_OF_RISK, FORMULA_VERSION, exclusion};
pub use series::{Judged, MOST_POINTS, Span, Step, Sweep};

use crate::time::floor;

/// How many days back a figure may look.
pub const PERIOD_DAYS: RangeInclusive<i64> = 1..=3_650;

/// How many days back a figure looks by default.
pub const DEFAULT_PERIOD_DAYS: i64 = 90;

/// The lengths in seconds of the spans that sums are kept for: minute, hour, day and 64 days, each
/// counted from the epoch and a multiple of the one before.
pub const SPANS_SECONDS: [i64; 4] = [60, 3_600, 86_400, 64 * 86_400];

/// Basis points of a performance of 1.
const WHOLE: i64 = 10_000;

/// The share of the planned reduction that is reached, (inherent - current) / (inherent - target) clamped to between 0
/// and 1, in basis points (1 = 0.01 %) rounded half up. Without a planned reduction it is 1 when the target is met,
/// else 0.
pub fn performance_basis_points(inherent_score: i64, current_score: i64, target_score: i64) -> i64 {
    let planned = inherent_score - target_score;
    if planned <= 0 {
        return if current_score <= target_score { WHOLE } else { 0 };
    }
    let reached = (inherent_score - current_score).clamp(0, planned);
    (2 * reached * WHOLE + planned) / (2 * planned)
}

/// The average in per cent, rounded half up, of `count` performances whose basis points add up to
/// `sum`. None evaluated: 0.
pub fn average_percentage(sum: i64, count: i64) -> i64 {
    if count <= 0 { 0 } else { (2 * sum + 100 * count) / (200 * count) }
}

/// The end of what no longer counts: an evaluation counts when it lies after `now` less so many days
/// of 24 hours, and not after `now`.
pub fn cutoff(now: Timestamp, period_days: i64) -> Timestamp {
    now.saturating_sub(SignedDuration::from_hours(24 * period_days)).unwrap_or(Timestamp::MIN)
}

/// The rows and sums that together count each moment after a cutoff once, and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Single rows, in less than a minute of time.
    pub rows: Part,
    /// Sums, for each element of [`SPANS_SECONDS`], in that order.
    pub sums: [Part; 4],
}

/// What starts at `from` or later, and before `before`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// 1 when it is added, -1 when it is taken out again.
    pub sign: i64,
    /// The first moment.
    pub from: Timestamp,
    /// The first moment that no longer belongs to it.
    pub before: Timestamp,
}

impl Window {
    /// Counts everything after `cutoff`: the spans of 64 days from the start that is nearest to it, then the days from
    /// there to the nearest day, the hours from there to the nearest hour, and so on. What was counted too much is
    /// subtracted again, so at most 30 minutes, 12 hours, 32 days and, for a period of ten years, 58 spans are read.
    ///
    /// There is no upper end: no evaluation lies after the time of the write that recorded it, and the
    /// figure's now is never before that.
    pub fn after(cutoff: Timestamp) -> Self {
        let first = cutoff.saturating_add(SignedDuration::from_micros(1)).unwrap_or(Timestamp::MAX);
        let [minute, hour, day, block] = SPANS_SECONDS.map(|seconds| nearest_start(first, seconds));
        Self {
            rows: Part::between(first, minute),
            sums: [
                Part::between(minute, hour),
                Part::between(hour, day),
                Part::between(day, block),
                Part { sign: 1, from: block, before: Timestamp::MAX },
            ],
        }
    }
}

impl Part {
    /// What has to be added so that everything from `to` becomes everything from `first`.
    fn between(first: Timestamp, to: Timestamp) -> Self {
        if first <= to {
            Self { sign: 1, from: first, before: to }
        } else {
            Self { sign: -1, from: to, before: first }
        }
    }
}

/// The start of a span that is nearest to `at`.
fn nearest_start(at: Timestamp, seconds: i64) -> Timestamp {
    let half = SignedDuration::from_secs(seconds / 2);
    floor(at.saturating_add(half).unwrap_or(Timestamp::MAX), seconds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, in fractions: round half up of min(1, max(0, p / q)) in basis points.
    fn naive_performance(inherent: i64, current: i64, target: i64) -> i64 {
        if inherent <= target {
            return i64::from(current <= target) * 10_000;
        }
        let (p, q) = (inherent - current, inherent - target);
        if p <= 0 {
            return 0;
        }
        if p >= q {
            return 10_000;
        }
        // The greatest n with n - 1/2 <= 10000 p / q.
        (0..=10_000).rev().find(|n| (2 * n - 1) * q <= 20_000 * p).unwrap()
    }

    #[test]
    fn performance_is_the_share_of_the_planned_reduction() {
        assert_eq!(performance_basis_points(20, 12, 6), 5_714);
        assert_eq!(performance_basis_points(20, 6, 6), 10_000);
        assert_eq!(performance_basis_points(20, 1, 6), 10_000);
        assert_eq!(performance_basis_points(20, 25, 6), 0);
        assert_eq!(performance_basis_points(6, 6, 6), 10_000);
        assert_eq!(performance_basis_points(6, 8, 6), 0);
        assert_eq!(performance_basis_points(17, 16, 1), 625);
        assert_eq!(performance_basis_points(20, 18, 4), 1_250);
    }

    #[test]
    fn performance_is_exact_for_every_rating_there_is() {
        let scores = || (1..=5).flat_map(|likelihood| (1..=5).map(move |impact| likelihood * impact));
        for inherent in scores() {
            for target in scores() {
                for current in scores() {
                    assert_eq!(
                        performance_basis_points(inherent, current, target),
                        naive_performance(inherent, current, target),
                        "{inherent} {current} {target}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_average_is_rounded_half_up() {
        assert_eq!(average_percentage(5_714, 1), 57);
        assert_eq!(average_percentage(5_750, 1), 58);
        assert_eq!(average_percentage(5_749, 1), 57);
        assert_eq!(average_percentage(10_000 + 9_900, 2), 100);
        assert_eq!(average_percentage(1 + 99, 2), 1);
        assert_eq!(average_percentage(0, 3), 0);
        assert_eq!(average_percentage(0, 0), 0);
    }

    #[test]
    fn a_period_is_counted_in_days_of_24_hours() {
        let now: Timestamp = "2026-03-31T12:00:00.000001Z".parse().unwrap();
        assert_eq!(cutoff(now, 1), "2026-03-30T12:00:00.000001Z".parse().unwrap());
        assert_eq!(cutoff(Timestamp::MIN, 3_650), Timestamp::MIN);
    }

    /// The sums a register would keep, made from moments one by one.
    fn counted(window: &Window, moment: Timestamp) -> i64 {
        let of = |part: &Part, start| if start >= part.from && start < part.before { part.sign } else { 0 };
        let sums = SPANS_SECONDS.iter().zip(&window.sums);
        of(&window.rows, moment) + sums.map(|(seconds, part)| of(part, floor(moment, *seconds))).sum::<i64>()
    }

    #[test]
    fn a_cutoff_on_a_boundary_does_not_count_its_own_moment() {
        let cutoff: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let window = Window::after(cutoff);
        assert_eq!(counted(&window, cutoff), 0);
        assert_eq!(counted(&window, cutoff + SignedDuration::from_micros(1)), 1);
        assert_eq!(counted(&window, cutoff + SignedDuration::from_secs(60)), 1);
    }

    proptest! {
        #[test]
        fn each_moment_after_the_cutoff_counts_once_and_no_other(
            now in 0_i64..4_000_000_000_000_000,
            period in PERIOD_DAYS,
            near in prop_oneof![
                -3_i64..=3, -200_000_000_i64..200_000_000, -10_000_000_000_i64..10_000_000_000,
                -400_000_000_000_000_i64..400_000_000_000_000,
            ],
        ) {
            let now = Timestamp::from_microsecond(now).unwrap();
            let cutoff = cutoff(now, period);
            let moment = cutoff + SignedDuration::from_micros(near);
            let window = Window::after(cutoff);
            prop_assert_eq!(counted(&window, moment), i64::from(moment > cutoff));
        }

        #[test]
        fn a_figure_reads_few_sums(now in 0_i64..4_000_000_000, period in PERIOD_DAYS) {
            let now = Timestamp::from_second(now).unwrap();
            let sums = Window::after(cutoff(now, period)).sums;
            for ((part, seconds), most) in sums.iter().zip(SPANS_SECONDS).zip([30, 12, 32, 58]) {
                let end = part.before.min(now + SignedDuration::from_secs(1));
                let count = (end.as_second() - part.from.as_second()).max(0).div_euclid(seconds);
                prop_assert!(count <= most, "{count} of {seconds} s");
            }
        }
    }
}
