//! The rate of a copy: limited as requested, unlimited or aborted when it would disturb the service.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use db::Copied;

use super::stop::Stop;
use crate::disk::free_bytes;

const MIB: u64 = 1024 * 1024;
/// Bytes after which the copy is brought to the disk, so that its end does not stall the syncs of the service.
const SYNC_EVERY: u64 = 8 * MIB;
/// How often the service's write-ahead log is checked.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The longest sleep before looking whether to stop.
const NAP: Duration = Duration::from_millis(100);
/// Growth of the log that needs no reaction.
const SMALL_LOG: u64 = 64 * MIB;
/// Growth of the log at which the rate limit is lifted.
const LONG_LOG: u64 = 1024 * MIB;

/// What the write-ahead log, which cannot start from its beginning while a copy is made, means for the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Go,
    /// Without a limit from now on: the sooner it ends, the sooner the log starts from its beginning.
    Hurry,
    /// The disk would be full soon. Serving requests has priority over a backup.
    Stop,
}

/// `grown` is by how much the log has grown since the copy began, `free` what the disk below it has left, in bytes.
fn verdict(grown: u64, free: u64) -> Verdict {
    if grown > SMALL_LOG && free < grown {
        Verdict::Stop
    } else if grown > LONG_LOG || (grown > SMALL_LOG && free / 4 < grown) {
        Verdict::Hurry
    } else {
        Verdict::Go
    }
}

/// The pace of one copy.
pub(super) struct Pace<'a> {
    begun: Instant,
    /// Bytes a second; none is no limit.
    rate: Option<u64>,
    log: PathBuf,
    log_at_first: u64,
    looked: Instant,
    target: &'a File,
    synced: u64,
    stop: &'a Stop,
}

impl<'a> Pace<'a> {
    /// The pace of a copy of `database` into `target`.
    pub(super) fn new(database: &Path, target: &'a File, max_rate_mib: u32, stop: &'a Stop) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let log = PathBuf::from(log);
        Self {
            begun: Instant::now(),
            rate: Some(u64::from(max_rate_mib) * MIB).filter(|rate| *rate > 0),
            log_at_first: length(&log),
            log,
            looked: Instant::now(),
            target,
            synced: 0,
            stop,
        }
    }

    /// After a step of the copy: sleeps as long as it is too fast.
    pub(super) fn step(&mut self, copied: Copied) -> db::Result<()> {
        if copied.done >= self.synced + SYNC_EVERY {
            self.target.sync_data().map_err(unavailable)?;
            self.synced = copied.done;
        }
        loop {
            self.stop.check().map_err(unavailable)?;
            if self.looked.elapsed() >= LOOK_EVERY {
                self.look()?;
            }
            let Some(rate) = self.rate else { return Ok(()) };
            let due = Duration::from_secs_f64(copied.done as f64 / rate as f64);
            let ahead = due.saturating_sub(self.begun.elapsed());
            if ahead.is_zero() || copied.done == copied.total {
                return Ok(());
            }
            std::thread::sleep(ahead.min(NAP));
        }
    }

    /// The length of the log is read from its folder's metadata: opening a file of SQLite's and closing it would end
    /// the locks that this process has on it.
    fn look(&mut self) -> db::Result<()> {
        self.looked = Instant::now();
        let grown = length(&self.log).saturating_sub(self.log_at_first);
        let free = self.log.parent().and_then(free_bytes).unwrap_or(u64::MAX);
        match verdict(grown, free) {
            Verdict::Go => Ok(()),
            Verdict::Hurry => {
                if self.rate.take().is_some() {
                    tracing::warn!(
                        log_mib = grown / MIB,
                        free_mib = free / MIB,
                        "the write-ahead log grows: the backup goes on without a limit of its rate"
                    );
                }
                Ok(())
            }
            Verdict::Stop => Err(unavailable(format!(
                "the write-ahead log has grown by {} MiB since it began, and the disk has {} MiB left",
                grown / MIB,
                free / MIB
            ))),
        }
    }
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

fn unavailable(reason: impl std::fmt::Display) -> db::Error {
    db::Error::Unavailable(reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_hurries_the_copy_and_a_full_disk_ends_it() {
        assert_eq!(verdict(0, 0), Verdict::Go, "a small log is nobody's fault");
        assert_eq!(verdict(64 * MIB, 0), Verdict::Go);
        assert_eq!(verdict(65 * MIB, 64 * MIB), Verdict::Stop);
        assert_eq!(verdict(65 * MIB, 100 * MIB), Verdict::Hurry);
        assert_eq!(verdict(65 * MIB, 1000 * MIB), Verdict::Go);
        assert_eq!(verdict(1025 * MIB, 100_000 * MIB), Verdict::Hurry);
        assert_eq!(verdict(1025 * MIB, 1000 * MIB), Verdict::Stop);
    }
}
