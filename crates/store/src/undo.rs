//! Undoing a request, whatever kinds of records it changed.

use db::Tx;
use domain::{Author, OrgId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::undo;
use crate::registry::REGISTRY;

pub use crate::ledger::undo::{Search, UndoneRecord, told, undone_count};

/// Undoes what the request that `search` has found did to the records after the first `done`: to as many as one write may, and
/// says what became of each. An author without the scopes of the request may not; a request that is not found, or is too old
/// when it begins to be undone, does not exist. Belongs into `Db::write_alone`, if the request has over 1,000 entries.
#[boxed]
pub async fn undo(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    search: &Search,
    done: usize,
) -> Result<Vec<UndoneRecord>> {
    undo::undo(tx, &REGISTRY, organization, author, search, done).await
}
