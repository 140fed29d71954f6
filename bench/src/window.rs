//! What one window of a measurement came to.

use std::time::Duration;

use crate::figure::Unit;

/// What one window came to. What it does not measure is not a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) requests: f64,
    /// Processor time per request.
    pub(crate) cpu_us: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// Whatever else a case measures.
    pub(crate) value: f64,
}

impl Window {
    pub(crate) const NOTHING: Self = Self {
        requests: f64::NAN,
        cpu_us: f64::NAN,
        per_second: f64::NAN,
        p50_us: f64::NAN,
        p99_us: f64::NAN,
        value: f64::NAN,
    };

    /// One request that took so long.
    pub(crate) fn took(took: Duration) -> Self {
        let us = took.as_secs_f64() * 1e6;
        Self { requests: 1.0, per_second: 1e6 / us, p50_us: us, p99_us: us, ..Self::NOTHING }
    }
}

/// What is compared of two windows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    Cpu,
    Rate,
    P50,
    P99,
    Value(Unit),
}

impl Measure {
    pub(crate) const fn unit(self) -> Unit {
        match self {
            Self::Cpu | Self::P50 | Self::P99 => Unit::Time,
            Self::Rate => Unit::PerSecond,
            Self::Value(unit) => unit,
        }
    }

    pub(crate) fn of(self, window: &Window) -> f64 {
        match self {
            Self::Cpu => window.cpu_us,
            Self::Rate => window.per_second,
            Self::P50 => window.p50_us,
            Self::P99 => window.p99_us,
            Self::Value(_) => window.value,
        }
    }
}
