//! What is measured: one file for each bar, or for bars that share their loads.

mod create;
mod delete;
mod known_token;
mod latency;
mod memory;
mod performance;
mod postgres;
mod read;
mod scale;
mod start;
mod tail;
mod token;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::bench::{Bench, Options};
use crate::figure::Row;
use crate::load::Line;
use crate::report;

/// A part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Case {
    /// Creating incidents on all connections, with and without an Idempotency-Key.
    Create,
    /// Creating incidents on one connection.
    Latency,
    /// The slowest creations.
    Tail,
    /// Reading one incident and a list of 50.
    Read,
    /// Issuing tokens.
    Token,
    /// Requests with a token that is known.
    KnownToken,
    /// Deleting 10,000 incidents in one call.
    Delete,
    /// The performance figure in a small and a great register.
    Performance,
    /// Reading in a small and a great register.
    Scale,
    /// PostgreSQL, beside pgbench.
    Postgres,
    /// The process's memory after many creations.
    Memory,
    /// Starting on a great register.
    Start,
}

/// What a case came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The bars.
    pub(crate) rows: Vec<Row>,
    /// The loads behind them.
    pub(crate) lines: Vec<Line>,
    /// What a reader should know.
    pub(crate) notes: Vec<String>,
    /// Memory in MiB after so many creations.
    pub(crate) memory: Vec<(f64, f64)>,
}

impl Case {
    async fn measure(self, bench: &Bench) -> Result<Outcome> {
        match self {
            Self::Create => create::measure(bench).await,
            Self::Latency => latency::measure(bench).await,
            Self::Tail => tail::measure(bench).await,
            Self::Read => read::measure(bench).await,
            Self::Token => token::measure(bench).await,
            Self::KnownToken => known_token::measure(bench).await,
            Self::Delete => delete::measure(bench).await,
            Self::Performance => performance::measure(bench).await,
            Self::Scale => scale::measure(bench).await,
            Self::Postgres => postgres::measure(bench).await,
            Self::Memory => memory::measure(bench).await,
            Self::Start => start::measure(bench).await,
        }
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Measures what is asked for and reports it.
pub(crate) async fn run(options: Options) -> Result<()> {
    let bench = Bench::new(options)?;
    let wanted = &bench.options.only;
    let all = Case::value_variants().iter().copied();
    let mut outcomes = Vec::new();
    for case in all.filter(|case| wanted.is_empty() || wanted.contains(case)) {
        bench.step(case.name());
        let outcome = case.measure(&bench).await.map_err(|error| format!("{}: {error}", case.name()))?;
        outcomes.push((case, outcome));
    }
    bench.step("done");
    report::finish(&bench.options, outcomes)
}
