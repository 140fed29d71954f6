//! One write of a batch.

use crate::error::{Error, Result};
use crate::job::Outcome;
use crate::queue::Entry;
use crate::tx::Tx;

/// Whether each write of a batch can be undone by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Savepoints {
    None,
    Each,
}

/// How the writes of a batch ended, or one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ran {
    /// There is something to commit.
    Kept,
    /// There is not.
    Refused,
    /// A refused one has left changes, and there is no savepoint to go back to.
    MustUndo,
}

/// Runs one write. An error here is the batch's, not the write's.
pub(super) async fn run_member(tx: &mut Tx, entry: &mut Entry, savepoints: Savepoints) -> Result<Ran> {
    match tx.start_write(entry.organization).await {
        Ok(()) => {}
        Err(error @ Error::UnknownOrganization) => {
            entry.job.refuse(error);
            return Ok(Ran::Refused);
        }
        Err(error) => return Err(error),
    }
    if savepoints == Savepoints::Each {
        tx.connection()?.later("SAVEPOINT write")?;
    }
    let outcome = entry.job.run(tx).await;
    let failure = tx.failure();
    let connection = tx.connection()?;
    if !connection.can_commit() {
        return Err(failure.unwrap_or_else(|| Error::unavailable("the connection broke")));
    }
    let is_kept = outcome == Outcome::Kept;
    if savepoints == Savepoints::Each {
        if !is_kept {
            // A statement of an earlier write that is still to be sent may be refused. Rolling back to a savepoint
            // would hide that: the transaction could be committed, with a head that refers to a missing entry.
            connection.settle().await?;
            connection.later("ROLLBACK TO write")?;
        }
        connection.later("RELEASE write")?;
    } else if !is_kept && tx.has_changed() {
        return Ok(Ran::MustUndo);
    }
    tx.end_write(is_kept);
    Ok(if is_kept { Ran::Kept } else { Ran::Refused })
}
