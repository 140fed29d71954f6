//! `bailiwick document …`.

use std::path::PathBuf;

use clap::Subcommand;

use super::InOrganization;

#[derive(Debug, Subcommand)]
pub(crate) enum Document {
    /// Create drafts from policy files (Markdown behind YAML), Word documents (.docx), pages (.html), plain text (.txt) and Markdown
    /// (.md), or from the library that comes with the program: all or none. What of a file cannot be kept is listed.
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
    /// Make the texts of published versions again from the journal, and compare them and their hashes with what was approved.
    /// Exits with 1 if one differs.
    Verify {
        #[command(flatten)]
        which: InOrganization,
        /// Only this document.
        slug: Option<String>,
        /// Only this version of it.
        number: Option<i64>,
    },
}
