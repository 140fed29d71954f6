//! How an item is stored in its table, and how the journal records it.

use db::{Param, Tx};
use domain::document::{Control, Item, ItemKind, NodeType, PlacedItem, SelectOption};
use domain::{OrgId, RiskNumber};
use serde::Deserialize;
use serde_json::json;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::record::{Record as _, Stored, record};

/// An item as its table has it.
#[derive(Debug, Clone)]
pub(super) struct ItemRow {
    document: String,
    position: i64,
    id: String,
    kind: NodeType,
    label: String,
    guidance: Option<String>,
    required: bool,
    material: bool,
    risks: Vec<RiskNumber>,
    controls: Vec<Control>,
    default_value: Option<String>,
    /// Of a selection.
    options: Option<String>,
    /// Of a text.
    max_length: Option<i64>,
    /// Of a text.
    multiline: Option<bool>,
    /// Of a text.
    markdown: Option<bool>,
    value: Option<String>,
}

record! {
    ItemRow in "document_item" {
        document: Plain => Key,
        position: Plain => Key,
        id: Plain => Fixed,
        kind: AWord => Fixed,
        label: Plain => Fixed,
        guidance: Plain => Fixed,
        required: Plain => Fixed,
        material: Plain => Fixed,
        risks: AList => Fixed,
        controls: AList => Fixed,
        default_value: Plain => Fixed,
        options: Plain => Fixed,
        max_length: Plain => Fixed,
        multiline: Plain => Fixed,
        markdown: Plain => Fixed,
        value: Plain => Counted,
    }
}

impl ItemRow {
    /// The row of an item.
    pub(super) fn new(document: &str, position: i64, PlacedItem { item, value }: &PlacedItem) -> Self {
        let (default_value, options, max_length, multiline, markdown) = match &item.kind {
            ItemKind::Select { options, default } => {
                (default.clone(), Some(json!(options).to_string()), None, None, None)
            }
            ItemKind::Text { default, max_length, multiline, markdown } => {
                (Some(default.clone()), None, Some(*max_length), Some(*multiline), Some(*markdown))
            }
        };
        Self {
            document: document.to_owned(),
            position,
            id: item.id.clone(),
            kind: item.kind.node_type(),
            label: item.label.clone(),
            guidance: item.guidance.clone(),
            required: item.required,
            material: item.material,
            risks: item.risks.clone(),
            controls: item.controls.clone(),
            default_value,
            options,
            max_length,
            multiline,
            markdown,
            value: value.clone(),
        }
    }
}

impl TryFrom<ItemRow> for PlacedItem {
    type Error = db::Error;

    fn try_from(row: ItemRow) -> db::Result<Self> {
        let ItemRow { id, label, guidance, required, material, risks, controls, value, .. } = row;
        let damaged =
            |column: &str| db::Error::Internal(format!("document_item.{column} of {id} is damaged"));
        let kind = match row.kind {
            NodeType::Select => {
                let options = row.options.as_deref().and_then(options_from_text);
                let options = options.ok_or_else(|| damaged("options"))?;
                ItemKind::Select { options, default: row.default_value }
            }
            NodeType::Text => ItemKind::Text {
                default: row.default_value.unwrap_or_default(),
                max_length: row.max_length.ok_or_else(|| damaged("max_length"))?,
                multiline: row.multiline.unwrap_or_default(),
                markdown: row.markdown.unwrap_or_default(),
            },
        };
        let item = Item { id, label, guidance, required, material, risks, controls, kind };
        Ok(Self { item, value })
    }
}

/// Those of the items `ids` that a document has. `ids` is a JSON array.
pub(crate) async fn items_among(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    ids: &str,
) -> Result<Vec<PlacedItem>> {
    let sql = format!(
        "SELECT {} FROM document_item AS r
         WHERE r.organization = $1 AND r.document = $2 AND r.id IN (SELECT item FROM {})",
        ItemRow::statements().columns,
        wanted_texts(tx.engine(), "$3")
    );
    let params: [&dyn Param; 3] = [&organization.uuid(), &slug, &ids];
    let rows: Vec<Stored<ItemRow>> = tx.query(&sql, &params).await?;
    rows.into_iter().map(|Stored(row)| Ok(PlacedItem::try_from(row)?)).collect()
}

/// An option in the column `options`.
#[derive(Deserialize)]
struct StoredOption {
    id: String,
    label: String,
    text: String,
    guidance: Option<String>,
    weakens: bool,
}

fn options_from_text(text: &str) -> Option<Vec<SelectOption>> {
    let options: Vec<StoredOption> = serde_json::from_str(text).ok()?;
    let option = |option| {
        let StoredOption { id, label, text, guidance, weakens } = option;
        SelectOption { id, label, text, guidance, weakens }
    };
    Some(options.into_iter().map(option).collect())
}
