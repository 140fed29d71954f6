//! The references of lists that risks come from: no two risks have the same, deleted ones included.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::risk::Risk;
use domain::{Error, OrgId, RiskNumber};
use serde_json::json;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;

const TAKEN: &str = "Another risk has its external reference by now.";

/// Refuses a reference that another risk has.
pub(super) async fn require_free(tx: &mut Tx, organization: OrgId, risk: &Risk) -> Result<()> {
    match holders(tx, organization, &[risk]).await?.into_values().find(|number| *number != risk.number) {
        Some(other) => Err(Error::RiskRefTaken(other).into()),
        None => Ok(()),
    }
}

/// Those that would get back a reference that another risk has by now. Each pair is a risk now and before.
pub(super) async fn obstacles(
    tx: &mut Tx,
    organization: OrgId,
    pairs: &[(&Risk, &Risk)],
) -> Result<HashMap<i64, &'static str>> {
    let gets_back = pairs.iter().filter(|(now, before)| now.external_ref != before.external_ref);
    let back: Vec<&Risk> = gets_back.map(|(_, before)| *before).collect();
    let holders = holders(tx, organization, &back).await?;
    let is_taken = |risk: &&Risk| {
        let holder = risk.external_ref.as_deref().and_then(|reference| holders.get(reference));
        holder.is_some_and(|number| *number != risk.number)
    };
    Ok(back.into_iter().filter(is_taken).map(|risk| (risk.number.number(), TAKEN)).collect())
}

/// The risks that have the references of these by now, by reference.
async fn holders(tx: &mut Tx, organization: OrgId, risks: &[&Risk]) -> Result<HashMap<String, RiskNumber>> {
    let references: Vec<&str> = risks.iter().filter_map(|risk| risk.external_ref.as_deref()).collect();
    with_references(tx, organization, &references).await
}

/// The risks with these references, deleted ones included, by reference.
pub(crate) async fn with_references(
    tx: &mut Tx,
    organization: OrgId,
    references: &[&str],
) -> Result<HashMap<String, RiskNumber>> {
    if references.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT r.external_ref, r.number FROM risk AS r
         WHERE r.organization = $1 AND r.external_ref IN (SELECT wanted.item FROM {})",
        wanted_texts(tx.engine(), "$2")
    );
    let references = json!(references).to_string();
    let params: [&dyn Param; 2] = [&organization.uuid(), &references];
    let rows: Vec<(String, i64)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(reference, number)| (reference, RiskNumber(number))).collect())
}
