//! What a measurement came to, and the bar it is held against.

use crate::Result;
use crate::stats::{Spread, ratios};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Micros,
    Millis,
    PerSecond,
    Mebibytes,
    Times,
    Count,
}

impl Unit {
    /// A value as a table shows it.
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Self::Micros => format!("{value:.1} µs"),
            Self::Millis => format!("{value:.2} ms"),
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

/// A measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figure {
    pub(crate) unit: Unit,
    pub(crate) spread: Spread,
}

impl Figure {
    pub(crate) fn of(unit: Unit, values: &[f64]) -> Result<Self> {
        Ok(Self { unit, spread: Spread::of(values)? })
    }

    /// The median.
    pub(crate) fn text(&self) -> String {
        self.unit.text(self.spread.median)
    }

    /// The median, and the spread if there is one.
    pub(crate) fn text_with_spread(&self) -> String {
        let (low, high) = (self.unit.text(self.spread.low), self.unit.text(self.spread.high));
        match low == high {
            true => self.text(),
            false => format!("{} ({} to {})", self.text(), number(&low), number(&high)),
        }
    }
}

/// A value without its unit.
fn number(text: &str) -> &str {
    text.split([' ', '/']).next().unwrap_or(text)
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

/// One bar, and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) work: String,
    pub(crate) measured: Figure,
    /// What it is compared with.
    pub(crate) baseline: Option<(String, Figure)>,
    /// What the bar is about: the ratio, or what was measured.
    pub(crate) result: Figure,
    pub(crate) limit: Limit,
}

impl Row {
    /// A bar on `measured / baseline`.
    pub(crate) fn ratio(
        work: &str,
        unit: Unit,
        measured: &[f64],
        (name, baseline): (&str, &[f64]),
        limit: Limit,
    ) -> Result<Self> {
        Ok(Self {
            work: work.to_owned(),
            measured: Figure::of(unit, measured)?,
            baseline: Some((name.to_owned(), Figure::of(unit, baseline)?)),
            result: Figure::of(Unit::Times, &ratios(measured, baseline))?,
            limit,
        })
    }

    /// A bar on what was measured.
    pub(crate) fn absolute(work: &str, unit: Unit, measured: &[f64], limit: Limit) -> Result<Self> {
        let measured = Figure::of(unit, measured)?;
        Ok(Self { work: work.to_owned(), measured, baseline: None, result: measured, limit })
    }

    pub(crate) fn is_met(&self) -> bool {
        self.limit.is_met(self.result.spread.median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_held_against_the_median_of_the_ratios() {
        let limit = Limit::AtMost(3.5);
        let row = Row::ratio("x", Unit::Micros, &[30.0, 44.0, 36.0], ("echo", &[10.0, 11.0, 10.0]), limit);
        let row = row.unwrap();
        assert_eq!(row.result.text_with_spread(), "3.60 × (3.00 to 4.00)");
        assert!(!row.is_met());
        assert_eq!(row.limit.text(row.result.unit), "≤ 3.50 ×");
    }

    #[test]
    fn each_kind_of_bar_has_its_edge() {
        assert!(Limit::AtMost(2.0).is_met(2.0) && !Limit::AtMost(2.0).is_met(2.01));
        assert!(Limit::AtLeast(0.5).is_met(0.5) && !Limit::AtLeast(0.5).is_met(0.49));
        assert!(Limit::Below(5.0).is_met(4.99) && !Limit::Below(5.0).is_met(5.0));
        assert!(Limit::AtMost(0.0).is_met(0.0) && !Limit::AtMost(0.0).is_met(1.0));
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(Unit::PerSecond.text(22_286.4), "22,286/s");
        assert_eq!(Unit::Count.text(999.0), "999");
        assert_eq!(Unit::Count.text(1_000_000.0), "1,000,000");
        let spread = Spread { median: 1_500.0, low: 900.0, high: 2_000.0 };
        let figure = Figure { unit: Unit::PerSecond, spread };
        assert_eq!(figure.text_with_spread(), "1,500/s (900 to 2,000)");
    }
}
