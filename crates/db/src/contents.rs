//! Inspects what a database contains, without changing it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::options::{Location, Options};
use crate::postgres::Connector;

/// What a database holds, as far as its tables tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// There is no file, or there are no tables.
    Nothing,
    /// The tables of this crate, which every schema has.
    Register,
    /// Tables of another program, by name, and none of this crate.
    Foreign(Vec<String>),
}

/// Notes the migrations; the first of the tables to be made, alone if the first start was interrupted.
const MIGRATIONS: &str = "schema_migration";
/// Made by the first migration.
const HEADS: &str = "organization_head";

/// Tables and views that are neither the engine's own nor an extension's.
const TABLES_POSTGRES: &str = "SELECT relation.relname::text FROM pg_class AS relation
    JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
    WHERE relation.relkind IN ('r', 'p', 'f', 'v', 'm')
      AND schema.nspname <> 'information_schema' AND schema.nspname NOT LIKE 'pg\\_%'
      AND NOT EXISTS (SELECT FROM pg_depend
                      WHERE classid = 'pg_class'::regclass AND objid = relation.oid AND deptype = 'e')
    ORDER BY 1 LIMIT 1000";
/// Whether unqualified names resolve to our tables.
const OURS_POSTGRES: &str = "SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL";
const TABLES_SQLITE: &str = "SELECT name FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";

impl Contents {
    /// Inspects the database that `options` name. Nothing is created or changed: no file, no table.
    pub async fn of(options: &Options) -> Result<Self> {
        match &options.location {
            Location::Sqlite(path) => Ok(Self::from_tables(tables_of_file(path, options)?)),
            Location::Postgres(url) => {
                let connector = Connector::new(url, options, Arc::<Counts>::default())?;
                let mut postgres = connector.connect().await?;
                // In this order: another process may be making the register at this moment.
                let tables = postgres.query::<(String,)>(TABLES_POSTGRES, &[]).await?;
                let ours = postgres.query::<(bool,)>(OURS_POSTGRES, &[&MIGRATIONS, &HEADS]).await?;
                if ours.first().is_some_and(|(ours,)| *ours) {
                    return Ok(Self::Register);
                }
                let tables = tables.into_iter().map(|(name,)| name).filter(|name| name != HEADS);
                Ok(Self::from_tables(tables.collect()))
            }
        }
    }

    fn from_tables(tables: Vec<String>) -> Self {
        let has = |name: &str| tables.iter().any(|table| table == name);
        if has(MIGRATIONS) && has(HEADS) {
            return Self::Register;
        }
        if tables.iter().all(|table| table == MIGRATIONS) { Self::Nothing } else { Self::Foreign(tables) }
    }
}

/// The tables of a SQLite file; none when it is not there or empty.
fn tables_of_file(path: &Path, options: &Options) -> Result<Vec<String>> {
    let failed = |error: &dyn std::fmt::Display| Error::unavailable(format!("{}: {error}", path.display()));
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(&error)),
        Ok(file) if file.len() == 0 => return Ok(Vec::new()),
        Ok(_) => {}
    }
    let read = || -> rusqlite::Result<Vec<String>> {
        let connection = open_unchanged(path)?;
        connection.busy_timeout(options.statement_timeout)?;
        let mut statement = connection.prepare(TABLES_SQLITE)?;
        statement.query_map([], |row| row.get(0))?.collect()
    };
    read().map_err(|error| failed(&error))
}

/// Opens the file so that SQLite makes no other file beside it: without a write-ahead log no process uses it, so it
/// needs no lock; with one the other files exist already.
fn open_unchanged(path: &Path) -> rusqlite::Result<Connection> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if std::fs::metadata(PathBuf::from(log)).is_ok_and(|log| log.len() > 0) {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        return Connection::open_with_flags(path, flags);
    }
    crate::file::open_immutable(path)
}
