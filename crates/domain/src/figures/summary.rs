//! What many measures come to.

use super::{Figure, Measure, Milestones};
use crate::severity::Severity;

/// With fewer measures than this a distribution says nothing.
const FEWEST: usize = 5;

/// Up to so many measures are kept beside what they come to, and drawn one by one: of so few a median says little.
pub const FEW: usize = 12;

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
        /// Some are still open, so recent ones look faster than they will be.
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
    /// The geometric mean, in which a length below a second counts as one second: such lengths are skewed, and their arithmetic mean
    /// misleads.
    pub geometric_mean: Option<f64>,
    /// Each length from the shortest on, if they are a dozen or fewer.
    pub few: Vec<f64>,
}

/// The measures of one figure, before they are summed up.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Microseconds.
    took: Vec<i64>,
    invalid: usize,
    open: usize,
    missing: usize,
}

impl Tally {
    /// Adds what the figure measures of one more incident.
    pub fn add(&mut self, measure: Measure) {
        match measure {
            Measure::Took(length) => self.took.push(length),
            Measure::Invalid => self.invalid += 1,
            Measure::Open => self.open += 1,
            Measure::Missing => self.missing += 1,
        }
    }

    /// What the measures come to.
    pub fn sum(mut self) -> Summary {
        self.took.sort_unstable();
        let whole = |length: &i64| seconds(*length as f64);
        Summary {
            n: self.took.len(),
            n_invalid: self.invalid,
            n_open: self.open,
            n_missing: self.missing,
            min: self.took.first().map(whole),
            p50: percentile(&self.took, 50),
            p90: percentile(&self.took, 90),
            max: self.took.last().map(whole),
            geometric_mean: geometric_mean(&self.took),
            few: if self.took.len() > FEW { Vec::new() } else { self.took.iter().map(whole).collect() },
        }
    }
}

/// The measures of every figure, before they are summed up.
#[derive(Debug, Clone, Default)]
pub struct Tallies {
    total: usize,
    /// In the order of the severities.
    severities: [usize; Severity::ALL.len()],
    /// In the order of the figures.
    tallies: [Tally; Figure::ALL.len()],
}

/// Every figure over many incidents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summaries {
    /// How many incidents there are.
    pub total: usize,
    /// How many of each severity.
    pub severities: Vec<(Severity, usize)>,
    /// The figures.
    pub figures: Vec<(Figure, Summary)>,
}

impl Tallies {
    /// Adds one more incident.
    pub fn add(&mut self, it: &Milestones) {
        self.total += 1;
        for (severity, count) in Severity::ALL.iter().zip(&mut self.severities) {
            *count += usize::from(it.severity == *severity);
        }
        for (figure, tally) in Figure::ALL.iter().zip(&mut self.tallies) {
            tally.add(figure.of(it));
        }
    }

    /// How many incidents there are.
    pub fn total(&self) -> usize {
        self.total
    }

    /// What the measures come to.
    pub fn sum(self) -> Summaries {
        let figures = Figure::ALL.iter().copied().zip(self.tallies.map(Tally::sum)).collect();
        let severities = Severity::ALL.iter().copied().zip(self.severities).collect();
        Summaries { total: self.total, severities, figures }
    }
}

impl Summary {
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
    Some(seconds(*low as f64 + (high - low) as f64 * part))
}

fn geometric_mean(lengths: &[i64]) -> Option<f64> {
    if lengths.is_empty() {
        return None;
    }
    let logarithm = |length: &i64| (*length as f64).max(SECOND).ln();
    let sum: f64 = lengths.iter().map(logarithm).sum();
    Some(seconds((sum / lengths.len() as f64).exp()))
}

/// Microseconds as seconds; what is finer than a microsecond is rounded.
fn seconds(microseconds: f64) -> f64 {
    microseconds.round() / SECOND
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(measures: impl IntoIterator<Item = Measure>) -> Summary {
        let mut tally = Tally::default();
        measures.into_iter().for_each(|measure| tally.add(measure));
        tally.sum()
    }

    fn of(millis: &[i64]) -> Summary {
        sum(millis.iter().map(|it| Measure::Took(it * 1_000)))
    }

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-6)
    }

    #[test]
    fn a_dozen_lengths_or_fewer_are_kept_in_order() {
        assert_eq!(of(&[3_000, 1_000, 2_000]).few, [1.0, 2.0, 3.0]);
        assert_eq!((of(&[1_000; 12]).few.len(), of(&[1_000; 13]).few.len()), (12, 0));
    }

    /// The values are those of numpy.percentile, and of exp(mean(log(maximum(a, 1)))).
    #[test]
    fn percentiles_are_those_of_numpy() {
        for (millis, p50, p90, mean) in [
            (&[1_000, 2_000, 3_000, 4_000, 10_000][..], 3.0, 7.6, 2.992_555_739_477_689_6),
            (&[0, 0, 1_000], 0.0, 0.8, 1.0),
            (&[0, 1, 1_000_000], 0.001, 800.000_2, 10.0),
            (&[5_000], 5.0, 5.0, 5.0),
            (&[3_000, 1_000, 2_000, 8_000, 9_000, 100_000, 7_500, 250], 5.25, 36.3, 4.884_477_644_847_147),
        ] {
            let found = of(millis);
            assert!(is_near(found.p50, p50) && is_near(found.p90, p90), "{found:?}");
            assert!(is_near(found.geometric_mean, mean), "{found:?}");
        }
    }

    #[test]
    fn the_example_of_the_documentation_is_right() {
        let took = [5, 10, 15, 60, 240].map(|minutes| Measure::Took(minutes * 60_000_000));
        let found = sum(took.into_iter().chain([Measure::Open]));
        assert_eq!((found.n, found.n_open, found.status()), (5, 1, FigureStatus::Incomplete));
        assert_eq!((found.p50, found.p90), (Some(15.0 * 60.0), Some(168.0 * 60.0)));
        assert!(found.geometric_mean.is_some_and(|mean| (mean / 60.0 - 25.5).abs() < 0.05), "{found:?}");
    }

    #[test]
    fn a_figure_says_how_far_it_can_be_relied_on() {
        assert_eq!((of(&[]).status(), of(&[]).p50), (FigureStatus::NoData, None));
        assert_eq!(of(&[1; 4]).status(), FigureStatus::InsufficientData);
        assert_eq!(of(&[1; 5]).status(), FigureStatus::Ok);
        let open = [1; 5].map(Measure::Took).into_iter().chain([Measure::Open, Measure::Missing]);
        let found = sum(open);
        assert_eq!((found.status(), found.n_open, found.n_missing), (FigureStatus::Incomplete, 1, 1));
    }

    proptest! {
        /// Nothing is lost, and what is said of a distribution is in its order.
        #[test]
        fn the_counts_add_up(measures in proptest::collection::vec(measure(), 0..60)) {
            let found = sum(measures.iter().copied());
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
