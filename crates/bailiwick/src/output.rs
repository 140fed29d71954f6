//! Standard output: only the results of commands.

mod escape;
mod table;

use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::failure::{Failure, Result};

pub(crate) use escape::escape;
pub(crate) use table::Table;

/// The exit code when the reader of the output has closed the pipe: 128 and the number of SIGPIPE, as a shell sees it.
const READER_IS_GONE: i32 = 141;

/// Writes one line for people and flushes it. A name in it may hold anything; it cannot begin another line.
pub(crate) fn line(text: &str) -> Result<()> {
    raw(&escape(text))
}

/// Writes a text as it is, and a line break. When the reader has closed the pipe, as in `… | head`, the command ends
/// without a message.
pub(crate) fn raw(text: &str) -> Result<()> {
    match write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(READER_IS_GONE),
        written => Ok(written?),
    }
}

/// Writes one line of a service, which keeps running when the reader has closed the pipe.
pub(crate) fn line_of_service(text: &str) -> Result<()> {
    match write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    raw(&serde_json::to_string(value).map_err(Failure::new)?)
}

fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
