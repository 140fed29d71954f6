//! `bailiwick severity …`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Severity {
    /// Print explanations of a fixed selection of answers, one a line and each different from the others.
    Samples {
        /// How many, at most; there are about four thousand.
        count: usize,
    },
}
