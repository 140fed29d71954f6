//! Edits of a document's items.

use domain::Faults;
use domain::document::{self, Edit, NodeType};
use http::json::{Fields, Json, Pointer, array};
use http::word::{OneOf, word};
use utoipa::ToSchema;

/// A selection made on an item of a document.
#[derive(ToSchema)]
#[schema(as = Edit)]
#[expect(dead_code, reason = "describes the body, which `read_edits` reads")]
pub struct EditInput {
    /// Id of the document item that was changed.
    #[schema(examples("mfa"))]
    node_id: String,
    /// Kind of the selection: that of the item.
    node_type: NodeTypeInput,
    /// With `select` the id of the selected option, with `text` the text itself.
    #[schema(examples("all"), max_length = 65536)]
    value: String,
}

type NodeTypeInput = OneOf<NodeType>;

/// Reads the edits of one request.
pub fn read_edits(body: Json<'_>, faults: &mut Faults) -> Option<Vec<Edit>> {
    let elements = array(body, Pointer::ROOT, faults)?;
    document::edits_count(elements.len(), "#", faults);
    if elements.len() > document::MAX_EDITS {
        // The faults of so many edits are not listed.
        return None;
    }
    let (ids, edits): (Vec<_>, Vec<_>) = elements
        .into_iter()
        .enumerate()
        .map(|(index, element)| read_edit(element, &Pointer::ROOT.index(index), faults))
        .unzip();
    document::ids_distinct(ids.iter().map(Option::as_deref), "#", "node_id", faults);
    edits.into_iter().collect()
}

fn read_edit(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> (Option<String>, Option<Edit>) {
    let Some(mut fields) = Fields::of(value, at, faults) else { return (None, None) };
    let node_id = fields.required::<String>("node_id");
    let node_type = fields.required_with("node_type", word);
    let value = fields.required::<String>("value");
    fields.finish();
    let edit = match (&node_id, node_type, value) {
        (Some(node_id), Some(node_type), Some(value)) => {
            Some(Edit { node_id: node_id.clone(), node_type, value })
        }
        _ => None,
    };
    (node_id, edit)
}
