//! The new data folder that a backup is restored into.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::commands::backup::take::DATABASE_FILE;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::installation::{MASTER_KEY_FILE, make_folder, write_owner_only};

/// What the copy is called as long as it is not whole.
const DRAFT: &str = "bailiwick.db.part";

/// A data folder in the making. What was put into it goes again unless it is kept.
pub(super) struct Target {
    folder: PathBuf,
    is_ours: bool,
    kept: bool,
}

impl Target {
    /// Takes a folder that is empty or not there: nothing that exists is ever overwritten.
    pub(super) fn take(folder: &Path) -> Result<Self> {
        let is_ours = !folder.exists();
        make_folder(folder)?;
        for entry in std::fs::read_dir(folder).map_err(disk::at(folder))? {
            let name = entry?.file_name();
            if name != DRAFT {
                return Err(Failure::new(format!(
                    "{} is not empty, it has {}: name a new folder",
                    folder.display(),
                    name.display()
                )));
            }
        }
        std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(disk::at(folder))?;
        let target = Self { folder: folder.to_owned(), is_ours, kept: false };
        // Left by a restore that was killed.
        let _ = std::fs::remove_file(target.draft());
        Ok(target)
    }

    /// Copies the database into the folder, under a name that nothing starts with: its length and SHA-256.
    pub(super) fn copy(&self, database: &Path) -> Result<(u64, String)> {
        disk::expect_room(&self.folder, database)?;
        disk::copy(database, &self.draft())
    }

    /// Gives the copy its name; the path of the database.
    pub(super) fn keep(&mut self) -> Result<PathBuf> {
        let database = self.folder.join(DATABASE_FILE);
        std::fs::rename(self.draft(), &database).map_err(disk::at(&database))?;
        self.kept = true;
        File::open(&self.folder)?.sync_all()?;
        Ok(database)
    }

    /// Where the service looks for the master key.
    pub(super) fn key(&self) -> PathBuf {
        self.folder.join(MASTER_KEY_FILE)
    }

    /// Puts the master key there.
    pub(super) fn put_key(&self, text: &str) -> Result<()> {
        write_owner_only(&self.key(), text)?;
        Ok(File::open(&self.folder)?.sync_all()?)
    }

    fn draft(&self) -> PathBuf {
        self.folder.join(DRAFT)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed is not called as the service calls it, and the next restore takes it over.
            let _ = std::fs::remove_file(self.draft());
            if self.is_ours {
                let _ = std::fs::remove_dir(&self.folder);
            }
        }
    }
}
