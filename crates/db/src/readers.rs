//! The pool of read connections of a SQLite file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};
use crate::options::Options;
use crate::sqlite::{Sqlite, Use};

type Idle = Vec<Box<Sqlite>>;

pub(crate) struct Readers {
    idle: Mutex<Idle>,
    permits: Arc<Semaphore>,
    /// Whether a read leaves its snapshot to the next one.
    keep: AtomicBool,
}

/// The permit to use a reader; another read may have one when this is dropped.
pub(crate) struct ReaderPermit {
    readers: Arc<Readers>,
    _permit: OwnedSemaphorePermit,
}

impl Readers {
    /// A pool of `count` readers.
    pub(crate) fn new(count: usize) -> Self {
        let permits = Arc::new(Semaphore::new(count));
        Self { idle: Mutex::default(), permits, keep: AtomicBool::new(false) }
    }

    /// Waits for a permit, and opens a reader when none is idle.
    pub(crate) async fn acquire(
        self: &Arc<Self>,
        path: &Path,
        options: &Options,
    ) -> Result<(Box<Sqlite>, ReaderPermit)> {
        let permit =
            tokio::time::timeout(options.queue_wait, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Error::unavailable("too many reads are waiting"));
        };
        let idle = self.idle().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => Box::new(Sqlite::open(path, Use::Read, options)?),
        };
        reader.keep_snapshot(self.keep.load(Ordering::Relaxed));
        Ok((reader, ReaderPermit { readers: Arc::clone(self), _permit: permit }))
    }

    /// Ends the snapshots that idle readers have kept, and says whether the next reads may keep theirs. The
    /// log cannot start from its beginning, nor be moved further, past the snapshots that need it: while there are
    /// writes, none is kept.
    pub(crate) fn release_snapshots(&self, keep: bool) {
        self.keep.store(keep, Ordering::Relaxed);
        self.idle().retain(|reader| reader.end_snapshot().is_ok());
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReaderPermit {
    /// Returns the reader to the pool. One that cannot end its read is not used again.
    pub(crate) fn release(self, reader: Box<Sqlite>, failed: bool) {
        let ended = if failed { reader.end_snapshot() } else { reader.end_read() };
        if ended.is_ok() {
            self.readers.idle().push(reader);
        }
    }
}
