//! How far an index is.

use db::Tx;
use domain::OrgId;
use macros::boxed;

use crate::ledger::error::Result;

/// How far an index is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The entry up to which it has every change.
    pub(super) seq: i64,
    /// How many writes have changed it beside those that followed the journal.
    pub(super) removals: i64,
}

/// The entry up to which the index has every change.
#[boxed]
pub async fn progress(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    Ok(Progress::read(tx, organization).await?.seq.max(0))
}

impl Progress {
    pub(super) async fn read(tx: &mut Tx, organization: OrgId) -> Result<Self> {
        let sql = "SELECT seq, removals FROM search_progress WHERE organization = $1";
        let found: Option<(i64, i64)> = tx.query_opt(sql, &[&organization.uuid()]).await?;
        Ok(found.map_or_else(Self::default, |(seq, removals)| Self { seq, removals }))
    }
}

/// Invalidates the steps that are found out but not written yet: they may have what this write takes out of the index.
pub(super) async fn note_removal(tx: &mut Tx, organization: OrgId) -> Result<()> {
    let sql = "INSERT INTO search_progress (organization, seq, removals) VALUES ($1, 0, 1)
        ON CONFLICT (organization) DO UPDATE SET removals = search_progress.removals + 1";
    Ok(tx.send(sql, &[&organization.uuid()]).await?)
}
