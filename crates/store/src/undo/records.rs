//! The kinds of records whose changes can be undone.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::incident::{Incident, Requirement, Status};
use domain::person::Person;
use domain::risk::Risk;

use crate::error::Result;
use crate::record::Versioned;
use crate::tags::TagLinks;
use crate::trash::Deletable;
use crate::{incidents, performance, risks, tasks};

/// A record whose changes, deletion and restoration can be undone.
pub(crate) trait Undoable: Deletable + Versioned {
    /// What its entries call it.
    const TYPE: &'static str;
    /// The field that names a member of the organization.
    const MEMBER: &'static str;
    /// The tags on it.
    const TAGS: TagLinks;

    /// The member that it names.
    fn member(&self) -> Option<&Person>;

    /// Updates what is derived from records that were deleted or restored.
    async fn follow(_tx: &mut Tx, _organization: OrgId, _numbers: &[i64], _is_deleted: bool) -> Result<()> {
        Ok(())
    }

    /// What stands against giving records their former states: of each pair the present and the former one.
    async fn obstacles(
        _tx: &mut Tx,
        _organization: OrgId,
        _pairs: &[(&Self, &Self)],
    ) -> Result<HashMap<i64, &'static str>> {
        Ok(HashMap::new())
    }

    /// The kind of the entry for a change of fields.
    fn change_kind(before: &Self, after: &Self) -> &'static str;

    /// The kind of the entry for a change from one state to the other.
    fn entry_kind(before: &Self, after: &Self) -> &'static str {
        match (before.deleted_date(), after.deleted_date()) {
            (None, Some(_)) => Self::ENTRIES.deleted,
            (Some(_), None) => Self::ENTRIES.restored,
            _ => Self::change_kind(before, after),
        }
    }
}

impl Undoable for Incident {
    const TYPE: &'static str = "incident";
    const MEMBER: &'static str = "assigned_to";
    const TAGS: TagLinks = incidents::TAGS;

    fn member(&self) -> Option<&Person> {
        self.assigned_to.as_ref()
    }

    fn change_kind(before: &Self, after: &Self) -> &'static str {
        incidents::change_kind(before, after)
    }

    /// A reopening is not undone while a mandatory task is open: the incident would be closed without what closing requires.
    async fn obstacles(
        tx: &mut Tx,
        organization: OrgId,
        pairs: &[(&Self, &Self)],
    ) -> Result<HashMap<i64, &'static str>> {
        let closes = |(now, before): &&(&Self, &Self)| {
            let is_overridden = before.overridden.contains(&Requirement::MandatoryTasksOpen);
            now.status != Status::Closed && before.status == Status::Closed && !is_overridden
        };
        let closed: Vec<i64> = pairs.iter().filter(closes).map(|(now, _)| now.number.number()).collect();
        let mut obstacles = incidents::obstacles(tx, organization, pairs).await?;
        if !closed.is_empty() {
            for number in tasks::with_open_mandatory(tx, organization, &closed).await? {
                obstacles.insert(number, "It would be closed again, and a mandatory task is open.");
            }
        }
        Ok(obstacles)
    }
}

impl Undoable for Risk {
    const TYPE: &'static str = "risk";
    const MEMBER: &'static str = "owner";
    const TAGS: TagLinks = risks::TAGS;

    fn member(&self) -> Option<&Person> {
        self.owner.as_ref()
    }

    fn change_kind(_: &Self, _: &Self) -> &'static str {
        "risk.updated"
    }

    async fn follow(tx: &mut Tx, organization: OrgId, numbers: &[i64], is_deleted: bool) -> Result<()> {
        performance::deleted_or_restored(tx, organization, numbers, is_deleted).await
    }
}
