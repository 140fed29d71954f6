//! Logs go to standard error.

use tracing_subscriber::EnvFilter;

/// Starts logging; `format` is `text` or `json`. `RUST_LOG` filters, `info` without it.
pub(crate) fn start(format: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if format == "json" {
        logs.json().init();
    } else {
        logs.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).with_target(false).init();
    }
}
