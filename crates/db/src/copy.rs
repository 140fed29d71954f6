//! A copy of a SQLite database, page by page from one snapshot, while other connections write.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};
use crate::tx::Tx;

/// Pages (of 4 KiB) copied between two calls of `between`.
const STEP_PAGES: i32 = 64;

impl Tx {
    /// SQLite: copies the database as this read sees it into the empty file `to`, which is then complete by itself,
    /// without a write-ahead log. Calls `between` every 256 KiB with the number of bytes copied so far; its error ends the copy.
    ///
    /// Concurrent writes neither appear in the copy nor restart it. But the write-ahead log cannot be reset before this
    /// read ends, so it grows with every write. Blocks the thread, and does not sync `to`.
    pub fn copy_to(&mut self, to: &Path, between: impl FnMut(u64) -> Result<()>) -> Result<()> {
        let source = self.sqlite_snapshot()?;
        let failed = |error: rusqlite::Error| Error::unavailable(format!("{}: {error}", to.display()));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut target = Connection::open_with_flags(to, flags).map_err(failed)?;
        // No other process uses the file, and a copy that fails is deleted.
        target.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(failed)?;
        target.pragma_update(None, "journal_mode", "OFF").map_err(failed)?;
        target.pragma_update(None, "synchronous", "OFF").map_err(failed)?;
        copy(source, &mut target, failed, between)?;
        // The pages came from a database with a log, and say so.
        target.pragma_update(None, "journal_mode", "DELETE").map_err(failed)
    }
}

fn copy(
    source: &Connection,
    target: &mut Connection,
    failed: impl Fn(rusqlite::Error) -> Error,
    mut between: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    let page_size: u64 =
        source.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0)).map_err(&failed)?.into();
    let backup = Backup::new(source, target).map_err(&failed)?;
    loop {
        let step = backup.step(STEP_PAGES).map_err(&failed)?;
        let progress = backup.progress();
        between(u64::try_from(progress.pagecount - progress.remaining).unwrap_or(0) * page_size)?;
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            // The source is in a snapshot and only this process uses the target.
            _ => return Err(Error::unavailable("the copy is locked by another process")),
        }
    }
}
