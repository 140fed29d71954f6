//! What was chosen and answered for files with the same header.

use db::{Param, Tx};
use domain::OrgId;
use domain::import::{Import, ImportKind};
use macros::boxed;

use crate::ledger::error::Result;

/// What was chosen and answered for the latest file with such a header that was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// What was chosen, as JSON.
    pub choices: String,
    /// What was answered, as JSON.
    pub answers: String,
}

/// What is remembered for files with this header.
#[boxed]
pub async fn mapping(
    tx: &mut Tx,
    organization: OrgId,
    kind: ImportKind,
    fingerprint: &str,
) -> Result<Option<Mapping>> {
    let sql = "SELECT choices, answers FROM import_mapping
               WHERE organization = $1 AND kind = $2 AND fingerprint = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &kind.as_str(), &fingerprint];
    let found: Option<(String, String)> = tx.query_opt(sql, &params).await?;
    Ok(found.map(|(choices, answers)| Mapping { choices, answers }))
}

/// Remembers what was chosen and answered for a file.
pub(super) async fn remember(tx: &mut Tx, organization: OrgId, import: &Import) -> Result<()> {
    let sql = "INSERT INTO import_mapping (organization, kind, fingerprint, choices, answers, updated_date)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (organization, kind, fingerprint) DO UPDATE
               SET choices = excluded.choices, answers = excluded.answers, updated_date = excluded.updated_date";
    let params: [&dyn Param; 6] = [
        &organization.uuid(),
        &import.kind.as_str(),
        &import.fingerprint,
        &import.choices,
        &import.answers,
        &tx.at(),
    ];
    tx.send(sql, &params).await?;
    Ok(())
}
