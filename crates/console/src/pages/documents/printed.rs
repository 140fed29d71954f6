//! The text of a document as a page shows it.

use std::collections::{HashMap, HashSet};

use domain::document::{DocumentWithItems, ItemKind, NewDocument, PlacedItem, PrintedText, RecordedEdit};

use crate::frame::form::Form;
use crate::texts;

/// The text with these values; none without a template, and where it cannot be printed.
pub(super) fn printed(it: &NewDocument, values: HashMap<&str, &str>) -> Option<String> {
    let text = PrintedText {
        title: &it.title,
        reference: it.reference.as_deref(),
        classification: it.classification.as_str(),
        audience: &it.audience,
        language: &it.language,
        effective_date: None,
        is_material: None,
        template: Some(it.template.as_deref()?),
        items: it.items.iter().collect(),
        values,
    };
    text.body().ok()
}

/// The text with the value of a form, else with what is proposed.
pub(super) fn proposed_text(
    it: &DocumentWithItems,
    proposed: &HashMap<String, RecordedEdit>,
    form: &Form,
) -> Option<String> {
    let value = |placed: &'_ PlacedItem| {
        if form.is("item", &placed.item.id) {
            return Some(form.text("value").to_owned());
        }
        let edit = proposed.get(&placed.item.id).map(|edit| edit.value.clone());
        edit.or_else(|| placed.value.clone()).or_else(|| placed.item.default_value().map(str::to_owned))
    };
    let values: HashMap<&str, String> =
        it.items.iter().filter_map(|placed| Some((placed.item.id.as_str(), value(placed)?))).collect();
    printed(&it.as_new(), values.iter().map(|(id, value)| (*id, value.as_str())).collect())
}

/// What a text says with the value of a form: the paragraphs that it changes. Without a template it is the value.
pub(super) fn chosen(
    it: &DocumentWithItems,
    proposed: &HashMap<String, RecordedEdit>,
    form: &Form,
) -> Option<String> {
    let placed = it.items.iter().find(|placed| form.is("item", &placed.item.id))?;
    let Some(after) = proposed_text(it, proposed, form) else {
        return Some(words(placed, form.text("value")));
    };
    let before = proposed_text(it, proposed, &Form::default()).unwrap_or_default();
    if before == after {
        return Some(texts::TEXT_STAYS.to_owned());
    }
    let known: HashSet<&str> = before.trim_end().split("\n\n").collect();
    let changed = after.trim_end().split("\n\n").filter(|part| !known.contains(part));
    let changed = changed.collect::<Vec<_>>().join("\n\n");
    Some(if changed.is_empty() { texts::TEXT_LEFT_OUT.to_owned() } else { changed })
}

/// The value of an item as it reads in the text.
pub(super) fn words(placed: &PlacedItem, value: &str) -> String {
    match &placed.item.kind {
        ItemKind::Select { options, .. } => {
            let option = options.iter().find(|option| option.id == value);
            option.map_or_else(|| value.to_owned(), |option| option.text.clone())
        }
        ItemKind::Text { .. } => value.to_owned(),
    }
}
