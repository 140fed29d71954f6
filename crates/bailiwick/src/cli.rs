//! The command line. Forms that scripts rely on are listed in docs/cli.md.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use uuid::Uuid;

pub(crate) use crate::config::flags::{Place, Settings};

mod backup;
mod client;

pub(crate) use backup::{Backup, Restore};
pub(crate) use client::{Client, WhichClient};

/// The register of incidents, risks and policy documents.
#[derive(Debug, Parser)]
#[command(name = "bailiwick", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service.
    Serve(Serve),
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
    /// Bring the database's schema up to date and say what was done.
    Migrate(Migrate),
    /// Copy a SQLite register into a folder while the service runs; with --every, again and again.
    Backup(Backup),
    /// Put a backup into a new place, or verify it. Ends with 1 when something does not fit.
    Restore(Restore),
    /// The journal: verify it, or write it out.
    #[command(subcommand)]
    Journal(Journal),
    /// Settings: check them, or print a sample file.
    #[command(subcommand)]
    Config(Config),
    /// Look at an installation, while the service runs or not. Changes nothing; ends with 1 if there is a fault.
    Doctor(Doctor),
    /// Print the OpenAPI document.
    Openapi,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Fill a new database with a demo organization and print how to call it. Only on loopback.
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Say what is set and where it comes from, and everything that is wrong with it. Ends with 1 then.
    Check {
        #[command(flatten)]
        settings: Settings,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a file with every setting, explained.
    Example,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Answer in JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Organization {
    /// Make an organization.
    Create {
        #[command(flatten)]
        place: Place,
        /// Its name.
        #[arg(long)]
        name: String,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the organizations.
    List {
        #[command(flatten)]
        place: Place,
        /// Answer in JSON, one line each.
        #[arg(long)]
        json: bool,
    },
    /// Change an organization; what is not named stays.
    Update {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// Its name from now on.
        #[arg(long)]
        name: Option<String>,
        /// After how many days in the trash deleted records are purged: 0 to 3650, 0 is never.
        #[arg(long, value_name = "DAYS")]
        trash_days: Option<i64>,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum User {
    /// Add somebody to an organization.
    Create {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// The name that the organization shows.
        #[arg(long)]
        name: String,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
        /// What they may do: viewer, responder, owner, approver or admin.
        #[arg(long)]
        role: String,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the members of an organization by name.
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
    /// Invite somebody to sign in, and print the link for them. The way in for the first admin.
    Invite {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// The name that the organization shows.
        #[arg(long)]
        name: String,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
        /// What they may do: viewer, responder, owner, approver or admin.
        #[arg(long)]
        role: String,
        /// The address by which people reach the service, if it is not the one that is set.
        #[arg(long, value_name = "URL")]
        public_url: Option<String>,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Give a member another role.
    Role {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// The member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
        /// What they may do: viewer, responder, owner, approver or admin.
        #[arg(long)]
        role: String,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take a member out of an organization; their sessions there end.
    Remove {
        #[command(flatten)]
        place: Place,
        /// The organization.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
        /// The member.
        #[arg(long, value_name = "UUID")]
        user: Uuid,
    },
    /// Set a person's password, which is read from standard input; their sessions everywhere end.
    SetPassword {
        #[command(flatten)]
        place: Place,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// List the keys: the next, the active and the retired one of each purpose.
    List {
        #[command(flatten)]
        place: Place,
        /// Answer in JSON, one line each.
        #[arg(long)]
        json: bool,
    },
    /// Let the next keys sign from now on. What the old ones signed stays good until it expires.
    Rotate {
        #[command(flatten)]
        place: Place,
        /// Sign access tokens with ES256, RS256 or Ed25519; without it, as before.
        #[arg(long, value_name = "NAME")]
        algorithm: Option<String>,
        /// Make all keys anew and end every token that was signed so far: for keys that others may know,
        /// and when the master key is lost.
        #[arg(long)]
        end_tokens: bool,
        /// Answer in JSON, one line for each key.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    /// Walk the chain and compare the records with it. Ends with 1 when something does not fit.
    Verify(Verify),
    /// Write an organization's journal as one JSON object a line.
    Export {
        #[command(flatten)]
        place: Place,
        /// The organization; the nil UUID is the instance's own chain.
        #[arg(long, value_name = "UUID")]
        organization: Uuid,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Only this organization; without it every chain of the database is verified.
    #[arg(long, value_name = "UUID")]
    pub(crate) organization: Option<Uuid>,
    /// Verify an export instead of the database.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A head that was noted elsewhere, as SEQ:HASH.
    #[arg(long, value_name = "SEQ:HASH", requires = "organization", value_parser = expected)]
    pub(crate) expect: Option<store::journal::Expected>,
}

/// Reads `812:9f86d081…`.
fn expected(text: &str) -> Result<store::journal::Expected, String> {
    let wrong = || "must be a number, a colon and 64 hexadecimal digits".to_owned();
    let (seq, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse::<u32>().map(i64::from).map_err(|_| wrong())?;
    let hash = hex::decode(hash).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
    Ok(store::journal::Expected { seq, hash })
}
