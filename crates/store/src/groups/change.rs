//! Creating, changing and deleting groups.

use db::Tx;
use domain::group::{Group, GroupPatch, NewGroup};
use domain::text::folded;
use domain::{Author, Error, ErrorCode, ExpectedVersion, GroupId, OrgId};
use macros::boxed;
use uuid::Uuid;

use super::read::{GroupFilter, get};
use super::{count, member_field, subject};
use crate::ledger::error::Result;
use crate::ledger::{journal, record};

/// Makes a group. A name that is in use, in whatever case, is a conflict.
#[boxed]
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewGroup) -> Result<Group> {
    let mut group = new.create(GroupId(tx.uuid()), tx.at());
    let payload = record::changes(None, &group);
    group.seq_from =
        journal::append(tx, organization, author, "group.created", subject(group.id), payload).await?;
    if !record::insert_unless_taken(tx, organization, &group).await? {
        return Err(Error::Conflict(ErrorCode::NameTaken).into());
    }
    Ok(group)
}

/// Changes a group by a merge patch, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: GroupId,
    expected: &ExpectedVersion,
    patch: &GroupPatch,
) -> Result<Group> {
    let before = get(tx, organization, id).await?;
    expected.check(before.version)?;
    let Some(mut after) = patch.apply(&before, tx.at()) else { return Ok(before) };
    if folded(&after.name) != folded(&before.name) {
        let named = GroupFilter { names: vec![after.name.to_string()], ..GroupFilter::default() };
        if count(tx, organization, &named).await? > 0 {
            return Err(Error::Conflict(ErrorCode::NameTaken).into());
        }
    }
    let payload = record::changes(Some(&before), &after);
    after.seq_from = journal::append(tx, organization, author, "group.updated", subject(id), payload).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// Deletes a group, if it has an `expected` version. Its members leave it, and its name can be used again.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: GroupId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let before = get(tx, organization, id).await?;
    expected.check(before.version)?;
    let (org, group) = (organization.uuid(), id.uuid());
    let sql = "SELECT person FROM group_member
               WHERE organization = $1 AND member_group = $2 AND seq_to IS NULL ORDER BY person";
    let members: Vec<(Uuid,)> = tx.query(sql, &[&org, &group]).await?;
    let mut after = before.clone().deleted(tx.at());
    let changed = record::changes(Some(&before), &after);
    let payload =
        members.iter().fold(changed, |payload, (person,)| payload.gone(&member_field(person), true));
    after.seq_from = journal::append(tx, organization, author, "group.deleted", subject(id), payload).await?;
    let sql = "UPDATE group_member SET seq_to = $3
               WHERE organization = $1 AND member_group = $2 AND seq_to IS NULL";
    tx.send(sql, &[&org, &group, &after.seq_from]).await?;
    record::replace(tx, organization, &after).await
}
