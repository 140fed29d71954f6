//! The command line. Its forms are listed in docs/operation.md.

use clap::{Args, Parser, Subcommand};
use uuid::Uuid;

pub(crate) use crate::config::flags::{NewRegisterFlags, RegisterFlags, Settings};

mod backup;
mod client;
mod init;
mod journal;
mod keys;
mod organization;
mod search;
mod severity;
mod user;

pub(crate) use backup::{Backup, Restore};
pub(crate) use client::{Client, WhichClient};
pub(crate) use init::Init;
pub(crate) use journal::{Journal, Verify, expected};
pub(crate) use keys::Keys;
pub(crate) use organization::Organization;
pub(crate) use search::Search;
pub(crate) use severity::Severity;
pub(crate) use user::{NewUser, User};

/// The register of incidents, risks and policy documents.
#[derive(Debug, Parser)]
#[command(name = "bailiwick", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Answer in JSON, one object a line; an error is an object on standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service.
    Serve(Serve),
    /// Begin a register: make the first organization and invite its first admin.
    Init(Init),
    /// Organizations: the tenants.
    #[command(subcommand)]
    Organization(Organization),
    /// OAuth clients of an organization.
    #[command(subcommand)]
    Client(Client),
    /// People and their memberships.
    #[command(subcommand)]
    User(User),
    /// The keys that sign tokens.
    #[command(subcommand)]
    Keys(Keys),
    /// Make the database's schema or bring it up to date, and say what was done.
    Migrate(Migrate),
    /// Copy a SQLite register into a folder while the service runs.
    Backup(Backup),
    /// Put a backup into a new data folder, or verify it. Ends with 1 when something does not fit.
    Restore(Restore),
    /// The journal: verify it, or write it out.
    #[command(subcommand)]
    Journal(Journal),
    /// The index of searches.
    #[command(subcommand)]
    Search(Search),
    /// How the severity of incidents is explained.
    #[command(subcommand)]
    Severity(Severity),
    /// Settings: check them, or print a sample file.
    #[command(subcommand)]
    Config(Config),
    /// Look at an installation, while the service runs or not. Changes nothing; ends with 1 if there is a fault.
    Doctor(Doctor),
    /// Print the OpenAPI document.
    Openapi,
    /// Write shell completions and manual pages into a folder, for packages.
    #[command(hide = true)]
    Manual(Manual),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Fill a new database with a demo organization and print how to call it. Only on loopback.
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    #[command(flatten)]
    pub(crate) register: NewRegisterFlags,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Say what is set and where it comes from, and everything that is wrong with it. Ends with 1 then.
    Check {
        #[command(flatten)]
        settings: Settings,
    },
    /// Print a file with every setting, explained.
    Example,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The folder, made when it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: std::path::PathBuf,
}

/// An organization of a register.
#[derive(Debug, Args)]
pub(crate) struct InOrganization {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// The organization; it may be left out if there is only one.
    #[arg(long, value_name = "UUID")]
    pub(crate) organization: Option<Uuid>,
}
