//! How an item lies in its table, and how the journal tells of it.

use db::{FromRow, Row};
use domain::document::{Item, ItemKind, NodeType, PlacedItem, SelectOption};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The columns of an [`ItemRow`].
pub(super) const COLUMNS: &str =
    "id, kind, label, guidance, required, default_value, options, max_length, multiline, value";

/// An item as it is read.
pub(super) struct ItemRow(pub(super) PlacedItem);

impl FromRow for ItemRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let id: String = row.get(0)?;
        let kind: String = row.get(1)?;
        let damaged =
            |column: &str| db::Error::Internal(format!("document_item.{column} of {id} is damaged"));
        let kind = match NodeType::parse(&kind).ok_or_else(|| damaged("kind"))? {
            NodeType::Select => {
                let options: Option<String> = row.get(6)?;
                let options =
                    options.as_deref().and_then(options_from_text).ok_or_else(|| damaged("options"))?;
                ItemKind::Select { options, default: row.get(5)? }
            }
            NodeType::Text => ItemKind::Text {
                default: row.get::<Option<String>>(5)?.unwrap_or_default(),
                max_length: row.get::<Option<i64>>(7)?.ok_or_else(|| damaged("max_length"))?,
                multiline: row.get::<Option<bool>>(8)?.unwrap_or_default(),
            },
        };
        let (label, guidance, required, value) = (row.get(2)?, row.get(3)?, row.get(4)?, row.get(9)?);
        Ok(Self(PlacedItem { item: Item { id, label, guidance, required, kind }, value }))
    }
}

/// An option in the column `options`.
#[derive(Serialize, Deserialize)]
struct StoredOption {
    id: String,
    label: String,
    text: String,
    guidance: Option<String>,
    weakens: bool,
}

/// The text of the column `options`.
pub(super) fn options_to_text(options: &[SelectOption]) -> String {
    json!(options.iter().map(stored).collect::<Vec<_>>()).to_string()
}

fn options_from_text(text: &str) -> Option<Vec<SelectOption>> {
    let options: Vec<StoredOption> = serde_json::from_str(text).ok()?;
    let option = |option| {
        let StoredOption { id, label, text, guidance, weakens } = option;
        SelectOption { id, label, text, guidance, weakens }
    };
    Some(options.into_iter().map(option).collect())
}

fn stored(option: &SelectOption) -> StoredOption {
    let SelectOption { id, label, text, guidance, weakens } = option.clone();
    StoredOption { id, label, text, guidance, weakens }
}

/// An item as the journal has it.
pub(super) fn journaled_item(item: &Item) -> Value {
    let common = json!({
        "id": item.id,
        "kind": item.kind.node_type().as_str(),
        "label": item.label,
        "guidance": item.guidance,
        "required": item.required,
    });
    let own = match &item.kind {
        ItemKind::Select { options, default } => {
            json!({"default": default, "options": options.iter().map(stored).collect::<Vec<_>>()})
        }
        ItemKind::Text { default, max_length, multiline } => {
            json!({"default": default, "max_length": max_length, "multiline": multiline})
        }
    };
    match (common, own) {
        (Value::Object(mut common), Value::Object(own)) => {
            common.extend(own);
            Value::Object(common)
        }
        (common, _) => common,
    }
}
