//! The database of one test: a file, or a database in the shared PostgreSQL cluster.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::{Engine, TestClock, patient, postgres, seeded, until};

/// A database that one test owns: a file in a folder of its own, or a PostgreSQL database of its own.
/// A test that takes an `EmptyDatabase` gets it without a schema, for what happens before and during migration.
#[derive(Debug, Clone)]
pub struct EmptyDatabase {
    engine: Engine,
    folder: PathBuf,
    name: Option<String>,
    /// What a database of PostgreSQL was copied from.
    template: Option<String>,
}

impl EmptyDatabase {
    /// An empty database.
    pub(crate) async fn empty(engine: Engine, folder: &Path) -> Self {
        let name = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(postgres::create(None).await),
        };
        Self { engine, folder: folder.to_owned(), name, template: None }
    }

    /// A database with every migration, copied from a template that the first test makes.
    pub(crate) async fn migrated(engine: Engine, folder: &Path) -> Self {
        let template = format!("template_{:016x}", migrations_hash());
        let database = Self { engine, folder: folder.to_owned(), name: None, template: None };
        match engine {
            Engine::Sqlite => {
                let template = sqlite_template(&template).await;
                std::fs::copy(&template, database.file()).expect("copying the template");
                database
            }
            Engine::Postgres => {
                postgres::template(&template, async |url| migrate(db::Location::Postgres(url)).await).await;
                let name = postgres::create(Some(&template)).await;
                Self { name: Some(name), template: Some(template), ..database }
            }
        }
    }

    /// The engine it runs on.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// A folder that goes when the test ends; SQLite's file is in it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What `db::Options` takes.
    pub fn location(&self) -> db::Location {
        match &self.name {
            None => db::Location::Sqlite(self.file()),
            Some(name) => db::Location::Postgres(postgres::url_of(name)),
        }
    }

    /// Opens the database as it is. Every `Db` on one database needs its own seed.
    pub async fn open(&self, clock: &TestClock, seed: u64) -> db::Db {
        let options = db::Options::new(self.location(), clock.handle(), seeded(seed));
        db::Db::open(options).await.expect("opening the test's database")
    }

    /// Runs the statements of a dump on an empty database, before it is opened.
    pub async fn load(&self, sql: &str) {
        match self.location() {
            db::Location::Sqlite(file) => {
                let database = rusqlite::Connection::open(file).expect("a new file");
                database.execute_batch(sql).expect("the dump");
            }
            db::Location::Postgres(url) => {
                postgres::connect(&url).await.batch_execute(sql).await.expect("the dump");
            }
        }
    }

    /// Ends a PostgreSQL database; files go with their folder.
    pub(crate) async fn remove(&self) {
        if let Some(name) = &self.name {
            postgres::remove(name, self.template.as_deref()).await;
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("bailiwick.db")
    }
}

/// What `db` adds to every schema on SQLite.
const STATISTICS_SQLITE: &str = include_str!("../../db/migrations/statistics.sql");

/// Tells templates of different schemas apart.
fn migrations_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    STATISTICS_SQLITE.hash(&mut hasher);
    for step in std::iter::once(&db::Migration::OWN).chain(store::migrations::ALL) {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            (step.name, step.statements(engine)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

async fn migrate(location: db::Location) {
    let options = db::Options::new(location, TestClock::new().handle(), seeded(0));
    let database = db::Db::open(patient(options)).await.expect("opening the template");
    database.migrate(store::migrations::ALL).await.expect("migrating the template");
}

/// The file of the SQLite template, made under another name first, so that it is there whole or not at all.
async fn sqlite_template(name: &str) -> PathBuf {
    let folder = postgres::source_root().join("target/testkit");
    let file = folder.join(format!("{name}.db"));
    if file.exists() {
        return file;
    }
    std::fs::create_dir_all(&folder).expect("a folder for templates");
    let half_made = tempfile::tempdir_in(&folder).expect("a folder for the template");
    let location = half_made.path().join("template.db");
    migrate(db::Location::Sqlite(location.clone())).await;
    // The last connection to close moves the log into the file and removes it.
    let log = half_made.path().join("template.db-wal");
    until("the template's connections are closed", async || !log.exists()).await;
    std::fs::rename(&location, &file).expect("naming the template");
    file
}
