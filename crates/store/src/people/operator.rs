//! Operators: people who look after the service itself. No role of an organization includes it.

use db::Tx;
use domain::{Author, Error, OrgId, ResourceKind, UserId, time};
use jiff::Timestamp;
use macros::boxed;

use super::person_subject;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload};

/// Marks a person as an operator of the service, or takes that back. Returns whether that changed something. For
/// [`db::Db::write_instance`].
#[boxed]
pub async fn set_operator(tx: &mut Tx, author: &Author, id: UserId, is_operator: bool) -> Result<bool> {
    tx.lock_head(OrgId::INSTANCE).await?;
    let sql = "SELECT operator_date FROM person WHERE id = $1";
    let found: Option<(Option<Timestamp>,)> = tx.query_opt(sql, &[&id.uuid()]).await?;
    let (before,) = found.ok_or(Error::NotFound(ResourceKind::User))?;
    if before.is_some() == is_operator {
        return Ok(false);
    }
    let after = is_operator.then_some(tx.at());
    tx.send("UPDATE person SET operator_date = $2 WHERE id = $1", &[&id.uuid(), &after]).await?;
    let payload = Payload::new().change("operator_date", before.map(time::format), after.map(time::format));
    journal::append(tx, OrgId::INSTANCE, author, "user.operator_changed", person_subject(id), payload)
        .await?;
    Ok(true)
}
