//! A case: what is measured side by side in each round, and the bars that it is held against.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;

use crate::Result;
use crate::bench::Bench;
use crate::figure::{Figure, Limit, Unit};
use crate::load::{self, Load};
use crate::process::Process;
use crate::window::{Measure, Window};

type Measuring = Box<dyn FnMut(u64) -> Pin<Box<dyn Future<Output = Result<Window>>>>>;

/// What is measured in each round for so many seconds.
pub(crate) struct Side {
    pub(crate) name: String,
    /// A baseline is no part of a comparison of two builds.
    pub(crate) is_baseline: bool,
    is_load: bool,
    measuring: Measuring,
    pub(crate) windows: Vec<Window>,
}

impl Side {
    pub(crate) async fn measure(&mut self, seconds: u64) -> Result<Window> {
        (self.measuring)(seconds).await
    }

    pub(crate) fn values(&self, measure: Measure) -> Vec<f64> {
        self.windows.iter().map(|window| measure.of(window)).collect()
    }

    pub(crate) fn figure(&self, measure: Measure) -> Option<Figure> {
        Figure::of(measure.unit(), &self.values(measure))
    }
}

/// What is asked of a side: of the measure itself, or of its ratio to the sum of other sides.
struct Bar {
    work: String,
    measure: Measure,
    side: String,
    beside: Vec<String>,
    limit: Limit,
}

/// A case that is prepared.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) sides: Vec<Side>,
    bars: Vec<Bar>,
    /// How many rounds there are, if not as many as usual.
    rounds: Option<usize>,
    /// What has to live as long as the sides.
    pub(crate) keeps: Vec<Box<dyn Any>>,
}

impl Case {
    /// One with so many rounds.
    pub(crate) fn with_rounds(rounds: usize) -> Self {
        Self { rounds: Some(rounds), ..Self::default() }
    }

    /// A load on the service.
    pub(crate) fn load(&mut self, name: &str, load: Load, server: &Arc<Process>) {
        let server = Arc::clone(server);
        self.own(name, move |seconds| std::future::ready(load::run(&load, seconds, &server)));
        self.sides.last_mut().into_iter().for_each(|side| side.is_load = true);
    }

    /// Another work of the service.
    pub(crate) fn own<F>(&mut self, name: &str, mut measure: impl FnMut(u64) -> F + 'static)
    where
        F: Future<Output = Result<Window>> + 'static,
    {
        let measuring: Measuring = Box::new(move |seconds| Box::pin(measure(seconds)));
        let name = name.to_owned();
        self.sides.push(Side { name, is_baseline: false, is_load: false, measuring, windows: Vec::new() });
    }

    /// The side that was added last is a baseline.
    pub(crate) fn as_baseline(&mut self) {
        self.sides.last_mut().into_iter().for_each(|side| side.is_baseline = true);
    }

    /// Holds the median of a side, or of its ratios to the sum of other sides, against a limit.
    pub(crate) fn bar(&mut self, work: &str, measure: Measure, side: &str, beside: &[&str], limit: Limit) {
        let beside = beside.iter().map(|&name| name.to_owned()).collect();
        self.bars.push(Bar { work: work.to_owned(), measure, side: side.to_owned(), beside, limit });
    }

    /// Measures all sides in turn, again and again.
    pub(crate) async fn measure(&mut self, bench: &Bench, name: &str) -> Result<()> {
        for side in self.sides.iter_mut().filter(|side| side.is_load) {
            side.measure(1).await?;
        }
        let rounds = self.rounds.unwrap_or(bench.rounds);
        for round in 1..=rounds {
            bench.step(format_args!("{name}: round {round} of {rounds}"));
            for side in &mut self.sides {
                let window = side.measure(bench.seconds).await?;
                side.windows.push(window);
            }
        }
        Ok(())
    }

    fn side(&self, name: &str) -> Result<&Side> {
        self.sides.iter().find(|side| side.name == name).ok_or_else(|| format!("no side {name}").into())
    }

    /// A line of the table for each bar.
    pub(crate) fn bars(&self) -> Result<String> {
        self.bars.iter().map(|bar| self.line(bar)).collect()
    }

    fn line(&self, Bar { work, measure, side, beside, limit }: &Bar) -> Result<String> {
        let values = self.side(side)?.values(*measure);
        let Some(measured) = Figure::of(measure.unit(), &values) else {
            return Ok(format!("| {work} | not measured | | | {} | |\n", limit.text(measure.unit())));
        };
        let mut sums = vec![0.0; values.len()];
        for name in beside {
            let values = self.side(name)?.values(*measure);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let ratios: Vec<f64> = values.iter().zip(&sums).map(|(value, sum)| value / sum).collect();
        let baseline = Figure::of(measure.unit(), &sums).filter(|_| !beside.is_empty());
        let (baseline, ratio) = baseline.zip(Figure::of(Unit::Times, &ratios)).unzip();
        let result = ratio.unwrap_or(measured);
        Ok(format!(
            "| {work} | {} | {} | {} | {} | {} |\n",
            if ratio.is_some() { measured.text() } else { measured.text_with_spread() },
            baseline.map(|it| format!("{}: {}", beside.join(" + "), it.text())).unwrap_or_default(),
            ratio.map(|ratio| ratio.text_with_spread()).unwrap_or_default(),
            limit.text(result.unit),
            if limit.is_met(result.median) { "yes" } else { "**no**" },
        ))
    }

    /// A line of the other table for each side.
    pub(crate) fn lines(&self) -> String {
        let text = |side: &Side, measure| side.figure(measure).map(|it| it.text()).unwrap_or_default();
        let line = |side: &Side| {
            let [cpu, rate, p50, p99] =
                [Measure::Cpu, Measure::Rate, Measure::P50, Measure::P99].map(|measure| text(side, measure));
            format!("| {} | {cpu} | {rate} | {p50} | {p99} |\n", side.name)
        };
        self.sides.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(sides: &[(&str, [f64; 2])]) -> Case {
        let mut case = Case::default();
        for (name, cpu) in sides {
            case.own(name, |_| std::future::ready(Ok(Window::NOTHING)));
            case.sides.last_mut().unwrap().windows =
                cpu.map(|cpu_us| Window { cpu_us, ..Window::NOTHING }).into();
        }
        case
    }

    #[test]
    fn a_bar_is_held_against_the_median_of_the_ratios() {
        // The machine was half as fast in the second round; the ratio does not care.
        let mut case = case(&[("create", [30.0, 60.0]), ("echo", [5.0, 10.0]), ("sign", [5.0, 10.0])]);
        case.bar("create: CPU", Measure::Cpu, "create", &["echo", "sign"], Limit::AtMost(2.5));
        case.bar("create: CPU", Measure::Cpu, "create", &[], Limit::Below(50.0));
        case.bar("create: rate", Measure::Rate, "create", &[], Limit::AtLeast(5.0));
        let expected = "| create: CPU | 45.0 µs | echo + sign: 15.0 µs | 3.00 × | ≤ 2.50 × | **no** |\n\
                        | create: CPU | 45.0 µs (30.0 µs to 60.0 µs) |  |  | < 50.0 µs | yes |\n\
                        | create: rate | not measured | | | ≥ 5/s | |\n";
        assert_eq!(case.bars().unwrap(), expected);
        assert!(case.lines().starts_with("| create | 45.0 µs |  |  |  |\n"));
        case.bar("x", Measure::Cpu, "missing", &[], Limit::Below(1.0));
        assert!(case.bars().is_err());
    }
}
