//! The benchmark: one command, one run, ratios.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose output is a table for a person"
)]

mod cases;
mod echo;
mod fsync;
mod load;
mod process;
mod report;
mod service;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

/// Any failure ends the run: a benchmark that goes on after one measures something else.
pub(crate) type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure the service beside the echo.
    Run(Run),
    /// The bare handler that everything is compared with.
    Echo,
}

/// How a run is done.
#[derive(clap::Args)]
pub(crate) struct Run {
    /// The service's release binary.
    #[arg(long)]
    service: PathBuf,
    /// A shorter run, for a first look.
    #[arg(long)]
    quick: bool,
    /// Connections that send one request after the other.
    #[arg(long, default_value_t = 64)]
    connections: u32,
    /// A PostgreSQL URL to measure instead of SQLite.
    #[arg(long)]
    database: Option<String>,
}

impl Run {
    pub(crate) fn seconds(&self) -> u64 {
        if self.quick { 2 } else { 8 }
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Echo => echo::serve().await,
        Command::Run(run) => measure(&run).await,
    }
}

async fn measure(run: &Run) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(data_folder()?)?;
    let fsync = fsync::median(folder.path(), if run.quick { 200 } else { 1_000 })?;
    let echo = echo::start()?;
    let service = service::start(run, folder.path()).await?;
    eprintln!("filling the register …");
    let cases = cases::all(&service).await?;
    // Both warm up before anything counts.
    load::run(&cases::echo(&echo), run.connections, Duration::from_secs(1), &echo)?;
    let mut rows = Vec::new();
    for case in &cases {
        eprintln!("{} …", case.name);
        let beside =
            load::run(&cases::echo(&echo), run.connections, Duration::from_secs(run.seconds()), &echo)?;
        let measured =
            load::run(case, run.connections, Duration::from_secs(run.seconds()), &service.process)?;
        rows.push(report::Row { name: case.name, measured, beside, cpu_bound: case.ratio });
    }
    eprintln!("delete of 1,000 …");
    let delete = cases::delete(&service, if run.quick { 3 } else { 10 }).await?;
    report::print(&rows, &delete, fsync, service.process.rss_anon_kib()?);
    Ok(())
}

/// The data lies beside the build, on a real disk rather than in memory.
fn data_folder() -> Result<PathBuf> {
    let folder = PathBuf::from("target/bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
