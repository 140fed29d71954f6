//! The kinds of records whose changes can be undone.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::person::Person;
use domain::{Author, OrgId};

use super::{ChangedRecord, Request};
use crate::error::Result;
use crate::record::Versioned;
use crate::records::page::Outcome;
use crate::tag_links::TagLinks;
use crate::trash::Deletable;

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

/// A kind of records whose changes can be undone; [`undoable!`] makes it.
pub(crate) struct UndoableKind {
    /// What its entries call it.
    pub(crate) name: &'static str,
    /// What it costs to write these records, by number.
    pub(crate) costs: for<'t> fn(&'t mut Tx, OrgId, &'t [i64]) -> Outcome<'t, HashMap<i64, i64>>,
    /// Those of these records that the author does not see.
    pub(crate) unseen: for<'t> fn(&'t mut Tx, OrgId, &'t Author, &'t [i64]) -> Outcome<'t, HashSet<i64>>,
    /// Undoes what a request did to those of these records that are of this kind.
    pub(crate) undo: for<'t> fn(&'t mut Tx, &'t Request<'t>, &'t mut [ChangedRecord]) -> Outcome<'t, ()>,
}

/// The kind of an [`Undoable`] record: its futures can be sent to another thread only where the record is known.
macro_rules! undoable {
    ($record:ty) => {
        $crate::undo::UndoableKind {
            name: <$record as $crate::undo::Undoable>::TYPE,
            costs: |tx, of, numbers| Box::pin($crate::undo::costs::<$record>(tx, of, numbers)),
            unseen: |tx, of, author, numbers| {
                Box::pin(<$record as $crate::undo::Undoable>::unseen(tx, of, author, numbers))
            },
            undo: |tx, request, changed| Box::pin($crate::undo::undo_all::<$record>(tx, request, changed)),
        }
    };
}

pub(crate) use undoable;
