//! Undoing changes of the tags on documents.

use std::collections::{HashMap, HashSet};

use domain::document::Document;

use super::tag_links::TAGS;
use crate::ledger::undo::{UndoableKind, undo_tags};

/// Documents, of whose changes only those of tags can be undone.
pub(crate) const UNDOABLE: UndoableKind = UndoableKind {
    name: "document",
    costs: |_, _, _| Box::pin(async { Ok(HashMap::new()) }),
    unseen: |_, _, _, _| Box::pin(async { Ok(HashSet::new()) }),
    undo: |tx, request, changed| Box::pin(undo_tags::<Document>(tx, request, changed, "document", &TAGS)),
};
