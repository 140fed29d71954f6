//! The last uses of secrets and sessions: collected in memory and written about once a minute, so that a token request
//! does not cost a write. At most the last minute is lost when a process is killed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use db::{Db, Tx};
use domain::OrgId;
use jiff::Timestamp;
use uuid::Uuid;

/// What was used.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Used {
    /// Secrets of clients.
    Secrets,
    /// Sessions of people.
    Sessions,
}

/// Uses that are not written yet.
pub(crate) struct LastUse {
    used: Used,
    noted: Mutex<HashMap<OrgId, HashMap<Uuid, Timestamp>>>,
}

impl LastUse {
    /// An empty collection.
    pub(crate) fn of(used: Used) -> Self {
        Self { used, noted: Mutex::default() }
    }

    /// Records a use.
    pub(crate) fn note(&self, org: OrgId, credential: Uuid, at: Timestamp) {
        let mut uses = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        uses.entry(org).or_default().insert(credential, at);
    }

    /// Writes the recorded uses, one small write per organization. What cannot be written is retried the next time.
    pub(crate) async fn flush(&self, db: &Db) {
        let noted = std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner));
        let used = self.used;
        for (org, uses) in noted {
            let rows: Vec<(Uuid, Timestamp)> = uses.into_iter().collect();
            let written = rows.clone();
            let result: store::Result<()> = db
                .write(org, async move |tx: &mut Tx| match used {
                    Used::Secrets => store::clients::note_use(tx, org, &written).await,
                    Used::Sessions => store::sessions::note_use(tx, org, &written).await,
                })
                .await;
            if let Err(error) = result {
                tracing::warn!(%org, ?used, error = %error.0, "the last use is not written yet");
                self.keep(org, rows);
            }
        }
    }

    fn keep(&self, org: OrgId, rows: Vec<(Uuid, Timestamp)>) {
        let mut uses = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = uses.entry(org).or_default();
        for (credential, at) in rows {
            newer.entry(credential).or_insert(at);
        }
    }
}
