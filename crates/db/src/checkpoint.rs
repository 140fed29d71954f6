//! Moves the write-ahead log into the SQLite file, away from the writer.
//!
//! On the writer's connection a checkpoint is the slowest commit of all. Here it runs beside it; only
//! when the log has grown long because writing never pauses does it ask for the writer's turn.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::lane::Shared;
use crate::options::Options;
use crate::sqlite::{Sqlite, Use};

const PAUSE: Duration = Duration::from_millis(100);
/// Pages (of 4 KiB) that are worth a checkpoint.
const WORTH_PAGES: u64 = 2_000;
/// Pages at which the writer has to wait for the log to start anew.
const LONG_PAGES: u64 = 16_000;
/// How long the writer may have to wait for that: a read that is still on the log prevents it.
const RESTART_PATIENCE: Duration = Duration::from_millis(100);
/// How long the writer is left alone after it waited in vain. It doubles, because the read may be a backup.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_RESTART_PAUSE: Duration = Duration::from_secs(30);

/// Runs until the database is closed.
pub(crate) fn run(shared: &Weak<Shared>, path: &Path, options: &Options) {
    let options = Options { statement_timeout: RESTART_PATIENCE, ..options.clone() };
    let mut checkpoint: Option<Checkpoint> = None;
    loop {
        std::thread::sleep(PAUSE);
        let Some(pages) = shared.upgrade().map(|shared| Arc::clone(&shared.log_pages)) else { return };
        if pages.load(Ordering::Relaxed) == 0 {
            // Nothing was written yet; the file may not even be there.
            continue;
        }
        let result = match &mut checkpoint {
            Some(checkpoint) => checkpoint.look(&pages),
            None => Sqlite::open(path, Use::Write, &options).map(|sqlite| {
                let pause = RESTART_PAUSE;
                checkpoint = Some(Checkpoint { sqlite, moved: 0, restart_at: Instant::now(), pause });
            }),
        };
        if let Err(error) = result {
            tracing::warn!(%error, "a checkpoint failed; it will be tried again");
        }
    }
}

struct Checkpoint {
    sqlite: Sqlite,
    /// Pages of the log that are in the file already.
    moved: u64,
    /// When the writer may be made to wait again.
    restart_at: Instant,
    /// How long it is left alone after the next time in vain.
    pause: Duration,
}

impl Checkpoint {
    fn look(&mut self, pages: &AtomicU64) -> Result<()> {
        let count = pages.load(Ordering::Relaxed);
        if count < self.moved {
            // The log was started anew.
            self.moved = 0;
        }
        if count < self.moved + WORTH_PAGES {
            return Ok(());
        }
        self.sqlite.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)", &[])?;
        self.moved = count;
        if count >= LONG_PAGES && Instant::now() >= self.restart_at {
            let restart =
                |sqlite: &Sqlite| sqlite.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(RESTART)", &[]);
            let rows = self.sqlite.before_others(restart)?;
            if rows.iter().any(|(busy, ..)| *busy != 0) {
                self.restart_at = Instant::now() + self.pause;
                self.pause = (self.pause * 2).min(LONGEST_RESTART_PAUSE);
            } else {
                self.pause = RESTART_PAUSE;
            }
        }
        Ok(())
    }
}
