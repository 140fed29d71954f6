//! Edits: values that callers select or write for items of a document.

use std::collections::HashMap;

use macros::Body;

use super::item::{ID_CHARACTERS, Item, NodeType};
use super::list::{read_list, repeated};
use super::printed_size::PrintedSize;
use crate::fault::{FaultCode, Faults};
use crate::json::{Json, Pointer};
use crate::schema::Schema;
use crate::text::{self, ProseOrEmpty};

/// The most edits of one call; the least is 1.
pub const MAX_EDITS: usize = 1_000;

/// A selection made on an item of a document.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct Edit {
    /// Id of the document item that was changed.
    #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), example = "mfa")]
    pub node_id: String,
    /// Kind of the selection: that of the item.
    pub node_type: NodeType,
    /// With `select` the id of the selected option, with `text` the text itself.
    #[body(schema = ProseOrEmpty::SCHEMA, example = "all")]
    pub value: String,
}

/// Reads the edits of one request.
pub fn read_edits(body: Json<'_>, faults: &mut Faults) -> Option<Vec<Edit>> {
    read_list(body, Pointer::ROOT, faults, "node_id", "edit", MAX_EDITS)
}

/// Checks that each edit is of another item.
pub fn check_distinct(edits: &[Edit], faults: &mut Faults) {
    for index in repeated(edits.iter().map(|edit| Some(edit.node_id.as_str()))) {
        let detail = "An element before this one has the same id.";
        faults.add(format_args!("#/{index}/node_id"), FaultCode::Duplicate, detail);
    }
}

/// Checks edits against the items of their document: the item is there, the kind is its own, the value
/// can go into it, and the text with this template has room for it.
pub fn check_edits(items: &[Item], template: Option<&str>, edits: &[Edit], faults: &mut Faults) {
    let size = PrintedSize::of(template);
    let items: HashMap<&str, &Item> = items.iter().map(|item| (item.id.as_str(), item)).collect();
    for (index, edit) in edits.iter().enumerate() {
        let Some(item) = items.get(edit.node_id.as_str()) else {
            let detail = "The document has no item with this id.";
            faults.add(format_args!("#/{index}/node_id"), FaultCode::UnknownItem, detail);
            continue;
        };
        let kind = item.kind.node_type();
        if kind == edit.node_type {
            let pointer = format!("#/{index}/value");
            let mut found = Faults::new();
            item.kind.check_value(&edit.value, &pointer, &mut found);
            if found.is_empty() {
                size.check_value(item, &edit.value, &pointer, &mut found);
            }
            faults.extend(found);
        } else {
            let detail = format!("The item is of kind {}.", kind.as_str());
            faults.add(format_args!("#/{index}/node_type"), FaultCode::KindMismatch, detail);
        }
    }
}
