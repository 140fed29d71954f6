//! A run: its options, and where it keeps its data.

use std::path::{Path, PathBuf};
use std::time::Instant;

use tempfile::TempDir;

use crate::Result;
use crate::case::Case;
use crate::load::{self, Load, Window};
use crate::process::Process;
use crate::register::Register;
use crate::service::{Service, Target, Tenant};

/// How a run is done.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// The service's release binary.
    #[arg(long)]
    pub(crate) service: PathBuf,
    /// Smaller data sets and shorter windows: a first look in under two minutes.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Only these.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) only: Vec<Case>,
    /// A durable PostgreSQL server on which databases may be made, instead of one of the bench's own.
    #[arg(long)]
    pub(crate) database: Option<String>,
    /// Connections that send one request after the other.
    #[arg(long, default_value_t = 64)]
    pub(crate) connections: u32,
    /// How often each comparison is made, instead of 7 times (3 in a quick run).
    #[arg(long)]
    pub(crate) rounds: Option<usize>,
    /// Where the data sets are kept.
    #[arg(long, default_value = "target/bench")]
    pub(crate) folder: PathBuf,
}

impl Options {
    /// What a comparison needs of a run.
    pub(crate) fn of_comparison(service: PathBuf, folder: PathBuf) -> Self {
        Self {
            service,
            quick: false,
            only: Vec::new(),
            database: None,
            connections: 64,
            rounds: None,
            folder,
        }
    }
}

/// A run that goes on.
pub(crate) struct Bench {
    pub(crate) options: Options,
    started: Instant,
    /// What this run alone needs.
    scratch: TempDir,
}

impl Bench {
    pub(crate) fn new(options: Options) -> Result<Self> {
        // Beside the build, on a real disk rather than in memory.
        std::fs::create_dir_all(&options.folder)?;
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(&options.folder)?;
        Ok(Self { options, started: Instant::now(), scratch })
    }

    /// Prints the current step on standard error.
    pub(crate) fn step(&self, what: impl std::fmt::Display) {
        eprintln!("[{:4} s] {what}", self.started.elapsed().as_secs());
    }

    /// How often each comparison is made.
    pub(crate) fn rounds(&self) -> usize {
        self.options.rounds.unwrap_or(if self.options.quick { 3 } else { 7 })
    }

    /// How long one window of load lasts.
    pub(crate) fn seconds(&self) -> u64 {
        if self.options.quick { 1 } else { 3 }
    }

    /// `full`, or what is enough for a first look.
    pub(crate) fn size(&self, full: usize, quick: usize) -> usize {
        if self.options.quick { quick } else { full }
    }

    pub(crate) fn program(&self) -> &Path {
        &self.options.service
    }

    /// The folder of this run.
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// An empty register with one organization.
    pub(crate) fn empty(&self, name: &str) -> Result<(Target, Tenant)> {
        let target = Target::folder(self.scratch.path().join(name));
        let tenant = target.create_tenant(self.program(), "bench")?;
        Ok((target, tenant))
    }

    /// The service on an empty register.
    pub(crate) fn service(&self, name: &str) -> Result<(Service, Tenant)> {
        let (target, tenant) = self.empty(name)?;
        Ok((target.serve(self.program())?, tenant))
    }

    /// An empty register without the service.
    pub(crate) async fn register(&self, name: &str) -> Result<Register> {
        let (target, tenant) = self.empty(name)?;
        Register::open(&target, &tenant).await
    }

    /// One window of load on all connections.
    pub(crate) fn load(&self, load: &Load, server: &Process) -> Result<Window> {
        load::run(load, self.options.connections, self.seconds(), server)
    }

    /// A second of load that does not count.
    pub(crate) fn warm_up(&self, load: &Load, server: &Process) -> Result<()> {
        load::run(load, self.options.connections, 1, server).map(|_| ())
    }
}
