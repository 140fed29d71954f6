//! The snapshot of a read on SQLite. The next read reuses it when nothing was committed meanwhile: releasing it and
//! taking it again is an eighth of a small read's cost, mostly for its file locks.
//!
//! Every commit of every process changes the header of the log's index, the `-shm` file that they all map, before it is
//! done: a counter and checksums of the log are in it (<https://sqlite.org/walformat.html>, section 2.1). So two equal
//! headers enclose a time in which nothing was committed.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;

/// Bytes of the header. It stands there twice; while the two differ it is being written.
const HEADER_BYTES: usize = 48;

/// The header: a counter, and checksums of the log.
pub(crate) type Header = [u8; HEADER_BYTES];

/// What a connection records about its snapshot.
#[derive(Default)]
pub(crate) struct Snapshot {
    /// Of a reader only.
    log: Option<LogIndex>,
    /// Whether the read that begins leaves its snapshot to the next one.
    pub(crate) keep: bool,
    /// The header just before the snapshot was taken, if it is to be kept.
    pub(crate) header: Option<Header>,
}

impl Snapshot {
    /// Of a reader of this file, which has opened it.
    pub(crate) fn of_reader(path: &Path) -> Self {
        Self { log: LogIndex::open(path), ..Self::default() }
    }

    /// The header as it is, if the snapshot that is taken next is to be kept.
    pub(crate) fn now(&self) -> Option<Header> {
        if self.keep { self.log.as_ref()?.header() } else { None }
    }
}

/// The index of the log. As long as the connection beside it is open, no process removes or replaces the file.
struct LogIndex {
    /// Never closed: that would end the locks of the process's connections (see file.rs).
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "see header"))]
    file: ManuallyDrop<File>,
}

impl LogIndex {
    fn open(path: &Path) -> Option<Self> {
        // SQLite follows symbolic links, and puts its files beside what they lead to.
        let mut path = path.canonicalize().ok()?.into_os_string();
        path.push("-shm");
        Some(Self { file: ManuallyDrop::new(File::open(path).ok()?) })
    }

    /// The header, if it is not being written. Linux has one cache for what is read and what is mapped; elsewhere a
    /// read may not see what others have written to their maps, so the header is unknown.
    #[cfg(target_os = "linux")]
    fn header(&self) -> Option<Header> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 2 * HEADER_BYTES];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        let (first, second) = bytes.split_at(HEADER_BYTES);
        if first == second { first.try_into().ok() } else { None }
    }

    #[cfg(not(target_os = "linux"))]
    fn header(&self) -> Option<Header> {
        None
    }
}
