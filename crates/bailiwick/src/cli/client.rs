//! `bailiwick client …`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::Place;

#[derive(Debug, Subcommand)]
pub(crate) enum Client {
    /// Make an OAuth client. Its secret is shown once.
    Create {
        #[command(flatten)]
        place: Place,
        /// The organization whose data it may use.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// What people call it.
        #[arg(long)]
        name: String,
        /// What it may do, with spaces between, such as "incidents:read incidents:write".
        #[arg(long)]
        scopes: String,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the clients of an organization, the oldest first, with their secrets by name and last use.
    List {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// Answer in JSON, one line each.
        #[arg(long)]
        json: bool,
    },
    /// Give a client another secret, which is shown once. The old one works on until it is deleted.
    Rotate {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        client: WhichClient,
        /// End the other secrets at once, with every token that grew out of them.
        #[arg(long)]
        end_others: bool,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Delete a secret of a client; every token that grew out of it ends.
    DeleteSecret {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        client: WhichClient,
        /// The secret, by the id that `client list` shows.
        #[arg(long, value_name = "UUID")]
        secret: Uuid,
    },
    /// Disable a client; all its tokens end, for good.
    Disable {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        client: WhichClient,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let a disabled client get tokens again, with the secrets it has.
    Enable {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        client: WhichClient,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
}

/// One client of an organization.
#[derive(Debug, Args)]
pub(crate) struct WhichClient {
    /// The organization.
    #[arg(long, value_name = "UUID")]
    pub(crate) organization: Uuid,
    /// The client.
    #[arg(long = "client", value_name = "CLIENT_ID")]
    pub(crate) id: String,
}
