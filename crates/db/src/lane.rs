//! A lane: a thread with a write connection that runs waiting writes in batches, one durable commit each.
//!
//! Each write runs in a savepoint of the batch's transaction. Every outcome, errors included, leaves
//! only after the batch's COMMIT, because it may rest on what a neighbour wrote.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::connection::Connection;
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::head::{self, Head};
use crate::job::Outcome;
use crate::metrics::Metrics;
use crate::options::{Location, Options};
use crate::postgres::{Commit, Connector};
use crate::queue::{Entry, Queue, Take};
use crate::sqlite::{Sqlite, Use};
use crate::tx::Tx;

/// Savepoints of one transaction that PostgreSQL keeps in shared memory are 64; beyond that every
/// reader slows down.
const POSTGRES_BATCH: usize = 50;
const SQLITE_BATCH: usize = 256;
/// How long a lane looks for the outcome of a COMMIT whose answer was lost.
const RESOLVE_PATIENCE: Duration = Duration::from_secs(10);

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
    pub(crate) metrics: Metrics,
}

/// What came of a batch.
enum Attempt {
    Committed,
    /// Nothing of it ran.
    NotBegun(Error),
    /// It surely left no trace.
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
                    // The database is gone or locked: the others need not wait to learn that.
                    one.extend(rest);
                    return fail(one, &error);
                }
            }
        }
    }

    async fn attempt(&mut self, batch: &mut Vec<Entry>, joinable: bool) -> Attempt {
        let organization = batch.first().map_or(Uuid::nil(), |entry| entry.organization);
        let mut tx = match self.begin().await {
            Ok(tx) => tx,
            Err(error) => return Attempt::NotBegun(error),
        };
        match self.run_members(&mut tx, batch, joinable).await {
            Ok(kept) => {
                let started = Instant::now();
                let attempt = self.commit(tx, kept, organization).await;
                if kept && matches!(attempt, Attempt::Committed) {
                    self.shared.metrics.committed(batch.len(), started.elapsed());
                }
                attempt
            }
            Err(error) => {
                self.roll_back(tx).await;
                if error == Error::HeadBusy { Attempt::NotBegun(error) } else { Attempt::RolledBack(error) }
            }
        }
    }

    /// A transaction on the lane's connection, made anew when it broke.
    async fn begin(&mut self) -> Result<Tx> {
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
        Ok(Tx::new(connection, None, clock, random, Arc::clone(&shared.counts)))
    }

    /// Runs the batch's writes, and those that arrive meanwhile; true when one of them is to be kept.
    async fn run_members(&self, tx: &mut Tx, batch: &mut Vec<Entry>, joinable: bool) -> Result<bool> {
        let (mut done, mut kept) = (0, false);
        loop {
            while let Some(entry) = batch.get_mut(done) {
                if !entry.job.abandoned() {
                    kept |= run_member(tx, entry).await? == Outcome::Kept;
                }
                done += 1;
            }
            let take = Take { most: self.take.most.saturating_sub(batch.len()), ..self.take };
            let more = if joinable { self.shared.queue.take_more(take) } else { Vec::new() };
            if more.is_empty() {
                return Ok(kept);
            }
            batch.extend(more);
        }
    }

    async fn commit(&mut self, mut tx: Tx, kept: bool, organization: Uuid) -> Attempt {
        if !kept {
            // Nothing to make durable, and nothing was seen that was not.
            self.roll_back(tx).await;
            return Attempt::Committed;
        }
        self.shared.commits.fetch_add(1, Ordering::Relaxed);
        match tx.engine() {
            crate::Engine::Sqlite => match commit_sqlite(&mut tx).await {
                Ok(()) => {
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
        match commit {
            Commit::Done => {
                self.tx = Some(tx);
                Attempt::Committed
            }
            Commit::RolledBack(error) => {
                self.roll_back(tx).await;
                Attempt::RolledBack(error)
            }
            Commit::Lost => {
                drop(tx);
                self.resolve(batch, organization).await
            }
        }
    }

    /// Finds out whether a COMMIT whose answer was lost took effect: the batch's own mark is in the
    /// lane's row if and only if it did.
    async fn resolve(&mut self, batch: Uuid, organization: Uuid) -> Attempt {
        let started = Instant::now();
        while started.elapsed() < RESOLVE_PATIENCE {
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
        connection.query::<Head>(head::LOAD_AND_LOCK, &[&organization]).await?;
        let rows = connection.query::<(Uuid,)>(STAMPED, &[&self.id]).await?;
        Ok(rows.first().map(|row| row.0))
    }

    /// Ends a transaction that is not to be kept; a connection that cannot is thrown away.
    async fn roll_back(&mut self, mut tx: Tx) {
        let rolled_back = match tx.connection() {
            // SQLite has ended it by itself.
            Ok(Connection::Sqlite(sqlite)) if !sqlite.in_transaction() => Ok(()),
            Ok(connection) if connection.is_alive() => connection.run("ROLLBACK").await,
            Ok(_) => return,
            Err(error) => Err(error),
        };
        if rolled_back.is_ok() {
            self.tx = Some(tx);
        }
    }
}

/// Runs one write in its savepoint. An error here is the batch's, not the write's.
async fn run_member(tx: &mut Tx, entry: &mut Entry) -> Result<Outcome> {
    match tx.start_write(entry.organization).await {
        Ok(()) => {}
        Err(error @ Error::UnknownOrganization) => {
            entry.job.refuse(error);
            return Ok(Outcome::Refused);
        }
        Err(error) => return Err(error),
    }
    tx.connection()?.later("SAVEPOINT write")?;
    let outcome = entry.job.run(tx).await;
    let failure = tx.failure();
    let connection = tx.connection()?;
    if !connection.is_alive() {
        return Err(failure.unwrap_or_else(|| Error::unavailable("the connection broke")));
    }
    if outcome == Outcome::Refused {
        connection.later("ROLLBACK TO write")?;
    }
    connection.later("RELEASE write")?;
    tx.end_write(outcome == Outcome::Kept);
    Ok(outcome)
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
