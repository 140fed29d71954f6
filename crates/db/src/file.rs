//! The SQLite file as a file.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};

/// Files that only their owner reads.
pub(crate) fn owner_only(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
}

/// Makes the file readable by its owner only, when it is not there; SQLite gives its other files the mode of this one.
///
/// A file that is there is not opened: closing it would end the locks by which the process's connections show that
/// they use it (POSIX ties locks to the process), and the next process to close the database would remove the
/// write-ahead log while they use it, with all their later commits.
pub(crate) fn make(path: &Path) -> Result<()> {
    let mut file = OpenOptions::new();
    file.create_new(true).write(true);
    owner_only(&mut file);
    match file.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(Error::unavailable(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Opens a file that no process changes; SQLite accepts this flag only in a URI.
pub(crate) fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match *byte {
            byte if unreserved(byte) => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(uri, flags)
}
