//! `bailiwick search …`.

use clap::Subcommand;
use uuid::Uuid;

use super::RegisterFlags;

#[derive(Debug, Subcommand)]
pub(crate) enum Search {
    /// Rebuild the search index from the journal. The service may be running; until it is done, searches find less.
    Rebuild {
        #[command(flatten)]
        register: RegisterFlags,
        /// Only this organization. By default the index of every organization is rebuilt.
        #[arg(long, value_name = "UUID")]
        organization: Option<Uuid>,
    },
}
