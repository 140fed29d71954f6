//! Two builds of the service, pair by pair: what a change did, apart from what the machine did meanwhile.

use std::path::PathBuf;

use crate::Result;
use crate::bench::Bench;
use crate::case::Side;
use crate::cases::{self, Name};
use crate::figure::{Figure, Unit};
use crate::window::Measure;

/// What is compared when nothing is named.
const USUAL: [Name; 6] =
    [Name::Create, Name::Latency, Name::Read, Name::Token, Name::Performance, Name::Delete];

/// Which builds.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The release binary of the one revision.
    #[arg(long)]
    a: PathBuf,
    /// That of the other.
    #[arg(long)]
    b: PathBuf,
    /// How many pairs.
    #[arg(long, default_value_t = 7)]
    pairs: usize,
    /// How long one window lasts, in seconds.
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Where the registers are kept while it runs.
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
    /// Only these.
    #[arg(value_enum)]
    cases: Vec<Name>,
}

pub(crate) async fn run(options: Options) -> Result<()> {
    let bench = |program, name| -> Result<Bench> {
        let mut bench = Bench::new(program, options.folder.join(name), true)?;
        bench.fills_by_requests = true;
        // The first pair warms up.
        bench.rounds = options.pairs + 1;
        Ok(bench)
    };
    let (bench_a, bench_b) = (bench(options.a, "compare-a")?, bench(options.b, "compare-b")?);
    let names = if options.cases.is_empty() { &USUAL[..] } else { &options.cases };
    println!("| work | measure | A | B | B / A, with the spread |\n| --- | --- | ---: | ---: | ---: |");
    for &name in names {
        let mut a = cases::prepare(name, &bench_a).await?;
        let mut b = cases::prepare(name, &bench_b).await?;
        for pair in 0..=options.pairs {
            for (a, b) in a.sides.iter_mut().zip(&mut b.sides).filter(|(a, _)| !a.is_baseline) {
                // In turns the one and the other goes first: A B B A …
                for side in if pair % 2 == 0 { [a, b] } else { [b, a] } {
                    let window = side.measure(options.seconds).await?;
                    side.windows.extend((pair > 0).then_some(window));
                }
            }
            bench_a.step(format_args!("{name}: pair {pair} of {}", options.pairs));
        }
        a.sides.iter().zip(&b.sides).filter(|(a, _)| !a.is_baseline).for_each(|(a, b)| print(a, b));
    }
    Ok(())
}

fn print(a: &Side, b: &Side) {
    for (name, measure) in [("CPU per request", Measure::Cpu), ("rate", Measure::Rate), ("p99", Measure::P99)]
    {
        let ratios: Vec<f64> = a.values(measure).iter().zip(b.values(measure)).map(|(a, b)| b / a).collect();
        let figures = (a.figure(measure), b.figure(measure), Figure::of(Unit::Times, &ratios));
        if let (Some(of_a), Some(of_b), Some(ratio)) = figures {
            let (of_a, of_b, ratio) = (of_a.text(), of_b.text(), ratio.text_with_spread());
            println!("| {} | {name} | {of_a} | {of_b} | {ratio} |", a.name);
        }
    }
}
