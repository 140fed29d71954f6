//! The instance's keys for tokens. The private part is sealed before it comes here.

use db::{FromRow, Row, Tx};
use domain::{Author, OrgId};
use jiff::Timestamp;
use serde_json::json;

use crate::error::Result;
use crate::journal::{self, Payload, Subject};
use crate::records::RecordPage;
use crate::verify::{Made, Recorded};

domain::words! {
    "KeyPurpose"
    /// What a key signs.
    pub enum Purpose {
        /// Access tokens.
        Access = "access",
        /// Refresh tokens.
        Refresh = "refresh",
    }
}

domain::words! {
    "KeyState"
    /// The lifecycle state of a key. After `Retired` it is deleted.
    pub enum State {
        /// Published to verifiers, and not used for signing yet. There is at most one for each purpose.
        Next = "next",
        /// Signs. There is at most one for each purpose.
        Active = "active",
        /// Verifies what it signed.
        Retired = "retired",
    }
}

/// A key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// Its id in the header of tokens.
    pub kid: String,
    /// What it signs.
    pub purpose: Purpose,
    /// Its one algorithm, by its JOSE name.
    pub algorithm: String,
    /// Its lifecycle state.
    pub state: State,
    /// The private part, sealed under `kid`.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created_date: Timestamp,
    /// Since when it has its state.
    pub state_date: Timestamp,
}

impl FromRow for StoredKey {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let (purpose, state): (String, String) = (row.get(1)?, row.get(3)?);
        let damaged = |column: &str| db::Error::Internal(format!("signing_key.{column} is damaged"));
        Ok(Self {
            kid: row.get(0)?,
            purpose: Purpose::parse(&purpose).ok_or_else(|| damaged("purpose"))?,
            algorithm: row.get(2)?,
            state: State::parse(&state).ok_or_else(|| damaged("state"))?,
            sealed: row.get(4)?,
            created_date: row.get(5)?,
            state_date: row.get(6)?,
        })
    }
}

/// Every key, the oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredKey>> {
    Ok(tx
        .query(
            "SELECT kid, purpose, algorithm, state, sealed, created_date, state_date
             FROM signing_key ORDER BY created_date, kid",
            &[],
        )
        .await?)
}

/// Stores a new key, in a write of the instance.
pub async fn create(tx: &mut Tx, author: &Author, key: &StoredKey) -> Result<()> {
    tx.send(
        "INSERT INTO signing_key (kid, purpose, algorithm, state, sealed, created_date, state_date)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &key.kid,
            &key.purpose.as_str(),
            &key.algorithm,
            &key.state.as_str(),
            &key.sealed,
            &key.created_date,
            &key.state_date,
        ],
    )
    .await?;
    let payload = Payload::new()
        .set("purpose", key.purpose.as_str())
        .set("algorithm", &key.algorithm)
        .set("state", key.state.as_str());
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.created", subject(key), payload).await?;
    Ok(())
}

/// Moves a key to another state, in a write of the instance.
pub async fn set_state(tx: &mut Tx, author: &Author, key: &StoredKey, state: State) -> Result<()> {
    let at = tx.at();
    tx.send(
        "UPDATE signing_key SET state = $2, state_date = $3 WHERE kid = $1",
        &[&key.kid, &state.as_str(), &at],
    )
    .await?;
    let payload = Payload::new().change("state", key.state.as_str(), state.as_str());
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.updated", subject(key), payload).await?;
    Ok(())
}

/// Deletes a key, in a write of the instance. What it signed cannot be verified any more.
pub async fn delete(tx: &mut Tx, author: &Author, key: &StoredKey) -> Result<()> {
    tx.send("DELETE FROM signing_key WHERE kid = $1", &[&key.kid]).await?;
    let payload = Payload::new().change("state", key.state.as_str(), ());
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.deleted", subject(key), payload).await?;
    Ok(())
}

/// Every key, as they are held against the instance's journal. There are a handful.
pub(crate) async fn recorded(tx: &mut Tx) -> Result<RecordPage> {
    let recorded = |key: StoredKey| {
        let fields = [
            ("purpose", json!(key.purpose)),
            ("algorithm", json!(key.algorithm)),
            ("state", json!(key.state)),
        ];
        Recorded::new(subject(&key), fields).made(Made::at(key.created_date))
    };
    Ok(RecordPage { records: list(tx).await?.into_iter().map(recorded).collect(), next: None })
}

fn subject(key: &StoredKey) -> Subject {
    Subject::new("signing_key", &key.kid)
}
