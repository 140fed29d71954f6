//! Changing what a proposal publishes beside the values of items, by a merge patch (RFC 7396).

use std::collections::HashSet;

use macros::Body;

use super::approval_step::{ApprovalStep, MAX_STEPS, read_steps};
use super::new_item::{NewItem, read_items};
use super::{
    Classification, DocumentWithItems, Item, Language, MAX_ITEMS, PlacedItem, PrintedSize, template_faults,
};
use crate::change::{Change, merge};
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::ids::RiskNumber;
use crate::text::{Line, LineOrEmpty, Prose};

/// A merge patch (RFC 7396) of the document as a proposal publishes it: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch)]
pub struct ProposalPatch {
    /// One line, not blank.
    #[body(example = "Access control policy")]
    pub title: Option<Line>,
    /// The document's number in the organization's own system; unique.
    #[body(example = "ISMS-POL-04")]
    pub reference: Change<Line>,
    /// Who may have it.
    pub classification: Option<Classification>,
    /// For whom it holds, one line.
    pub audience: Option<LineOrEmpty>,
    /// The language of its text (BCP 47).
    pub language: Option<Language>,
    /// The text, Markdown with places for the items (docs/documents.md, "Templates"). Without one, the items are printed as a
    /// list. An item prints at most 131,072 characters in all its places together.
    #[body(example = "# Who signs in\n\nAll do.\n")]
    pub template: Change<Prose>,
    /// The steps in which the next versions are approved; the present ones approve this change.
    #[body(read = read_steps, schema = <Vec<ApprovalStep>>::SCHEMA, most = MAX_STEPS)]
    pub approval_steps: Option<Vec<ApprovalStep>>,
    /// All items, in the order of the document. An item keeps its value by its id.
    #[body(read = read_items, schema = <Vec<NewItem>>::SCHEMA, most = MAX_ITEMS)]
    pub items: Option<Vec<Item>>,
}

impl ProposalPatch {
    /// The document with what this changes, unchecked.
    pub(super) fn merged(&self, before: &DocumentWithItems) -> DocumentWithItems {
        let mut after = before.clone();
        let it = &mut after.document;
        merge!(self into it: title, reference, classification, audience, language);
        let whole = &mut after;
        merge!(self into whole: template, approval_steps);
        if let Some(items) = &self.items {
            after.items = placed(items, &before.items);
        }
        after
    }

    /// Where it is told that an item prints too much.
    pub fn printed_at(&self) -> &'static str {
        if self.template.is_sent() { "#/template" } else { "#/items" }
    }

    /// The document as the proposal publishes it after this, or `None` if nothing changes. `risks` are those of the patch's items
    /// that there are; an item can go on to name one that was deleted.
    pub fn apply(
        &self,
        before: &DocumentWithItems,
        risks: &HashSet<RiskNumber>,
    ) -> Result<Option<DocumentWithItems>> {
        let after = self.merged(before);
        if after == *before {
            return Ok(None);
        }
        let mut faults = Faults::new();
        let items: Vec<_> = after.items.iter().map(|placed| placed.item.clone()).collect();
        match &after.template {
            Some(template) => {
                for fault in template_faults(template, &items) {
                    faults.add("#/template", FaultCode::Template, fault);
                }
            }
            None if items.is_empty() => {
                faults.add(
                    "#/items",
                    FaultCode::TooFew,
                    "must have at least one item, unless there is a template",
                );
            }
            None => {}
        }
        let size = PrintedSize::of(after.template.as_deref());
        for PlacedItem { item, value } in &after.items {
            size.check_item(item, self.printed_at(), &mut faults);
            size.check_value(item, value.as_deref().unwrap_or_default(), self.printed_at(), &mut faults);
        }
        let named = before.items.iter().flat_map(|placed| &placed.item.risks);
        let known = risks.iter().chain(named).copied().collect();
        check_risks(self.items.as_deref().unwrap_or_default(), &known, &mut faults);
        faults.or(Some(after))
    }
}

/// These items with the values that items of the same ids have.
pub fn placed(items: &[Item], before: &[PlacedItem]) -> Vec<PlacedItem> {
    let value = |id: &str| before.iter().find(|placed| placed.item.id == id).and_then(|it| it.value.clone());
    items.iter().map(|item| PlacedItem { value: value(&item.id), item: item.clone() }).collect()
}

/// Checks that there are the risks that these items concern.
pub(super) fn check_risks(items: &[Item], risks: &HashSet<RiskNumber>, faults: &mut Faults) {
    for (at, item) in items.iter().enumerate() {
        for (place, _) in item.risks.iter().enumerate().filter(|(_, risk)| !risks.contains(risk)) {
            let pointer = format_args!("#/items/{at}/risks/{place}");
            faults.add(pointer, FaultCode::UnknownRisk, "There is no risk with this id.");
        }
    }
}
