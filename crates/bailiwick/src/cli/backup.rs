//! `bailiwick backup` and `restore`.

use std::path::PathBuf;

use clap::Args;

use super::RegisterFlags;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// The folder for backups, each in its own folder named after its time. The default is the
    /// setting `backups`.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Keep this many backups and remove older ones after a new one was made.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: Option<u32>,
    /// Include the master key. Anyone who has such a backup can sign tokens.
    #[arg(long)]
    pub(crate) with_keys: bool,
    /// Copy nothing; only record the journal heads, for a backup that another tool makes.
    #[arg(long, conflicts_with_all = ["keep", "with_keys"])]
    pub(crate) manifest_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// A backup, or a folder of backups, of which the newest is used. Without it --verify checks the database
    /// that the settings name, such as one that was restored with the tools of PostgreSQL.
    #[arg(long, value_name = "PATH", required_unless_present = "verify")]
    pub(crate) from: Option<PathBuf>,
    /// The data folder to create. Without it nothing is restored.
    #[arg(long, value_name = "DIR", requires = "from", required_unless_present = "verify")]
    pub(crate) to: Option<PathBuf>,
    /// Verify the database, every journal entry, and every record against its entries.
    #[arg(long)]
    pub(crate) verify: bool,
    /// The master key that belongs to the backup: it is checked and put into the new data folder. With - it is read
    /// from standard input.
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(crate) master_key: Option<PathBuf>,
    /// The manifest.json written when the database was backed up, to compare the journals with.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) manifest: Option<PathBuf>,
}
