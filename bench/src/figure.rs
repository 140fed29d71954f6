//! Figures that were measured several times, and the limits that they are held against.

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Microseconds, shown in what is easy to read.
    Time,
    PerSecond,
    Mebibytes,
    Times,
    Count,
}

impl Unit {
    /// A value as a table shows it.
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Self::Time if value < 1e3 => format!("{value:.1} µs"),
            Self::Time if value < 1e7 => format!("{:.2} ms", value / 1e3),
            Self::Time => format!("{:.1} s", value / 1e6),
            Self::PerSecond => format!("{}/s", thousands(value)),
            Self::Mebibytes => format!("{value:.1} MiB"),
            Self::Times => format!("{value:.2} ×"),
            Self::Count => thousands(value),
        }
    }
}

/// `12,345`
fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The median of several measurements, the least and the greatest: one that was disturbed does not decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figure {
    pub(crate) unit: Unit,
    pub(crate) median: f64,
    low: f64,
    high: f64,
}

impl Figure {
    /// None when nothing was measured: values that are not numbers are left out.
    pub(crate) fn of(unit: Unit, values: &[f64]) -> Option<Self> {
        let sorted = sorted(values);
        let at = |index: usize| sorted.get(index).copied();
        let median = f64::midpoint(at(sorted.len().checked_sub(1)? / 2)?, at(sorted.len() / 2)?);
        Some(Self { unit, median, low: *sorted.first()?, high: *sorted.last()? })
    }

    pub(crate) fn text(&self) -> String {
        self.unit.text(self.median)
    }

    /// The median, and the spread if there is one.
    pub(crate) fn text_with_spread(&self) -> String {
        let (low, high) = (self.unit.text(self.low), self.unit.text(self.high));
        if low == high { self.text() } else { format!("{} ({low} to {high})", self.text()) }
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value that so many per cent of the values do not exceed, by nearest rank.
pub(crate) fn percentile(values: &[f64], per_cent: usize) -> f64 {
    let sorted = sorted(values);
    let rank = (sorted.len() * per_cent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

/// What is asked of a median.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limit {
    AtMost(f64),
    AtLeast(f64),
    Below(f64),
}

impl Limit {
    pub(crate) fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Below(limit) => value < limit,
        }
    }

    pub(crate) fn text(self, unit: Unit) -> String {
        match self {
            Self::AtMost(limit) => format!("≤ {}", unit.text(limit)),
            Self::AtLeast(limit) => format!("≥ {}", unit.text(limit)),
            Self::Below(limit) => format!("< {}", unit.text(limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_disturbed_window_does_not_decide() {
        let of = |values: &[f64]| Figure::of(Unit::Times, values).map(|figure| figure.text_with_spread());
        assert_eq!(of(&[3.0, 100.0, f64::NAN, 2.0]).unwrap(), "3.00 × (2.00 × to 100.00 ×)");
        assert_eq!(of(&[1.0, 2.0]).unwrap(), "1.50 × (1.00 × to 2.00 ×)");
        assert_eq!(of(&[f64::NAN]), None);
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!((percentile(&values, 99), percentile(&values, 50)), (198.0, 100.0));
        assert_eq!(percentile(&[7.0], 99), 7.0);
    }

    #[test]
    fn each_kind_of_limit_has_its_edge() {
        assert!(Limit::AtMost(2.0).is_met(2.0) && !Limit::AtMost(2.0).is_met(2.01));
        assert!(Limit::AtLeast(0.5).is_met(0.5) && !Limit::AtLeast(0.5).is_met(0.49));
        assert!(Limit::Below(5.0).is_met(4.99) && !Limit::Below(5.0).is_met(5.0));
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(Unit::PerSecond.text(22_286.4), "22,286/s");
        assert_eq!((&*Unit::Count.text(999.0), &*Unit::Count.text(1_000_000.0)), ("999", "1,000,000"));
        let times = [62.66, 1_234.5, 12_345_678.0].map(|us| Unit::Time.text(us));
        assert_eq!(times, ["62.7 µs", "1.23 ms", "12.3 s"]);
        assert_eq!(Limit::AtMost(3.5).text(Unit::Times), "≤ 3.50 ×");
    }
}
