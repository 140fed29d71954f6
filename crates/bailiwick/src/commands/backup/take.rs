//! Making one backup: copy, check, publish.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use db::{Clock, Db, Location, Options, Tx};
use jiff::Timestamp;
use store::REGISTRY;
use store::inventory::{self, Inventory};
use store::{condition, signing_keys};

use super::folder::{Draft, Folder};
use super::manifest::{DatabaseFile, MANIFEST_FILE, Manifest};
use crate::commands::finding::unopened;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::installation::{Installation, MASTER_KEY_FILE, write_owner_only};
use crate::machine;

/// The copy's name in a backup. With the master key beside it, a backup is a data folder.
pub(crate) const DATABASE_FILE: &str = "bailiwick.db";

/// How long reading all of a database may take.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Bytes after which the copy is brought to the disk, so that its end does not stall the syncs of the service.
const SYNC_EVERY: u64 = 8 << 20;

/// What to back up, and how.
pub(super) struct Job {
    pub(super) installation: Installation,
    pub(super) folder: Folder,
    pub(super) with_keys: bool,
    pub(super) clock: Clock,
}

/// A backup that was made.
pub(super) struct Made {
    pub(super) path: PathBuf,
    pub(super) taken: Timestamp,
    pub(super) manifest: Manifest,
    pub(super) took: Duration,
}

impl Job {
    /// Copies the database into the folder. It gets its name only when it is complete, checked and on the disk.
    pub(super) async fn copy(&self) -> Result<Made> {
        let begun = Instant::now();
        self.installation.expect_register().await?;
        let Location::Sqlite(source) = &self.installation.location else {
            return Err(Failure::new(
                "a PostgreSQL database is backed up by its own tools, and --manifest-only notes what belongs beside \
                 it: see docs/backup.md",
            ));
        };
        let _lock = self.folder.lock()?;
        self.folder.clean()?;
        disk::expect_room(self.folder.path(), source)?;
        let draft = self.draft().await?;
        let copy = draft.path.join(DATABASE_FILE);

        let db = open_beside(self.installation.location.clone(), &self.clock).await?;
        let mut tx = db.read().await?;
        let (taken, inventory) = (tx.at(), look(&mut tx).await?);
        let key = if self.with_keys { Some(self.master_key(&mut tx).await?) } else { None };
        let file = disk::new_file(&copy)?;
        let (log, mut synced) = (Log::of(source), 0);
        tx.copy_to(&copy, |done| {
            if done >= synced + SYNC_EVERY {
                synced = done;
                log.check()?;
                file.sync_data().map_err(|error| db::Error::Unavailable(error.to_string()))?;
            }
            Ok(())
        })?;
        file.sync_all().map_err(disk::at(&copy))?;
        // The service's log can start from its beginning from here on.
        drop(tx);
        db.close().await;

        let (size, sha256) = disk::measure(&copy)?;
        check(&copy, &inventory, &self.clock).await?;
        if let Some(key) = &key {
            write_owner_only(&draft.path.join(MASTER_KEY_FILE), key)?;
        }
        let database = DatabaseFile { file: DATABASE_FILE.to_owned(), size, sha256 };
        let manifest = Manifest {
            database: Some(database),
            master_key: key.is_some(),
            ..Manifest::new(db::Engine::Sqlite, taken, &inventory)
        };
        let path = publish(&self.folder, draft, &manifest)?;
        Ok(Made { path, taken, manifest, took: begun.elapsed() })
    }

    /// Notes where the journals stand, for a backup of the database that begins after it.
    pub(super) async fn note(&self) -> Result<Made> {
        let begun = Instant::now();
        self.installation.expect_register().await?;
        let _lock = self.folder.lock()?;
        self.folder.clean()?;
        let draft = self.draft().await?;
        let db = open_beside(self.installation.location.clone(), &self.clock).await?;
        let mut tx = db.read().await?;
        let (taken, inventory) = (tx.at(), look(&mut tx).await?);
        let manifest = Manifest::new(db.engine(), taken, &inventory);
        let path = publish(&self.folder, draft, &manifest)?;
        Ok(Made { path, taken, manifest, took: begun.elapsed() })
    }

    /// A draft under a time that no backup has yet: there is one a second at most.
    async fn draft(&self) -> Result<Draft> {
        loop {
            if let Some(draft) = self.folder.draft((self.clock)())? {
                return Ok(draft);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The text of the master key, which must be the one in use.
    async fn master_key(&self, tx: &mut Tx) -> Result<String> {
        let master = self.installation.present_master_key()?;
        let keys = signing_keys::list(tx).await?;
        match unopened(&keys, &master) {
            None => Ok(format!("{}\n", *master.to_base64())),
            Some(fault) => Err(Failure::new(format!("{fault}, so it is not the one in use"))),
        }
    }
}

fn publish(folder: &Folder, draft: Draft, manifest: &Manifest) -> Result<PathBuf> {
    write_owner_only(&draft.path.join(MANIFEST_FILE), &manifest.to_text()?)?;
    folder.publish(draft)
}

/// The inventory of a snapshot that has a register in it.
async fn look(tx: &mut Tx) -> Result<Inventory> {
    inventory::take(tx, &REGISTRY)
        .await
        .map_err(|error| Failure::new(format!("the register cannot be read: {error}")))
}

/// Reads the copy back, because an unchecked backup may be unusable.
async fn check(copy: &Path, noted: &Inventory, clock: &Clock) -> Result<()> {
    let db = open_copy(copy, clock).await?;
    let mut tx = db.read().await?;
    if let Some(fault) = condition::sqlite_faults(&mut tx).await?.first() {
        return Err(Failure::new(format!("the copy is damaged, and most likely the database too: {fault}")));
    }
    if inventory::take(&mut tx, &REGISTRY).await? != *noted {
        return Err(Failure::new("the copy differs from the database"));
    }
    drop(tx);
    db.close().await;
    Ok(())
}

/// The service's write-ahead log, which cannot start from its beginning while a copy is made. Serving requests has
/// priority: a copy ends before the log fills the disk.
struct Log {
    file: PathBuf,
    at_first: u64,
}

impl Log {
    /// Growth that no disk is too small for.
    const SMALL: u64 = 64 << 20;

    fn of(database: &Path) -> Self {
        let file = disk::log_of(database);
        Self { at_first: length(&file), file }
    }

    fn check(&self) -> db::Result<()> {
        let grown = length(&self.file).saturating_sub(self.at_first);
        let free = self.file.parent().and_then(disk::free_bytes).unwrap_or(u64::MAX);
        if !Self::crowds(grown, free) {
            return Ok(());
        }
        Err(db::Error::Unavailable(format!(
            "the write-ahead log has grown by {} MiB since the backup began, and the disk has {} MiB left",
            grown >> 20,
            free >> 20
        )))
    }

    /// Whether a log that has grown by so many bytes would soon fill a disk with so many left.
    fn crowds(grown: u64, free: u64) -> bool {
        grown > Self::SMALL && grown > free
    }
}

/// The length is read from the folder's metadata: opening a file of SQLite's and closing it would end the locks that this
/// process has on it.
fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Opens a database for long reads, with or without a running service.
pub(crate) async fn open_beside(location: Location, clock: &Clock) -> Result<Db> {
    let options = Options::new(location, Clock::clone(clock), machine::random());
    Ok(Db::open(Options { statement_timeout: PATIENCE, writers: 1, readers: 2, ..options }).await?)
}

/// Opens a copy that no process uses, without changing it.
pub(crate) async fn open_copy(copy: &Path, clock: &Clock) -> Result<Db> {
    let location = Location::Sqlite(std::path::absolute(copy)?);
    let options = Options::new(location, Clock::clone(clock), machine::random());
    Ok(Db::open(Options { statement_timeout: PATIENCE, readers: 2, immutable: true, ..options }).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_would_fill_the_disk_ends_the_copy() {
        const MIB: u64 = 1 << 20;
        assert!(!Log::crowds(64 * MIB, 0), "a small log is nobody's fault");
        assert!(Log::crowds(65 * MIB, 64 * MIB) && !Log::crowds(65 * MIB, 65 * MIB));
    }
}
