//! Moves the write-ahead log into the SQLite file, away from the writer.
//!
//! On the writer's connection a checkpoint is the slowest commit of all. Here it runs beside it; only
//! when the log has grown long because writing never pauses does it ask for the writer's turn.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::error::Result;
use crate::lane::Shared;
use crate::options::Options;
use crate::sqlite::{Sqlite, Use};

const PAUSE: Duration = Duration::from_millis(100);
/// Pages (of 4 KiB) that are worth a checkpoint.
const WORTH_PAGES: u64 = 2_000;
/// Pages at which the writer has to wait for the log to start anew.
const LONG_PAGES: u64 = 16_000;

/// Runs until the database is closed.
pub(crate) fn run(shared: &Weak<Shared>, path: &Path, options: &Options) {
    let Ok(sqlite) = Sqlite::open(path, Use::Write, options) else { return };
    let mut moved = 0;
    loop {
        std::thread::sleep(PAUSE);
        let Some(pages) = shared.upgrade().map(|shared| Arc::clone(&shared.log_pages)) else { return };
        if let Err(error) = look(&sqlite, &pages, &mut moved) {
            tracing::warn!(%error, "a checkpoint failed; it will be tried again");
        }
    }
}

fn look(sqlite: &Sqlite, pages: &AtomicU64, moved: &mut u64) -> Result<()> {
    let count = pages.load(Ordering::Relaxed);
    if count < *moved {
        // The log was started anew.
        *moved = 0;
    }
    if count < *moved + WORTH_PAGES {
        return Ok(());
    }
    sqlite.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)", &[])?;
    *moved = count;
    if count >= LONG_PAGES {
        sqlite
            .before_others(|sqlite| sqlite.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(RESTART)", &[]))?;
        *moved = 0;
        pages.store(0, Ordering::Relaxed);
    }
    Ok(())
}
