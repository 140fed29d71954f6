//! Standard output: only what scripts read.

use std::io::Write;

use serde::Serialize;

use crate::failure::{Failure, Result};

/// Writes one line and flushes it.
pub(crate) fn line(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Writes a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    line(&serde_json::to_string(value).map_err(Failure::new)?)
}
