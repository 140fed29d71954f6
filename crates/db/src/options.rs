//! How a database is opened.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::went_back::WentBack;

/// The time now, to the microsecond.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Fills a slice with random bytes fit for keys.
pub type Random = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// Called with a message when durability can no longer be guaranteed; it should not return.
pub type Fatal = Arc<dyn Fn(&str) + Send + Sync>;

/// Called once, when the database is found to lack what this process has acknowledged.
pub type Alarm = Arc<dyn Fn(&WentBack) + Send + Sync>;

/// The two engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The shared one.
    Postgres,
}

/// Where the data is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file; it is made, readable by its owner only, when it is not there.
    Sqlite(PathBuf),
    /// A PostgreSQL URL; several hosts may be named, the one that accepts writes is used.
    Postgres(String),
}

impl Location {
    /// How many servers it names: with several a standby may take over.
    pub fn servers(&self) -> usize {
        match self {
            Self::Sqlite(_) => 1,
            Self::Postgres(url) => crate::tls::configure(url)
                .map_or(1, |(config, _)| config.get_hosts().len().max(config.get_hostaddrs().len())),
        }
    }
}

/// What [`crate::Db::open`] needs. Start from [`Options::new`].
#[derive(Clone)]
pub struct Options {
    /// Where the data is stored.
    pub location: Location,
    /// The time now.
    pub clock: Clock,
    /// The random source.
    pub random: Random,
    /// Called when the disk fails to sync.
    pub on_fatal: Fatal,
    /// Called when the database lacks what was acknowledged; from then on every write fails.
    pub on_went_back: Alarm,
    /// The query for the hash of an entry, by organization and number. With it a journal that was continued without
    /// what this process has acknowledged is noticed too.
    pub entry_hash: Option<&'static str>,
    /// Writes that may wait at the same time; one more is refused.
    pub queue_limit: usize,
    /// How long a write may wait in the queue before it fails without having run.
    pub queue_wait: Duration,
    /// How long one statement, or the wait for one lock, may take.
    pub statement_timeout: Duration,
    /// PostgreSQL: how long a transaction may wait for this process between two statements before the server ends it.
    pub idle_timeout: Duration,
    /// PostgreSQL: for how long the outcome of a COMMIT whose answer was lost is asked for.
    pub resolve_patience: Duration,
    /// PostgreSQL: how long one server, or each address of its name, may take until a connection to it can be used,
    /// unless the URL has a `connect_timeout`.
    pub connect_timeout: Duration,
    /// Reads that may run at the same time; one more waits.
    pub readers: usize,
    /// PostgreSQL: connections that write, each for one organization at a time.
    pub writers: usize,
    /// SQLite: the file is only read, and no process changes it meanwhile: for backups, which may lie on a medium that
    /// cannot be written. No other file is made beside it.
    pub immutable: bool,
    /// SQLite: `synchronous=OFF`. Only for the test that shows that the durability test can fail.
    pub unsafe_without_sync: bool,
}

impl Options {
    /// The settings of a service.
    pub fn new(location: Location, clock: Clock, random: Random) -> Self {
        Self {
            location,
            clock,
            random,
            on_fatal: Arc::new(|reason| {
                tracing::error!("{reason}");
                std::process::exit(70);
            }),
            on_went_back: Arc::new(|went_back| tracing::error!("{went_back}")),
            entry_hash: None,
            queue_limit: 8_192,
            queue_wait: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(30),
            resolve_patience: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(3),
            readers: readers(),
            writers: 8,
            immutable: false,
            unsafe_without_sync: false,
        }
    }
}

/// How many reads a service runs at the same time: four for each processor, of which some wait for the disk or PostgreSQL; more
/// would only slow each other down.
pub fn readers() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    (4 * processors).clamp(8, 16)
}
