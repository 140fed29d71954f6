//! An item as JSON, in the journal and in proposals: the same members as of a new item.

use serde_json::{Value, json};

use super::{Item, ItemKind};

impl Item {
    /// The item, as it can be sent again.
    pub fn to_json(&self) -> Value {
        let common = json!({
            "id": self.id,
            "kind": self.kind.node_type(),
            "label": self.label,
            "guidance": self.guidance,
            "required": self.required,
            "material": self.material,
            "risks": self.risks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "controls": self.controls,
        });
        let own = match &self.kind {
            ItemKind::Select { options, default } => json!({"default": default, "options": options}),
            ItemKind::Text { default, max_length, multiline, markdown } => {
                json!({"default": default, "max_length": max_length, "multiline": multiline, "markdown": markdown})
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
}
