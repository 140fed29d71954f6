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
        /// The public URL of the service, if it differs from the setting.
        #[arg(long, value_name = "URL")]
        public_url: Option<String>,
    },
    /// Change the roles of a member: those that are named replace all others.
    Role {
        #[command(flatten)]
        organization: InOrganization,
        /// The id of the member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
        #[arg(long = "role", value_name = "ROLE", required = true, help = roles())]
        roles: Vec<String>,
    },
    /// Remove a member from an organization and end their sessions there.
    Remove {
        #[command(flatten)]
        organization: InOrganization,
        /// The id of the member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
    },
    /// Make a person an operator of the service: they see its keys, health and version in the console.
    Operator {
        #[command(flatten)]
        register: RegisterFlags,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
        /// Remove the operator role.
        #[arg(long)]
        remove: bool,
    },
    /// Set a person's password and end all their sessions. It is asked for twice at a terminal; otherwise it is the
    /// first line of standard input.
    SetPassword {
        #[command(flatten)]
        register: RegisterFlags,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
    },
}

/// A new member of an organization.
#[derive(Debug, Args)]
pub(crate) struct NewUser {
    /// The name in this organization.
    #[arg(long)]
    pub(crate) name: String,
    /// The person's e-mail address.
    #[arg(long)]
    pub(crate) email: String,
    /// The job title, which approvals of documents show.
    #[arg(long)]
    pub(crate) job_title: Option<String>,
    #[arg(long = "role", value_name = "ROLE", required = true, help = roles())]
    pub(crate) roles: Vec<String>,
}

/// The help of `--role`.
fn roles() -> String {
    let names: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
    format!("A role, may be repeated: {}", names.join(", "))
}
