//! The backup that a path names.

use std::path::{Path, PathBuf};

use crate::commands::backup::folder::Folder;
use crate::commands::backup::manifest::{MANIFEST_FILE, Manifest};
use crate::disk::log_of;
use crate::failure::{Failure, Result};
use crate::installation::MASTER_KEY_FILE;

/// A backup to restore or to verify.
#[derive(Debug)]
pub(super) struct Source {
    /// The copy of the database.
    pub(super) database: PathBuf,
    /// None for a copy that another tool made.
    pub(super) manifest: Option<Manifest>,
    /// The master key, if it lies beside the copy.
    pub(super) key: Option<PathBuf>,
}

impl Source {
    /// The backup at `path`: its folder, its copy of the database, or a folder of backups, of which the newest is
    /// taken.
    pub(super) fn find(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(Failure::new(format!("{} is not there", path.display())));
        }
        if path.is_file() {
            return Self::of_file(path);
        }
        if path.join(MANIFEST_FILE).exists() {
            return Self::of_folder(path);
        }
        let newest = Folder::at(path).list()?.into_iter().next();
        match newest {
            Some(newest) => Self::of_folder(&newest.path),
            None => Err(Failure::new(format!("there is no backup in {}", path.display()))),
        }
    }

    fn of_folder(folder: &Path) -> Result<Self> {
        let manifest = Manifest::read(&folder.join(MANIFEST_FILE))?;
        let Some(database) = &manifest.database else {
            return Err(Failure::new(format!(
                "{} has only the journal heads, no copy: see docs/backup.md for restoring PostgreSQL",
                folder.display()
            )));
        };
        // A file name, not a path out of the folder.
        let name = Path::new(&database.file).file_name().unwrap_or_default();
        let key = Some(folder.join(MASTER_KEY_FILE)).filter(|key| key.exists());
        Ok(Self { database: folder.join(name), key, manifest: Some(manifest) })
    }

    fn of_file(file: &Path) -> Result<Self> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let beside = Self::of_folder(folder).ok().filter(|source| source.database == file);
        if let Some(source) = beside {
            return Ok(source);
        }
        if std::fs::metadata(log_of(file)).is_ok_and(|log| log.len() > 0) {
            return Err(Failure::new(format!(
                "{} has a write-ahead log, so it is in use or not a complete copy",
                file.display()
            )));
        }
        Ok(Self { database: file.to_owned(), manifest: None, key: None })
    }
}
