//! The shared engine: statements are prepared once per connection and sent together where they can be.

use std::ops::Deref;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use deadpool::managed::Object;
use futures_util::TryStreamExt as _;
use futures_util::future::{Either, FutureExt, join, join_all, ready, try_join_all};
use tokio_postgres::Statement;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::param::{KeptParam, Param};
use crate::row::{FromRow, Row, Take};

mod connector;
mod failure;
mod generation;
mod obstacle;
mod server;
mod session;
mod timeline;

use failure::{cause, failure, is_refusal};

pub(crate) use connector::{Connector, Pool};
use session::Session;

/// Statements that are sent before the first answer is awaited.
const PIPELINED: usize = 512;

/// Rows of one INSERT where there are many.
const INSERTED: usize = 64;

/// The result of a COMMIT.
pub(crate) enum Commit {
    Done,
    /// It is known not to have taken effect.
    RolledBack(Error),
    /// The answer was lost.
    Lost,
}

enum Client {
    Pooled(Box<Object<Connector>>),
    Own(Box<Session>),
}

impl Client {
    /// Closes it; another connection may take its place in the pool.
    fn close(self) {
        if let Self::Pooled(client) = self {
            drop(Object::take(*client));
        }
    }
}

impl Deref for Client {
    type Target = Session;

    fn deref(&self) -> &Session {
        match self {
            Self::Pooled(client) => client,
            Self::Own(client) => client,
        }
    }
}

pub(crate) struct Postgres {
    client: Client,
    /// Statements that are sent with the next one, to save a round trip.
    waiting: Vec<Step>,
    timeout: Duration,
    broken: bool,
    /// A statement was refused, so the transaction is aborted until what waits has been run.
    refused: bool,
    /// A deferred statement was refused: it may belong to any write, so the whole transaction must be rolled back.
    spoiled: bool,
    counts: Arc<Counts>,
}

/// Something that is sent with the next statement.
enum Step {
    /// Statements without parameters.
    Text(String),
    Row(Statement, Vec<KeptParam>),
}

impl Step {
    async fn send(&self, client: &Client) -> Result<(), tokio_postgres::Error> {
        match self {
            Self::Text(sql) => client.batch_execute(sql).await,
            Self::Row(statement, params) => {
                let params: Vec<&(dyn ToSql + Sync)> =
                    params.iter().map(|param| -> &(dyn ToSql + Sync) { &**param }).collect();
                client.execute(statement, &params).await.map(drop)
            }
        }
    }
}

/// The results of statements that were sent together: of the deferred ones, and of the last one.
type Together<T> = (Result<(), tokio_postgres::Error>, Result<T, tokio_postgres::Error>);

/// Sends what waited and then `last`, and waits for all the answers.
async fn together<T>(
    client: &Client,
    waited: &[Step],
    last: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Together<T> {
    let mut answers = Vec::with_capacity(waited.len());
    for step in waited {
        // A request is on the wire when its future was polled once; so this is the order there.
        let mut answer = Box::pin(step.send(client)).fuse();
        answers.push(match futures_util::poll!(&mut answer) {
            Poll::Ready(answer) => Either::Left(ready(answer)),
            Poll::Pending => Either::Right(answer),
        });
    }
    let (answers, last) = join(join_all(answers), last).await;
    (answers.into_iter().collect(), last)
}

impl Postgres {
    fn new(client: Client, timeout: Duration, counts: Arc<Counts>) -> Self {
        Self { client, waiting: Vec::new(), timeout, broken: false, refused: false, spoiled: false, counts }
    }

    /// Lets statements take as long as they need, for migrations. The client waits for so long.
    pub(crate) async fn without_timeouts(&mut self, patience: Duration) -> Result<()> {
        self.timeout = patience;
        self.run("SET statement_timeout = 0; SET lock_timeout = 0").await
    }

    /// The server's timeline when the connection was made; 0 where it does not say.
    pub(crate) fn timeline(&self) -> u32 {
        self.client.timeline()
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken || self.client.is_closed()
    }

    /// Whether another transaction may begin: no connection that was made at the same time or later has turned out
    /// useless.
    pub(crate) fn is_usable(&self) -> bool {
        !self.broken && self.client.is_usable()
    }

    /// Whether the open transaction can still be committed.
    pub(crate) fn can_commit(&self) -> bool {
        !self.is_broken() && !self.spoiled
    }

    /// Whether a statement was refused, so that the transaction can go on only from a savepoint.
    pub(crate) fn is_aborted(&self) -> bool {
        self.refused
    }

    /// Ends the open transaction, if the connection can still do it.
    pub(crate) async fn roll_back(&mut self) -> Result<()> {
        self.waiting.clear();
        self.spoiled = false;
        match self.is_broken() {
            true => Err(Error::unavailable("the connection to PostgreSQL broke")),
            false => self.run("ROLLBACK").await,
        }
    }

    /// Sends `sql`, which has no parameters, together with the next statement.
    pub(crate) fn later(&mut self, sql: &str) {
        match self.waiting.last_mut() {
            Some(Step::Text(text)) => {
                text.push(';');
                text.push_str(sql);
            }
            _ => self.waiting.push(Step::Text(sql.to_owned())),
        }
    }

    /// Sends one statement for each of `rows` together with the next one.
    pub(crate) async fn send_many(&mut self, sql: &str, rows: &[&[&dyn Param]]) -> Result<()> {
        let statement = self.prepare(sql).await?;
        for row in rows {
            let params = row.iter().map(|param| param.kept()).collect();
            self.waiting.push(Step::Row(statement.clone(), params));
            if self.waiting.len() >= PIPELINED {
                self.exchange(async |_: &Client| Ok(())).await?;
            }
        }
        Ok(())
    }

    /// Sends the rows of an INSERT, many in each statement: that costs the server a fraction of one statement for each.
    pub(crate) async fn insert_many(&mut self, insert: &str, rows: &[&[&dyn Param]]) -> Result<()> {
        let (many, rest) = rows.split_at(rows.len() / INSERTED * INSERTED);
        if let Some(row) = many.first() {
            let Some(sql) = with_rows(insert, row.len(), INSERTED) else {
                return self.send_many(insert, rows).await;
            };
            let many: Vec<Vec<&dyn Param>> = many.chunks(INSERTED).map(<[_]>::concat).collect();
            let many: Vec<&[&dyn Param]> = many.iter().map(Vec::as_slice).collect();
            self.send_many(&sql, &many).await?;
        }
        self.send_many(insert, rest).await
    }

    /// Waits for the outcome of rows that wait, if there are any.
    pub(crate) async fn settle(&mut self) -> Result<()> {
        match self.waiting.iter().any(|step| matches!(step, Step::Row(..))) {
            true => self.exchange(async |_: &Client| Ok(())).await,
            false => Ok(()),
        }
    }

    /// The statement, prepared once per connection. The server prepares nothing in an aborted transaction, so after a
    /// refused statement what waits is run first.
    async fn prepare(&mut self, sql: &str) -> Result<Statement> {
        if std::mem::take(&mut self.refused) && !self.waiting.is_empty() {
            self.exchange(async |_: &Client| Ok(())).await?;
        }
        let was_open = !self.client.is_closed();
        let prepared = tokio::time::timeout(self.timeout, self.client.prepared(sql)).await;
        self.answer(was_open, prepared)
    }

    /// Sends what waits, and then what `last` sends when it is first polled.
    async fn exchange<T, F>(&mut self, last: F) -> Result<T>
    where
        F: AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>,
    {
        let waited = std::mem::take(&mut self.waiting);
        self.counts.round_trip();
        let was_open = !self.client.is_closed();
        let work = together(&self.client, &waited, last(&self.client));
        let result = match tokio::time::timeout(self.timeout, work).await {
            Ok((Ok(()), last)) => Ok(last),
            Ok((Err(error), _)) => {
                self.spoiled = true;
                Ok(Err(error))
            }
            Err(late) => Err(late),
        };
        self.answer(was_open, result)
    }

    /// Runs statements without parameters, after the deferred ones.
    pub(crate) async fn run(&mut self, sql: &str) -> Result<()> {
        self.refused = false;
        self.exchange(async |client: &Client| client.batch_execute(sql).await).await
    }

    /// All rows of a query.
    pub(crate) async fn query<T: FromRow>(&mut self, sql: &str, params: &[&dyn Param]) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, params, &mut |row| T::from_row(row).map(|row| rows.push(row))).await?;
        Ok(rows)
    }

    /// Gives each row of a query to `take`, as it comes.
    pub(crate) async fn each(&mut self, sql: &str, params: &[&dyn Param], take: &mut Take<'_>) -> Result<()> {
        let statement = self.prepare(sql).await?;
        let params: Vec<_> = params.iter().map(|param| param.postgres()).collect();
        let mut taken = Ok(());
        let all = async |client: &Client| {
            let mut rows = std::pin::pin!(client.query_raw(&statement, params).await?);
            while let Some(row) = rows.try_next().await? {
                if taken.is_ok() {
                    taken = take(&Row::Postgres(&row));
                }
            }
            Ok(())
        };
        self.exchange(all).await?;
        taken
    }

    pub(crate) async fn execute(&mut self, sql: &str, params: &[&dyn Param]) -> Result<u64> {
        self.execute_many(sql, &[params]).await
    }

    /// One statement for each of `rows`, many on the wire at the same time.
    pub(crate) async fn execute_many(&mut self, sql: &str, rows: &[&[&dyn Param]]) -> Result<u64> {
        let mut count = 0;
        for rows in rows.chunks(PIPELINED) {
            let statement = self.prepare(sql).await?;
            let params: Vec<Vec<_>> =
                rows.iter().map(|row| row.iter().map(|param| param.postgres()).collect()).collect();
            let all = async |client: &Client| {
                try_join_all(params.iter().map(|params| client.execute(&statement, params))).await
            };
            count += self.exchange(all).await?.into_iter().sum::<u64>();
        }
        Ok(count)
    }

    fn answer<T>(
        &mut self,
        was_open: bool,
        result: Result<Result<T, tokio_postgres::Error>, tokio::time::error::Elapsed>,
    ) -> Result<T> {
        match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                self.note(was_open, &error);
                self.refused = true;
                Err(failure(&error))
            }
            Err(_) => {
                self.note_silence();
                Err(Error::unavailable("PostgreSQL does not answer"))
            }
        }
    }

    /// Notes what an error says about this connection, and about those that were made before. One that was closed
    /// before the statement was sent (`was_open`) may have been idle for too long.
    fn note(&mut self, was_open: bool, error: &tokio_postgres::Error) {
        if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            // A server that has become a standby accepts no writes: reconnect to find the primary.
            self.broken = true;
            self.client.end_generation("one leads to a server that accepts no writes");
        } else if was_open && error.is_closed() {
            self.client.end_generation("one broke");
        }
    }

    /// Notes that an answer did not come. A statement that is only slow is ended by the server, which says so.
    fn note_silence(&mut self) {
        self.broken = true;
        self.counts.timeout();
        self.client.end_generation("one does not answer");
    }

    /// Runs `last` and then COMMIT, with what waits, all on the wire at the same time.
    pub(crate) async fn commit(&mut self, last: &[(&str, Vec<&dyn Param>)]) -> Commit {
        for (sql, params) in last {
            if let Err(error) = self.send_many(sql, &[params]).await {
                return Commit::RolledBack(error);
            }
        }
        let waited = std::mem::take(&mut self.waiting);
        self.counts.round_trip();
        let was_open = !self.client.is_closed();
        let work = together(&self.client, &waited, self.client.batch_execute("COMMIT"));
        let commit = match tokio::time::timeout(self.timeout, work).await {
            Ok((Ok(()), Ok(()))) => Commit::Done,
            // A transaction with a refused statement, or one whose COMMIT is refused, is undone.
            Ok((Err(error), _) | (Ok(()), Err(error))) => {
                self.note(was_open, &error);
                if is_refusal(&error) { Commit::RolledBack(failure(&error)) } else { Commit::Lost }
            }
            Err(_) => {
                self.note_silence();
                Commit::Lost
            }
        };
        self.broken |= matches!(commit, Commit::Lost);
        commit
    }

    /// Ends a read's transaction without making its caller wait.
    pub(crate) fn end_read(self, begun: bool) {
        if !begun {
            return;
        }
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.is_usable());
        let Some(runtime) = runtime else {
            // The ROLLBACK could not be sent, so the connection must not be used again.
            return self.client.close();
        };
        runtime.spawn(async move {
            // A server that is silent must not keep a place in the pool; a read that was given up may still run there.
            let ended = tokio::time::timeout(self.timeout, self.client.batch_execute("ROLLBACK")).await;
            if !matches!(ended, Ok(Ok(()))) {
                self.client.close();
            }
        });
    }
}

/// An INSERT of one row, `VALUES ($1, $2)`, with the values of so many; none if it is another statement.
fn with_rows(insert: &str, columns: usize, rows: usize) -> Option<String> {
    let row = |row: usize| {
        let places: Vec<String> = (1..=columns).map(|place| format!("${}", row * columns + place)).collect();
        format!("({})", places.join(", "))
    };
    let (before, after) = insert.split_once(&format!("VALUES {}", row(0)))?;
    let rows: Vec<String> = (0..rows).map(row).collect();
    Some(format!("{before}VALUES {}{after}", rows.join(", ")))
}
