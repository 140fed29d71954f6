//! Reads on SQLite, which may leave their snapshots to the next ones.

use super::Sqlite;
use crate::error::Result;

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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::path::Path;
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
