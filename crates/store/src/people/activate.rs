//! Becoming a member who can sign in.

use db::Tx;
use domain::person::Member;
use domain::{Author, OrgId, UserId};

use super::add::{Joining, join};
use super::change::change;
use super::row::Membership;
use super::{already_member, read};
use crate::ledger::error::Result;

/// Lets a person sign in to the organization from now on. An existing member keeps name and roles, because they may have
/// been changed after the invitation; otherwise the person becomes a member.
pub(crate) async fn activate(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    joining: &Joining<'_>,
) -> Result<Member> {
    let before = match read::stored(tx, organization, id).await?.filter(|row| row.removed_date.is_none()) {
        Some(row) if row.activated_date.is_some() => return Err(already_member().into()),
        Some(row) => row,
        None => join(tx, organization, author, id, joining).await?,
    };
    let after = Membership { activated_date: Some(tx.at()), ..before.clone() };
    change(tx, organization, author, "membership.activated", &before, after).await?;
    read::existing(tx, organization, id).await
}
