//! `bailiwick`: the one binary.

mod certificate;
mod cli;
mod commands;
mod config;
mod demo;
mod demo_greeting;
mod disk;
mod failure;
mod housekeeping;
mod installation;
mod logs;
mod machine;
mod notify;
mod open_files;
mod output;
mod process_metrics;
mod progress;
mod search;
#[cfg_attr(not(feature = "otlp"), path = "traces_left_out.rs")]
mod traces;
mod waiting;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use failure::Failure;

/// Requests allocate blocks of a few KiB, which the C library's allocator searches a place for each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code of a command that was called wrongly; that of clap too.
const CALLED_WRONGLY: u8 = 2;

fn main() -> ExitCode {
    let Cli { command, json } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return called_wrongly(&error),
    };
    let prepared = match command {
        Command::Serve(serve) => {
            commands::serve::prepare(&serve, json).map(|prepared| Prepared::Serve(Box::new(prepared)))
        }
        command => {
            logs::start(&config::Logs::of_commands(&config::environment(), json), None);
            Ok(Prepared::Command(command))
        }
    };
    match prepared {
        Ok(prepared) => run(prepared, json),
        Err(failure) => failed(&failure, json, CALLED_WRONGLY),
    }
}

/// What is left to do when the settings have been read and logs begun.
enum Prepared {
    Serve(Box<commands::serve::Prepared>),
    Command(Command),
}

fn run(prepared: Prepared, json: bool) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into(), json, 1),
    };
    let done = match prepared {
        Prepared::Serve(prepared) => runtime.block_on(commands::serve::run(*prepared)),
        Prepared::Command(command) => runtime.block_on(run_command(command, json)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failed(&failure, json, 1),
    }
}

async fn run_command(command: Command, json: bool) -> failure::Result<()> {
    match command {
        Command::Serve(command) => commands::serve::run(commands::serve::prepare(&command, json)?).await,
        Command::Init(command) => commands::init::run(command, json).await,
        Command::Organization(command) => commands::organization::run(command, json).await,
        Command::Client(command) => commands::client::run(command, json).await,
        Command::User(command) => commands::user::run(command, json).await,
        Command::Document(command) => commands::document::run(command, json).await,
        Command::Import(command) => commands::import::run(command, json).await,
        Command::Keys(command) => commands::keys::run(command, json).await,
        Command::Migrate(command) => commands::migrate::run(&command, json).await,
        Command::Backup(command) => commands::backup::run(command, json).await,
        Command::Restore(command) => commands::restore::run(command, json).await,
        Command::Journal(command) => commands::journal::run(command, json).await,
        Command::Search(command) => commands::search::run(command, json).await,
        Command::Severity(command) => commands::severity::run(&command, json),
        Command::Config(command) => commands::config::run(command, json),
        Command::Doctor(command) => commands::doctor::run(command, json).await,
        Command::Openapi => commands::openapi::run(),
        Command::Manual(command) => commands::manual::run(&command, json),
    }
}

/// Prints clap's message for arguments that it does not understand, or `--help` and `--version`. Whether JSON was asked
/// for is read from the arguments, because they were not understood.
fn called_wrongly(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    if !error.use_stderr() || !json {
        error.exit();
    }
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let failure = Failure::new(message).coded("usage").with(lines.map(str::to_owned));
    failed(&failure, json, CALLED_WRONGLY)
}

/// Prints the message of a failed command. If it cannot be written, the exit code still shows the failure.
fn failed(failure: &Failure, json: bool, code: u8) -> ExitCode {
    #[derive(serde::Serialize)]
    struct Answer<'a> {
        error: &'a Failure,
    }
    let mut errors = std::io::stderr().lock();
    match json.then(|| serde_json::to_string(&Answer { error: failure })) {
        Some(Ok(object)) => drop(writeln!(errors, "{object}")),
        _ => failure.lines().for_each(|line| drop(writeln!(errors, "{}", output::escape(&line)))),
    }
    ExitCode::from(code)
}
