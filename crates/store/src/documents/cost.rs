//! What it costs to write documents.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use serde_json::json;

use crate::ledger::bulk::cost::{FEW, OF_A_RECORD};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;

/// What it costs to write each of these documents, by slug: a row has the description and the text that is approved.
pub(crate) async fn costs(tx: &mut Tx, organization: OrgId, slugs: &[&str]) -> Result<HashMap<String, i64>> {
    if slugs.len() <= FEW {
        return Ok(slugs.iter().map(|slug| ((*slug).to_owned(), OF_A_RECORD)).collect());
    }
    let sql = format!(
        "SELECT r.slug, CAST({OF_A_RECORD} + octet_length(r.description) + COALESCE(octet_length(r.template), 0) AS BIGINT)
         FROM document AS r WHERE r.organization = $1 AND r.slug IN (SELECT wanted.item FROM {})",
        wanted_texts(tx.engine(), "$2")
    );
    let rows: Vec<(String, i64)> = tx.query(&sql, &[&organization.uuid(), &json!(slugs).to_string()]).await?;
    Ok(rows.into_iter().collect())
}
