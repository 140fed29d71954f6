//! `bailiwick client …`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::InOrganization;

#[derive(Debug, Subcommand)]
pub(crate) enum Client {
    /// Make an OAuth client. Its secret is shown once.
    Create {
        #[command(flatten)]
        organization: InOrganization,
        /// What people call it.
        #[arg(long)]
        name: String,
        /// What it may do, with spaces between, such as "incidents:read incidents:write".
        #[arg(long)]
        scopes: String,
    },
    /// List the clients of an organization, the oldest first, with their secrets by id and last use.
    List {
        #[command(flatten)]
        organization: InOrganization,
    },
    /// Give a client another secret, which is shown once. The old one works on until it is deleted.
    Rotate {
        #[command(flatten)]
        client: WhichClient,
        /// Delete the other secrets at once, and revoke every token issued with them.
        #[arg(long)]
        end_others: bool,
    },
    /// Delete a secret of a client, and revoke every token issued with it.
    DeleteSecret {
        #[command(flatten)]
        client: WhichClient,
        /// The secret, by the id that `client list` shows.
        #[arg(long, value_name = "UUID")]
        secret: Uuid,
    },
    /// Disable a client; all its tokens end, for good.
    Disable {
        #[command(flatten)]
        client: WhichClient,
    },
    /// Let a disabled client get tokens again, with the secrets it has.
    Enable {
        #[command(flatten)]
        client: WhichClient,
    },
}

/// One client of an organization.
#[derive(Debug, Args)]
pub(crate) struct WhichClient {
    #[command(flatten)]
    pub(crate) organization: InOrganization,
    /// The client.
    #[arg(long, value_name = "CLIENT_ID")]
    pub(crate) client: String,
}
