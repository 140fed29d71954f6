//! The instance's keys for tokens. The private part is sealed before it comes here.

use db::Tx;
use domain::{Author, OrgId};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload, Subject};
use crate::ledger::list::{Direction, Select};
use crate::ledger::record::{self, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

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

record! {
    StoredKey in "signing_key" of Instance {
        kid: Plain => Key,
        purpose: AWord => Journaled,
        algorithm: Plain => Journaled,
        state: AWord => Journaled,
        sealed: Plain => Fixed,
        created_date: Plain => Fixed,
        state_date: Plain => Counted,
    }
}

/// Every key, the oldest first.
#[boxed]
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredKey>> {
    let select = Select::<StoredKey>::of(OrgId::INSTANCE, View::with_deleted());
    let rows = select.order(&["created_date", "kid"], Direction::Ascending, []).all(tx).await?;
    Ok(rows.into_iter().map(|Stored(key)| key).collect())
}

/// Stores a new key, in a write of the instance.
#[boxed]
pub async fn create(tx: &mut Tx, author: &Author, key: &StoredKey) -> Result<()> {
    record::insert(tx, OrgId::INSTANCE, key).await?;
    let payload = record::changes(None, key);
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.created", subject(key), payload).await?;
    Ok(())
}

/// Moves a key to another state, in a write of the instance.
#[boxed]
pub async fn set_state(tx: &mut Tx, author: &Author, key: &StoredKey, state: State) -> Result<()> {
    let after = StoredKey { state, state_date: tx.at(), ..key.clone() };
    record::replace(tx, OrgId::INSTANCE, &after).await?;
    let payload = record::changes(Some(key), &after);
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.updated", subject(key), payload).await?;
    Ok(())
}

/// Deletes a key, in a write of the instance. What it signed cannot be verified any more.
#[boxed]
pub async fn delete(tx: &mut Tx, author: &Author, key: &StoredKey) -> Result<()> {
    record::delete::<StoredKey>(tx, OrgId::INSTANCE, &[key.kid.as_str().into()]).await?;
    let payload = Payload::new().gone("state", key.state);
    journal::append(tx, OrgId::INSTANCE, author, "signing_key.deleted", subject(key), payload).await?;
    Ok(())
}

/// Keys that are read at a time. There are a handful.
const PAGE: i64 = 200;

/// The next keys, as they are held against the instance's journal.
pub(crate) async fn recorded(tx: &mut Tx, instance: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<StoredKey>::read(tx, instance, after, PAGE).await?;
    Ok(page.map(|key| Recorded::of(subject(&key), &key).made(Made::at(key.created_date))))
}

fn subject(key: &StoredKey) -> Subject {
    Subject::new("signing_key", &key.kid)
}
