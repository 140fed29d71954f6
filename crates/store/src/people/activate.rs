//! Becoming a member who can sign in.

use db::Tx;
use domain::person::Member;
use domain::{Author, Error, OrgId, Role, UserId, time};

use super::add::join;
use super::read::{get, stored};
use super::{already_member, subject};
use crate::error::Result;
use crate::journal::{self, Payload};

/// A person who joins by an invitation.
pub(crate) struct Joining<'j> {
    /// The name to be shown, if they are not a member yet.
    pub(crate) name: &'j str,
    /// The role, if they are not a member yet.
    pub(crate) role: Role,
}

/// Lets a person sign in to the organization from now on. An existing member keeps name and role, because they may have
/// been changed after the invitation; otherwise the person becomes a member.
pub(crate) async fn activate(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    joining: &Joining<'_>,
) -> Result<Member> {
    let member = match stored(tx, organization, id).await?.filter(|row| row.removed_date.is_none()) {
        Some(row) if row.member.activated_date.is_some() => return Err(already_member().into()),
        Some(row) => row.member,
        None => join(tx, organization, author, id, joining.name, joining.role).await?,
    };
    let at = tx.at();
    let sql = "UPDATE membership SET activated_date = $3, version = version + 1
               WHERE organization = $1 AND person = $2";
    tx.send(sql, &[&organization.uuid(), &id.uuid(), &at]).await?;
    let payload =
        Payload::new().change("activated_date", member.activated_date.map(time::format), time::format(at));
    journal::append(tx, organization, author, "membership.activated", subject(id), payload).await?;
    let member = get(tx, organization, id).await?;
    member.ok_or_else(|| Error::Internal("an active member is not there".to_owned()).into())
}
