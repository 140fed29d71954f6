//! The benchmark: every bar in one run, as ratios to baselines that ran next to it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose output is a table for a person"
)]

mod bench;
mod case;
mod cases;
mod compare;
mod data;
mod disk;
mod figure;
mod load;
mod postgres;
mod process;
mod register;
mod requests;
mod server;
mod service;
mod target;
mod tenant;
mod window;

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
    /// Measure the service beside its baselines.
    Run(cases::Options),
    /// Measure two builds of the service pair by pair.
    Compare(compare::Options),
    /// The bare handlers that the service is compared with.
    Serve(server::Options),
}

#[tokio::main]
async fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Run(options) => cases::run(options).await,
        Command::Compare(options) => compare::run(options).await,
        Command::Serve(options) => server::serve(options).await,
    }
}
