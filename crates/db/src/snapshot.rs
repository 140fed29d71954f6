//! The snapshot of a read on SQLite. The next read reuses it when nothing was committed meanwhile: releasing it and
//! taking it again is an eighth of a small read's cost, mostly for its file locks.
//!
//! Every commit of every process changes the header of the log's index, the `-shm` file that they all map, before it is
//! done: a counter and checksums of the log are in it (<https://sqlite.org/walformat.html>, section 2.1). So two equal
//! headers enclose a time in which nothing was committed.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;

use crate::error::Result;
use crate::sqlite::Sqlite;

/// Bytes of the header. It stands there twice; while the two differ it is being written.
const HEADER_BYTES: usize = 48;

type Header = [u8; HEADER_BYTES];

/// What a connection records about its snapshot.
#[derive(Default)]
pub(crate) struct Snapshot {
    /// Of a reader only.
    log: Option<LogIndex>,
    /// Whether the read that begins leaves its snapshot to the next one.
    keep: bool,
    /// The header just before the snapshot was taken, if it is to be kept.
    header: Option<Header>,
}

impl Snapshot {
    /// Of a reader of this file, which has opened it.
    pub(crate) fn of_reader(path: &Path) -> Self {
        Self { log: LogIndex::open(path), ..Self::default() }
    }

    fn now(&self) -> Option<Header> {
        if self.keep { self.log.as_ref()?.header() } else { None }
    }
}

impl Sqlite {
    /// Whether the next reads leave their snapshots to those after them.
    pub(crate) fn keep_snapshot(&mut self, keep: bool) {
        self.snapshot.keep = keep;
    }

    /// Begins a read.
    pub(crate) fn begin_read(&mut self) -> Result<()> {
        self.restart_deadline();
        let header = self.snapshot.now();
        if self.in_transaction() {
            if header.is_some() && header == self.snapshot.header {
                return Ok(());
            }
            self.end_snapshot()?;
        }
        self.snapshot.header = header;
        self.run("BEGIN")
    }

    /// Ends a read, whose snapshot may be kept.
    pub(crate) fn end_read(&self) -> Result<()> {
        if self.snapshot.header.is_some() { Ok(()) } else { self.end_snapshot() }
    }

    /// Releases the snapshot, if there is one.
    pub(crate) fn end_snapshot(&self) -> Result<()> {
        if self.in_transaction() { self.run("COMMIT") } else { Ok(()) }
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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use jiff::Timestamp;

    use super::*;
    use crate::options::{Location, Options};
    use crate::sqlite::Use;

    fn open(path: &Path, purpose: Use) -> Sqlite {
        let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
        let mut options = Options::new(Location::Sqlite(path.to_owned()), clock, Arc::new(|_| ()));
        options.statement_timeout = Duration::from_millis(20);
        Sqlite::open(path, purpose, &options).unwrap()
    }

    /// A file with an empty table, its writer, and a reader that opens it through a symbolic link.
    fn pair() -> (tempfile::TempDir, Sqlite, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.db"), folder.path().join("link.db"));
        let writer = open(&path, Use::Write);
        writer.run("CREATE TABLE a (b INTEGER NOT NULL)").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut reader = open(&link, Use::Read);
        reader.keep_snapshot(true);
        (folder, writer, reader)
    }

    fn write(writer: &Sqlite) {
        writer.run("INSERT INTO a VALUES (1)").unwrap();
    }

    fn count(reader: &Sqlite) -> i64 {
        let rows = reader.query::<(i64,)>("SELECT count(*) FROM a", &[]);
        rows.unwrap()[0].0
    }

    /// One whole read.
    fn read(reader: &mut Sqlite) -> i64 {
        reader.begin_read().unwrap();
        let count = count(reader);
        reader.end_read().unwrap();
        count
    }

    #[test]
    fn a_snapshot_is_kept_until_something_is_committed() {
        let (_folder, writer, mut reader) = pair();
        for expected in 0..5 {
            for _ in 0..3 {
                assert_eq!(read(&mut reader), expected);
                assert!(reader.in_transaction());
            }
            write(&writer);
        }
    }

    #[test]
    fn a_commit_during_a_read_is_seen_by_the_next() {
        let (_folder, writer, mut reader) = pair();
        reader.begin_read().unwrap();
        write(&writer);
        assert_eq!(count(&reader), 1, "the first statement takes the snapshot");
        write(&writer);
        assert_eq!(count(&reader), 1);
        reader.end_read().unwrap();
        assert_eq!(read(&mut reader), 2);
    }

    #[test]
    fn a_snapshot_is_not_kept_where_it_would_be_in_the_way() {
        let (_folder, writer, mut reader) = pair();
        let is_in_the_way = |writer: &Sqlite| {
            let rows = writer.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(RESTART)", &[]);
            rows.unwrap()[0].0 == 1
        };
        write(&writer);
        read(&mut reader);
        assert!(is_in_the_way(&writer));
        reader.end_snapshot().unwrap();
        assert!(!is_in_the_way(&writer));

        write(&writer);
        read(&mut reader);
        reader.keep_snapshot(false);
        assert_eq!(read(&mut reader), 2);
        assert!(!reader.in_transaction());
        assert!(!is_in_the_way(&writer));
    }

    #[test]
    fn a_restarted_log_is_seen_as_a_change() {
        let (_folder, writer, mut reader) = pair();
        for expected in 1..4 {
            write(&writer);
            writer.query::<(i64, i64, i64)>("PRAGMA wal_checkpoint(RESTART)", &[]).unwrap();
            assert_eq!(read(&mut reader), expected);
        }
    }
}
