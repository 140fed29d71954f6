//! The kinds of records whose changes can be undone, as the registry has them.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::{Author, OrgId};

use super::{ChangedRecord, Request};
use crate::ledger::records::page::Outcome;

type Costs = for<'t> fn(&'t mut Tx, OrgId, &'t [&'t str]) -> Outcome<'t, HashMap<String, i64>>;
type Unseen = for<'t> fn(&'t mut Tx, OrgId, &'t Author, &'t [i64]) -> Outcome<'t, HashSet<i64>>;

/// A kind of records whose changes can be undone; [`undoable!`] makes it.
pub(crate) struct UndoableKind {
    /// What its entries call it.
    pub(crate) name: &'static str,
    /// What it costs to write these records, by id.
    pub(crate) costs: Costs,
    /// Those of these records that the author does not see.
    pub(crate) unseen: Unseen,
    /// Undoes what a request did to those of these records that are of this kind.
    pub(crate) undo: for<'t> fn(&'t mut Tx, &'t Request<'t>, &'t mut [ChangedRecord]) -> Outcome<'t, ()>,
}

/// The kind of an [`Undoable`] record: its futures can be sent to another thread only where the record is known.
macro_rules! undoable {
    ($record:ty) => {
        $crate::ledger::undo::UndoableKind {
            name: <$record as $crate::ledger::undo::Undoable>::TYPE,
            costs: |tx, of, ids| Box::pin($crate::ledger::undo::costs::<$record>(tx, of, ids)),
            unseen: |tx, of, author, numbers| {
                Box::pin(<$record as $crate::ledger::undo::Undoable>::unseen(tx, of, author, numbers))
            },
            undo: |tx, request, changed| {
                Box::pin($crate::ledger::undo::undo_all::<$record>(tx, request, changed))
            },
        }
    };
}

pub(crate) use undoable;
