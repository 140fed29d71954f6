//! The instance's keys for tokens. The private part is sealed before it comes here.

use db::{FromRow, Row, Tx};
use domain::{Author, OrgId};
use jiff::Timestamp;

use crate::error::Result;
use crate::journal::{self, Payload, Subject};

/// A key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// Its name in the header of tokens.
    pub kid: String,
    /// What it signs: `access` or `refresh`.
    pub purpose: String,
    /// Its one algorithm, by its JOSE name.
    pub algorithm: String,
    /// Where it is in its life: `next`, `active` or `retired`.
    pub state: String,
    /// The private part, sealed under `kid`.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created_date: Timestamp,
}

impl FromRow for StoredKey {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            kid: row.get(0)?,
            purpose: row.get(1)?,
            algorithm: row.get(2)?,
            state: row.get(3)?,
            sealed: row.get(4)?,
            created_date: row.get(5)?,
        })
    }
}

/// Every key, the oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredKey>> {
    Ok(tx
        .query(
            "SELECT kid, purpose, algorithm, state, sealed, created_date FROM signing_key
             ORDER BY created_date, kid",
            &[],
        )
        .await?)
}

/// Stores a new key, in a write of the instance.
pub async fn create(tx: &mut Tx, author: &Author, key: &StoredKey) -> Result<()> {
    tx.execute(
        "INSERT INTO signing_key (kid, purpose, algorithm, state, sealed, created_date)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[&key.kid, &key.purpose, &key.algorithm, &key.state, &key.sealed, &key.created_date],
    )
    .await?;
    let payload =
        Payload::new().set("purpose", &key.purpose).set("algorithm", &key.algorithm).set("state", &key.state);
    let subject = Subject::new("signing_key", &key.kid);
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.created", subject, payload).await?;
    Ok(())
}
