//! What is measured: each case with its name and its preparation.

mod bulk;
mod create;
mod delete;
mod documents;
mod figures;
mod find;
mod fresh;
mod performance;
mod postgres;
mod read;
mod token;

use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::Result;
use crate::bench::Bench;
use crate::case::Case;

/// What finding may cost, indexes of lists and of words together: so many times the processor time of a creation before. It is paid
/// once, and an incident is found many times.
const FINDING: f64 = 2.2;

/// And so many times its latency.
const FINDING_LATENCY: f64 = 1.25;

/// How a run is done.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// The service's release binary.
    #[arg(long)]
    service: PathBuf,
    /// Smaller data sets and shorter windows: a first look in under two minutes.
    #[arg(long)]
    quick: bool,
    /// Only these.
    #[arg(long, value_enum, value_name = "NAME")]
    only: Vec<Name>,
    /// A durable PostgreSQL server on which databases may be made, instead of one of the bench's own.
    #[arg(long)]
    database: Option<String>,
    /// How often each side is measured, instead of 7 times (3 in a quick run).
    #[arg(long)]
    rounds: Option<usize>,
    /// Where the data sets are kept.
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
}

/// The cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// Creating incidents on all connections, with and without an Idempotency-Key.
    Create,
    /// Moving incidents from one status to the next.
    Transition,
    /// Creating incidents on one connection.
    Latency,
    /// The slowest creations.
    Tail,
    /// Reading one incident and a list of 50.
    Read,
    /// Reading an incident with a long timeline.
    Timeline,
    /// Issuing tokens.
    Token,
    /// Requests with a token that is known.
    KnownToken,
    /// Deleting 10,000 incidents in one call.
    Delete,
    /// What another organization waits while many incidents are changed in one call.
    Bulk,
    /// The performance figure in a small and a great register.
    Performance,
    /// The performance figure of a tag, at a moment of the past, and as a line.
    Figures,
    /// Reading in a small and a great register.
    Scale,
    /// Finding, counting and exporting among a million incidents.
    Find,
    /// The same on PostgreSQL.
    FindPostgres,
    /// How soon a search finds what was written, on both engines.
    Fresh,
    /// PostgreSQL, beside pgbench.
    Postgres,
    /// The process's memory after many creations.
    Memory,
    /// Starting on a great register.
    Start,
    /// Edits of a document alone.
    Edit,
    /// A published text, a list of documents, edits and acknowledgements.
    Documents,
    /// The same on PostgreSQL.
    DocumentsPostgres,
}

/// As on the command line.
impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| formatter.write_str(value.get_name()))
    }
}

/// Fills the registers of a case and starts the servers.
pub(crate) async fn prepare(name: Name, bench: &Bench) -> Result<Case> {
    let case = match name {
        Name::Create => create::create(bench).await,
        Name::Transition => create::transition(bench).await,
        Name::Latency => create::latency(bench).await,
        Name::Tail => create::tail(bench).await,
        Name::Read => read::read(bench).await,
        Name::Timeline => read::timeline(bench).await,
        Name::Token => token::token(bench).await,
        Name::KnownToken => token::known(bench).await,
        Name::Delete => delete::delete(bench).await,
        Name::Bulk => bulk::bulk(bench).await,
        Name::Performance => performance::performance(bench).await,
        Name::Figures => figures::figures(bench).await,
        Name::Scale => read::scale(bench).await,
        Name::Find => find::sqlite(bench).await,
        Name::FindPostgres => find::postgres(bench).await,
        Name::Fresh => fresh::fresh(bench).await,
        Name::Postgres => postgres::postgres(bench).await,
        Name::Memory => create::memory(bench).await,
        Name::Start => read::start(bench).await,
        Name::Edit => documents::edit(bench).await,
        Name::Documents => documents::sqlite(bench).await,
        Name::DocumentsPostgres => documents::postgres(bench).await,
    };
    case.map_err(|error| format!("{name}: {error}").into())
}

/// Measures what is asked for and prints the table, with what was measured behind it.
pub(crate) async fn run(options: Options) -> Result<()> {
    let mut bench = Bench::new(options.service, options.folder, options.quick)?;
    bench.rounds = options.rounds.unwrap_or(bench.rounds);
    bench.database = options.database;
    let names = if options.only.is_empty() { Name::value_variants() } else { options.only.as_slice() };
    let (mut bars, mut lines) = (String::new(), String::new());
    for &name in names {
        bench.step(name);
        let mut case = prepare(name, &bench).await?;
        case.measure(&bench, &name.to_string()).await?;
        bars += &case.bars()?;
        lines += &case.lines();
    }
    bench.step("done");
    println!("| work | measured | baseline | ratio, with the spread | bar | met |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |\n{bars}");
    println!(
        "| side | CPU per request | requests | p50 | p99 |\n| --- | ---: | ---: | ---: | ---: |\n{lines}"
    );
    Ok(())
}
