//! `bailiwick organization …`.

use clap::Subcommand;

use super::{InOrganization, NewRegisterFlags, RegisterFlags};

#[derive(Debug, Subcommand)]
pub(crate) enum Organization {
    /// Create an organization.
    Create {
        #[command(flatten)]
        register: NewRegisterFlags,
        /// The name of the organization.
        #[arg(long)]
        name: String,
    },
    /// List the organizations.
    List {
        #[command(flatten)]
        register: RegisterFlags,
    },
    /// Change an organization. Options that are not given stay as they are.
    Update {
        #[command(flatten)]
        organization: InOrganization,
        /// The new name.
        #[arg(long)]
        name: Option<String>,
        /// The slug in the URLs of the console, such as example-ltd. URLs with earlier slugs keep working.
        #[arg(long)]
        slug: Option<String>,
        /// Days after which deleted records are permanently removed: 0 to 3650; 0 means never.
        #[arg(long, value_name = "DAYS")]
        trash_days: Option<i64>,
        /// The time zone that defines days, weeks and months, such as Europe/Berlin.
        #[arg(long, value_name = "ZONE")]
        time_zone: Option<String>,
        /// Whether somebody else than its authors approves a proposal: true or false.
        #[arg(long, value_name = "BOOL")]
        four_eyes: Option<bool>,
        /// Days after which the name of somebody who has left becomes a pseudonym in acknowledgements: 1 to 3650; 0 means never.
        #[arg(long, value_name = "DAYS")]
        pseudonym_days: Option<i64>,
    },
}
