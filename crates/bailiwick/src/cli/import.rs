//! `bailiwick import …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::InOrganization;

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Import risks from a CSV, TSV, XLSX, XLSM or ODS file: print what was found in it, and what becomes of its rows. Up to
    /// 10,000 records are written at once, all or none. Exits with 1 if something cannot be imported, unless it is left out.
    Risks(Spreadsheet),
    /// Import evaluations of risks that are in the register, in the same way. A row names its risk by its reference, its id or
    /// its title.
    Evaluations(Spreadsheet),
    /// Import incidents in the same way. Statuses and dates of the past are set without the rules of transitions. An incident
    /// with the reference of one that is there, or without a reference and with its title and detection time, changes that one.
    Incidents(Spreadsheet),
    /// Import tags in the same way: names, other names, colours and descriptions.
    Tags(Spreadsheet),
}

/// A spreadsheet to import.
#[derive(Debug, Args)]
pub(crate) struct Spreadsheet {
    #[command(flatten)]
    pub(crate) which: InOrganization,
    /// Say what would become of each row, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Answer a question that the dry run has printed, by its id: `--answer stage:residual=target`.
    #[arg(long = "answer", value_name = "ID=VALUE")]
    pub(crate) answers: Vec<String>,
    /// Take what is proposed for each question without an answer.
    #[arg(long)]
    pub(crate) accept_proposals: bool,
    /// Leave out what cannot be imported.
    #[arg(long)]
    pub(crate) skip_wrong: bool,
    /// The file.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
