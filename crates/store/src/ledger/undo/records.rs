//! The kinds of records whose changes can be undone.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::person::Person;
use domain::{Author, OrgId};

use crate::ledger::error::Result;
use crate::ledger::record::Versioned;
use crate::ledger::tag_links::TagLinks;
use crate::ledger::trash::Deletable;

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

    /// Those of these records that the author does not see.
    async fn unseen(_: &mut Tx, _: OrgId, _: &Author, _numbers: &[i64]) -> Result<HashSet<i64>> {
        Ok(HashSet::new())
    }

    /// Updates what is derived from records that were changed, deleted or restored.
    async fn follow(_: &mut Tx, _: OrgId, _: &Author, _numbers: &[i64]) -> Result<()> {
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
