//! The SQLite file as a file.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

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
/// they use it (POSIX ties locks to the process), and the next process to leave would remove the write-ahead log
/// from under them, with whatever they commit from then on.
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
