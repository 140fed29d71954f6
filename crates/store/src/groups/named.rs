//! The people and groups that something names, which have to be of the organization.

use std::collections::HashSet;

use db::Tx;
use domain::group::Group;
use domain::{FaultCode, Faults, GroupId, OrgId, UserId};

use super::read::{GroupFilter, groups};
use crate::ledger::error::Result;
use crate::ledger::members;
use crate::ledger::record::Stored;

/// Whom the object at a place of a body names, in its members `users` and `group`.
pub(crate) struct Named<'n> {
    /// The place, such as `#/bands/0/acceptance`.
    pub(crate) pointer: String,
    /// The people.
    pub(crate) users: &'n [UserId],
    /// The group.
    pub(crate) group: Option<GroupId>,
}

/// What is wrong with these: the people are members, and the groups exist.
pub(crate) async fn check_named(tx: &mut Tx, organization: OrgId, named: &[Named<'_>]) -> Result<Faults> {
    let mut faults = Faults::new();
    let users: Vec<UserId> = named.iter().flat_map(|it| it.users.iter().copied()).collect();
    if !users.is_empty() {
        let known = members::among(tx, organization, &users).await?;
        for Named { pointer, users, .. } in named {
            for (place, _) in users.iter().enumerate().filter(|(_, user)| !known.contains(user)) {
                let detail = "No member of the organization has this id.";
                faults.add(format_args!("{pointer}/users/{place}"), FaultCode::UnknownUser, detail);
            }
        }
    }
    let ids: Vec<GroupId> = named.iter().filter_map(|it| it.group).collect();
    if !ids.is_empty() {
        let filter = GroupFilter { ids, ..GroupFilter::default() };
        let found: Vec<Stored<Group>> = groups(organization, &filter).all(tx).await?;
        let known: HashSet<GroupId> = found.into_iter().map(|Stored(group)| group.id).collect();
        for it in named.iter().filter(|it| it.group.is_some_and(|group| !known.contains(&group))) {
            let detail = "No group of the organization has this id.";
            faults.add(format_args!("{}/group", it.pointer), FaultCode::UnknownGroup, detail);
        }
    }
    Ok(faults)
}
