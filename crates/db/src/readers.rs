//! The readers of a SQLite file: how one is lent and comes back.

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
    places: Arc<Semaphore>,
    /// Whether a read leaves its snapshot to the next one.
    keep: AtomicBool,
}

/// A borrowed reader's place among the readers; it is free again when this is dropped.
pub(crate) struct Lent {
    readers: Arc<Readers>,
    _permit: OwnedSemaphorePermit,
}

impl Readers {
    /// So many at once.
    pub(crate) fn new(count: usize) -> Self {
        let places = Arc::new(Semaphore::new(count));
        Self { idle: Mutex::default(), places, keep: AtomicBool::new(false) }
    }

    /// Waits for a place, and opens a reader when none is idle.
    pub(crate) async fn lend(
        self: &Arc<Self>,
        path: &Path,
        options: &Options,
    ) -> Result<(Box<Sqlite>, Lent)> {
        let place = tokio::time::timeout(options.queue_wait, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(permit)) = place else {
            return Err(Error::unavailable("too many reads are waiting"));
        };
        let idle = self.idle().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => Box::new(Sqlite::open(path, Use::Read, options)?),
        };
        reader.keep_snapshot(self.keep.load(Ordering::Relaxed));
        Ok((reader, Lent { readers: Arc::clone(self), _permit: permit }))
    }

    /// Lets go of the snapshots that idle readers have kept, and says whether the next reads may keep theirs. A log
    /// cannot start anew, nor be moved any further, past the snapshots that rest on it: while there are writes, none
    /// is kept.
    pub(crate) fn let_go(&self, keep: bool) {
        self.keep.store(keep, Ordering::Relaxed);
        self.idle().retain(|reader| reader.end_snapshot().is_ok());
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent {
    /// Takes the reader back. One that cannot end its read is not used again.
    pub(crate) fn give_back(self, reader: Box<Sqlite>, failed: bool) {
        let ended = if failed { reader.end_snapshot() } else { reader.end_read() };
        if ended.is_ok() {
            self.readers.idle().push(reader);
        }
    }
}
