//! `bailiwick journal …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::{InOrganization, RegisterFlags};

#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    /// Verify the chain, and compare the records with it. Exits with 1 if there is a fault.
    Verify(Verify),
    /// Export the journal of an organization, one JSON object per line. The nil UUID means the instance's own chain.
    Export {
        #[command(flatten)]
        organization: InOrganization,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// Only this organization. By default every chain of the database is verified.
    #[arg(long, value_name = "UUID")]
    pub(crate) organization: Option<Uuid>,
    /// Verify an export instead of the database.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A head that was recorded elsewhere, as SEQ:HASH, of the chain of the file or of the organization.
    #[arg(long, value_name = "SEQ:HASH", value_parser = expected)]
    pub(crate) expect: Option<store::journal::Expected>,
}

/// Reads `812:9f86d081…`.
pub(crate) fn expected(text: &str) -> Result<store::journal::Expected, String> {
    let wrong = || "must be a number, a colon and 64 hexadecimal digits".to_owned();
    let (seq, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse::<u32>().map(i64::from).map_err(|_| wrong())?;
    let hash = hex::decode(hash).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
    Ok(store::journal::Expected { seq, hash })
}
