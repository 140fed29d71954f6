//! The data folder and the database in it.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use db::{Clock, Db, Location, Options, Random};
use web::oauth::MasterKey;

use crate::cli;
use crate::config::{self, Config};
use crate::failure::{Failure, Result};

/// Set to `off` by the test that proves that the durability test can fail. Never set it.
pub(crate) const UNSAFE_SYNCHRONOUS: &str = "BAILIWICK_UNSAFE_SYNCHRONOUS";

/// The master key's file in the data folder.
pub(crate) const MASTER_KEY_FILE: &str = "master.key";

/// Where the data is, with the defaults filled in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) data: PathBuf,
    pub(crate) location: Location,
    /// Set apart from the data folder.
    pub(crate) master_key: Option<Arc<MasterKey>>,
}

impl Place {
    /// The place that was named, or the default folder. A demo has a folder of its own, so that trying
    /// the product out and using it do not mix.
    pub(crate) fn new(place: &cli::Place, demo: bool) -> Result<Self> {
        let (config, _) = config::load(&place.0, demo)?;
        Ok(Self::of(&config))
    }

    /// The place of these settings.
    pub(crate) fn of(config: &Config) -> Self {
        let (data, location) = (config.data.clone(), config.location.clone());
        Self { data, location, master_key: config.master_key.clone() }
    }

    /// The master key that was set, or the one in its file, which is made at the first start.
    pub(crate) fn master_key(&self) -> Result<Arc<MasterKey>> {
        if let Some(key) = &self.master_key {
            return Ok(Arc::clone(key));
        }
        let random = random();
        let make = || format!("{}\n", *MasterKey::generate(&*random).to_base64());
        self.parse_master_key(&self.secret_file(MASTER_KEY_FILE, make)?)
    }

    /// The same where the service has run before: what is not there is not made, for then this is most
    /// likely not the service's data folder.
    pub(crate) fn present_master_key(&self) -> Result<Arc<MasterKey>> {
        let path = self.data.join(MASTER_KEY_FILE);
        if self.master_key.is_none() && !path.exists() {
            let path = path.display();
            return Err(Failure(format!(
                "{path} is not there; is {} the service's data folder?",
                self.data.display()
            )));
        }
        self.master_key()
    }

    /// Reads what stood in the file.
    pub(crate) fn parse_master_key(&self, text: &str) -> Result<Arc<MasterKey>> {
        let path = self.data.join(MASTER_KEY_FILE);
        MasterKey::parse(text).map(Arc::new).map_err(|error| Failure(format!("{}: {error}", path.display())))
    }

    /// Opens the database and brings its schema up to date.
    pub(crate) async fn open(&self) -> Result<Db> {
        let db = self.open_as_it_is().await?;
        db.migrate(store::migrations::ALL).await?;
        Ok(db)
    }

    /// Opens the database without touching its schema.
    pub(crate) async fn open_as_it_is(&self) -> Result<Db> {
        Ok(Db::open(self.options()?).await?)
    }

    /// How the database is opened, with the real clock and random source.
    pub(crate) fn options(&self) -> Result<Options> {
        make_folder(&self.data)?;
        let mut options = Options::new(self.location.clone(), clock(), random());
        options.unsafe_without_sync = std::env::var(UNSAFE_SYNCHRONOUS).as_deref() == Ok("off");
        if options.unsafe_without_sync {
            tracing::error!("{UNSAFE_SYNCHRONOUS}=off: a power cut loses what was acknowledged");
        }
        Ok(options)
    }

    /// The text of `DATA/name`, readable by its owner only; `make` gives it when it is not there. Of
    /// processes that make it at the same time one wins, and all read what it wrote, whole.
    pub(crate) fn secret_file(&self, name: &str, make: impl FnOnce() -> String) -> Result<String> {
        make_folder(&self.data)?;
        let path = self.data.join(name);
        if !path.exists() {
            let draft = self.data.join(format!("{name}.{}", std::process::id()));
            write_owner_only(&draft, &make())?;
            // Unlike a rename, a link fails when the name is taken.
            let linked = std::fs::hard_link(&draft, &path);
            std::fs::remove_file(&draft)?;
            match linked {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(Failure(format!("{}: {error}", path.display())));
                }
                _ => File::open(&self.data)?.sync_all()?,
            }
        }
        std::fs::read_to_string(&path).map_err(|error| Failure(format!("{}: {error}", path.display())))
    }
}

/// Writes a file that only its owner reads, and waits until it is on the disk.
pub(crate) fn write_owner_only(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(())
}

/// Makes a folder that only its owner enters, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path).map_err(|error| Failure(format!("{}: {error}", path.display())))
}

/// The machine's clock, to the microsecond.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the clock is read; it is handed on from here"
)]
pub(crate) fn clock() -> Clock {
    Arc::new(|| domain::time::cut(jiff::Timestamp::now()))
}

/// The machine's random source.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where randomness is drawn; it is handed on from here"
)]
pub(crate) fn random() -> Random {
    use rand::Rng;
    Arc::new(|bytes| rand::rng().fill_bytes(bytes))
}
