//! A transaction as `store` uses it: a read's snapshot, or one write inside its batch.

mod expect;
mod heads;

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use uuid::Uuid;

use crate::acknowledged::Acknowledged;
use crate::connection::Connection;
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::head::Held;
use crate::options::{Clock, Engine, Random};
use crate::param::Param;
use crate::readers::ReaderPermit;
use crate::row::{FromRow, Row, Take};

/// How statements whose outcome is not needed are sent.
enum Sent {
    /// One for each row.
    AsTheyAre,
    /// As one that inserts all rows, where the engine gains by it.
    Together,
}

/// A transaction. Statements are written once, in the SQL that both engines share, with `$1`, `$2` ….
///
/// After an error of the database every further statement fails with the same error: PostgreSQL would refuse it, and a
/// write that continues after an error is not committed.
pub struct Tx {
    /// Always there until drop.
    connection: Option<Connection>,
    permit: Option<ReaderPermit>,
    clock: Clock,
    random: Random,
    counts: Arc<Counts>,
    failure: Option<Error>,
    begun: bool,
    /// Whether this write has changed a row.
    changed: bool,
    at: Timestamp,
    /// The heads this write holds: its organization's first.
    held: Vec<Held>,
    /// The heads as the batch's earlier writes left them.
    batch: HashMap<Uuid, Held>,
    /// With what the heads are compared that a write locks.
    acknowledged: Option<Arc<Acknowledged>>,
}

impl Tx {
    pub(crate) fn new(
        connection: Connection,
        permit: Option<ReaderPermit>,
        clock: Clock,
        random: Random,
        counts: Arc<Counts>,
    ) -> Self {
        let at = clock();
        Self {
            connection: Some(connection),
            permit,
            clock,
            random,
            counts,
            failure: None,
            begun: false,
            changed: false,
            at,
            held: Vec::new(),
            batch: HashMap::new(),
            acknowledged: None,
        }
    }

    /// For the writes of a lane.
    pub(crate) fn of_lane(mut self, acknowledged: &Arc<Acknowledged>) -> Self {
        self.acknowledged = Some(Arc::clone(acknowledged));
        self
    }

    /// Which engine runs the statements, for the few that differ.
    pub fn engine(&self) -> Engine {
        self.connection.as_ref().map_or(Engine::Sqlite, Connection::engine)
    }

    /// Rows of a query, which changes nothing. The lowest level of the log has its text, without the parameters.
    pub async fn query<T: FromRow>(&mut self, sql: &str, params: &[&dyn Param]) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, params, |row| T::from_row(row).map(|row| rows.push(row))).await?;
        Ok(rows)
    }

    /// Gives each row of a query to `take`, without keeping them: for many rows of which little is needed.
    pub async fn each(
        &mut self,
        sql: &str,
        params: &[&dyn Param],
        mut take: impl FnMut(&Row<'_>) -> Result<()> + Send,
    ) -> Result<()> {
        self.each_row(sql, params, &mut take).await
    }

    /// What every query passes, without the type of its rows: so it is compiled once, and not for each query.
    fn each_row<'a>(
        &'a mut self,
        sql: &'a str,
        params: &'a [&'a dyn Param],
        take: &'a mut Take<'a>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            tracing::trace!(sql, "query");
            let result = self.ready()?.each(sql, params, take).await;
            self.note(result)
        })
    }

    /// The one row of a query, or none. More than one is a bug.
    pub async fn query_opt<T: FromRow>(&mut self, sql: &str, params: &[&dyn Param]) -> Result<Option<T>> {
        let mut rows = self.query(sql, params).await?;
        let row = rows.pop();
        if rows.is_empty() { Ok(row) } else { Err(Error::internal("a query gave more than one row")) }
    }

    /// The one row of a query. None, or more than one, is a bug.
    pub async fn query_one<T: FromRow>(&mut self, sql: &str, params: &[&dyn Param]) -> Result<T> {
        self.query_opt(sql, params).await?.ok_or_else(|| Error::internal("a query gave no row"))
    }

    /// Runs a statement and returns the number of rows affected.
    pub async fn execute(&mut self, sql: &str, params: &[&dyn Param]) -> Result<u64> {
        self.execute_many(sql, &[params]).await
    }

    /// The rows that a statement with RETURNING has changed.
    pub async fn execute_returning<T: FromRow>(
        &mut self,
        sql: &str,
        params: &[&dyn Param],
    ) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        let mut take = |row: &Row<'_>| T::from_row(row).map(|row| rows.push(row));
        self.each_changed(sql, params, &mut take).await?;
        Ok(rows)
    }

    fn each_changed<'a>(
        &'a mut self,
        sql: &'a str,
        params: &'a [&'a dyn Param],
        take: &'a mut Take<'a>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let mut any = false;
            let mut noted = |row: &Row<'_>| {
                any = true;
                take(row)
            };
            let result = self.ready()?.each_changed(sql, params, &mut noted).await;
            self.changed |= any || result.is_err();
            self.note(result)
        })
    }

    /// Runs a statement once for each row of parameters and returns the total number of rows affected.
    pub async fn execute_many<'p, R>(&mut self, sql: &str, rows: &[R]) -> Result<u64>
    where
        R: AsRef<[&'p dyn Param]>,
    {
        let rows: Vec<_> = rows.iter().map(AsRef::as_ref).collect();
        self.execute_rows(sql, &rows).await
    }

    fn execute_rows<'a>(
        &'a mut self,
        sql: &'a str,
        rows: &'a [&'a [&'a dyn Param]],
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let result = self.ready()?.execute_many(sql, rows).await;
            // A statement that is refused changes nothing, but those before it did.
            self.changed |= result.as_ref().map_or(rows.len() > 1, |count| *count > 0);
            self.note(result)
        })
    }

    /// Runs a statement that is expected to succeed and whose outcome is not needed, such as the insertion of a row
    /// with a new number. It is sent to PostgreSQL with the next statement, or with COMMIT, to save a round trip; if it
    /// is refused after all, this write fails at COMMIT.
    pub async fn send(&mut self, sql: &str, params: &[&dyn Param]) -> Result<()> {
        self.send_many(sql, &[params]).await
    }

    /// The same once for each row of parameters.
    pub async fn send_many<'p, R>(&mut self, sql: &str, rows: &[R]) -> Result<()>
    where
        R: AsRef<[&'p dyn Param]>,
    {
        let rows: Vec<_> = rows.iter().map(AsRef::as_ref).collect();
        self.send_rows(sql, &rows, Sent::AsTheyAre).await
    }

    /// Inserts rows by an `INSERT … VALUES ($1, $2, …)` of one row, as [`Tx::send_many`] does. With an `ON CONFLICT` no two of
    /// these rows may have the same key.
    pub async fn insert_many<'p, R>(&mut self, insert: &str, rows: &[R]) -> Result<()>
    where
        R: AsRef<[&'p dyn Param]>,
    {
        let rows: Vec<_> = rows.iter().map(AsRef::as_ref).collect();
        self.send_rows(insert, &rows, Sent::Together).await
    }

    fn send_rows<'a>(
        &'a mut self,
        sql: &'a str,
        rows: &'a [&'a [&'a dyn Param]],
        how: Sent,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let connection = self.ready()?;
            let result = match how {
                Sent::AsTheyAre => connection.send_many(sql, rows).await,
                Sent::Together => connection.insert_many(sql, rows).await,
            };
            self.changed = true;
            self.note(result)
        })
    }

    /// Lets PostgreSQL plan each further statement for its values, also of other writes in the same batch. Otherwise it can reuse a
    /// plan that was made when the tables were much smaller.
    pub fn plan_for_values(&mut self) {
        if let Some(Connection::Postgres(postgres)) = &mut self.connection {
            postgres.later("SET LOCAL plan_cache_mode = force_custom_plan");
        }
    }

    /// The one time of a write: later than every journaled write before it, on every process.
    /// For a read, the moment it began.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// Random bytes.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random)(&mut bytes);
        bytes
    }

    /// A UUIDv7 made of [`Tx::at`] and random bytes.
    pub fn uuid(&self) -> Uuid {
        let millis = u64::try_from(self.at.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.random::<10>()).into_uuid()
    }

    pub(crate) fn connection(&mut self) -> Result<&mut Connection> {
        self.connection.as_mut().ok_or_else(|| Error::internal("the transaction has ended"))
    }

    /// Whether another transaction can begin on this connection.
    pub(crate) fn is_usable(&self) -> bool {
        match &self.connection {
            Some(Connection::Postgres(postgres)) => postgres.is_usable(),
            Some(Connection::Sqlite(_)) => true,
            None => false,
        }
    }

    /// The timeline of PostgreSQL that it runs on; 0 on SQLite, or where the server does not say.
    pub(crate) fn timeline(&self) -> u32 {
        match &self.connection {
            Some(Connection::Postgres(postgres)) => postgres.timeline(),
            _ => 0,
        }
    }

    pub(crate) fn failure(&self) -> Option<Error> {
        self.failure.clone()
    }

    /// Starts a batch: discards the state of the previous one.
    pub(crate) fn start_batch(&mut self) {
        (self.failure, self.begun) = (None, true);
        self.held.clear();
        self.batch.clear();
    }

    /// Starts one write of the batch by locking its organization's head.
    pub(crate) async fn start_write(&mut self, organization: Uuid) -> Result<()> {
        (self.failure, self.changed) = (None, false);
        self.held.clear();
        self.at = (self.clock)();
        let held = self.load_head(organization).await?;
        // Locked before the write's savepoint, so it stays locked when the write is undone.
        self.batch.insert(organization, held.clone());
        self.hold(held);
        Ok(())
    }

    /// Whether this write has changed a row, or is in a transaction that the server ends by undoing it.
    pub(crate) fn has_changed(&self) -> bool {
        self.changed || self.connection.as_ref().is_some_and(Connection::is_aborted)
    }

    /// Ends one write: the heads it moved are the batch's from now on, or forgotten.
    pub(crate) fn end_write(&mut self, kept: bool) {
        self.failure = None;
        for held in self.held.drain(..) {
            if kept {
                self.batch.insert(held.organization, held);
            }
        }
    }

    /// The connection, with a read's snapshot begun.
    fn ready(&mut self) -> Result<&mut Connection> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        self.counts.statement();
        let begun = std::mem::replace(&mut self.begun, true);
        let connection =
            self.connection.as_mut().ok_or_else(|| Error::internal("the transaction has ended"))?;
        if begun && !connection.can_commit() {
            // SQLite would still run the statement, in its own transaction.
            return Err(Error::unavailable("the transaction was ended by the database"));
        }
        if !begun {
            match connection {
                Connection::Sqlite(sqlite) => sqlite.begin_read()?,
                Connection::Postgres(postgres) => {
                    postgres.later("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                }
            }
        }
        Ok(connection)
    }

    /// The connection of a SQLite read whose snapshot is taken.
    pub(crate) fn sqlite_snapshot(&mut self) -> Result<&rusqlite::Connection> {
        match self.ready()? {
            Connection::Sqlite(sqlite) => {
                // BEGIN alone sees nothing yet: the first statement decides what the read sees.
                sqlite.each("SELECT count(*) FROM sqlite_schema", &[], &mut |_| Ok(()))?;
                Ok(sqlite.raw())
            }
            Connection::Postgres(_) => Err(Error::internal("only a SQLite database can be copied")),
        }
    }

    fn note<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
        }
        result
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.end_read(self.permit.take(), self.begun, self.failure.is_some());
        }
    }
}
