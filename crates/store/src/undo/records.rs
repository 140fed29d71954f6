//! The kinds of records whose changes can be undone.

use db::Tx;
use domain::incident::Incident;
use domain::person::Person;
use domain::risk::Risk;
use domain::{IncidentNumber, OrgId, RiskNumber};
use jiff::Timestamp;

use super::tags::Tags;
use crate::error::Result;
use crate::list::TagLink;
use crate::trash::Deletable;
use crate::{incidents, performance, risks};

/// A record whose changes, deletion and restoration can be undone.
pub(super) trait Undoable: Deletable {
    /// What its entries call it.
    const TYPE: &'static str;
    /// The field that names a member of the organization.
    const MEMBER: &'static str;
    /// The tags on it.
    const TAGS: Option<Tags>;

    /// The number in an id.
    fn number_of(id: &str) -> Option<i64>;

    /// Its number.
    fn number(&self) -> i64;

    /// The entry of its latest change.
    fn seq_from(&self) -> i64;

    /// The same state, begun by this entry.
    fn begun_by(self, seq: i64) -> Self;

    /// When it was deleted, if it is.
    fn deleted_date(&self) -> Option<Timestamp>;

    /// The member that it names.
    fn member(&self) -> Option<&Person>;

    /// This state as the next version of the record, which is `now` at present.
    fn after(&self, now: &Self, at: Timestamp) -> Self;

    /// Updates what is derived from records that were deleted or restored.
    async fn follow(tx: &mut Tx, organization: OrgId, numbers: &[i64], is_deleted: bool) -> Result<()>;

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
    const TAGS: Option<Tags> = None;

    fn number_of(id: &str) -> Option<i64> {
        IncidentNumber::parse_prefixed(id).map(IncidentNumber::number)
    }

    fn number(&self) -> i64 {
        self.number.number()
    }

    fn seq_from(&self) -> i64 {
        self.seq_from
    }

    fn begun_by(self, seq_from: i64) -> Self {
        Self { seq_from, ..self }
    }

    fn deleted_date(&self) -> Option<Timestamp> {
        self.deleted_date
    }

    fn member(&self) -> Option<&Person> {
        self.assigned_to.as_ref()
    }

    fn after(&self, now: &Self, at: Timestamp) -> Self {
        Self { updated_date: at, version: now.version + 1, ..self.clone() }
    }

    fn change_kind(before: &Self, after: &Self) -> &'static str {
        incidents::change_kind(before, after)
    }

    async fn follow(_: &mut Tx, _: OrgId, _: &[i64], _: bool) -> Result<()> {
        Ok(())
    }
}

impl Undoable for Risk {
    const TYPE: &'static str = "risk";
    const MEMBER: &'static str = "owner";
    const TAGS: Option<Tags> = Some(Tags {
        link: TagLink { table: "risk_tag", record: "risk" },
        added: "risk.tag_added",
        removed: "risk.tag_removed",
        field: risks::tag_field,
    });

    fn number_of(id: &str) -> Option<i64> {
        RiskNumber::parse(id).map(RiskNumber::number)
    }

    fn number(&self) -> i64 {
        self.number.number()
    }

    fn seq_from(&self) -> i64 {
        self.seq_from
    }

    fn begun_by(self, seq_from: i64) -> Self {
        Self { seq_from, ..self }
    }

    fn deleted_date(&self) -> Option<Timestamp> {
        self.deleted_date
    }

    fn member(&self) -> Option<&Person> {
        self.owner.as_ref()
    }

    fn after(&self, now: &Self, at: Timestamp) -> Self {
        Self { updated_date: at, version: now.version + 1, ..self.clone() }
    }

    fn change_kind(_: &Self, _: &Self) -> &'static str {
        "risk.updated"
    }

    async fn follow(tx: &mut Tx, organization: OrgId, numbers: &[i64], is_deleted: bool) -> Result<()> {
        performance::deleted_or_restored(tx, organization, numbers, is_deleted).await
    }
}
