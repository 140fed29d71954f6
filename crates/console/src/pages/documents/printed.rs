//! The text of a document as a page shows it.

use std::collections::{HashMap, HashSet};

use domain::Faults;
use domain::document::{
    DocumentWithItems, ItemKind, NewDocument, PlacedItem, PrintedSize, PrintedText, RecordedEdit,
};
use http::Error;

use crate::frame::form::Form;
use crate::frame::page_request::Result;
use crate::texts;

/// The text with these values; none without a template, and where it cannot be printed.
pub(super) fn printed(it: &NewDocument, values: HashMap<&str, &str>) -> Option<String> {
    it.template.as_ref().and_then(|_| printed_or_listed(it, values))
}

/// The same, and without a template the list of the items.
pub(super) fn printed_or_listed(it: &NewDocument, values: HashMap<&str, &str>) -> Option<String> {
    let text = PrintedText {
        title: &it.title,
        reference: it.reference.as_deref(),
        classification: it.classification.as_str(),
        audience: &it.audience,
        language: &it.language,
        effective_date: None,
        is_material: None,
        template: it.template.as_deref(),
        items: it.items.iter().collect(),
        values,
    };
    text.body().ok()
}

/// What a page prints of a document as it is proposed.
pub(super) struct Proposed {
    pub(super) it: DocumentWithItems,
    /// The latest edit of each item.
    pub(super) edits: HashMap<String, RecordedEdit>,
    pub(super) form: Form,
    /// The text, if it was asked for.
    pub(super) text: Option<String>,
    /// What the text says with the value of the form, if that asks for it.
    pub(super) result: Option<String>,
    /// Why it does not take that value.
    pub(super) refused: Option<String>,
}

impl Proposed {
    /// Prints the text, and what it says with the value of the form. Both may be long: this is done on a thread of its own.
    pub(super) async fn print(
        it: DocumentWithItems,
        edits: HashMap<String, RecordedEdit>,
        form: Form,
        has_text: bool,
    ) -> Result<Self> {
        let print = move || {
            let mut proposed = Self { it, edits, form, text: None, result: None, refused: None };
            if has_text {
                proposed.text = proposed.body(&Form::default());
            }
            if proposed.form.has("preview") {
                proposed.refused = proposed.refusal();
                proposed.result = if proposed.refused.is_none() { proposed.chosen() } else { None };
            }
            proposed
        };
        let printing = tokio::task::spawn_blocking(print);
        printing.await.map_err(|_| Error::internal("the printing of a text ended early"))
    }

    /// The item of the form.
    fn placed(&self) -> Option<&PlacedItem> {
        self.it.items.iter().find(|placed| self.form.is("item", &placed.item.id))
    }

    /// What is wrong with the value of the form.
    fn refusal(&self) -> Option<String> {
        let (item, value, mut faults) = (&self.placed()?.item, self.form.text("value"), Faults::new());
        item.kind.check_value(value, "#/value", &mut faults);
        PrintedSize::of(self.it.template.as_deref()).check_value(item, value, "#/value", &mut faults);
        faults.into_iter().next().map(|fault| fault.sentence())
    }

    /// The text with the value of a form, else with what is proposed.
    fn body(&self, form: &Form) -> Option<String> {
        let value = |placed: &'_ PlacedItem| {
            if form.is("item", &placed.item.id) {
                return Some(form.text("value").to_owned());
            }
            let edit = self.edits.get(&placed.item.id).map(|edit| edit.value.clone());
            edit.or_else(|| placed.value_or_default().map(str::to_owned))
        };
        let items = self.it.items.iter();
        let values: HashMap<&str, String> =
            items.filter_map(|placed| Some((placed.item.id.as_str(), value(placed)?))).collect();
        printed(&self.it.as_new(), values.iter().map(|(id, value)| (*id, value.as_str())).collect())
    }

    /// What the text says with the value of the form: the paragraphs that it changes. Without a template it is the value.
    fn chosen(&self) -> Option<String> {
        let placed = self.placed()?;
        let Some(after) = self.body(&self.form) else {
            return Some(words(placed, self.form.text("value")));
        };
        let before = self.body(&Form::default()).unwrap_or_default();
        if before == after {
            return Some(texts::TEXT_STAYS.to_owned());
        }
        let known: HashSet<&str> = before.trim_end().split("\n\n").collect();
        let changed = after.trim_end().split("\n\n").filter(|part| !known.contains(part));
        let changed = changed.collect::<Vec<_>>().join("\n\n");
        Some(if changed.is_empty() { texts::TEXT_LEFT_OUT.to_owned() } else { changed })
    }
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
