//! A lane: a thread with a write connection that runs waiting writes in batches, one durable commit each.
//!
//! Every outcome, errors included, leaves only after the batch's COMMIT, because it may depend on what another write of
//! the batch wrote. A failed write leaves no changes: nearly all fail before they have changed anything, so a batch
//! runs without savepoints first. When one fails after a change, the batch is rolled back and runs again with a
//! savepoint for each write, which costs the copies of all its pages.

mod member;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::acknowledged::Acknowledged;
use crate::connection::Connection;
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::head::{self, Held};
use crate::metrics::Metrics;
use crate::options::{Location, Options};
use crate::postgres::{Commit, Connector};
use crate::queue::{Entry, Queue, Take};
use crate::sqlite::{Sqlite, Use};
use crate::tx::Tx;
use member::{Ran, Savepoints, run_member};

/// Savepoints of one transaction that PostgreSQL keeps in shared memory are 64; beyond that every
/// reader slows down.
const POSTGRES_BATCH: usize = 64;
const SQLITE_BATCH: usize = 256;

const REGISTER: &str =
    "INSERT INTO write_lane (lane, batch, at) VALUES ($1, $1, $2) ON CONFLICT (lane) DO NOTHING";
const STAMP: &str = "UPDATE write_lane SET batch = $2, at = $3 WHERE lane = $1";
const STAMPED: &str = "SELECT batch FROM write_lane WHERE lane = $1";

/// What the lanes and the database share.
pub(crate) struct Shared {
    pub(crate) queue: Queue,
    pub(crate) options: Options,
    pub(crate) connector: Option<Connector>,
    pub(crate) counts: Arc<Counts>,
    pub(crate) commits: AtomicU64,
    pub(crate) log_pages: Arc<AtomicU64>,
    /// Whether what was overwritten has to leave the write-ahead log.
    pub(crate) scrub: AtomicBool,
    pub(crate) metrics: Metrics,
    pub(crate) acknowledged: Arc<Acknowledged>,
}

/// The result of a batch.
enum Attempt {
    Committed,
    /// Nothing of it ran.
    NotBegun(Error),
    /// It is known to have rolled back.
    RolledBack(Error),
    Unknown,
}

pub(crate) struct Lane {
    shared: Arc<Shared>,
    id: Uuid,
    take: Take,
    tx: Option<Tx>,
}

impl Lane {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let mut bytes = [0; 16];
        (shared.options.random)(&mut bytes);
        let one_organization = shared.connector.is_some();
        let most = if one_organization { POSTGRES_BATCH } else { SQLITE_BATCH };
        let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
        Self { shared, id, take: Take { most, one_organization }, tx: None }
    }

    /// Serves the queue until it is closed and empty.
    pub(crate) async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        while let Some(batch) = shared.queue.take(self.take).await {
            let organization = batch.first().map(|entry| entry.organization);
            self.serve(batch).await;
            if let Some(organization) = organization.filter(|_| self.take.one_organization) {
                shared.queue.done(organization);
            }
        }
    }

    async fn serve(&mut self, mut batch: Vec<Entry>) {
        let joinable = batch.iter().all(|entry| !entry.alone);
        match self.attempt(&mut batch, joinable).await {
            Attempt::Committed => batch.into_iter().for_each(|entry| entry.job.deliver()),
            Attempt::NotBegun(error) => fail(batch, &error),
            Attempt::Unknown => fail(batch, &Error::OutcomeUnknown),
            Attempt::RolledBack(error) => {
                tracing::warn!(%error, writes = batch.len(), "a batch was rolled back; its writes run again alone");
                self.shared.metrics.rolled_back();
                self.serve_alone(batch).await;
            }
        }
    }

    /// Runs the members of a batch that was rolled back, each once more in a batch of its own.
    async fn serve_alone(&mut self, batch: Vec<Entry>) {
        let mut rest = batch.into_iter();
        while let Some(entry) = rest.next() {
            let mut one = vec![entry];
            match self.attempt(&mut one, false).await {
                Attempt::Committed => one.into_iter().for_each(|entry| entry.job.deliver()),
                Attempt::RolledBack(error) => fail(one, &error),
                Attempt::Unknown => fail(one, &Error::OutcomeUnknown),
                Attempt::NotBegun(error) => {
                    // The database is unreachable or locked: the other writes fail at once too.
                    one.extend(rest);
                    return fail(one, &error);
                }
            }
        }
    }

    async fn attempt(&mut self, batch: &mut Vec<Entry>, mut joinable: bool) -> Attempt {
        let organization = batch.first().map_or(Uuid::nil(), |entry| entry.organization);
        let mut savepoints = Savepoints::None;
        loop {
            let mut tx = match self.begin().await {
                Ok(tx) => tx,
                Err(error) => return Attempt::NotBegun(error),
            };
            match self.run_members(&mut tx, batch, joinable, savepoints).await {
                Ok(Ran::MustUndo) => {
                    self.roll_back(tx).await;
                    // With these nothing must be undone, so this is the last round.
                    (savepoints, joinable) = (Savepoints::Each, false);
                }
                Ok(ran) => return self.end(tx, ran == Ran::Kept, batch.len(), organization).await,
                Err(error) => {
                    self.roll_back(tx).await;
                    let is_begun = !matches!(error, Error::HeadBusy | Error::WentBack);
                    return if is_begun { Attempt::RolledBack(error) } else { Attempt::NotBegun(error) };
                }
            }
        }
    }

    async fn end(&mut self, tx: Tx, kept: bool, writes: usize, organization: Uuid) -> Attempt {
        let started = Instant::now();
        let attempt = self.commit(tx, kept, organization).await;
        if kept && matches!(attempt, Attempt::Committed) {
            self.shared.metrics.committed(writes, started.elapsed());
        }
        attempt
    }

    /// A transaction on the lane's connection, reconnecting if it broke.
    async fn begin(&mut self) -> Result<Tx> {
        if self.shared.acknowledged.went_back().is_some() {
            return Err(Error::WentBack);
        }
        let mut tx = match self.tx.take().filter(Tx::is_usable) {
            Some(tx) => tx,
            None => self.connect().await?,
        };
        tx.start_batch();
        let begun = match tx.connection()? {
            Connection::Sqlite(sqlite) => sqlite.begin_write(),
            Connection::Postgres(postgres) => {
                postgres.later("BEGIN ISOLATION LEVEL READ COMMITTED");
                Ok(())
            }
        };
        match begun {
            Ok(()) => Ok(tx),
            Err(error) => {
                self.tx = Some(tx);
                Err(error)
            }
        }
    }

    async fn connect(&self) -> Result<Tx> {
        let shared = &self.shared;
        let options = &shared.options;
        let connection = match (&options.location, &shared.connector) {
            (Location::Sqlite(path), _) => {
                let mut sqlite = Sqlite::open(path, Use::Write, options)?;
                sqlite.count_log_pages(Arc::clone(&shared.log_pages))?;
                Connection::Sqlite(Box::new(sqlite))
            }
            (Location::Postgres(_), Some(connector)) => {
                let mut postgres = connector.connect().await?;
                postgres.execute(REGISTER, &[&self.id, &(options.clock)()]).await?;
                Connection::Postgres(Box::new(postgres))
            }
            (Location::Postgres(_), None) => return Err(Error::internal("no connector")),
        };
        let (clock, random) = (Arc::clone(&options.clock), Arc::clone(&options.random));
        let tx = Tx::new(connection, None, clock, random, Arc::clone(&shared.counts));
        Ok(tx.of_lane(&shared.acknowledged))
    }

    /// Runs the batch's writes, and those that arrive meanwhile.
    async fn run_members(
        &self,
        tx: &mut Tx,
        batch: &mut Vec<Entry>,
        joinable: bool,
        savepoints: Savepoints,
    ) -> Result<Ran> {
        let (mut done, mut all) = (0, Ran::Refused);
        loop {
            while let Some(entry) = batch.get_mut(done) {
                if !entry.job.abandoned() {
                    match run_member(tx, entry, savepoints).await? {
                        Ran::Kept => all = Ran::Kept,
                        Ran::Refused => {}
                        // The only write of a batch is undone by not committing.
                        Ran::MustUndo if batch.len() == 1 => return Ok(Ran::Refused),
                        Ran::MustUndo => return Ok(Ran::MustUndo),
                    }
                }
                done += 1;
            }
            let take = Take { most: self.take.most.saturating_sub(batch.len()), ..self.take };
            let more = if joinable { self.shared.queue.take_more(take) } else { Vec::new() };
            if more.is_empty() {
                return Ok(all);
            }
            batch.extend(more);
        }
    }

    async fn commit(&mut self, mut tx: Tx, kept: bool, organization: Uuid) -> Attempt {
        if !kept {
            // Nothing to make durable, and only durable data was read.
            self.roll_back(tx).await;
            return Attempt::Committed;
        }
        self.shared.commits.fetch_add(1, Ordering::Relaxed);
        match tx.engine() {
            crate::Engine::Sqlite => match commit_sqlite(&mut tx).await {
                Ok(()) => {
                    self.shared.acknowledged.note(&tx.moved_heads(), tx.timeline());
                    self.tx = Some(tx);
                    Attempt::Committed
                }
                Err(error) => {
                    self.roll_back(tx).await;
                    Attempt::RolledBack(error)
                }
            },
            crate::Engine::Postgres => self.commit_postgres(tx, organization).await,
        }
    }

    async fn commit_postgres(&mut self, mut tx: Tx, organization: Uuid) -> Attempt {
        let (batch, at) = (tx.uuid(), (self.shared.options.clock)());
        let heads: Vec<_> =
            tx.moved_heads().into_iter().map(|held| (held.head.counters_text(), held)).collect();
        let hashes: Vec<&[u8]> = heads.iter().map(|(_, held)| held.head.hash.as_slice()).collect();
        let mut last: Vec<(&str, Vec<&dyn crate::Param>)> = vec![(STAMP, vec![&self.id, &batch, &at])];
        for ((counters, held), hash) in heads.iter().zip(&hashes) {
            let head = &held.head;
            last.push((head::SAVE, vec![&held.organization, &head.seq, hash, &head.last_at, counters]));
        }
        let commit = match tx.connection() {
            Ok(Connection::Postgres(postgres)) => postgres.commit(&last).await,
            _ => Commit::RolledBack(Error::internal("not a connection of PostgreSQL")),
        };
        let moved: Vec<Held> = heads.into_iter().map(|(_, held)| held).collect();
        let acknowledged = Arc::clone(&self.shared.acknowledged);
        match commit {
            Commit::Done => {
                acknowledged.note(&moved, tx.timeline());
                self.tx = Some(tx);
                Attempt::Committed
            }
            Commit::RolledBack(error) => {
                self.roll_back(tx).await;
                Attempt::RolledBack(error)
            }
            Commit::Lost => {
                drop(tx);
                let attempt = self.resolve(batch, organization).await;
                if matches!(attempt, Attempt::Committed) {
                    acknowledged.note(&moved, self.tx.as_ref().map_or(0, Tx::timeline));
                }
                attempt
            }
        }
    }

    /// Determines whether a COMMIT whose answer was lost took effect: the batch's own id is in the lane's row if and
    /// only if it did.
    async fn resolve(&mut self, batch: Uuid, organization: Uuid) -> Attempt {
        let started = Instant::now();
        while started.elapsed() < self.shared.options.resolve_patience {
            if let Ok(mut tx) = self.connect().await
                && let Ok(stamped) = self.stamped(&mut tx, organization).await
            {
                self.tx = Some(tx);
                return match stamped {
                    Some(found) if found == batch => Attempt::Committed,
                    Some(_) => Attempt::RolledBack(Error::unavailable("PostgreSQL was lost at COMMIT")),
                    None => Attempt::Unknown,
                };
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Attempt::Unknown
    }

    /// The mark in the lane's row. The COMMIT may still be on its way to the server, so first this waits
    /// for the organization's head, which the transaction has held since its first statement.
    async fn stamped(&self, tx: &mut Tx, organization: Uuid) -> Result<Option<Uuid>> {
        let connection = tx.connection()?;
        connection.each(head::LOAD_AND_LOCK, &[&organization], &mut |_| Ok(())).await?;
        let mut stamped = None;
        connection
            .each(STAMPED, &[&self.id], &mut |row| {
                stamped = Some(row.get(0)?);
                Ok(())
            })
            .await?;
        Ok(stamped)
    }

    /// Rolls back a transaction; a connection that cannot is closed.
    async fn roll_back(&mut self, mut tx: Tx) {
        let rolled_back = match tx.connection() {
            // SQLite has ended it by itself.
            Ok(Connection::Sqlite(sqlite)) if !sqlite.in_transaction() => Ok(()),
            Ok(Connection::Postgres(postgres)) => postgres.roll_back().await,
            Ok(connection) => connection.run("ROLLBACK").await,
            Err(error) => Err(error),
        };
        if rolled_back.is_ok() {
            self.tx = Some(tx);
        }
    }
}

async fn commit_sqlite(tx: &mut Tx) -> Result<()> {
    for held in tx.moved_heads() {
        let (head, counters) = (&held.head, held.head.counters_text());
        let hash = head.hash.as_slice();
        tx.connection()?
            .execute(head::SAVE, &[&held.organization, &head.seq, &hash, &head.last_at, &counters])
            .await?;
    }
    tx.connection()?.run("COMMIT").await
}

fn fail(batch: Vec<Entry>, error: &Error) {
    for entry in batch {
        entry.job.fail(error.clone());
    }
}
