//! Logs go to standard error. No line may contain secrets or personal data: docs/operation.md says so, and a test
//! checks it.

use std::panic::PanicHookInfo;

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::Logs;
use crate::traces::Traces;

/// Our own crates, what concerns security wherever it is noticed, and a line for each request (at `debug`).
const OURS: [&str; 10] =
    ["bailiwick", "api", "lists", "http", "auth", "store", "db", "domain", "security", http::TRACE_TARGET];

/// The database driver writes the parameters of statements, which are the register's content, below this level.
const DRIVER: (&str, Level) = ("tokio_postgres", Level::INFO);

/// Starts logging, and sending spans to `traces`.
pub(crate) fn start(logs: &Logs, traces: Option<&Traces>) {
    let asked = logs.filter.as_deref().map(str::parse::<Targets>);
    let (filter, wrong) = match asked {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (by_level(&logs.level), Some(error)),
        None => (by_level(&logs.level), None),
    };
    let without_content = filter_fn(|line| !line.target().starts_with(DRIVER.0) || *line.level() <= DRIVER.1);
    // A line that cannot be written, as on a full disk, is lost; by default the library would panic over it.
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let lines = if logs.json {
        lines.json().boxed()
    } else {
        let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
        lines.with_ansi(colours).with_target(false).boxed()
    };
    let lines = lines.with_filter(without_content).with_filter(filter);
    tracing_subscriber::registry().with(lines).with(traces.map(Traces::layer)).init();
    std::panic::set_hook(Box::new(tell));
    if let Some(error) = wrong {
        tracing::warn!(%error, "RUST_LOG is not a valid filter; log_level is used");
    }
}

/// The level is for our own lines; libraries only warn. The settings know no other levels than these.
fn by_level(level: &str) -> Targets {
    let ours = level.parse().unwrap_or(LevelFilter::INFO);
    let others = ours.min(LevelFilter::WARN);
    Targets::new().with_default(others).with_targets(OURS.map(|target| (target, ours)))
}

/// A panic is a line of the log like any other failure.
fn tell(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let text = panic.payload_as_str().unwrap_or("(no text)");
    tracing::error!(target: "bailiwick", place, "panic: {text}");
}
