//! The master key, which seals the signing keys in the database.
//!
//! At the first start the database is made first and then the key, and the signing keys are sealed last. So a key
//! without a database, or sealed keys without a key, are never the result of an interrupted start: a file was lost.

use std::sync::Arc;

use auth::MasterKey;
use auth::keys::KeysError;
use db::{Db, Location};
use store::signing_keys;

use super::{Installation, files};
use crate::failure::{Failure, Result};
use crate::machine;

/// The master key of a service that starts.
pub(crate) struct ServiceKey {
    pub(crate) key: Arc<MasterKey>,
    /// Whether its file was made for this start.
    is_new: bool,
}

/// The master key's file in the data folder.
pub(crate) const MASTER_KEY_FILE: &str = "master.key";

impl Installation {
    /// The master key that was set, or the one in its file, which is made when it is not there.
    pub(crate) fn master_key(&self) -> Result<Arc<MasterKey>> {
        if let Some(key) = &self.master_key {
            return Ok(Arc::clone(key));
        }
        let random = machine::random();
        let make = || format!("{}\n", *MasterKey::generate(&*random).to_base64());
        self.parse_master_key(&files::read_or_make(&self.data, MASTER_KEY_FILE, make)?)
    }

    /// The same where the service has run before: a missing key is not created, because this is then most likely not
    /// the service's data folder.
    pub(crate) fn present_master_key(&self) -> Result<Arc<MasterKey>> {
        if self.has_master_key() {
            return self.master_key();
        }
        let (path, data) = (self.data.join(MASTER_KEY_FILE), self.data.display());
        Err(Failure::new(format!("{} is not there; is {data} the service's data folder?", path.display())))
    }

    /// The same for a service that starts: it is made unless the database has keys that another one sealed.
    pub(crate) async fn service_master_key(&self, db: &Db) -> Result<ServiceKey> {
        let is_new = !self.has_master_key();
        if is_new && !signing_keys::list(&mut db.read().await?).await?.is_empty() {
            return Err(self.sealed_elsewhere());
        }
        Ok(ServiceKey { key: self.master_key()?, is_new })
    }

    /// Why the service cannot use the signing keys with this master key. Of several processes that start at the same
    /// time on an empty database one seals them; the others take back the keys that they have just made.
    pub(crate) fn keys_refused(&self, error: KeysError, master: &ServiceKey) -> Failure {
        match error {
            KeysError::Seal(_) if master.is_new => {
                match std::fs::remove_file(self.data.join(MASTER_KEY_FILE)) {
                    Ok(()) => self.sealed_elsewhere(),
                    Err(error) => error.into(),
                }
            }
            KeysError::Store(error) => error.into(),
            other => Failure::new(other),
        }
    }

    fn sealed_elsewhere(&self) -> Failure {
        let (path, name) = (self.data.join(MASTER_KEY_FILE), self.database_name());
        let path = path.display();
        let what_to_do = match self.location {
            Location::Sqlite(_) => "Restore the file from your copy, or set BAILIWICK_MASTER_KEY.".to_owned(),
            Location::Postgres(_) => format!(
                "All processes on one database share one master key: copy {MASTER_KEY_FILE} from the data folder of one \
                 that runs, or from where you keep a copy, to {path}, or set BAILIWICK_MASTER_KEY to what is in it."
            ),
        };
        Failure::new(format!(
            "{path} is not there, and the signing keys in {name} are sealed with a master key. {what_to_do} If it is \
             lost, run bailiwick keys rotate --end-tokens: programs then ask for new tokens, and nothing of the register \
             is lost."
        ))
    }

    /// Refuses a folder with a master key whose SQLite file is missing or empty.
    pub(super) fn refuse_key_without_database(&self) -> Result<()> {
        let Location::Sqlite(file) = &self.location else { return Ok(()) };
        let key = self.data.join(MASTER_KEY_FILE);
        let has_data = std::fs::metadata(file).is_ok_and(|file| file.len() > 0);
        if has_data || self.master_key.is_some() || !key.exists() {
            return Ok(());
        }
        let state = if file.exists() { "is empty" } else { "is not there" };
        let (file, key) = (file.display(), key.display());
        Err(Failure::new(format!(
            "{file} {state}, but {key} is there, so a register was here before. Restore a backup into a new folder \
             (docs/backup.md), or name the right folder with --data. To begin a new register here, move {key} away."
        )))
    }

    /// Whether a master key was set, or is in its file.
    pub(crate) fn has_master_key(&self) -> bool {
        self.master_key.is_some() || self.data.join(MASTER_KEY_FILE).exists()
    }

    /// Reads what stood in the file.
    pub(crate) fn parse_master_key(&self, text: &str) -> Result<Arc<MasterKey>> {
        let path = self.data.join(MASTER_KEY_FILE);
        MasterKey::parse(text)
            .map(Arc::new)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    }
}
