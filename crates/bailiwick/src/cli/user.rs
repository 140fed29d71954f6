//! `bailiwick user …`.

use clap::{Args, Subcommand};
use domain::Role;
use uuid::Uuid;

use super::{InOrganization, RegisterFlags};

#[derive(Debug, Subcommand)]
pub(crate) enum User {
    /// Add a member to an organization.
    Create {
        #[command(flatten)]
        organization: InOrganization,
        #[command(flatten)]
        new: NewUser,
    },
    /// List the members of an organization by name.
    List {
        #[command(flatten)]
        organization: InOrganization,
    },
    /// Invite a person to sign in, and print the link for them.
    Invite {
        #[command(flatten)]
        organization: InOrganization,
        #[command(flatten)]
        new: NewUser,
        /// The address by which people reach the service, if it is not the one that is set.
        #[arg(long, value_name = "URL")]
        public_url: Option<String>,
    },
    /// Give a member another role.
    Role {
        #[command(flatten)]
        organization: InOrganization,
        /// The member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
        #[arg(long, help = roles())]
        role: String,
    },
    /// Remove a member from an organization; their sessions there end.
    Remove {
        #[command(flatten)]
        organization: InOrganization,
        /// The member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
    },
    /// Mark a person as an operator of the service: they see its keys, health and version in the console.
    Operator {
        #[command(flatten)]
        register: RegisterFlags,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
        /// Take it back.
        #[arg(long)]
        remove: bool,
    },
    /// Set a person's password; their sessions everywhere end. It is typed twice at a terminal, or it is the first line
    /// of standard input.
    SetPassword {
        #[command(flatten)]
        register: RegisterFlags,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
    },
}

/// A person who is to join an organization.
#[derive(Debug, Args)]
pub(crate) struct NewUser {
    /// The name that the organization shows.
    #[arg(long)]
    pub(crate) name: String,
    /// The person's e-mail address.
    #[arg(long)]
    pub(crate) email: String,
    #[arg(long, help = roles())]
    pub(crate) role: String,
}

/// The help of `--role`.
fn roles() -> String {
    let names: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
    format!("What they may do: {}", names.join(", "))
}
