//! Ending a membership.

use db::Tx;
use domain::person::Member;
use domain::{AccessChange, Author, ExpectedVersion, OrgId, Scopes, UserId};
use macros::boxed;

use super::change::{change, keep_an_admin, known};
use super::row::Membership;
use crate::ledger::access;
use crate::ledger::error::Result;
use crate::{groups, invitations, reset_links, sessions};

/// Removes a member from the organization, if the membership has an `expected` version. Their sessions here end, an open
/// invitation or reset link for them is withdrawn, and they leave their groups; records still name them. The author needs every scope of the roles.
#[boxed]
pub async fn remove(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let row = known(tx, organization, id).await?;
    let before = Member::from(row.clone());
    let takes = AccessChange::of_users(before.roles.scopes(), Scopes::default());
    access::check(tx, organization, author, takes).await?;
    expected.check(before.version)?;
    keep_an_admin(tx, organization, &before).await?;
    sessions::end_all(tx, organization, author, id).await?;
    invitations::withdraw_for(tx, organization, author, &before.person.email).await?;
    reset_links::withdraw_for(tx, organization, author, id).await?;
    groups::leave_all(tx, organization, author, id).await?;
    let after = Membership {
        removed_date: Some(tx.at()),
        activated_date: None,
        deputy: None,
        deputy_until: None,
        ..row.membership.clone()
    };
    change(tx, organization, author, "membership.deleted", &row.membership, after).await?;
    Ok(())
}
