//! The command line. Its forms are listed in docs/operation.md.

use clap::{Args, Parser, Subcommand};
use uuid::Uuid;

pub(crate) use crate::config::flags::{NewRegisterFlags, RegisterFlags, Settings};

mod backup;
mod client;
mod document;
mod import;
mod init;
mod journal;
mod keys;
mod organization;
mod search;
mod severity;
mod user;

pub(crate) use backup::{Backup, Restore};
pub(crate) use client::{Client, WhichClient};
pub(crate) use document::Document;
pub(crate) use import::{Import, Spreadsheet};
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
    /// Write JSON, one object per line. An error is an object on standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service.
    Serve(Serve),
    /// Set up a register: create the first organization and invite its first admin.
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
    /// Policy documents.
    #[command(subcommand)]
    Document(Document),
    /// Spreadsheets that become records.
    #[command(subcommand)]
    Import(Import),
    /// The signing keys of tokens.
    #[command(subcommand)]
    Keys(Keys),
    /// Create or upgrade the schema of the database, and print what was done.
    Migrate(Migrate),
    /// Copy a SQLite register into a folder while the service runs.
    Backup(Backup),
    /// Restore a backup into a new data folder, or verify it. Exits with 1 if there is a fault.
    Restore(Restore),
    /// Verify or export the journal (the audit log).
    #[command(subcommand)]
    Journal(Journal),
    /// The search index.
    #[command(subcommand)]
    Search(Search),
    /// Explanations of the severity of incidents.
    #[command(subcommand)]
    Severity(Severity),
    /// Check the settings, or print a sample file.
    #[command(subcommand)]
    Config(Config),
    /// Check an installation. The service may be running. Changes nothing; exits with 1 if there is a fault.
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
    /// Print each setting with its source, and all errors. Exits with 1 if there is one.
    Check {
        #[command(flatten)]
        settings: Settings,
    },
    /// Print a sample file that explains every setting.
    Example,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The folder. It is created if it does not exist.
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
