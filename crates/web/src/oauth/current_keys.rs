//! The signing keys of this process: replaced as a whole when another set was read.
//!
//! Every process reads the table once a second. A key is published as `next` long before it signs, so a process knows
//! it before a rotation by another process; for keys that were made and used at once, the table is read once more when
//! a token names an unknown key.

use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use store::signing_keys::{self, StoredKey};

use super::AuthorizationServer;
use super::jwt;
use super::key_states::{KeyChange, Plan, change_keys, service};
use super::keys::{Keys, KeysError};
use super::seal::MasterKey;

/// Tokens that name unknown keys cause at most one reading in this time.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(1);

/// The keys of this process, and the state of reading them.
pub(super) struct CurrentKeys {
    keys: RwLock<Arc<Keys>>,
    master: MasterKey,
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

impl CurrentKeys {
    /// The keys at the start.
    pub(super) fn new(keys: Keys, master: MasterKey) -> Self {
        Self { keys: RwLock::new(Arc::new(keys)), master, reading: tokio::sync::Mutex::default() }
    }

    /// The master key that encrypts them.
    pub(super) fn master(&self) -> &MasterKey {
        &self.master
    }

    /// The current keys. A caller that needs several of them must use one snapshot.
    pub(super) fn get(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the keys with those that were read. Keys that cannot be decrypted are logged once and change nothing.
    fn take(&self, stored: Vec<StoredKey>, reading: &mut Reading) {
        if self.get().stored() == stored || reading.unusable == stored {
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

impl AuthorizationServer {
    /// The current keys.
    pub(super) fn keys(&self) -> Arc<Keys> {
        self.keys.get()
    }

    /// The keys to verify a token with. If the token names an unknown key, the table is read once more, at most once a
    /// second; tokens that arrive in the meantime wait for that.
    pub(super) async fn keys_for(&self, token: &str) -> Arc<Keys> {
        let keys = self.keys();
        let Some(kid) = jwt::key_name(token) else { return keys };
        if keys.knows(&kid) {
            return keys;
        }
        let now = self.now();
        let mut reading = self.keys.reading.lock().await;
        let is_due = |looked: Timestamp| now.duration_since(looked).abs() >= LOOK_EVERY;
        if !self.keys().knows(&kid) && reading.looked.is_none_or(is_due) {
            reading.looked = Some(now);
            match self.stored_keys().await {
                Ok(stored) => self.keys.take(stored, &mut reading),
                Err(error) => tracing::warn!(%error, "the signing keys could not be read"),
            }
        }
        self.keys()
    }

    /// Reads the keys from the database.
    pub async fn read_keys(&self) -> Result<(), domain::Error> {
        let mut reading = self.keys.reading.lock().await;
        let stored = self.stored_keys().await?;
        self.keys.take(stored, &mut reading);
        Ok(())
    }

    /// Rotates keys by age and deletes those that are no longer needed. Costs nothing when neither is due.
    pub async fn keep_keys(&self) -> Result<(), KeysError> {
        let wish = self.key_age.map_or(KeyChange::Complete, KeyChange::RotateAfter);
        // The algorithm is decided at the start, so that processes with different settings do not keep changing it.
        if Plan::new(self.keys().stored(), wish, None, self.now()).is_empty() {
            return Ok(());
        }
        let stored = change_keys(&self.db, &self.keys.master, &service("upkeep"), wish, None).await?;
        self.keys.take(stored, &mut *self.keys.reading.lock().await);
        Ok(())
    }

    async fn stored_keys(&self) -> Result<Vec<StoredKey>, domain::Error> {
        let mut read = self.db.read().await.map_err(|error| store::Error::from(error).0)?;
        signing_keys::list(&mut read).await.map_err(|error| error.0)
    }
}
