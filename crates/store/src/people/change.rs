//! Changing and ending a membership.

use db::Tx;
use domain::person::{Member, MemberPatch};
use domain::{AccessChange, Author, Error, ExpectedVersion, OrgId, ResourceKind, Role, Scopes, UserId, time};

use super::read::{get, has_other_admin};
use super::subject;
use crate::error::Result;
use crate::journal::{self, Payload};
use crate::{access, invitations, sessions};

/// Changes a member's name or role, if the membership has an `expected` version; a running session has the new role
/// at its next request. Another role needs every scope of the old and of the new one. A patch that changes nothing is
/// not journaled.
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    expected: &ExpectedVersion,
    patch: &MemberPatch,
) -> Result<Member> {
    let before = get(tx, organization, id).await?.ok_or(Error::NotFound(ResourceKind::User))?;
    let change = match patch.role.filter(|role| *role != before.role) {
        Some(role) => AccessChange::of_users(before.role.scopes(), role.scopes()),
        None => AccessChange::of_users(Scopes::default(), Scopes::default()),
    };
    access::check(tx, organization, author, change).await?;
    expected.check(before.version)?;
    let Some((name, role)) = before.patched(patch) else { return Ok(before) };
    if role != Role::Admin {
        keep_an_admin(tx, organization, &before).await?;
    }
    let sql = "UPDATE membership SET name = $3, role = $4, version = version + 1
               WHERE organization = $1 AND person = $2";
    tx.send(sql, &[&organization.uuid(), &id.uuid(), &name, &role.as_str()]).await?;
    let payload = Payload::new().change("name", &before.person.name, &name).change("role", before.role, role);
    journal::append(tx, organization, author, "membership.updated", subject(id), payload).await?;
    let person = domain::person::Person { name, ..before.person };
    Ok(Member { person, role, version: before.version + 1, ..before })
}

/// Removes a member from the organization, if the membership has an `expected` version. Their sessions here end and an
/// open invitation for them is withdrawn; records still name them. The author needs every scope of the role.
pub async fn remove(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let before = get(tx, organization, id).await?.ok_or(Error::NotFound(ResourceKind::User))?;
    let takes = AccessChange::of_users(before.role.scopes(), Scopes::default());
    access::check(tx, organization, author, takes).await?;
    expected.check(before.version)?;
    keep_an_admin(tx, organization, &before).await?;
    sessions::end_all(tx, organization, author, id).await?;
    invitations::withdraw_for(tx, organization, author, &before.person.email).await?;
    let at = tx.at();
    let sql = "UPDATE membership SET removed_date = $3, activated_date = NULL, version = version + 1
               WHERE organization = $1 AND person = $2";
    tx.send(sql, &[&organization.uuid(), &id.uuid(), &at]).await?;
    let payload = Payload::new().change("removed_date", None::<()>, time::format(at)).change(
        "activated_date",
        before.activated_date.map(time::format),
        None::<()>,
    );
    journal::append(tx, organization, author, "membership.deleted", subject(id), payload).await?;
    Ok(())
}

/// Refuses to take away the last admin who can sign in: no one could invite an admin again.
async fn keep_an_admin(tx: &mut Tx, organization: OrgId, member: &Member) -> Result<()> {
    if member.is_active_admin() && !has_other_admin(tx, organization, member.person.id).await? {
        let title = "The last admin who can sign in cannot be removed or lose the role";
        return Err(Error::Conflict { code: "last_admin", title }.into());
    }
    Ok(())
}
