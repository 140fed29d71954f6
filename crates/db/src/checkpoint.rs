//! Moves the write-ahead log into the SQLite file, away from the writer.
//!
//! On the writer's connection a checkpoint is the slowest commit of all. Here it runs on its own connection; it takes
//! the writer lock only when the log has grown long because writing never pauses.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Weak;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::lane::Shared;
use crate::options::Options;
use crate::readers::Readers;
use crate::sqlite::{Sqlite, Use};

/// How long to wait before looking at the log again, when it has grown and when it has not. Many small checkpoints hold
/// up the disk, and the writes that wait for it, less than a few large ones.
const PAUSE: Duration = Duration::from_millis(10);
const IDLE_PAUSE: Duration = Duration::from_millis(100);
/// Pages (of 4 KiB) that are worth a checkpoint.
const WORTH_PAGES: u64 = 200;
/// Pages at which the writer has to wait for the log to start from its beginning.
const LONG_PAGES: u64 = 16_000;
/// How long the writer may have to wait for that: a read that is still on the log prevents it.
const RESTART_PATIENCE: Duration = Duration::from_millis(100);
/// How long the writer is not made to wait again after a restart of the log has failed. It doubles, because the read
/// may be a backup.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_RESTART_PAUSE: Duration = Duration::from_secs(30);

/// Runs until the database is closed.
pub(crate) fn run(shared: &Weak<Shared>, readers: &Weak<Readers>, path: &Path, options: &Options) {
    let options = Options { statement_timeout: RESTART_PATIENCE, ..options.clone() };
    let mut checkpoint: Option<Checkpoint> = None;
    let (mut seen, mut pause) = (0, IDLE_PAUSE);
    loop {
        std::thread::sleep(pause);
        let state = shared
            .upgrade()
            .map(|shared| (shared.log_pages.load(Ordering::Relaxed), shared.scrub.load(Ordering::Relaxed)));
        let Some((count, is_scrub)) = state else { return };
        pause = if count == seen { IDLE_PAUSE } else { PAUSE };
        if let Some(readers) = readers.upgrade() {
            readers.release_snapshots(count == seen && !is_scrub);
        }
        seen = count;
        if count == 0 && !is_scrub {
            // Nothing was written yet; the file may not even be there.
            continue;
        }
        let result = match &mut checkpoint {
            Some(checkpoint) if is_scrub => checkpoint.empty_log(shared),
            Some(checkpoint) => checkpoint.look(path, count),
            None => Checkpoint::open(path, &options).map(|opened| checkpoint = Some(opened)),
        };
        if let Err(error) = result {
            tracing::warn!(%error, "a checkpoint failed; it will be tried again");
            pause = IDLE_PAUSE;
        }
    }
}

struct Checkpoint {
    sqlite: Sqlite,
    /// The SQLite file, to be synced. Never closed: that would end the locks of the process's connections (see
    /// file.rs).
    file: Option<ManuallyDrop<File>>,
    /// Pages of the log that are in the file already.
    moved: u64,
    /// When the writer may be made to wait again.
    restart_at: Instant,
    /// The pause after the next failed restart.
    pause: Duration,
}

impl Checkpoint {
    fn open(path: &Path, options: &Options) -> Result<Self> {
        let sqlite = Sqlite::open(path, Use::Write, options)?;
        Ok(Self { sqlite, file: None, moved: 0, restart_at: Instant::now(), pause: RESTART_PAUSE })
    }

    fn look(&mut self, path: &Path, count: u64) -> Result<()> {
        if count < self.moved {
            // The log was started from its beginning.
            self.moved = 0;
        }
        if count < self.moved + WORTH_PAGES {
            return Ok(());
        }
        self.sqlite.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)", &[])?;
        self.sync(path)?;
        self.moved = count;
        if count >= LONG_PAGES {
            self.restart("PRAGMA wal_checkpoint(RESTART)")?;
        }
        Ok(())
    }

    /// Empties the log, which has earlier states of pages, once no read needs it.
    fn empty_log(&mut self, shared: &Weak<Shared>) -> Result<()> {
        // What is asked for from now on is another time.
        let ask = |scrub| {
            if let Some(shared) = shared.upgrade() {
                shared.scrub.store(scrub, Ordering::Relaxed);
            }
        };
        ask(false);
        let emptied = self.restart("PRAGMA wal_checkpoint(TRUNCATE)");
        if !matches!(emptied, Ok(true)) {
            ask(true);
        }
        emptied.map(|_| ())
    }

    /// Makes the writer wait for a checkpoint that starts the log from its beginning; whether it did. Some time must
    /// pass after a failure.
    fn restart(&mut self, statement: &str) -> Result<bool> {
        if Instant::now() < self.restart_at {
            return Ok(false);
        }
        let restart = |sqlite: &Sqlite| sqlite.query::<(i64, i64, i64)>(statement, &[]);
        let rows = self.sqlite.before_others(restart)?;
        let is_busy = rows.iter().any(|(busy, ..)| *busy != 0);
        if is_busy {
            self.restart_at = Instant::now() + self.pause;
            self.pause = (self.pause * 2).min(LONGEST_RESTART_PAUSE);
        } else {
            self.pause = RESTART_PAUSE;
        }
        Ok(!is_busy)
    }

    /// SQLite itself syncs the file only once the whole log is in it: after the restart, while the writer waits. Then
    /// this has left little to do.
    fn sync(&mut self, path: &Path) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(ManuallyDrop::new(File::open(path).map_err(Error::unavailable)?)),
        };
        file.sync_data().map_err(|_| self.sqlite.failed_to_sync())
    }
}
