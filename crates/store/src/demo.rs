//! The mark of a demo's database. Exempt from the journal, because it is about the database and not
//! about what is in it.

use db::Tx;
use domain::OrgId;
use uuid::Uuid;

use crate::error::Result;

/// How far a demo's database has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Filling it has begun and has not ended.
    Begun,
    /// It shows this organization.
    Filled(OrgId),
}

/// The mark, or none: the database is not a demo's.
pub async fn mark(tx: &mut Tx) -> Result<Option<Mark>> {
    let row: Option<(Option<Uuid>,)> = tx.query_opt("SELECT organization FROM demo_mark", &[]).await?;
    Ok(row.map(|(organization,)| organization.map_or(Mark::Begun, |id| Mark::Filled(OrgId(id)))))
}

/// Marks the database as a demo's, before anything is filled in.
pub async fn begin(tx: &mut Tx) -> Result<()> {
    let sql = "INSERT INTO demo_mark (id, organization) VALUES (1, NULL) ON CONFLICT (id) DO NOTHING";
    tx.execute(sql, &[]).await?;
    Ok(())
}

/// Names the organization that is whole now.
pub async fn finish(tx: &mut Tx, organization: OrgId) -> Result<()> {
    tx.execute("UPDATE demo_mark SET organization = $1 WHERE id = 1", &[&organization.uuid()]).await?;
    Ok(())
}
