//! `bailiwick search …`.

use clap::Subcommand;
use uuid::Uuid;

use super::RegisterFlags;

#[derive(Debug, Subcommand)]
pub(crate) enum Search {
    /// Make the index of searches again from the journal, while the service runs or not. Until it is done, searches find less.
    Rebuild {
        #[command(flatten)]
        register: RegisterFlags,
        /// Only this organization; without it the index of every organization is made again.
        #[arg(long, value_name = "UUID")]
        organization: Option<Uuid>,
    },
}
