//! Kept responses that show a text which was taken out.

use std::collections::BTreeSet;

use db::{Engine, Param, Tx};
use domain::OrgId;

use crate::error::Result;

/// Forgets the kept responses that show one of these texts, and the requests that they belong to: a repetition is refused
/// as another request, so that it does not write the text again.
pub(super) async fn forget(tx: &mut Tx, organization: OrgId, texts: &BTreeSet<String>) -> Result<()> {
    let has = match tx.engine() {
        Engine::Sqlite => "instr(body, $2) > 0",
        Engine::Postgres => "position($2 in body) > 0",
    };
    let sql =
        format!("UPDATE idempotency_key SET body = $3, fingerprint = $4 WHERE organization = $1 AND {has}");
    let (organization, nothing, fingerprint) = (organization.uuid(), b"{}".as_slice(), tx.random::<32>());
    let fingerprint = fingerprint.as_slice();
    for text in texts {
        // As it stands in JSON, without the quotes around it.
        let escaped = serde_json::to_string(text).unwrap_or_default();
        let shown = escaped.trim_matches('"').as_bytes();
        let params: [&dyn Param; 4] = [&organization, &shown, &nothing, &fingerprint];
        tx.execute(&sql, &params).await?;
    }
    Ok(())
}
