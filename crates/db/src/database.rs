//! The database: reads on snapshots, writes through the lanes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use prometheus_client::registry::Registry;
use uuid::Uuid;

use crate::acknowledged::Acknowledged;
use crate::connection::Connection;
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::job::Write;
use crate::lane::{Lane, Shared};
use crate::metrics::Metrics;
use crate::migrate::Migration;
use crate::options::{Clock, Engine, Location, Options, Random};
use crate::postgres::{Connector, Pool};
use crate::queue::{Entry, Queue};
use crate::readers::Readers;
use crate::scrape::AtScrape;
use crate::tx::Tx;

/// How often writes that waited too long are looked for.
const REAP_EVERY: Duration = Duration::from_millis(250);

/// An open database. Clones are handles to the same one; it closes with the last of them.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    reads: Reads,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

enum Reads {
    Sqlite(Arc<Readers>),
    Postgres(Pool),
}

impl Db {
    /// Opens a database and starts its lanes. Nothing is connected yet, so a server that is down is reported by the
    /// first read or write. Must be called inside a tokio runtime.
    pub async fn open(options: Options) -> Result<Self> {
        let counts = Arc::<Counts>::default();
        let connector = match &options.location {
            Location::Sqlite(_) => None,
            Location::Postgres(url) => Some(Connector::new(url, &options, Arc::clone(&counts))?),
        };
        let reads = match &connector {
            None => Reads::Sqlite(Arc::new(Readers::new(options.readers))),
            Some(connector) => Reads::Postgres(connector.pool(options.readers)?),
        };
        let acknowledged = Arc::new(Acknowledged::new(&options));
        let lanes = if connector.is_some() { options.writers } else { 1 };
        let shared = Arc::new(Shared {
            queue: Queue::new(options.queue_limit),
            options,
            connector,
            counts,
            commits: 0.into(),
            log_pages: Arc::default(),
            scrub: AtomicBool::new(false),
            metrics: Metrics::default(),
            acknowledged,
        });
        let mut threads = Vec::new();
        for number in 0..lanes {
            let shared = Arc::clone(&shared);
            threads.push(thread(format!("write-lane-{number}"), move || serve(shared))?);
        }
        if let (Reads::Sqlite(readers), Location::Sqlite(path)) = (&reads, shared.options.location.clone()) {
            let (weak, options) = (Arc::downgrade(&shared), shared.options.clone());
            let readers = Arc::downgrade(readers);
            threads.push(thread("checkpoint".to_owned(), move || {
                crate::checkpoint::run(&weak, &readers, &path, &options);
            })?);
        }
        tokio::spawn(reap(Arc::downgrade(&shared)));
        Ok(Self { inner: Arc::new(Inner { shared, reads, threads: Mutex::new(threads) }) })
    }

    /// Which engine it is.
    pub fn engine(&self) -> Engine {
        if self.inner.shared.connector.is_some() { Engine::Postgres } else { Engine::Sqlite }
    }

    /// The clock from the options.
    pub fn clock(&self) -> &Clock {
        &self.inner.shared.options.clock
    }

    /// The random source from the options.
    pub fn random(&self) -> &Random {
        &self.inner.shared.options.random
    }

    /// Statements run so far, for the tests that count them.
    pub fn statements(&self) -> u64 {
        self.inner.shared.counts.statements()
    }

    /// How often an answer of PostgreSQL was waited for so far, for the tests that count it.
    pub fn round_trips(&self) -> u64 {
        self.inner.shared.counts.round_trips()
    }

    /// Connections to PostgreSQL made so far, for the tests that count them.
    pub fn connections(&self) -> u64 {
        self.inner.shared.counts.connections()
    }

    /// How often an answer of PostgreSQL did not come in time so far, for the tests that count it.
    pub fn timeouts(&self) -> u64 {
        self.inner.shared.counts.timeouts()
    }

    /// Whether writes are accepted: not any more after the database lacked what was acknowledged.
    pub fn accepts_writes(&self) -> Result<()> {
        self.inner.shared.acknowledged.went_back().map_or(Ok(()), |_| Err(Error::WentBack))
    }

    /// Batches committed so far.
    pub fn commits(&self) -> u64 {
        self.inner.shared.commits.load(Ordering::Relaxed)
    }

    /// Shows commits, batches, statements and the queue to Prometheus.
    pub fn register_metrics(&self, registry: &mut Registry) {
        self.inner.shared.metrics.register(registry);
        registry.register_collector(AtScrape::of(&self.inner.shared));
    }

    /// Applies the missing migrations and returns their names.
    pub async fn migrate(&self, migrations: &[Migration]) -> Result<Vec<&'static str>> {
        crate::migrate::migrate(&self.inner.shared, migrations).await
    }

    /// Runs `work` as one durable write of an organization, after locking its head.
    ///
    /// `work` may run up to three times and must have no effect outside its [`Tx`]. It shares a transaction with
    /// other writes; when it fails only its own changes are undone. The result, an error too, is returned after
    /// everything it may depend on is durable.
    pub async fn write<T, E, F>(&self, organization: impl Into<Uuid>, work: F) -> Result<T, E>
    where
        F: AsyncFnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(organization.into(), false, work).await
    }

    /// Like [`Db::write`] in a transaction of its own, for a write that touches over 1,000 rows.
    pub async fn write_alone<T, E, F>(&self, organization: impl Into<Uuid>, work: F) -> Result<T, E>
    where
        F: AsyncFnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(organization.into(), true, work).await
    }

    /// Like [`Db::write`] for matters of the instance: organizations, people, signing keys. `work` may
    /// lock an organization's head too ([`Tx::lock_head`]); the other way round is not possible.
    pub async fn write_instance<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: AsyncFnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Uuid::nil(), false, work).await
    }

    async fn submit<T, E, F>(&self, organization: Uuid, alone: bool, work: F) -> Result<T, E>
    where
        F: AsyncFnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (job, answer) = Write::new(work);
        let entry = Entry { organization, alone, queued: Instant::now(), job: Box::new(job) };
        self.inner.shared.queue.push(entry)?;
        match answer.await {
            Ok(result) => result,
            Err(_) => Err(E::from(Error::unavailable("the service is stopping"))),
        }
    }

    /// Removes from the files what earlier writes have deleted or overwritten, as soon as no read needs it: within
    /// moments, or once a backup that is running has ended.
    ///
    /// SQLite overwrites freed space in the database file by itself (`secure_delete`), but its write-ahead log keeps
    /// earlier states of pages; this empties the log. PostgreSQL keeps dead rows until VACUUM, which is the operator's.
    pub fn scrub(&self) {
        self.inner.shared.scrub.store(true, Ordering::Relaxed);
    }

    /// A snapshot to read from; it sees every write that was acknowledged before.
    pub fn read(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(self.begin_read())
    }

    async fn begin_read(&self) -> Result<Tx> {
        let shared = &self.inner.shared;
        let options = &shared.options;
        let (connection, permit) = match (&self.inner.reads, &options.location, &shared.connector) {
            (Reads::Sqlite(readers), Location::Sqlite(path), _) => {
                let (reader, permit) = readers.acquire(path, options).await?;
                (Connection::Sqlite(reader), Some(permit))
            }
            (Reads::Postgres(pool), _, Some(connector)) => {
                (Connection::Postgres(Box::new(connector.acquire(pool).await?)), None)
            }
            _ => return Err(Error::internal("no reader for this location")),
        };
        let (clock, random) = (Arc::clone(&options.clock), Arc::clone(&options.random));
        Ok(Tx::new(connection, permit, clock, random, Arc::clone(&shared.counts)))
    }

    /// Takes no more writes, finishes those that wait, and ends the lanes. For a clean stop; a process
    /// that is killed loses nothing that was acknowledged.
    pub async fn close(&self) {
        self.inner.shared.queue.close();
        let threads = std::mem::take(&mut *self.inner.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let lanes = threads.into_iter().filter(|thread| thread.thread().name() != Some("checkpoint"));
        let lanes: Vec<_> = lanes.collect();
        // A thread that panicked has failed its writes already.
        let _ =
            tokio::task::spawn_blocking(move || lanes.into_iter().for_each(|lane| drop(lane.join()))).await;
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.queue.close();
    }
}

fn thread(name: String, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name).spawn(body).map_err(Error::unavailable)
}

/// The body of a lane's thread.
fn serve(shared: Arc<Shared>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time();
    if shared.connector.is_some() {
        runtime.enable_io();
    }
    match runtime.build() {
        Ok(runtime) => runtime.block_on(Lane::new(shared).run()),
        Err(error) => (shared.options.on_fatal)(&format!("a write lane could not start: {error}")),
    }
}

/// Fails writes that have waited too long in the queue, such as when the database is locked.
async fn reap(shared: std::sync::Weak<Shared>) {
    loop {
        tokio::time::sleep(REAP_EVERY).await;
        let Some(shared) = shared.upgrade() else { return };
        for entry in shared.queue.expired(shared.options.queue_wait) {
            entry.job.fail(Error::unavailable("the write waited too long for its turn"));
        }
    }
}
