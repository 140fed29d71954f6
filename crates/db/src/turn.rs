//! Whose turn it is to begin writing to a SQLite file.
//!
//! SQLite's own lock has no queue: a process that writes without pause would starve another, such as
//! the command line. Everybody takes this file lock before BEGIN IMMEDIATE and gives it back after,
//! so whoever waits for the database is the next to get it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

pub(crate) struct Turn(File);

impl Turn {
    pub(crate) fn open(database: &Path) -> Result<Self> {
        let mut path = database.as_os_str().to_owned();
        path.push("-turn");
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        crate::file::owner_only(&mut options);
        options
            .open(&path)
            .map(Self)
            .map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))
    }

    /// Runs `begin` while holding the turn. Polls, because a lock with a timeout does not exist;
    /// the turn is held for microseconds unless somebody waits for a long batch to end.
    pub(crate) fn take<T>(&self, patience: Duration, begin: impl FnOnce() -> Result<T>) -> Result<T> {
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
