//! What many measures come to.

use super::Measure;

/// With fewer measures than this a distribution says nothing.
const FEWEST: usize = 5;

/// Microseconds in a second.
const SECOND: f64 = 1_000_000.0;

crate::words! {
    "FigureStatus"
    /// How far a figure can be relied on.
    pub enum FigureStatus {
        /// Nothing was measured.
        NoData = "no_data",
        /// Fewer than five were measured.
        InsufficientData = "insufficient_data",
        /// Some have not ended, so that recent ones look faster than they will be.
        Incomplete = "incomplete",
        /// Enough were measured, and all have ended.
        Ok = "ok",
    }
}

/// A figure over many incidents. The four counts add up to all of them; lengths are in seconds, and there are none without a
/// measure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// How many were measured.
    pub n: usize,
    /// How many ended before they began.
    pub n_invalid: usize,
    /// How many have not ended.
    pub n_open: usize,
    /// How many lack a date.
    pub n_missing: usize,
    /// The shortest.
    pub min: Option<f64>,
    /// The median.
    pub p50: Option<f64>,
    /// What nine of ten do not exceed.
    pub p90: Option<f64>,
    /// The longest.
    pub max: Option<f64>,
    /// The geometric mean, in which a length of zero counts as one second: such lengths are skewed, and their arithmetic mean
    /// misleads.
    pub geometric_mean: Option<f64>,
}

impl Summary {
    /// What these measures come to.
    pub fn of(measures: impl IntoIterator<Item = Measure>) -> Self {
        let (mut summary, mut took) = (Self::default(), Vec::new());
        for measure in measures {
            match measure {
                Measure::Took(length) => took.push(length),
                Measure::Invalid => summary.n_invalid += 1,
                Measure::Open => summary.n_open += 1,
                Measure::Missing => summary.n_missing += 1,
            }
        }
        took.sort_unstable();
        let seconds = |length: &i64| *length as f64 / SECOND;
        Self {
            n: took.len(),
            min: took.first().map(seconds),
            p50: percentile(&took, 50),
            p90: percentile(&took, 90),
            max: took.last().map(seconds),
            geometric_mean: geometric_mean(&took),
            ..summary
        }
    }

    /// How far it can be relied on.
    pub fn status(&self) -> FigureStatus {
        match self.n {
            0 => FigureStatus::NoData,
            n if n < FEWEST => FigureStatus::InsufficientData,
            _ if self.n_open > 0 => FigureStatus::Incomplete,
            _ => FigureStatus::Ok,
        }
    }
}

/// A percentile of sorted lengths in seconds, by linear interpolation between the two nearest: R-7, which is the default of
/// NumPy and of spreadsheets (Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996).
fn percentile(sorted: &[i64], percent: usize) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? * percent;
    let (low, high) = (sorted.get(place / 100)?, sorted.get(place.div_ceil(100))?);
    let part = (place % 100) as f64 / 100.0;
    Some((*low as f64 + (high - low) as f64 * part) / SECOND)
}

fn geometric_mean(lengths: &[i64]) -> Option<f64> {
    if lengths.is_empty() {
        return None;
    }
    let logarithm = |length: &i64| if *length == 0 { 0.0 } else { (*length as f64 / SECOND).ln() };
    let sum: f64 = lengths.iter().map(logarithm).sum();
    Some((sum / lengths.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(millis: &[i64]) -> Summary {
        Summary::of(millis.iter().map(|it| Measure::Took(it * 1_000)))
    }

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() <= 1e-9 * expected.abs().max(1.0))
    }

    /// The values are those of numpy.percentile, and of exp(mean(log(a))) with 1 for 0.
    #[test]
    fn percentiles_are_those_of_numpy() {
        for (millis, p50, p90, mean) in [
            (&[1_000, 2_000, 3_000, 4_000, 10_000][..], 3.0, 7.6, 2.992_555_739_477_689_6),
            (&[0, 0, 1_000], 0.0, 0.8, 1.0),
            (&[5_000], 5.0, 5.0, 5.0),
            (&[3_000, 1_000, 2_000, 8_000, 9_000, 100_000, 7_500, 250], 5.25, 36.3, 4.107_339_741_938_872),
        ] {
            let found = of(millis);
            assert!(is_near(found.p50, p50) && is_near(found.p90, p90), "{found:?}");
            assert!(is_near(found.geometric_mean, mean), "{found:?}");
        }
    }

    #[test]
    fn a_figure_says_how_far_it_can_be_relied_on() {
        assert_eq!((Summary::of([]).status(), Summary::of([]).p50), (FigureStatus::NoData, None));
        assert_eq!(of(&[1; 4]).status(), FigureStatus::InsufficientData);
        assert_eq!(of(&[1; 5]).status(), FigureStatus::Ok);
        let open = [1; 5].map(Measure::Took).into_iter().chain([Measure::Open, Measure::Missing]);
        let found = Summary::of(open);
        assert_eq!((found.status(), found.n_open, found.n_missing), (FigureStatus::Incomplete, 1, 1));
    }

    proptest! {
        /// Nothing is lost, and what is said of a distribution is in its order.
        #[test]
        fn the_counts_add_up(measures in proptest::collection::vec(measure(), 0..60)) {
            let found = Summary::of(measures.iter().copied());
            prop_assert_eq!(found.n + found.n_invalid + found.n_open + found.n_missing, measures.len());
            if let (Some(min), Some(p50), Some(p90), Some(max)) = (found.min, found.p50, found.p90, found.max) {
                prop_assert!(min <= p50 && p50 <= p90 && p90 <= max);
            }
            prop_assert_eq!(found.p50.is_some(), found.n > 0);
            prop_assert_eq!(found.geometric_mean.is_some(), found.n > 0);
        }
    }

    fn measure() -> impl Strategy<Value = Measure> {
        prop_oneof![
            4 => (0..10_000_000_000_i64).prop_map(Measure::Took),
            1 => Just(Measure::Invalid),
            1 => Just(Measure::Open),
            1 => Just(Measure::Missing),
        ]
    }
}
