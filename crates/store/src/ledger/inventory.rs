//! What a database contains, for the manifest of a backup. Only reads.

use db::Tx;
use domain::OrgId;
use macros::boxed;

use crate::ledger::dialect::tables;
use crate::ledger::error::Result;
use crate::ledger::journal::Position;
use crate::ledger::records::{RecordKind, Registry};

/// What a snapshot of a database holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// The steps of the schema that were made, by name.
    pub schema: Vec<String>,
    /// Where each journal stands, the instance's first.
    pub journals: Vec<(OrgId, Position)>,
    /// Each kind of record with its number of records, deleted ones too.
    pub records: Vec<(&'static str, i64)>,
}

/// Takes the inventory; counting reads a large part of the database.
#[boxed]
pub async fn take(tx: &mut Tx, registry: &Registry) -> Result<Inventory> {
    let made: Vec<(String,)> = tx.query("SELECT name FROM schema_migration ORDER BY name", &[]).await?;
    let journals = heads(tx).await?;
    let there: Vec<(String,)> = tx.query(tables(tx.engine()), &[]).await?;
    let mut records = Vec::new();
    // A backup may be made before a newer release adds its tables.
    for table in registry
        .kinds
        .iter()
        .flat_map(RecordKind::tables)
        .filter(|table| there.iter().any(|it| it.0 == *table))
    {
        let (count,): (i64,) = tx.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await?;
        records.push((table, count));
    }
    Ok(Inventory { schema: made.into_iter().map(|(name,)| name).collect(), journals, records })
}

/// Where each journal stands; the instance's, under the nil id, is the first.
#[boxed]
pub async fn heads(tx: &mut Tx) -> Result<Vec<(OrgId, Position)>> {
    let sql = "SELECT organization, seq, hash FROM organization_head ORDER BY organization";
    let found: Vec<(uuid::Uuid, i64, Vec<u8>)> = tx.query(sql, &[]).await?;
    Ok(found
        .into_iter()
        .map(|(organization, seq, hash)| (OrgId(organization), Position { seq, hash }))
        .collect())
}
