//! The folder of backups: each is a folder in it, `bailiwick-20261121T181500Z`, which appears complete or not at all.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::manifest::{MANIFEST_FILE, Manifest};
use crate::disk::at;
use crate::failure::{Failure, Result};
use crate::installation::make_folder;

const NAME_START: &str = "bailiwick-";
const NAME_TIME: &str = "%Y%m%dT%H%M%SZ";
/// What a backup is called as long as it is not whole, and once it is being removed.
const DRAFT_START: &str = ".bailiwick-";
/// Locked by the process that makes a backup.
const LOCK: &str = ".bailiwick-backup.lock";

/// A folder of backups.
#[derive(Debug, Clone)]
pub(crate) struct Folder(PathBuf);

/// A backup in it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The time in its name.
    pub(crate) taken: Timestamp,
    /// None when its manifest cannot be read.
    pub(crate) manifest: Option<Manifest>,
    /// Whether the copy is there and as long as the manifest says.
    pub(crate) is_whole: bool,
}

/// A backup that is being made; it is removed unless it is published.
pub(super) struct Draft {
    pub(super) path: PathBuf,
    name: PathBuf,
    published: bool,
}

impl Folder {
    pub(crate) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder if it does not exist, and locks it until the returned file is dropped.
    pub(super) fn lock(&self) -> Result<File> {
        make_folder(&self.0)?;
        let path = self.0.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).mode(0o600).open(&path);
        let file = file.map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(Failure::new(format!("another backup is being made in {}", self.0.display())))
            }
            Err(TryLockError::Error(error)) => Err(at(&path)(error)),
        }
    }

    /// The backups, the newest first. Other files in the folder are ignored.
    pub(crate) fn list(&self) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.0).map_err(at(&self.0))? {
            let entry = entry?;
            if let Some(taken) = entry.file_name().to_str().and_then(time_of) {
                found.push(Found::look(entry.path(), taken));
            }
        }
        found.sort_by_key(|found| std::cmp::Reverse(found.taken));
        Ok(found)
    }

    /// Begins a backup that is to be called after this time; none when there is one of that name.
    pub(super) fn draft(&self, taken: Timestamp) -> Result<Option<Draft>> {
        let time = taken.strftime(NAME_TIME);
        let name = self.0.join(format!("{NAME_START}{time}"));
        if name.exists() {
            return Ok(None);
        }
        let path = self.0.join(format!("{DRAFT_START}{time}.part"));
        DirBuilder::new().mode(0o700).create(&path).map_err(at(&path))?;
        Ok(Some(Draft { path, name, published: false }))
    }

    /// Gives a backup its name. From here on it is there, also after a power cut.
    pub(super) fn publish(&self, mut draft: Draft) -> Result<PathBuf> {
        File::open(&draft.path)?.sync_all()?;
        std::fs::rename(&draft.path, &draft.name).map_err(at(&draft.name))?;
        draft.published = true;
        File::open(&self.0)?.sync_all()?;
        Ok(draft.name.clone())
    }

    /// Removes a backup: first its name, so that half of one never looks like a whole one.
    pub(super) fn remove(&self, backup: &Path) -> Result<()> {
        let name = backup.file_name().unwrap_or_default().to_string_lossy();
        let going = self.0.join(format!(".{name}.gone"));
        std::fs::rename(backup, &going).map_err(at(backup))?;
        remove_all(&going)
    }

    /// Removes what a backup that was killed left behind. The lock is held, so no process uses it.
    pub(super) fn clean(&self) -> Result<()> {
        for entry in std::fs::read_dir(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_left = [".part", ".gone"].iter().any(|end| {
                let time = name.strip_prefix(DRAFT_START).and_then(|rest| rest.strip_suffix(end));
                time.is_some_and(|time| time_of(&format!("{NAME_START}{time}")).is_some())
            });
            if is_left {
                tracing::warn!(path = %entry.path().display(), "removing an interrupted backup");
                remove_all(&entry.path())?;
            }
        }
        Ok(())
    }
}

impl Found {
    /// Looks at the backup in this folder.
    pub(crate) fn look(path: PathBuf, taken: Timestamp) -> Self {
        let manifest = Manifest::read(&path.join(MANIFEST_FILE)).ok();
        let database = manifest.as_ref().and_then(|manifest| manifest.database.as_ref());
        let is_whole = database.is_some_and(|database| {
            std::fs::metadata(path.join(&database.file)).is_ok_and(|file| file.len() == database.size)
        });
        Self { path, taken, manifest, is_whole }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.published {
            // If that fails too, the next backup removes it.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// The time in a backup's name.
fn time_of(name: &str) -> Option<Timestamp> {
    let time = name.strip_prefix(NAME_START)?;
    let at = DateTime::strptime(NAME_TIME, time).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    (at.strftime(NAME_TIME).to_string() == time).then_some(at)
}

fn remove_all(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn only_our_names_are_backups() {
        assert_eq!(time_of("bailiwick-20261121T181500Z"), Some(time("2026-11-21T18:15:00Z")));
        let others = [
            "bailiwick-20261121T181500",
            "bailiwick-20261321T181500Z",
            "bailiwick-20261121T181500Z.bak",
            "bailiwick-2026-11-21",
            "20261121T181500Z",
            "bailiwick-",
        ];
        for other in others {
            assert_eq!(time_of(other), None, "{other}");
        }
    }
}
