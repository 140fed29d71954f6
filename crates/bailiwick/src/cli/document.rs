//! `bailiwick document …`.

use std::path::PathBuf;

use clap::Subcommand;

use super::InOrganization;

#[derive(Debug, Subcommand)]
pub(crate) enum Document {
    /// Create drafts from policy files (Markdown behind YAML), or from the library that comes with the program: all or none.
    Import {
        #[command(flatten)]
        which: InOrganization,
        /// Create a draft of each policy of the library whose slug is not in use.
        #[arg(long)]
        library: bool,
        /// The files.
        #[arg(value_name = "FILE", required_unless_present = "library")]
        files: Vec<PathBuf>,
    },
}
