//! The one unit of time that a table or a chart has.

use domain::figures::Summary;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    seconds: f64,
    name: &'static str,
}

/// From the smallest on.
const UNITS: [Unit; 4] = [
    Unit { seconds: 1.0, name: "s" },
    Unit { seconds: 60.0, name: "min" },
    Unit { seconds: 3_600.0, name: "h" },
    Unit { seconds: 86_400.0, name: "d" },
];

impl Unit {
    /// The greatest unit that is not longer than the middle one of the medians.
    pub(super) fn of<'a>(summaries: impl Iterator<Item = &'a Summary>) -> Self {
        Self::of_lengths(summaries.filter_map(|it| it.p50))
    }

    /// The greatest unit that is not longer than the middle one of some lengths, in seconds.
    pub(super) fn of_lengths(lengths: impl Iterator<Item = f64>) -> Self {
        let mut lengths: Vec<f64> = lengths.collect();
        lengths.sort_by(f64::total_cmp);
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
        let [smallest, ..] = UNITS;
        UNITS.into_iter().rfind(|unit| unit.seconds <= middle).unwrap_or(smallest)
    }

    /// How many of this unit a length has.
    pub(super) fn amount(self, seconds: f64) -> f64 {
        seconds / self.seconds
    }

    /// A length in this unit: `0.25 h`, `4.9 h`, `120 h`.
    pub(super) fn length(self, seconds: f64) -> String {
        let (amount, name) = (self.amount(seconds), self.name);
        match amount {
            ..=0.0 => format!("0 {name}"),
            ..0.01 => format!("<0.01 {name}"),
            ..0.995 => format!("{amount:.2} {name}"),
            ..99.95 => format!("{amount:.1} {name}"),
            _ => format!("{amount:.0} {name}"),
        }
    }

    /// How many whole ones of this unit a length has: `<1 h`, `4 h`.
    pub(super) fn whole(self, seconds: f64) -> String {
        match self.amount(seconds) {
            ..1.0 => format!("<1 {}", self.name),
            amount => format!("{:.0} {}", amount.floor(), self.name),
        }
    }

    /// A length in this unit; nothing where none was measured.
    pub(super) fn shown(self, seconds: Option<f64>) -> String {
        seconds.map(|seconds| self.length(seconds)).unwrap_or_default()
    }

    /// An amount of this unit as it is: `0.1 h`, `10 h`.
    pub(super) fn written(self, amount: f64) -> String {
        format!("{amount} {}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(medians: &[f64]) -> Unit {
        let summaries: Vec<Summary> =
            medians.iter().map(|it| Summary { p50: Some(*it), ..Summary::default() }).collect();
        Unit::of(summaries.iter())
    }

    #[test]
    fn the_middle_length_has_at_least_one_of_the_unit() {
        for (medians, name) in [
            (&[][..], "s"),
            (&[0.0, 0.2], "s"),
            (&[30.0, 90.0, 400_000.0], "min"),
            (&[60.0, 4_000.0, 400_000.0], "h"),
            (&[90_000.0], "d"),
        ] {
            assert_eq!(of(medians).name, name, "{medians:?}");
        }
    }

    #[test]
    fn an_amount_has_two_or_three_digits() {
        let hours = of(&[3_600.0]);
        let lengths = [0.0, 9.0, 900.0, 3_590.0, 17_650.0, 359_900.0, 432_000.0].map(|it| hours.length(it));
        assert_eq!(lengths, ["0 h", "<0.01 h", "0.25 h", "1.0 h", "4.9 h", "100 h", "120 h"]);
        assert_eq!([0.0, 3_599.0, 17_650.0].map(|it| hours.whole(it)), ["<1 h", "<1 h", "4 h"]);
        assert_eq!([0.01, 1.0, 100.0].map(|it| hours.written(it)), ["0.01 h", "1 h", "100 h"]);
    }
}
