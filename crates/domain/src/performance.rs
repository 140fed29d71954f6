//! The risk performance of an organization: the figure, and which sums answer it.

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};

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

/// The share of the planned reduction that is reached, (inherent - current) / (inherent - target) held
/// within 0 and 1, in basis points (1 = 0.01 %) rounded half up. Without a planned reduction it is 1
/// when the target is met, else 0.
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

/// The sums that together cover everything after a cutoff, each moment once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Single rows of the cutoff's own minute: after `rows.0`, exclusive, and before `rows.1`.
    pub rows: (Timestamp, Timestamp),
    /// One per element of [`SPANS_SECONDS`], in that order.
    pub spans: [SpanRange; 4],
}

/// Sums of one length of span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanRange {
    /// The length of the spans.
    pub seconds: i64,
    /// The start of the first span.
    pub from: Timestamp,
    /// The start of the first span that is no longer read; without it all later spans are.
    pub before: Option<Timestamp>,
}

impl Window {
    /// Covers everything after `cutoff` with the rest of its minute, the minutes up to the next hour,
    /// the hours up to the next day, the days up to the next span of 64 days, and those spans: at most
    /// 59, 23, 63 and 58 sums for a period of ten years.
    ///
    /// There is no upper end: no evaluation lies after the time of the write that recorded it, and the
    /// figure's now is never before that.
    pub fn after(cutoff: Timestamp) -> Self {
        let [minute, hour, day, block] = SPANS_SECONDS.map(|seconds| next_start(cutoff, seconds));
        let [minutes, hours, days, blocks] = SPANS_SECONDS;
        Self {
            rows: (cutoff, minute),
            spans: [
                SpanRange { seconds: minutes, from: minute, before: Some(hour) },
                SpanRange { seconds: hours, from: hour, before: Some(day) },
                SpanRange { seconds: days, from: day, before: Some(block) },
                SpanRange { seconds: blocks, from: block, before: None },
            ],
        }
    }
}

/// The start of the first span that begins after `at`.
fn next_start(at: Timestamp, seconds: i64) -> Timestamp {
    floor(at, seconds).saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
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
    fn covered(window: &Window, moment: Timestamp) -> usize {
        let row = usize::from(moment > window.rows.0 && moment < window.rows.1);
        let spans = window.spans.iter().filter(|span| {
            let start = floor(moment, span.seconds);
            start >= span.from && span.before.is_none_or(|before| start < before)
        });
        row + spans.count()
    }

    #[test]
    fn a_cutoff_on_a_boundary_does_not_count_its_own_moment() {
        let cutoff: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let window = Window::after(cutoff);
        assert_eq!(covered(&window, cutoff), 0);
        assert_eq!(covered(&window, cutoff + SignedDuration::from_micros(1)), 1);
        assert_eq!(covered(&window, cutoff + SignedDuration::from_secs(60)), 1);
    }

    proptest! {
        #[test]
        fn each_moment_after_the_cutoff_is_covered_once_and_no_other(
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
            prop_assert_eq!(covered(&window, moment), usize::from(moment > cutoff));
        }

        #[test]
        fn a_figure_reads_few_sums(now in 0_i64..4_000_000_000, period in PERIOD_DAYS) {
            let now = Timestamp::from_second(now).unwrap();
            for span in Window::after(cutoff(now, period)).spans {
                let end = span.before.unwrap_or(now + SignedDuration::from_secs(1));
                let count = (end.as_second() - span.from.as_second()).max(0).div_euclid(span.seconds);
                prop_assert!(count < 64, "{count} of {} s", span.seconds);
            }
        }
    }
}
