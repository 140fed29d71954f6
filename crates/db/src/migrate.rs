//! Forward-only migrations, under a lock, each in a transaction.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::error::{Error, Result};
use crate::lane::Shared;
use crate::options::{Engine, Location, Options};
use crate::postgres::Postgres;
use crate::schema;
use crate::sqlite::{Sqlite, Use};

/// One step of the schema.
#[derive(Debug, Clone, Copy, Hash)]
pub struct Migration {
    /// Its file's name without the ending, such as `0001_organizations`; the order is that of the list.
    pub name: &'static str,
    /// One text for both engines, as `schema.rs` describes it.
    pub text: &'static str,
}

impl Migration {
    /// The tables of this crate, which are made before all others.
    pub const OWN: Self = Self { name: "0000_db", text: include_str!("../migrations/0000_db.sql") };

    /// The statements for an engine.
    pub fn statements(&self, engine: Engine) -> String {
        schema::for_engine(engine, self.text)
    }
}

const DONE_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    name TEXT NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT schema_migration_pkey PRIMARY KEY (name)
) WITHOUT ROWID;";
const DONE: &str = "SELECT name FROM schema_migration ORDER BY name";
/// The statistics for SQLite's planner; PostgreSQL collects its own.
const STATISTICS_SQLITE: &str = include_str!("../migrations/statistics.sql");
const NOTE: &str = "INSERT INTO schema_migration (name, applied_at) VALUES ($1, $2)";

/// The key of the advisory lock that migrating processes wait on ("bailiwic" in ASCII).
const LOCK_KEY: i64 = 0x6261_696C_6977_6963;

/// How long a step may take, and how long another process waits for it.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// How often a process looks whether another one has finished.
const LOOKS_EVERY: Duration = Duration::from_millis(200);

/// Applies the migrations that are missing and returns their names. A database that has more than these is left as it
/// is: an older program may run beside a newer one. One with other migrations is refused and not modified.
pub(crate) async fn migrate(shared: &Shared, migrations: &[Migration]) -> Result<Vec<&'static str>> {
    let all: Vec<Migration> = std::iter::once(Migration::OWN).chain(migrations.iter().copied()).collect();
    let at = (shared.options.clock)();
    match (&shared.options.location, &shared.connector) {
        (Location::Sqlite(path), _) => {
            let options = Options { statement_timeout: PATIENCE, ..shared.options.clone() };
            let sqlite = Sqlite::open(path, Use::Write, &options)?;
            migrate_sqlite(&sqlite, &all, at)
        }
        (Location::Postgres(_), Some(connector)) => {
            let mut postgres = connector.connect().await?;
            lock(&mut postgres).await?;
            postgres.without_timeouts(PATIENCE).await?;
            postgres.run(&schema::for_engine(Engine::Postgres, DONE_TABLE)).await?;
            let done = postgres.query::<(String,)>(DONE, &[]).await?;
            let mut applied = Vec::new();
            for migration in pending(&all, &done)? {
                postgres.run("BEGIN").await?;
                postgres
                    .run(&migration.statements(Engine::Postgres))
                    .await
                    .map_err(|error| broken(migration, &error))?;
                postgres.execute(NOTE, &[&migration.name, &at]).await?;
                postgres.run("COMMIT").await?;
                applied.push(migration.name);
            }
            // The lock ends with the connection.
            Ok(applied)
        }
        (Location::Postgres(_), None) => Err(Error::internal("no connector")),
    }
}

/// Takes the lock of the migrating process. Each try has the timeout of a statement, so a server that no longer answers is
/// noticed, however long another process may take.
async fn lock(postgres: &mut Postgres) -> Result<()> {
    let sql = format!("SELECT pg_try_advisory_lock({LOCK_KEY})");
    let began = Instant::now();
    while postgres.query::<(bool,)>(&sql, &[]).await? != [(true,)] {
        if began.elapsed() > PATIENCE {
            return Err(Error::unavailable("another process has been migrating the database for an hour"));
        }
        tokio::time::sleep(LOOKS_EVERY).await;
    }
    Ok(())
}

fn migrate_sqlite(sqlite: &Sqlite, all: &[Migration], at: Timestamp) -> Result<Vec<&'static str>> {
    sqlite.begin_write()?;
    let steps = || {
        sqlite.run(&schema::for_engine(Engine::Sqlite, DONE_TABLE))?;
        let done = sqlite.query::<(String,)>(DONE, &[])?;
        let mut applied = Vec::new();
        for migration in pending(all, &done)? {
            let statements = migration.statements(Engine::Sqlite);
            let result = sqlite.raw().execute_batch(&statements).map_err(|error| sqlite.error(&error));
            result.map_err(|error| broken(migration, &error))?;
            sqlite.execute(NOTE, &[&migration.name, &at])?;
            applied.push(migration.name);
        }
        if !applied.is_empty() {
            sqlite.raw().execute_batch(STATISTICS_SQLITE).map_err(|error| sqlite.error(&error))?;
        }
        Ok(applied)
    };
    let applied = steps()?;
    // After an error the connection closes, which undoes everything.
    sqlite.run("COMMIT")?;
    Ok(applied)
}

/// The migrations after those that are done, which are to be the first of `all`.
fn pending<'a>(all: &'a [Migration], done: &[(String,)]) -> Result<&'a [Migration]> {
    let differs = all.iter().zip(done).find(|(migration, (name,))| migration.name != name);
    match differs {
        Some((migration, (name,))) => {
            Err(Error::OtherSchema { found: name.clone(), expected: migration.name })
        }
        None => Ok(all.get(done.len()..).unwrap_or_default()),
    }
}

fn broken(migration: &Migration, error: &Error) -> Error {
    match error {
        Error::Unavailable(_) | Error::Denied(_) => error.clone(),
        _ => Error::internal(format!("migration {}: {error}", migration.name)),
    }
}
