//! Edits: values that callers select or write for items of a document.

use std::collections::HashMap;

use super::{Item, NodeType};
use crate::fault::{FaultCode, Faults};

/// The most edits of one call; the least is 1.
pub const MAX_EDITS: usize = 1_000;

/// A new value of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The item's id.
    pub node_id: String,
    /// The item's kind.
    pub node_type: NodeType,
    /// The id of the option, or the text.
    pub value: String,
}

/// Checks how many edits were sent.
pub fn edits_count(count: usize, pointer: &str, faults: &mut Faults) {
    if count == 0 {
        faults.add(pointer, FaultCode::TooFew, "must have at least one edit");
    } else if count > MAX_EDITS {
        faults.add(pointer, FaultCode::TooMany, format_args!("must have at most {MAX_EDITS} edits"));
    }
}

/// Reads the kind of an edit.
pub fn node_type(text: &str, pointer: &str, faults: &mut Faults) -> Option<NodeType> {
    let node_type = NodeType::parse(text);
    if node_type.is_none() {
        faults.add(pointer, FaultCode::Enum, "must be select or text");
    }
    node_type
}

/// Checks edits against the items of their document: the item is there, the kind is its own, the value
/// can go into it.
pub fn check_edits(items: &[Item], edits: &[Edit], faults: &mut Faults) {
    let items: HashMap<&str, &Item> = items.iter().map(|item| (item.id.as_str(), item)).collect();
    for (index, edit) in edits.iter().enumerate() {
        let Some(item) = items.get(edit.node_id.as_str()) else {
            let detail = "The document has no item with this id.";
            faults.add(format_args!("#/{index}/node_id"), FaultCode::UnknownItem, detail);
            continue;
        };
        let kind = item.kind.node_type();
        if kind == edit.node_type {
            item.kind.check_value(&edit.value, &format!("#/{index}/value"), faults);
        } else {
            let detail = format!("The item is of kind {}.", kind.as_str());
            faults.add(format_args!("#/{index}/node_type"), FaultCode::KindMismatch, detail);
        }
    }
}
