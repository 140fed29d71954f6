//! `bailiwick organization …`.

use clap::Subcommand;

use super::{InOrganization, NewRegisterFlags, RegisterFlags};

#[derive(Debug, Subcommand)]
pub(crate) enum Organization {
    /// Make an organization.
    Create {
        #[command(flatten)]
        register: NewRegisterFlags,
        /// Its name.
        #[arg(long)]
        name: String,
    },
    /// List the organizations.
    List {
        #[command(flatten)]
        register: RegisterFlags,
    },
    /// Change an organization; what is not named stays.
    Update {
        #[command(flatten)]
        organization: InOrganization,
        /// Its name from now on.
        #[arg(long)]
        name: Option<String>,
        /// What names it in the addresses of the console, such as example-ltd; former ones still lead there.
        #[arg(long)]
        slug: Option<String>,
        /// After how many days in the trash deleted records are purged: 0 to 3650, 0 is never.
        #[arg(long, value_name = "DAYS")]
        trash_days: Option<i64>,
        /// The time zone that decides days, weeks and months, such as Europe/Berlin.
        #[arg(long, value_name = "ZONE")]
        time_zone: Option<String>,
    },
}
