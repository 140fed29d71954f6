//! Figures that were measured several times: the median counts, the spread is shown.

use crate::Result;

/// The median of several measurements, the least and the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    pub(crate) fn of(values: &[f64]) -> Result<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        match (sorted.first(), sorted.last()) {
            (Some(&low), Some(&high)) => Ok(Self { median: median(&sorted), low, high }),
            _ => Err("nothing was measured".into()),
        }
    }
}

/// `measured / baseline`, pair by pair: what ran next to each other is compared with each other.
pub(crate) fn ratios(measured: &[f64], baseline: &[f64]) -> Vec<f64> {
    measured.iter().zip(baseline).map(|(measured, baseline)| measured / baseline).collect()
}

fn median(sorted: &[f64]) -> f64 {
    let (lower, upper) = (sorted.len().saturating_sub(1) / 2, sorted.len() / 2);
    let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
    f64::midpoint(at(lower), at(upper))
}

/// The value that so many per cent of the values do not exceed, by nearest rank.
pub(crate) fn percentile(values: &[f64], per_cent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * per_cent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_disturbed_window_does_not_decide() {
        let spread = Spread::of(&[3.0, 100.0, 2.0]).unwrap();
        assert_eq!(spread, Spread { median: 3.0, low: 2.0, high: 100.0 });
        assert_eq!(Spread::of(&[1.0, 2.0]).unwrap().median, 1.5);
        assert!(Spread::of(&[]).is_err());
    }

    #[test]
    fn neighbours_are_compared() {
        // The machine was half as fast in the second round; the ratio does not care.
        assert_eq!(ratios(&[30.0, 60.0], &[10.0, 20.0]), [3.0, 3.0]);
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(percentile(&values, 99), 198.0);
        assert_eq!(percentile(&values, 50), 100.0);
        assert_eq!(percentile(&[7.0], 99), 7.0);
    }
}
