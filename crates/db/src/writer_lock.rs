//! The lock that a process takes before it begins to write to a SQLite file.
//!
//! SQLite's own lock has no queue: a process that writes without pause would starve another one, such as the command
//! line. Each process takes this file lock before BEGIN IMMEDIATE and releases it afterwards, so the waiting process
//! gets the database next.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

pub(crate) struct WriterLock(File);

impl WriterLock {
    pub(crate) fn open(database: &Path) -> Result<Self> {
        let mut path = database.as_os_str().to_owned();
        path.push("-writer");
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        crate::file::owner_only(&mut options);
        options
            .open(&path)
            .map(Self)
            .map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))
    }

    /// Runs `begin` while holding the lock. Polls, because a file lock has no timeout; the lock is held for
    /// microseconds, unless `begin` waits for a long batch of another process to end.
    pub(crate) fn hold_while<T>(&self, patience: Duration, begin: impl FnOnce() -> Result<T>) -> Result<T> {
        let deadline = Instant::now() + patience;
        loop {
            match self.0.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_micros(500));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::unavailable("another process is writing"));
                }
                Err(TryLockError::Error(error)) => return Err(Error::unavailable(error)),
            }
        }
        let result = begin();
        // Closing the file would release it too; an error here cannot leave it held.
        let _ = self.0.unlock();
        result
    }
}
