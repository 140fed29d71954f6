//! Who is in a group.

use db::Tx;
use domain::group::Group;
use domain::{Author, Error, GroupId, OrgId, ResourceKind, UserId};
use macros::boxed;

use super::read::{GroupFilter, get, groups};
use super::{count, member_field, subject};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record::{self, Stored};
use crate::people;

/// Adds a member of the organization to a group, unless they are in it already.
#[boxed]
pub async fn add_member(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: GroupId,
    person: UserId,
) -> Result<()> {
    let group = get(tx, organization, id).await?;
    if people::get(tx, organization, person).await?.is_none() {
        return Err(Error::NotFound(ResourceKind::User).into());
    }
    if has(tx, organization, id, person).await? {
        return Ok(());
    }
    change(tx, organization, author, vec![group], (person, true)).await
}

/// Removes a member from a group.
#[boxed]
pub async fn remove_member(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: GroupId,
    person: UserId,
) -> Result<()> {
    let group = get(tx, organization, id).await?;
    if !has(tx, organization, id, person).await? {
        return Err(Error::NotFound(ResourceKind::User).into());
    }
    change(tx, organization, author, vec![group], (person, false)).await
}

/// Removes a person who leaves the organization from every group.
pub(crate) async fn leave_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    person: UserId,
) -> Result<()> {
    let filter = GroupFilter { members: vec![person], ..GroupFilter::default() };
    let found: Vec<Stored<Group>> = groups(organization, &filter).all(tx).await?;
    let left = found.into_iter().map(|Stored(group)| group).collect();
    change(tx, organization, author, left, (person, false)).await
}

async fn has(tx: &mut Tx, organization: OrgId, id: GroupId, person: UserId) -> Result<bool> {
    let filter = GroupFilter { ids: vec![id], members: vec![person], ..GroupFilter::default() };
    Ok(count(tx, organization, &filter).await? > 0)
}

/// Adds a person to these groups, or removes them.
async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    groups: Vec<Group>,
    (person, is_added): (UserId, bool),
) -> Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    let field = member_field(person);
    let entry = |group: &Group| {
        let (kind, payload) = match is_added {
            true => ("group.member_added", Payload::new().set(&field, true)),
            false => ("group.member_removed", Payload::new().gone(&field, true)),
        };
        New { kind, subject: subject(group.id), payload }
    };
    let count = i64::try_from(groups.len()).unwrap_or(i64::MAX);
    let last = journal::append_all(tx, organization, author, groups.iter().map(entry).collect()).await?;
    let sql = match is_added {
        true => {
            "INSERT INTO group_member (organization, member_group, person, seq_from) VALUES ($1, $2, $3, $4)"
        }
        false => {
            "UPDATE group_member SET seq_to = $4
             WHERE organization = $1 AND member_group = $2 AND person = $3 AND seq_to IS NULL"
        }
    };
    for (group, seq_from) in groups.into_iter().zip(last - count + 1..) {
        let after = Group { seq_from, ..group.with_member(is_added, tx.at()) };
        record::replace(tx, organization, &after).await?;
        tx.send(sql, &[&organization.uuid(), &after.id.uuid(), &person.uuid(), &seq_from]).await?;
    }
    Ok(())
}
