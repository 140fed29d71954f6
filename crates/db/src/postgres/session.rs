//! One connection: the driver's client, the statements it has prepared, and its generation.

use std::collections::HashMap;
use std::error::Error as _;
use std::io::ErrorKind;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_postgres::tls::TlsStream;
use tokio_postgres::{Client, Connection, SimpleQueryMessage, Socket, Statement};

use super::generation::Generation;
use super::obstacle::Obstacle;
use super::timeline::{self, Timelines};

pub(crate) struct Session {
    /// Dropped before its statements, each of which would otherwise be closed at the server.
    client: Client,
    statements: Mutex<HashMap<String, Statement>>,
    task: JoinHandle<()>,
    generation: Generation,
    /// Its server's, and the highest one that was seen.
    timeline: (u32, Timelines),
}

impl Session {
    /// Runs a connection that was opened, until the session is dropped.
    pub(crate) fn new<T>(client: Client, mut connection: Connection<Socket, T>, made: Generation) -> Self
    where
        T: TlsStream + Unpin + Send + 'static,
    {
        let generation = made.clone();
        let task = tokio::spawn(async move {
            let ended = (&mut connection).await;
            // A server that closes an idle connection in order, or tells why, says nothing about the others. The
            // statement that waits for an answer reports the end by itself.
            if ended.is_err_and(|error| is_broken(&error)) {
                made.end("one broke");
            }
        });
        let timeline = (0, Timelines::default());
        Self { client, statements: Mutex::default(), task, generation, timeline }
    }

    /// Asks for the server's timeline. An error if there was a higher one: then it is a former primary.
    pub(super) async fn ask_timeline(&mut self, timelines: &Timelines) -> Result<(), Obstacle> {
        let file = match self.client.simple_query(timeline::ASK).await {
            Ok(answers) => answers.into_iter().find_map(|answer| match answer {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            }),
            // A server that does not know these functions has no timelines.
            Err(error) if error.as_db_error().is_some() => None,
            Err(error) => return Err(Obstacle::from(&error)),
        };
        let timeline = timeline::of_file(&file.unwrap_or_default());
        self.timeline = (timeline, timelines.clone());
        timelines.see(timeline).map_err(|highest| {
            Obstacle::passing(format!(
                "it is on timeline {timeline}, and timeline {highest} was used before: it is a former primary, or was \
                 made anew; in that case restart this process"
            ))
        })
    }

    /// The server's timeline; 0 where it does not say.
    pub(crate) fn timeline(&self) -> u32 {
        self.timeline.0
    }

    /// The statement, prepared at its first use.
    pub(crate) async fn prepared(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        let known = self.statements.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        let mut statements = self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Whether another transaction may begin on it.
    pub(crate) fn is_usable(&self) -> bool {
        let (timeline, timelines) = &self.timeline;
        !self.client.is_closed() && self.generation.is_current() && timelines.is_highest(*timeline)
    }

    /// Has every connection that was made before replaced at its next use, this one too.
    pub(crate) fn end_generation(&self, why: &str) {
        self.generation.end(why);
    }
}

impl Deref for Session {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Whether the socket has failed: the peer is gone, or has been silent for too long.
fn is_broken(error: &tokio_postgres::Error) -> bool {
    let socket = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    socket.is_some_and(|error| error.kind() != ErrorKind::UnexpectedEof)
}

/// A server that confirms COMMIT before it is on disk, or without its synchronous standby, would break durability; the
/// stricter modes are kept.
pub(crate) fn settings(timeout: Duration, idle_timeout: Duration) -> String {
    let (lock, idle) = (timeout.as_millis(), idle_timeout.as_millis());
    // If both limits were equal, the server would report the statement timeout; waiting for a lock must report the
    // lock.
    let statement = lock + 500;
    // Every statement here is a look-up or a page by key. For a table that has grown since its statistics were
    // collected the planner underestimates its size, and reads and sorts the whole table: 13 ms for a page of 50 among
    // 14,000 incidents, against 0.2 ms.
    let by_key = "SET enable_seqscan = off; SET enable_bitmapscan = off";
    // A scan that has no index costs so much by this setting that PostgreSQL would compile it first: 230 ms for a table
    // of one row.
    let interpreted = "SET jit = off";
    // Other processes that help with one statement take longer to begin than most statements take.
    let alone = "SET max_parallel_workers_per_gather = 0";
    format!(
        "{by_key}; {interpreted}; {alone}; SET statement_timeout = {statement}; SET lock_timeout = {lock};
         SET idle_in_transaction_session_timeout = {idle};
         SET timezone = 'UTC'; SET client_min_messages = warning;
         SELECT set_config('synchronous_commit', 'on', false)
         WHERE current_setting('synchronous_commit') IN ('off', 'local')"
    )
}
