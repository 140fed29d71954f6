//! A connection of either engine, and the pool it is returned to.

use crate::error::Result;
use crate::options::Engine;
use crate::param::Param;
use crate::postgres::Postgres;
use crate::readers::ReaderPermit;
use crate::row::Take;
use crate::sqlite::Sqlite;

pub(crate) enum Connection {
    Sqlite(Box<Sqlite>),
    Postgres(Box<Postgres>),
}

impl Connection {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// Whether the open transaction can still be committed.
    pub(crate) fn can_commit(&self) -> bool {
        match self {
            Self::Sqlite(sqlite) => sqlite.in_transaction(),
            Self::Postgres(postgres) => postgres.can_commit(),
        }
    }

    /// Whether the open transaction can go on only from a savepoint.
    pub(crate) fn is_aborted(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(postgres) => postgres.is_aborted(),
        }
    }

    /// Runs a statement without parameters; PostgreSQL may send it with the next one.
    pub(crate) fn later(&mut self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.run(sql),
            Self::Postgres(postgres) => {
                postgres.later(sql);
                Ok(())
            }
        }
    }

    /// Waits for the outcome of what was sent; it may not have been sent to PostgreSQL yet.
    pub(crate) async fn settle(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(postgres) => postgres.settle().await,
        }
    }

    /// Runs a statement without parameters now.
    pub(crate) async fn run(&mut self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.run(sql),
            Self::Postgres(postgres) => postgres.run(sql).await,
        }
    }

    /// Gives each row of a query to `take`.
    pub(crate) async fn each(&mut self, sql: &str, params: &[&dyn Param], take: &mut Take<'_>) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.each(sql, params, take),
            Self::Postgres(postgres) => postgres.each(sql, params, take).await,
        }
    }

    /// The same for a statement that changes the rows it returns.
    pub(crate) async fn each_changed(
        &mut self,
        sql: &str,
        params: &[&dyn Param],
        take: &mut Take<'_>,
    ) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.each_changed(sql, params, take),
            Self::Postgres(postgres) => postgres.each(sql, params, take).await,
        }
    }

    pub(crate) async fn execute(&mut self, sql: &str, params: &[&dyn Param]) -> Result<u64> {
        self.execute_many(sql, &[params]).await
    }

    pub(crate) async fn execute_many(&mut self, sql: &str, rows: &[&[&dyn Param]]) -> Result<u64> {
        match self {
            Self::Sqlite(sqlite) => sqlite.execute_many(sql, rows),
            Self::Postgres(postgres) => postgres.execute_many(sql, rows).await,
        }
    }

    /// Runs a statement once for each row; PostgreSQL gets it with the next statement.
    pub(crate) async fn send_many(&mut self, sql: &str, rows: &[&[&dyn Param]]) -> Result<()> {
        match self {
            Self::Sqlite(_) => self.execute_many(sql, rows).await.map(drop),
            Self::Postgres(postgres) => postgres.send_many(sql, rows).await,
        }
    }

    /// Inserts rows with different keys; PostgreSQL gets them with the next statement.
    pub(crate) async fn insert_many(&mut self, insert: &str, rows: &[&[&dyn Param]]) -> Result<()> {
        match self {
            Self::Sqlite(_) => self.execute_many(insert, rows).await.map(drop),
            Self::Postgres(postgres) => postgres.insert_many(insert, rows).await,
        }
    }

    /// Ends a read and returns the connection to its pool.
    pub(crate) fn end_read(self, permit: Option<ReaderPermit>, begun: bool, failed: bool) {
        match (self, permit) {
            (Self::Sqlite(sqlite), Some(permit)) => permit.release(sqlite, failed),
            (Self::Postgres(postgres), _) => postgres.end_read(begun),
            (Self::Sqlite(_), None) => {}
        }
    }
}
