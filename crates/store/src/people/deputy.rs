//! Deputies: members who approve documents in the place of others.

use std::collections::HashMap;

use db::Tx;
use domain::document::{Day, Deputy, NewDeputy};
use domain::{Author, Error, FaultCode, OrgId, Scope, UserId};
use macros::boxed;
use uuid::Uuid;

use super::change::{change, known};
use super::read::get;
use super::row::Membership;
use crate::ledger::error::Result;

/// The deputy of a member, also one whose last day is over.
#[boxed]
pub async fn deputy(tx: &mut Tx, organization: OrgId, person: UserId) -> Result<Option<Deputy>> {
    let Membership { deputy, deputy_until, .. } = known(tx, organization, person).await?.membership;
    let Some((deputy, until)) = deputy.zip(deputy_until) else { return Ok(None) };
    Ok(super::named(tx, organization, vec![deputy]).await?.remove(&deputy).map(|user| Deputy { user, until }))
}

/// Names a deputy of a member, or none. A deputy is another member who may approve documents.
#[boxed]
pub async fn set_deputy(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: UserId,
    new: Option<&NewDeputy>,
) -> Result<()> {
    let row = known(tx, organization, person).await?;
    if let Some(NewDeputy { user, until }) = new {
        let found =
            get(tx, organization, *user).await?.filter(|it| *user != person && it.activated_date.is_some());
        if !found.is_some_and(|it| it.roles.scopes().has(Scope::DocumentsApprove)) {
            let detail = "must be another member who may approve documents";
            return Err(Error::invalid("#/user", FaultCode::UnknownUser, detail).into());
        }
        if *until < Day::of(tx.at()) {
            return Err(Error::invalid("#/until", FaultCode::Range, "must not be over").into());
        }
    }
    let (deputy, deputy_until) = new.map(|new| (new.user, new.until.clone())).unzip();
    let before = &row.membership;
    if (before.deputy, &before.deputy_until) == (deputy, &deputy_until) {
        return Ok(());
    }
    let after = Membership { deputy, deputy_until, ..before.clone() };
    change(tx, organization, author, "membership.deputy_changed", before, after).await?;
    Ok(())
}

/// Today's deputies of members, by the member.
pub(crate) async fn deputies(tx: &mut Tx, organization: OrgId) -> Result<HashMap<UserId, UserId>> {
    let sql = "SELECT person, deputy FROM membership
        WHERE organization = $1 AND removed_date IS NULL AND deputy IS NOT NULL AND deputy_until >= $2";
    let today = Day::of(tx.at()).to_string();
    let rows: Vec<(Uuid, Uuid)> = tx.query(sql, &[&organization.uuid(), &today]).await?;
    Ok(rows.into_iter().map(|(person, deputy)| (UserId(person), UserId(deputy))).collect())
}
