//! `bailiwick severity …`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Severity {
    /// Print the explanations of a fixed selection of answers, one per line, each different.
    Samples {
        /// The maximum number; there are about 4,000.
        count: usize,
    },
}
