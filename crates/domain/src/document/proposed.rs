//! What a proposal changes of its document beside the values of items.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value, json};

use super::approval_step::steps_to_json;
use super::{DocumentWithItems, Item, ProposalPatch};
use crate::error::{Error, Result};
use crate::fault::Faults;
use crate::ids::RiskNumber;
use crate::json::{self, Json};

crate::words! {
    "ProposalField"
    /// What a proposal can change beside the values of items.
    pub enum ProposalField {
        /// The title.
        Title = "title",
        /// The number in the organization's own system.
        Reference = "reference",
        /// Who may have it.
        Classification = "classification",
        /// For whom it holds.
        Audience = "audience",
        /// The language of the text.
        Language = "language",
        /// The text with places for the items.
        Template = "template",
        /// The steps of its approval.
        ApprovalSteps = "approval_steps",
        /// The items.
        Items = "items",
    }
}

/// The fields that a proposal changes, each with the document's value and the proposed one, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProposedChanges(BTreeMap<ProposalField, [Value; 2]>);

impl ProposedChanges {
    /// What differs between a document and the same as it is proposed.
    pub fn between(document: &DocumentWithItems, proposed: &DocumentWithItems) -> Self {
        let pairs =
            ProposalField::ALL.iter().map(|field| (*field, [document, proposed].map(|it| value(it, *field))));
        Self(pairs.filter(|(_, [before, after])| before != after).collect())
    }

    /// What makes any document the one whose journal says that these are its fields; its steps of approval stay.
    pub fn to_fields(fields: &Map<String, Value>) -> Self {
        let printed = ProposalField::ALL.iter().filter(|field| **field != ProposalField::ApprovalSteps);
        let value = |field: &ProposalField| fields.get(field.as_str()).cloned().unwrap_or_default();
        Self(printed.map(|field| (*field, [Value::Null, value(field)])).collect())
    }

    /// The same, but what is not among these fields stays too.
    pub fn to_some_fields(fields: &Map<String, Value>) -> Self {
        let mut changes = Self::to_fields(fields);
        changes.0.retain(|field, _| fields.contains_key(field.as_str()));
        changes
    }

    /// The changed fields.
    pub fn fields(&self) -> BTreeSet<ProposalField> {
        self.0.keys().copied().collect()
    }

    /// The document's value and the proposed one of a field, if it is changed.
    pub fn get(&self, field: ProposalField) -> Option<&[Value; 2]> {
        self.0.get(&field)
    }

    /// The document's values of the changed fields.
    pub fn previous(&self) -> Value {
        self.object(|[before, _]| before.clone())
    }

    /// The proposed values of the changed fields: a merge patch.
    pub fn proposed(&self) -> Value {
        self.object(|[_, after]| after.clone())
    }

    /// The proposed texts that searches find.
    pub fn texts(&self) -> Vec<String> {
        use ProposalField::{Audience, Items, Reference, Template, Title};
        let searched = [Title, Reference, Audience, Template, Items].into_iter();
        let mut texts = Vec::new();
        searched.filter_map(|field| self.get(field)).for_each(|[_, after]| add_texts(after, &mut texts));
        texts
    }

    /// The text that keeps them; none for no change.
    pub fn to_stored(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.object(|pair| json!(pair)).to_string())
    }

    /// What a text keeps; none if it is no such text.
    pub fn from_stored(text: &str) -> Option<Self> {
        let fields: BTreeMap<String, [Value; 2]> = serde_json::from_str(text).ok()?;
        fields
            .into_iter()
            .map(|(name, pair)| Some((ProposalField::parse(&name)?, pair)))
            .collect::<Option<_>>()
            .map(Self)
    }

    /// The same for a document as it is by now. `risks` are those that there are.
    pub fn rebased(&self, document: &DocumentWithItems, risks: &HashSet<RiskNumber>) -> Result<Self> {
        let proposed = self.patch()?.apply(document, risks)?;
        Ok(proposed.map_or_else(Self::default, |proposed| Self::between(document, &proposed)))
    }

    /// The document as it is proposed.
    pub fn overlaid(&self, document: &DocumentWithItems) -> Result<DocumentWithItems> {
        Ok(self.patch()?.merged(document))
    }

    /// The proposed items; none if they are those of the document.
    pub fn items(&self) -> Result<Option<Vec<Item>>> {
        Ok(self.patch()?.items)
    }

    /// The items that the document had; none if they are not changed.
    pub fn previous_items(&self) -> Result<Option<Vec<Item>>> {
        let Some([items, _]) = self.get(ProposalField::Items) else { return Ok(None) };
        Ok(patch(&json!({"items": items}))?.items)
    }

    fn patch(&self) -> Result<ProposalPatch> {
        patch(&self.proposed())
    }

    fn object(&self, of: impl Fn(&[Value; 2]) -> Value) -> Value {
        Value::Object(
            self.0.iter().map(|(field, pair)| (field.as_str().to_owned(), of(pair))).collect::<Map<_, _>>(),
        )
    }
}

/// Adds a text, or the texts of items and of their options.
fn add_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, texts)),
        Value::Object(members) => {
            let searched = ["label", "guidance", "text", "options"].into_iter();
            let default = members.get("kind").filter(|kind| **kind == "text").map(|_| "default");
            searched
                .chain(default)
                .filter_map(|name| members.get(name))
                .for_each(|value| add_texts(value, texts));
        }
        _ => {}
    }
}

fn patch(stored: &Value) -> Result<ProposalPatch> {
    let mut faults = Faults::new();
    let patch = json::body(Json::from(stored), &mut faults).filter(|_| faults.is_empty());
    patch.ok_or_else(|| Error::Internal(format!("stored changes of a proposal are not valid: {faults:?}")))
}

fn value(it: &DocumentWithItems, field: ProposalField) -> Value {
    let document = &it.document;
    match field {
        ProposalField::Title => json!(document.title),
        ProposalField::Reference => json!(document.reference),
        ProposalField::Classification => json!(document.classification),
        ProposalField::Audience => json!(document.audience),
        ProposalField::Language => json!(document.language),
        ProposalField::Template => json!(it.template),
        ProposalField::ApprovalSteps => steps_to_json(&it.approval_steps),
        ProposalField::Items => it.items.iter().map(|placed| placed.item.to_json()).collect(),
    }
}

crate::words! {
    "RemovedReason"
    /// Why a value has no place in the proposed items.
    pub enum RemovedReason {
        /// The item is gone.
        Item = "item",
        /// The option is gone.
        Option = "option",
        /// The item does not take this text.
        Text = "text",
    }
}

/// A value that has no place in the proposed items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedValue {
    /// The item's id.
    pub node_id: String,
    /// The value that it has.
    pub value: String,
    /// Why it has no place.
    pub reason: RemovedReason,
}
