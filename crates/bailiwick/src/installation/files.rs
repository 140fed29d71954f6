//! Files and folders that only their owner may use.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use crate::disk;
use crate::failure::Result;

/// Writes a file that only its owner reads, and waits until it is on the disk.
pub(crate) fn write_owner_only(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(path).map_err(disk::at(path))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(())
}

/// The text of a file that only its owner reads; `make` gives it when it is not there. If several processes make it
/// at the same time one wins, and all read what it wrote, whole.
pub(super) fn read_or_make(folder: &Path, name: &str, make: impl FnOnce() -> String) -> Result<String> {
    let path = folder.join(name);
    if !path.exists() {
        let draft = folder.join(format!("{name}.{}", std::process::id()));
        write_owner_only(&draft, &make())?;
        // Unlike a rename, a link fails when the name is taken.
        let linked = std::fs::hard_link(&draft, &path);
        std::fs::remove_file(&draft)?;
        match linked {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(disk::at(&path)(error)),
            _ => File::open(folder)?.sync_all()?,
        }
    }
    std::fs::read_to_string(&path).map_err(disk::at(&path))
}

/// Makes a folder that only its owner enters, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(disk::at(path))
}

/// Whether others on the machine may read, write or enter it.
pub(crate) fn others_may(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o077 != 0
}
