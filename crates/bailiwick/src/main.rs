//! `bailiwick`: the one binary.

mod certificate;
mod cli;
mod commands;
mod config;
mod demo;
mod disk;
mod failure;
mod housekeeping;
mod logs;
mod notify;
mod open_files;
mod output;
mod place;
mod process_metrics;
mod traces;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

/// Requests allocate blocks of a few KiB, which the C library's allocator searches a place for each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code of a command that was called wrongly; that of clap too.
const CALLED_WRONGLY: u8 = 2;

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let prepared = match command {
        Command::Serve(serve) => {
            commands::serve::prepare(&serve).map(|prepared| Prepared::Serve(Box::new(prepared)))
        }
        command => {
            logs::start(&config::Logs::of_commands(&config::environment()), None);
            Ok(Prepared::Command(command))
        }
    };
    match prepared {
        Ok(prepared) => run(prepared),
        Err(error) => failed(&error, CALLED_WRONGLY),
    }
}

/// What is left to do when the settings have been read and logs begun.
enum Prepared {
    Serve(Box<commands::serve::Prepared>),
    Command(Command),
}

fn run(prepared: Prepared) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error, 1),
    };
    let done = match prepared {
        Prepared::Serve(prepared) => runtime.block_on(commands::serve::run(*prepared)),
        Prepared::Command(command) => runtime.block_on(run_command(command)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, 1),
    }
}

async fn run_command(command: Command) -> failure::Result<()> {
    match command {
        Command::Serve(command) => commands::serve::run(commands::serve::prepare(&command)?).await,
        Command::Organization(command) => commands::organization::run(command).await,
        Command::Client(command) => commands::client::run(command).await,
        Command::User(command) => commands::user::run(command).await,
        Command::Keys(command) => commands::keys::run(command).await,
        Command::Migrate(command) => commands::migrate::run(&command).await,
        Command::Backup(command) => commands::backup::run(command).await,
        Command::Restore(command) => commands::restore::run(command).await,
        Command::Journal(command) => commands::journal::run(command).await,
        Command::Config(command) => commands::config::run(command),
        Command::Doctor(command) => commands::doctor::run(command).await,
        Command::Openapi => commands::openapi::run(),
    }
}

/// The one message of a failed command, for whoever typed it. If it cannot be told, the code still can.
fn failed(error: &dyn std::fmt::Display, code: u8) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "bailiwick: {error}");
    ExitCode::from(code)
}
