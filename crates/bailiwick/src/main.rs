//! `bailiwick`: the one binary.

mod cli;
mod commands;
mod demo;
mod failure;
mod logs;
mod output;
mod place;
mod process_metrics;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    logs::start(match &cli.command {
        Command::Serve(serve) => &serve.log_format,
        _ => "text",
    });
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    match runtime.block_on(run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

async fn run(command: Command) -> failure::Result<()> {
    match command {
        Command::Serve(command) => commands::serve::run(command).await,
        Command::Organization(command) => commands::organization::run(command).await,
        Command::Client(command) => commands::client::run(command).await,
        Command::User(command) => commands::user::run(command).await,
        Command::Migrate(command) => commands::migrate::run(&command).await,
        Command::Journal(command) => commands::journal::run(command).await,
        Command::Openapi => commands::openapi::run(),
    }
}

#[expect(clippy::print_stderr, reason = "the one message of a failed command, for whoever typed it")]
fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("bailiwick: {error}");
    ExitCode::FAILURE
}
