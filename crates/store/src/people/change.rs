//! Changing a membership.

use db::Tx;
use domain::person::{Member, MemberPatch};
use domain::{
    AccessChange, Author, Change, Error, ErrorCode, ExpectedVersion, Line, OrgId, ResourceKind, Role, UserId,
};
use macros::boxed;

use super::read::{has_other_admin, member};
use super::row::{MemberRow, Membership};
use super::subject;
use crate::ledger::error::Result;
use crate::ledger::{access, journal, record};

/// Changes a member's name, job title or roles, if the membership has an `expected` version; a running session has the new roles
/// at its next request. The author needs every scope of the roles that are given or taken. A patch that changes nothing is
/// not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: UserId,
    expected: &ExpectedVersion,
    patch: &MemberPatch,
) -> Result<Member> {
    let row = known(tx, organization, id).await?;
    let before = Member::from(row.clone());
    let access = AccessChange::of_roles(&before.roles, patch.roles.as_ref().unwrap_or(&before.roles));
    access::check(tx, organization, author, access).await?;
    expected.check(before.version)?;
    let Some(Member { person, job_title, roles, .. }) = before.patched(patch) else { return Ok(before) };
    if !roles.has(Role::Admin) {
        keep_an_admin(tx, organization, &before).await?;
    }
    let after = Membership { name: person.name, job_title, roles, ..row.membership.clone() };
    let membership = change(tx, organization, author, "membership.updated", &row.membership, after).await?;
    Ok(MemberRow { membership, ..row }.into())
}

/// Changes the job title that a person has given themselves, if the membership has an `expected` version.
#[boxed]
pub async fn set_job_title(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: UserId,
    expected: &ExpectedVersion,
    job_title: &Change<Line>,
) -> Result<()> {
    let before = known(tx, organization, person).await?.membership;
    expected.check(before.version)?;
    let after = Membership { job_title: job_title.of(&before.job_title), ..before.clone() };
    if after.job_title != before.job_title {
        change(tx, organization, author, "membership.updated", &before, after).await?;
    }
    Ok(())
}

pub(super) async fn known(tx: &mut Tx, organization: OrgId, id: UserId) -> Result<MemberRow> {
    Ok(member(tx, organization, id).await?.ok_or(Error::NotFound(ResourceKind::User))?)
}

/// Changes a membership and journals it.
pub(super) async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    before: &Membership,
    after: Membership,
) -> Result<Membership> {
    let payload = record::changes(Some(before), &after);
    let seq_from = journal::append(tx, organization, author, kind, subject(after.person), payload).await?;
    let after = Membership { version: before.version + 1, updated_date: tx.at(), seq_from, ..after };
    record::keep_history(tx, organization, &after, seq_from).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// Refuses to take away the last admin who can sign in: no one could invite an admin again.
pub(super) async fn keep_an_admin(tx: &mut Tx, organization: OrgId, member: &Member) -> Result<()> {
    if member.is_active_admin() && !has_other_admin(tx, organization, member.person.id).await? {
        return Err(Error::Conflict(ErrorCode::LastAdmin).into());
    }
    Ok(())
}
