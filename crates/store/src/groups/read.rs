//! Reading groups.

use db::{Tx, Value};
use domain::group::Group;
use domain::text::folded;
use domain::{Error, GroupId, OrgId, ResourceKind, UserId};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Links, Select};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// The order of groups: by name, without regard to case.
const ORDER: &[&str] = &["name_folded"];

/// The links of a person to groups.
pub(crate) const OF_PERSON: Links =
    Links { table: "group_member", column: "person", own: "person", other: "member_group" };

/// The links of a group to people.
const OF_GROUP: Links = Links { table: "group_member", column: "id", own: "member_group", other: "person" };

/// Which groups a list has. What is empty lets every group through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupFilter {
    /// Those with one of these ids.
    pub ids: Vec<GroupId>,
    /// Those with one of these names, without regard to case.
    pub names: Vec<String>,
    /// Those that one of these people is in.
    pub members: Vec<UserId>,
}

/// The condition that a record is linked to one of these ids, if there are any.
pub(crate) fn having<'q>(links: Links, ids: impl Iterator<Item = Uuid>) -> Option<Filter<'q>> {
    let ids: Vec<_> = ids.map(Value::Uuid).collect();
    (!ids.is_empty()).then_some(Filter::Linked(links, ids))
}

/// One group that is not deleted.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: GroupId) -> Result<Group> {
    let filter = GroupFilter { ids: vec![id], ..GroupFilter::default() };
    let found = groups(organization, &filter).one(tx).await?;
    let Stored(group) = found.ok_or(Error::NotFound(ResourceKind::Group))?;
    Ok(group)
}

/// Up to `limit` groups of a filter by name, without regard to case: those after the name `after`.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    filter: &GroupFilter,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Group>> {
    let after = after.map(|name| Value::from(folded(name)));
    let page = groups(organization, filter).order(ORDER, Direction::Ascending, after).page(tx, limit).await?;
    Ok(page.map(|Stored(group)| group))
}

/// How many groups of a filter there are.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, filter: &GroupFilter) -> Result<i64> {
    groups(organization, filter).count(tx).await
}

/// The groups of a filter that are not deleted.
pub(super) fn groups<'q>(organization: OrgId, filter: &GroupFilter) -> Select<'q, Group> {
    Select::of(organization, View::now())
        .filters(Filter::any_of("id", filter.ids.iter().map(|id| id.uuid().into())))
        .filters(Filter::any_of("name_folded", filter.names.iter().map(|name| folded(name).into())))
        .filters(having(OF_GROUP, filter.members.iter().map(|person| person.uuid())))
}
