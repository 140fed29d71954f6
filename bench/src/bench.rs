//! A run: its sizes, and where it keeps its data.

use std::path::PathBuf;
use std::time::Instant;

use tempfile::TempDir;

use crate::Result;
use crate::register::Register;
use crate::service::Service;
use crate::target::Target;
use crate::tenant::Tenant;

/// A run of one build of the service.
pub(crate) struct Bench {
    /// The service's release binary.
    pub(crate) program: PathBuf,
    /// Smaller data sets.
    pub(crate) is_quick: bool,
    /// How often each side is measured.
    pub(crate) rounds: usize,
    /// How long one window lasts.
    pub(crate) seconds: u64,
    /// A PostgreSQL server instead of one of the bench's own.
    pub(crate) database: Option<String>,
    /// Where the data sets are kept.
    pub(crate) folder: PathBuf,
    /// Fill registers by requests: the build may have another schema than the store that is compiled in.
    pub(crate) fills_by_requests: bool,
    started: Instant,
    /// What this run alone needs.
    scratch: TempDir,
}

impl Bench {
    pub(crate) fn new(program: PathBuf, folder: PathBuf, is_quick: bool) -> Result<Self> {
        // Beside the build, on a real disk rather than in memory.
        std::fs::create_dir_all(&folder)?;
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(&folder)?;
        let (rounds, seconds) = if is_quick { (3, 1) } else { (7, 3) };
        let started = Instant::now();
        let (database, fills_by_requests) = (None, false);
        Ok(Self { program, is_quick, rounds, seconds, database, folder, fills_by_requests, started, scratch })
    }

    /// Prints the current step on standard error.
    pub(crate) fn step(&self, what: impl std::fmt::Display) {
        eprintln!("[{:4} s] {what}", self.started.elapsed().as_secs());
    }

    /// `full`, or what is enough for a first look.
    pub(crate) fn size(&self, full: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { full }
    }

    /// A name in the folder of this run.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// An empty register with one organization.
    pub(crate) fn empty(&self, name: &str) -> Result<(Target, Tenant)> {
        let target = Target::folder(self.scratch(name));
        let tenant = target.create_tenant(&self.program, "bench")?;
        Ok((target, tenant))
    }

    /// The service on an empty register, and a token.
    pub(crate) async fn service(&self, name: &str) -> Result<(Service, Tenant, String)> {
        let (target, tenant) = self.empty(name)?;
        let service = target.serve(&self.program)?;
        let token = service.token(&tenant).await?;
        Ok((service, tenant, token))
    }

    /// An empty register without the service.
    pub(crate) async fn register(&self, name: &str) -> Result<Register> {
        let (target, tenant) = self.empty(name)?;
        Register::open(&target, &tenant).await
    }
}
