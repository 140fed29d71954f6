//! `bailiwick client …`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::InOrganization;

#[derive(Debug, Subcommand)]
pub(crate) enum Client {
    /// Create an OAuth client. Its secret is shown once.
    Create {
        #[command(flatten)]
        organization: InOrganization,
        /// The name of the client.
        #[arg(long)]
        name: String,
        /// Its scopes, separated by spaces or commas, such as "incidents:read incidents:write".
        #[arg(long)]
        scopes: String,
    },
    /// List the clients of an organization, oldest first, with the id and last use of their secrets.
    List {
        #[command(flatten)]
        organization: InOrganization,
    },
    /// Add a secret to a client. It is shown once; the others keep working until they are deleted.
    Rotate {
        #[command(flatten)]
        client: WhichClient,
        /// Delete the other secrets now and revoke every token issued with them.
        #[arg(long)]
        end_others: bool,
    },
    /// Delete a secret of a client and revoke every token issued with it.
    DeleteSecret {
        #[command(flatten)]
        client: WhichClient,
        /// The id of the secret, as `client list` shows it.
        #[arg(long, value_name = "UUID")]
        secret: Uuid,
    },
    /// Disable a client and revoke all its tokens.
    Disable {
        #[command(flatten)]
        client: WhichClient,
    },
    /// Enable a disabled client. It can get new tokens with its secrets.
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
