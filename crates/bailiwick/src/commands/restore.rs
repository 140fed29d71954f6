//! `bailiwick restore`: a backup into a new data folder, or the verification of a backup or a database (docs/backup.md).

mod look;
mod report;
mod source;
mod target;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use auth::MasterKey;
use db::{Clock, Db, Engine, Location};
use store::condition;

use crate::cli;
use crate::commands::backup::manifest::Manifest;
use crate::commands::backup::take::{open_beside, open_copy};
use crate::disk;
use crate::failure::{Failure, Result};
use crate::installation::{Installation, MASTER_KEY_FILE, make_folder};
use crate::machine;

use report::Report;
use source::Source;
use target::Target;

/// Instead of a file's name: the key is read from standard input, so that it may lie where only root reads it.
const STANDARD_INPUT: &str = "-";

pub(crate) async fn run(command: cli::Restore, json: bool) -> Result<()> {
    let mut report = Report::default();
    let work = Work { command: &command, clock: machine::clock() };
    let done = match &command.from {
        None => work.standing(&mut report).await,
        Some(from) => {
            let source = Source::find(from)?;
            let key = work.key(&source)?;
            tell_source(&source, &mut report);
            match &command.to {
                Some(to) => work.put(&source, key, to, &mut report).await,
                None => work.where_it_lies(&source, key.as_ref(), &mut report).await,
            }
        }
    };
    if let Err(error) = done {
        report.findings.fault("restore", error.to_string(), "The rest was not checked.");
    }
    report.finish(json)
}

struct Work<'a> {
    command: &'a cli::Restore,
    clock: Clock,
}

/// A master key, and its text if it is to be put into the new data folder.
struct Key {
    master: Arc<MasterKey>,
    text: Option<String>,
}

impl Work<'_> {
    /// Restores into a new data folder.
    async fn put(&self, source: &Source, key: Option<Key>, to: &Path, report: &mut Report) -> Result<()> {
        let mut target = Target::take(to)?;
        let measured = target.copy(&source.database)?;
        if !look::file(source, &measured, report) {
            return Ok(());
        }
        let database = target.keep()?;
        report.findings.ok("restored", format!("into {}", to.display()));
        if self.command.verify && !look::integrity(&database, &self.clock, report).await {
            return Ok(());
        }
        let db = self.open_and_migrate(database, report).await?;
        if self.command.verify {
            look::journals(&db, source.manifest.as_ref(), report).await?;
        } else {
            let advice = "Run bailiwick journal verify, or use --verify.";
            report.findings.warning("journal", "the journals were not verified", advice);
        }
        let master = key.as_ref().map(|key| &*key.master);
        let fits = look::keys(&mut db.read().await?, master, Some(&target.key()), report).await?;
        if let Some(text) = key.and_then(|key| key.text).filter(|_| fits) {
            target.put_key(&text)?;
        }
        db.close().await;
        Ok(())
    }

    /// Verifies a backup and leaves nothing behind.
    async fn where_it_lies(&self, source: &Source, key: Option<&Key>, report: &mut Report) -> Result<()> {
        let measured = disk::measure(&source.database)?;
        if !look::file(source, &measured, report)
            || !look::integrity(&source.database, &self.clock, report).await
        {
            return Ok(());
        }
        let mut db = open_copy(&source.database, &self.clock).await?;
        let schema = look::schema(&db).await?;
        let mut scratch = None;
        if schema.missing.is_empty() {
            look::tell_schema(&schema, &[], report);
        } else {
            // Its records are compared in the words of this release, on a copy.
            db.close().await;
            let folder = scratch.insert(Scratch::new()?);
            let copy = folder.0.join("bailiwick.db");
            disk::copy(&source.database, &copy)?;
            db = self.open_and_migrate(copy, report).await?;
        }
        look::journals(&db, source.manifest.as_ref(), report).await?;
        let master = key.map(|key| &*key.master);
        look::keys(&mut db.read().await?, master, None, report).await?;
        db.close().await;
        drop(db);
        drop(scratch);
        Ok(())
    }

    /// Verifies the database that the settings name.
    async fn standing(&self, report: &mut Report) -> Result<()> {
        let manifest = self.command.manifest.as_deref().map(Manifest::read).transpose()?;
        let installation = Installation::named(&self.command.register.0)?;
        installation.expect_register().await?;
        let db = open_beside(installation.location.clone(), &self.clock).await?;
        if let Some(manifest) = &manifest {
            look::engine(&db, manifest, report);
        }
        if db.engine() == Engine::Sqlite {
            let faults = condition::sqlite_faults_in_full(&mut db.read().await?).await?;
            look::tell_integrity(&faults, report);
        }
        let schema = look::schema(&db).await?;
        if !schema.missing.is_empty() {
            return Err(Failure::new(
                "the database is of an older release: upgrade it with bailiwick migrate",
            ));
        }
        look::tell_schema(&schema, &[], report);
        look::journals(&db, manifest.as_ref(), report).await?;
        let file = installation.data.join(MASTER_KEY_FILE);
        let master = match (&installation.master_key, file.exists()) {
            (Some(master), _) => Some(Arc::clone(master)),
            (None, true) => Some(installation.present_master_key()?),
            (None, false) => None,
        };
        look::keys(&mut db.read().await?, master.as_deref(), Some(&file), report).await?;
        db.close().await;
        Ok(())
    }

    /// The master key: the one that was named, the one in the backup, or the one that is set.
    fn key(&self, source: &Source) -> Result<Option<Key>> {
        if let Some(path) = self.command.master_key.as_ref().or(source.key.as_ref()) {
            let text = match path.as_os_str() == STANDARD_INPUT {
                true => std::io::read_to_string(std::io::stdin())?,
                false => std::fs::read_to_string(path).map_err(disk::at(path))?,
            };
            let master = MasterKey::parse(&text);
            let master = master.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            return Ok(Some(Key { master: Arc::new(master), text: Some(text) }));
        }
        let master = Installation::named(&self.command.register.0)?.master_key;
        Ok(master.map(|master| Key { master, text: None }))
    }

    async fn open_and_migrate(&self, database: PathBuf, report: &mut Report) -> Result<Db> {
        let db = open_beside(Location::Sqlite(database), &self.clock).await?;
        let applied = db.migrate(store::migrations::ALL).await?;
        look::tell_schema(&look::schema(&db).await?, &applied, report);
        Ok(db)
    }
}

fn tell_source(source: &Source, report: &mut Report) {
    let path = source.database.display();
    match &source.manifest {
        Some(manifest) => {
            let told = format!("{path}, taken at {} by {}", manifest.taken, manifest.program);
            report.findings.ok("backup", told);
        }
        None => report.findings.ok("backup", format!("{path}, without a manifest")),
    }
}

/// A folder that goes with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let mut bytes = [0; 8];
        machine::random()(&mut bytes);
        let folder = std::env::temp_dir().join(format!("bailiwick-verify-{}", hex::encode(bytes)));
        make_folder(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(path = %self.0.display(), %error, "a folder could not be removed");
        }
    }
}
