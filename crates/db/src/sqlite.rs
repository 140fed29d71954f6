//! The embedded engine: one file, statements run directly on the calling thread.

mod read;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, ffi};

use crate::error::{Error, Result};
use crate::options::{Fatal, Options};
use crate::param::Param;
use crate::row::{FromRow, Row, Take};
use crate::snapshot::Snapshot;
use crate::writer_lock::WriterLock;

/// Virtual machine steps between two checks of the clock.
const STEPS_BETWEEN_LOOKS: i32 = 50_000;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Write,
    Read,
}

pub(crate) struct Sqlite {
    connection: Connection,
    writer_lock: Option<WriterLock>,
    snapshot: Snapshot,
    timeout: Duration,
    opened: Instant,
    /// Milliseconds after `opened` at which a running statement is interrupted; 0 = never.
    deadline: Arc<AtomicU64>,
    on_fatal: Fatal,
}

impl Sqlite {
    /// Opens the file, making it when it is not there.
    pub(crate) fn open(path: &Path, purpose: Use, options: &Options) -> Result<Self> {
        let opened = Instant::now();
        let deadline = Arc::new(AtomicU64::new(0));
        let connection = if options.immutable {
            if purpose == Use::Write {
                return Err(Error::unavailable(format!("{} is only read", path.display())));
            }
            crate::file::open_immutable(path)
        } else {
            crate::file::make(path)?;
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(path, flags)
        };
        let connection =
            connection.map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))?;
        let writer_lock = if purpose == Use::Write { Some(WriterLock::open(path)?) } else { None };
        let mut sqlite = Self {
            connection,
            writer_lock,
            snapshot: Snapshot::default(),
            timeout: options.statement_timeout,
            opened,
            deadline,
            on_fatal: Arc::clone(&options.on_fatal),
        };
        sqlite.set_up(purpose, options).map_err(|error| sqlite.error(&error))?;
        if purpose == Use::Read && !options.immutable {
            sqlite.snapshot = Snapshot::of_reader(path);
        }
        Ok(sqlite)
    }

    fn set_up(&mut self, purpose: Use, options: &Options) -> rusqlite::Result<()> {
        self.connection.set_prepared_statement_cache_capacity(512);
        self.connection.busy_timeout(self.timeout)?;
        // Without this SQLite looks at the value of LIMIT while it plans, and parses and plans the
        // statement again whenever another value is bound: five times the cost of a point read.
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        if !options.immutable {
            self.connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        let synchronous = if options.unsafe_without_sync { "OFF" } else { "FULL" };
        self.connection.pragma_update(None, "synchronous", synchronous)?;
        self.connection.pragma_update(None, "foreign_keys", "ON")?;
        self.connection.pragma_update(None, "temp_store", "MEMORY")?;
        // Checkpoints on the writer would be the slowest commits; see checkpoint.rs.
        self.connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        match purpose {
            Use::Write => {
                self.connection.pragma_update(None, "cache_size", -32_000)?;
                // What is deleted or overwritten leaves nothing behind in the pages of the file: see `Db::scrub`.
                self.connection.pragma_update(None, "secure_delete", "ON")?;
            }
            Use::Read => {
                self.connection.pragma_update(None, "cache_size", -2_000)?;
                self.connection.pragma_update(None, "query_only", "ON")?;
            }
        }
        let (opened, deadline) = (self.opened, Arc::clone(&self.deadline));
        let late = move || {
            let deadline = deadline.load(Ordering::Relaxed);
            deadline != 0 && opened.elapsed().as_millis() > u128::from(deadline)
        };
        self.connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(late))
    }

    /// Counts the pages in the write-ahead log after each commit of this connection.
    pub(crate) fn count_log_pages(&mut self, pages: Arc<AtomicU64>) -> Result<()> {
        let hook = move |_: &mut rusqlite::hooks::Wal, count: i32| {
            pages.store(u64::try_from(count).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        };
        let result = self.connection.wal_hook(Some(hook));
        result.map_err(|error| self.error(&error))
    }

    /// The bare connection, for migrations, checkpoints and the catalogue.
    pub(crate) fn raw(&self) -> &Connection {
        &self.connection
    }

    pub(crate) fn begin_write(&self) -> Result<()> {
        self.restart_deadline();
        match &self.writer_lock {
            Some(lock) => lock.hold_while(self.timeout, || self.run("BEGIN IMMEDIATE")),
            None => self.run("BEGIN IMMEDIATE"),
        }
    }

    /// Holds the writer lock while `work` waits for SQLite's own, so that the lane pauses.
    pub(crate) fn before_others<T>(&self, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        match &self.writer_lock {
            Some(lock) => lock.hold_while(self.timeout, || work(self)),
            None => work(self),
        }
    }

    /// Whether a transaction is open. After some errors SQLite ends it by itself.
    pub(crate) fn in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Runs a statement without parameters or rows.
    pub(crate) fn run(&self, sql: &str) -> Result<()> {
        self.execute(sql, &[]).map(|_| ())
    }

    pub(crate) fn execute(&self, sql: &str, params: &[&dyn Param]) -> Result<u64> {
        self.execute_many(sql, &[params])
    }

    /// Runs a statement once for each row and returns the total number of rows affected.
    pub(crate) fn execute_many(&self, sql: &str, rows: &[&[&dyn Param]]) -> Result<u64> {
        let execute = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let in_order = are_in_order(sql, rows.first().map_or(0, |row| row.len()));
            let mut touched = 0;
            for row in rows {
                self.restart_deadline();
                bind(&mut statement, in_order, row)?;
                touched += self.run_to_its_end(&mut statement)?;
            }
            Ok(touched)
        };
        execute().map_err(|error| self.error(&error))
    }

    fn run_to_its_end(&self, statement: &mut rusqlite::Statement<'_>) -> rusqlite::Result<u64> {
        if statement.column_count() == 0 {
            return statement.raw_execute().map(|count| count as u64);
        }
        // RETURNING without a reader, or PRAGMA.
        let mut rows = statement.raw_query();
        while rows.next()?.is_some() {}
        Ok(self.connection.changes())
    }

    /// Gives each row of a statement that changes nothing to `take`: a change made here would not be undone with its
    /// write.
    pub(crate) fn each(&self, sql: &str, params: &[&dyn Param], take: &mut Take<'_>) -> Result<()> {
        let statement = self.connection.prepare_cached(sql).map_err(|error| self.error(&error))?;
        if statement.readonly() || statement.is_explain() != 0 {
            self.take_rows(statement, sql, params, take)
        } else {
            Err(Error::internal("a query that changes rows"))
        }
    }

    /// The same for a statement that may change the rows it returns.
    pub(crate) fn each_changed(&self, sql: &str, params: &[&dyn Param], take: &mut Take<'_>) -> Result<()> {
        let statement = self.connection.prepare_cached(sql).map_err(|error| self.error(&error))?;
        self.take_rows(statement, sql, params, take)
    }

    /// Rows of a statement of this crate, which may change something.
    pub(crate) fn query<T: FromRow>(&self, sql: &str, params: &[&dyn Param]) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each_changed(sql, params, &mut |row| T::from_row(row).map(|row| rows.push(row)))?;
        Ok(rows)
    }

    fn take_rows(
        &self,
        mut statement: CachedStatement<'_>,
        sql: &str,
        params: &[&dyn Param],
        take: &mut Take<'_>,
    ) -> Result<()> {
        self.restart_deadline();
        bind(&mut statement, are_in_order(sql, params.len()), params).map_err(|error| self.error(&error))?;
        let mut rows = statement.raw_query();
        loop {
            match rows.next() {
                Ok(Some(row)) => take(&Row::Sqlite(row))?,
                Ok(None) => return Ok(()),
                Err(error) => return Err(self.error(&error)),
            }
        }
    }

    pub(crate) fn restart_deadline(&self) {
        let at = self.opened.elapsed() + self.timeout;
        self.deadline.store(u64::try_from(at.as_millis()).unwrap_or(0), Ordering::Relaxed);
    }

    /// Ends the process.
    pub(crate) fn failed_to_sync(&self) -> Error {
        let reason =
            "the disk failed to sync the database; what was acknowledged is safe, going on would not be";
        (self.on_fatal)(reason);
        Error::unavailable(reason)
    }

    /// What an error of SQLite means. A disk that failed to sync ends the process: the pages it
    /// dropped are marked clean, so a second sync would succeed although the data is not on disk.
    pub(crate) fn error(&self, error: &rusqlite::Error) -> Error {
        let Some(code) = error.sqlite_error() else { return Error::internal(error) };
        if matches!(code.extended_code, ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC) {
            return self.failed_to_sync();
        }
        match code.code {
            ErrorCode::ConstraintViolation => Error::Constraint { name: self.constraint(error) },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                Error::unavailable("the database is locked by another process")
            }
            ErrorCode::DiskFull => Error::unavailable("the disk is full"),
            // SQLite says so too when the disk fails to read a page.
            ErrorCode::DatabaseCorrupt => {
                tracing::error!(%error, "the disk fails to read the database, or the database is damaged");
                Error::unavailable("a part of the database cannot be read")
            }
            ErrorCode::OperationInterrupted => Error::unavailable("a statement took too long"),
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::ReadOnly
            | ErrorCode::OutOfMemory => Error::unavailable(error),
            _ => Error::internal(error),
        }
    }

    /// The name of the violated constraint. SQLite reports a CHECK by name and a unique index by its columns, so the
    /// index is looked up in the catalogue.
    fn constraint(&self, error: &rusqlite::Error) -> String {
        let message = error.to_string();
        let Some((kind, rest)) = message.split_once(" constraint failed") else { return message };
        let subject = rest.trim_start_matches(": ");
        match kind {
            "UNIQUE" => match subject.strip_prefix("index ") {
                Some(index) => index.trim_matches('\'').to_owned(),
                None => self.index_of(subject).unwrap_or_else(|| rowid_key(subject)),
            },
            "FOREIGN KEY" => "foreign_key".to_owned(),
            _ => subject.to_owned(),
        }
    }

    /// The unique index over `table.a, table.b`; a primary key is called `table_pkey`, as PostgreSQL does.
    fn index_of(&self, columns: &str) -> Option<String> {
        let table = columns.split('.').next()?;
        let sql = "SELECT CASE list.origin WHEN 'pk' THEN $1 || '_pkey' ELSE list.name END,
                          (SELECT group_concat($1 || '.' || info.name, ', ' ORDER BY info.seqno)
                           FROM pragma_index_info(list.name) AS info)
                   FROM pragma_index_list($1) AS list WHERE list.\"unique\" = 1";
        let mut statement = self.connection.prepare_cached(sql).ok()?;
        let mut rows = statement.query([table]).ok()?;
        while let Ok(Some(row)) = rows.next() {
            let (name, of): (String, Option<String>) = (row.get(0).ok()?, row.get(1).ok()?);
            if of.as_deref() == Some(columns) {
                return Some(name);
            }
        }
        None
    }
}

/// A unique column without an index is the rowid: the primary key of its table.
fn rowid_key(column: &str) -> String {
    column.split_once('.').map_or(column, |(table, _)| table).to_owned() + "_pkey"
}

/// Binds `$N` to the parameter at N, counted from 1. `in_order` is what [`are_in_order`] says.
fn bind(
    statement: &mut rusqlite::Statement<'_>,
    in_order: bool,
    params: &[&dyn Param],
) -> rusqlite::Result<()> {
    if statement.parameter_count() != params.len() {
        return Err(rusqlite::Error::InvalidParameterCount(params.len(), statement.parameter_count()));
    }
    for index in 1..=params.len() {
        let number = if in_order { index } else { parameter_number(statement, index)? };
        let param = params.get(number - 1).ok_or(rusqlite::Error::InvalidColumnIndex(number))?;
        statement.raw_bind_parameter(index, param.sqlite())?;
    }
    Ok(())
}

/// Whether the text has `count` parameters, and each `$N` appears first after those with smaller numbers, so that its index is N: SQLite gives an index to each
/// name by its first appearance. A text with a literal or a comment, which may contain what looks like a parameter, counts
/// as one that is not. It spares [`parameter_number`], for which SQLite passes over all names before: 46 in an INSERT.
fn are_in_order(sql: &str, count: usize) -> bool {
    let is_special = |byte: u8| matches!(byte, b'\'' | b'"' | b'`' | b'[' | b'-' | b'/');
    if sql.bytes().fold(false, |found, byte| found | is_special(byte)) {
        return false;
    }
    let mut known = 0;
    let in_order = sql.split('$').skip(1).all(|after| {
        let digits = after.bytes().take_while(u8::is_ascii_digit);
        let number = digits.fold(0_usize, |number, digit| {
            number.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
        });
        let is_next = number == known + 1;
        known += usize::from(is_next);
        is_next || (1..=known).contains(&number)
    });
    in_order && known == count
}

/// The N of the `$N` at `index`. It does not collect the numbers first, because this runs for every parameter of most
/// statements.
fn parameter_number(statement: &rusqlite::Statement<'_>, index: usize) -> rusqlite::Result<usize> {
    let name = statement.parameter_name(index).unwrap_or_default();
    let number: Option<NonZeroUsize> = name.strip_prefix('$').and_then(|number| number.parse().ok());
    number.map(NonZeroUsize::get).ok_or_else(|| rusqlite::Error::InvalidParameterName(name.to_owned()))
}
