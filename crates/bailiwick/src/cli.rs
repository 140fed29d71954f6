//! The command line. Forms that scripts rely on are listed in docs/cli.md.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use uuid::Uuid;

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
    /// Bring the database's schema up to date and say what was done.
    Migrate(Migrate),
    /// The journal: verify it, or write it out.
    #[command(subcommand)]
    Journal(Journal),
    /// Print the OpenAPI document.
    Openapi,
}

/// Where the data is.
#[derive(Debug, Clone, Args)]
pub(crate) struct Place {
    /// Folder for the SQLite file and the master key; it is made when it is not there.
    #[arg(long, env = "BAILIWICK_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// A PostgreSQL URL instead of the SQLite file in the data folder.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "BAILIWICK_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,
    /// Fill a new database with a demo organization and print how to call it. Only on loopback.
    #[arg(long)]
    pub(crate) demo: bool,
    /// Allow plain HTTP on an address that other machines reach.
    #[arg(long)]
    pub(crate) insecure_http: bool,
    /// The address by which clients know the service; it is the issuer of its tokens.
    #[arg(long, env = "BAILIWICK_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Requests a minute that each client may make; 0 is no limit.
    #[arg(long, env = "BAILIWICK_RATE_LIMIT", default_value_t = 60_000, value_name = "COUNT")]
    pub(crate) rate_limit: u32,
    /// Seconds in which a refresh token that was just spent still gives its successor; 0 is never.
    #[arg(long, env = "BAILIWICK_REFRESH_GRACE_SECONDS", default_value_t = 10, value_name = "SECONDS")]
    pub(crate) refresh_grace_seconds: u32,
    /// Address on which Prometheus reads metrics at /metrics, without a token; none without it.
    #[arg(long, env = "BAILIWICK_METRICS_LISTEN", value_name = "ADDRESS")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Logs as text or as JSON lines, on standard error.
    #[arg(long, env = "BAILIWICK_LOG_FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub(crate) log_format: String,
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
}

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
