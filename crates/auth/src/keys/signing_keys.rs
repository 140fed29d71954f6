//! The signing keys of this process: replaced as a whole when another set was read.
//!
//! Every process reads the table once a second. A key is published as `next` long before it signs, so a process knows
//! it before a rotation by another process; for keys that were made and used at once, the table is read once more when
//! a token names an unknown key.

use std::sync::{Arc, PoisonError, RwLock};

use db::Db;
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use store::signing_keys::{self, StoredKey};

use super::change::{change_keys, service};
use super::jwt;
use super::key_pair::AccessTokenAlgorithm;
use super::master_key::MasterKey;
use super::opened::{Keys, KeysError};
use super::plan::{KeyChange, Plan};

/// Tokens that name unknown keys cause at most one reading in this time.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(1);

/// The keys of this process, and the state of reading them.
pub struct SigningKeys {
    db: Db,
    master: MasterKey,
    /// The age at which a key is rotated.
    rotation_age: Option<SignedDuration>,
    keys: RwLock<Arc<Keys>>,
    /// Held while the table is read, so that concurrent callers use the same result.
    reading: tokio::sync::Mutex<Reading>,
}

#[derive(Default)]
struct Reading {
    /// When a token last caused a reading.
    looked: Option<Timestamp>,
    /// Keys that could not be decrypted, so that this is logged only once.
    unusable: Vec<StoredKey>,
}

impl SigningKeys {
    /// Reads the keys at the start, and generates those that are missing. They are rotated after `rotation_days`, or
    /// never if that is 0.
    pub(crate) async fn start(
        db: &Db,
        master: &MasterKey,
        algorithm: AccessTokenAlgorithm,
        rotation_days: u32,
    ) -> Result<Self, KeysError> {
        let author = service("start");
        let stored = change_keys(db, master, &author, KeyChange::Complete, Some(algorithm)).await?;
        let days = i64::from(rotation_days);
        Ok(Self {
            db: db.clone(),
            keys: RwLock::new(Arc::new(Keys::open(stored, master)?)),
            master: master.clone(),
            rotation_age: (days > 0).then(|| SignedDuration::from_hours(24 * days)),
            reading: tokio::sync::Mutex::default(),
        })
    }

    /// The master key that encrypts them.
    pub(crate) fn master(&self) -> &MasterKey {
        &self.master
    }

    /// The current keys. A caller that needs several of them must use one snapshot.
    pub fn current(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The keys to verify a token with. If the token names an unknown key, the table is read once more, at most once a
    /// second; tokens that arrive in the meantime wait for that.
    pub(crate) async fn for_token(&self, token: &str) -> Arc<Keys> {
        let keys = self.current();
        let Some(kid) = jwt::key_name(token) else { return keys };
        if keys.knows(&kid) {
            return keys;
        }
        let now = self.db.clock()();
        let mut reading = self.reading.lock().await;
        let is_due = |looked: Timestamp| now.duration_since(looked).abs() >= LOOK_EVERY;
        if !self.current().knows(&kid) && reading.looked.is_none_or(is_due) {
            reading.looked = Some(now);
            match self.stored().await {
                Ok(stored) => self.take(stored, &mut reading),
                Err(error) => tracing::warn!(%error, "the signing keys could not be read"),
            }
        }
        self.current()
    }

    /// Reads the keys from the database.
    #[boxed]
    pub async fn read(&self) -> domain::Result<()> {
        let mut reading = self.reading.lock().await;
        let stored = self.stored().await?;
        self.take(stored, &mut reading);
        Ok(())
    }

    /// Rotates keys by age and deletes those that are no longer needed. Costs nothing when neither is due.
    #[boxed]
    pub async fn maintain(&self) -> Result<(), KeysError> {
        let change = self.rotation_age.map_or(KeyChange::Complete, KeyChange::RotateAfter);
        // The algorithm is decided at the start, so that processes with different settings do not keep changing it.
        if Plan::new(self.current().stored(), change, None, self.db.clock()()).is_empty() {
            return Ok(());
        }
        let stored = change_keys(&self.db, &self.master, &service("upkeep"), change, None).await?;
        self.take(stored, &mut *self.reading.lock().await);
        Ok(())
    }

    async fn stored(&self) -> domain::Result<Vec<StoredKey>> {
        let mut read = self.db.read().await.map_err(|error| store::Error::from(error).0)?;
        signing_keys::list(&mut read).await.map_err(|error| error.0)
    }

    /// Replaces the keys with those that were read. Keys that cannot be decrypted are logged once and change nothing.
    fn take(&self, stored: Vec<StoredKey>, reading: &mut Reading) {
        if self.current().stored() == stored || reading.unusable == stored {
            return;
        }
        match Keys::open(stored.clone(), &self.master) {
            Ok(keys) => {
                tracing::info!(kid = keys.signing.kid, "the signing keys have changed");
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
            }
            Err(error) => {
                tracing::error!(%error, "the signing keys have changed and cannot be used here; the old ones stay");
                reading.unusable = stored;
            }
        }
    }
}
