//! An installation: the data folder, the database, and the register in it.

mod address;
mod files;
mod master_key;
mod went_back;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use auth::MasterKey;
use db::{Contents, Db, Location, Options};

use crate::config::{self, Config, Flags, UNSAFE_SYNCHRONOUS};
use crate::failure::{Failure, Result};
use crate::machine;

pub(crate) use address::{Published, publish_address, running_address};
pub(crate) use files::{make_folder, others_may, write_owner_only};
pub(crate) use master_key::{MASTER_KEY_FILE, ServiceKey};
pub(crate) use went_back::{Notice, notice as went_back_notice, path as went_back_path};

/// Tables of another program that are named in a message.
const NAMED_TABLES: usize = 3;

/// Where the data is, with the defaults filled in.
#[derive(Debug, Clone)]
pub(crate) struct Installation {
    pub(crate) data: PathBuf,
    pub(crate) location: Location,
    /// Set apart from the data folder.
    pub(crate) master_key: Option<Arc<MasterKey>>,
    /// Whether a register may be made among the tables of another program.
    shared_database: bool,
    /// How long a write waits for its turn, and how long a statement takes.
    limits: (Duration, Duration),
}

impl Installation {
    /// The installation that flags, environment and settings file name, or the one in the default folder.
    pub(crate) fn named(flags: &Flags) -> Result<Self> {
        let (config, _) = config::load(flags, false)?;
        Ok(Self::of(&config))
    }

    /// The installation of these settings.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            data: config.data.clone(),
            location: config.location.clone(),
            master_key: config.master_key.clone(),
            shared_database: config.shared_database,
            limits: (config.queue_wait, config.statement_timeout),
        }
    }

    /// Opens the register, which must be there, and brings its schema up to date.
    pub(crate) async fn open(&self) -> Result<Db> {
        self.expect_register().await?;
        let db = Db::open(self.options()).await?;
        db.migrate(store::migrations::ALL).await?;
        Ok(db)
    }

    /// Opens the database and makes a register in it if there is none.
    pub(crate) async fn open_or_make(&self) -> Result<Db> {
        let db = self.open_unmigrated().await?;
        db.migrate(store::migrations::ALL).await?;
        Ok(db)
    }

    /// The same without touching the schema.
    pub(crate) async fn open_unmigrated(&self) -> Result<Db> {
        self.prepare().await?;
        Ok(Db::open(self.options()).await?)
    }

    /// An error unless there is a register. Nothing is made: no folder, no file, no table.
    pub(crate) async fn expect_register(&self) -> Result<()> {
        if Contents::of(&self.options()).await? == Contents::Register {
            return Ok(());
        }
        let advice = match self.location {
            Location::Sqlite(_) => "create one with `bailiwick init`, or name another folder with --data",
            Location::Postgres(_) => {
                "create one with `bailiwick init`, or name another database with --database"
            }
        };
        Err(Failure::new(format!("there is no register in {}: {advice}", self.database_name()))
            .coded("no_register"))
    }

    /// Makes the data folder, or says why no register belongs here.
    pub(crate) async fn prepare(&self) -> Result<()> {
        self.refuse_key_without_database()?;
        if let Contents::Foreign(tables) = Contents::of(&self.options()).await? {
            self.refuse_foreign(&tables)?;
        }
        if std::env::var(UNSAFE_SYNCHRONOUS).as_deref() == Ok("off") {
            tracing::error!("{UNSAFE_SYNCHRONOUS}=off: a power cut loses what was acknowledged");
        }
        make_folder(&self.data)
    }

    /// A SQLite file is never shared: only its owner's program may use it.
    fn refuse_foreign(&self, tables: &[String]) -> Result<()> {
        let advice = match self.location {
            Location::Sqlite(_) => "Name another folder with --data.",
            Location::Postgres(_) if self.shared_database => return Ok(()),
            Location::Postgres(_) => "Name another database, or allow it with --shared-database.",
        };
        let named: Vec<_> = tables.iter().take(NAMED_TABLES).map(String::as_str).collect();
        let more = if tables.len() > named.len() { ", …" } else { "" };
        let (name, tables) = (self.database_name(), named.join(", "));
        let told =
            format!("{name} holds tables of another program ({tables}{more}) and no register. {advice}");
        Err(Failure::new(told).coded("foreign_database"))
    }

    /// How the database is opened, with the real clock and random source.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::new(self.location.clone(), machine::clock(), machine::random());
        (options.queue_wait, options.statement_timeout) = self.limits;
        options.entry_hash = Some(store::journal::ENTRY_HASH);
        options.on_went_back = went_back::alarm(&self.data, machine::clock());
        options.unsafe_without_sync = std::env::var(UNSAFE_SYNCHRONOUS).as_deref() == Ok("off");
        options
    }

    /// The database for people to read: the SQLite file, or the URL without its password.
    pub(crate) fn database_name(&self) -> String {
        match &self.location {
            // As it can be found from another folder too.
            Location::Sqlite(file) => {
                std::path::absolute(file).as_ref().unwrap_or(file).display().to_string()
            }
            Location::Postgres(url) => config::without_password(url),
        }
    }

    /// What others on this machine may use and should not.
    pub(crate) fn open_to_others(&self) -> Vec<PathBuf> {
        let files = [self.data.clone(), self.data.join(MASTER_KEY_FILE)];
        files.into_iter().filter(|path| std::fs::metadata(path).is_ok_and(|it| others_may(&it))).collect()
    }
}
