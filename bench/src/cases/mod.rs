//! What is measured: one file for each bar, or for bars that share their loads.

mod bulk;
mod create;
mod delete;
mod find;
mod fresh;
mod known_token;
mod latency;
mod memory;
mod performance;
mod postgres;
mod read;
mod scale;
mod start;
mod tail;
mod timeline;
mod token;
mod transition;

use clap::ValueEnum as _;

use crate::bench::{Bench, Options};
use crate::case::{Case, Outcome};
use crate::{Result, table};

/// What finding may cost, indexes of lists and of words together: so many times the processor time of a creation before. It is paid
/// once, and an incident is found many times.
const FINDING: f64 = 2.2;

/// And so many times its latency.
const FINDING_LATENCY: f64 = 1.25;

/// Measures what is asked for and prints the table.
pub(crate) async fn run(options: Options) -> Result<()> {
    let bench = Bench::new(options)?;
    let wanted = &bench.options.only;
    let all = Case::value_variants().iter().copied();
    let mut outcomes = Vec::new();
    for case in all.filter(|case| wanted.is_empty() || wanted.contains(case)) {
        bench.step(case.name());
        let outcome = measure(case, &bench).await.map_err(|error| format!("{}: {error}", case.name()))?;
        outcomes.push(outcome);
    }
    bench.step("done");
    print!("{}", table::tables(&outcomes));
    Ok(())
}

async fn measure(case: Case, bench: &Bench) -> Result<Outcome> {
    match case {
        Case::Create => create::measure(bench).await,
        Case::Transition => transition::measure(bench).await,
        Case::Latency => latency::measure(bench).await,
        Case::Tail => tail::measure(bench).await,
        Case::Read => read::measure(bench).await,
        Case::Timeline => timeline::measure(bench).await,
        Case::Token => token::measure(bench).await,
        Case::KnownToken => known_token::measure(bench).await,
        Case::Delete => delete::measure(bench).await,
        Case::Bulk => bulk::measure(bench).await,
        Case::Performance => performance::measure(bench).await,
        Case::Scale => scale::measure(bench).await,
        Case::Find => find::measure(bench).await,
        Case::FindPostgres => find::measure_on_postgres(bench).await,
        Case::Fresh => fresh::measure(bench).await,
        Case::Postgres => postgres::measure(bench).await,
        Case::Memory => memory::measure(bench).await,
        Case::Start => start::measure(bench).await,
    }
}
