//! The most that an item may print in all places of a text.

use std::fmt;

use super::template::{Template, Uses};
use super::{DocumentWithItems, Item, ItemKind};
use crate::error::Result;
use crate::fault::{FaultCode, Faults};

/// The most characters that an item prints in all its places together: so the text of a document, of at most 500 items, has at
/// most 67,108,864 with its template and the numbers of its headings.
pub const MAX_PRINTED: usize = 128 * 1024;

/// Whether items print too much in a text. It looks at one item at a time, at the lengths of what it can have, so that whatever
/// is chosen later has room.
#[derive(Debug)]
pub struct PrintedSize<'t>(Uses<'t>);

impl<'t> PrintedSize<'t> {
    /// In a text with this template. One with faults, which are told elsewhere, has room for everything.
    pub fn of(template: Option<&'t str>) -> Self {
        Self(match template {
            None => Uses::listed(),
            Some(template) => Template::parse(template).map(|it| it.uses()).unwrap_or_default(),
        })
    }

    /// Checks a value of an item. Of a choice this is done for all its options at once.
    pub fn check_value(&self, item: &Item, value: &str, pointer: impl fmt::Display, faults: &mut Faults) {
        if let ItemKind::Text { markdown, .. } = &item.kind {
            self.check(item, value, *markdown, pointer, faults);
        }
    }

    /// Checks what an item prints without anybody's doing: its options, and its default.
    pub fn check_item(&self, item: &Item, pointer: &str, faults: &mut Faults) {
        match &item.kind {
            ItemKind::Text { default, .. } => self.check_value(item, default, pointer, faults),
            ItemKind::Select { options, .. } => {
                let longest = options.iter().max_by_key(|it| self.0.printed(&item.id, &it.text, true));
                if let Some(option) = longest {
                    self.check(item, &option.text, true, pointer, faults);
                }
            }
        }
    }

    fn check(
        &self,
        item: &Item,
        text: &str,
        is_markdown: bool,
        pointer: impl fmt::Display,
        faults: &mut Faults,
    ) {
        if self.0.printed(&item.id, text, is_markdown) > MAX_PRINTED {
            let detail = format_args!(
                "The item {} would print more than {MAX_PRINTED} characters in all its places together.",
                item.id
            );
            faults.add(pointer, FaultCode::TooLong, detail);
        }
    }
}

/// Checks that no item of a document prints too much with one of these values, each with the id of its item, whichever comes into
/// force.
///
/// # Errors
/// A fault at the pointer for each.
pub fn check_printed<'v>(
    it: &DocumentWithItems,
    values: impl IntoIterator<Item = (&'v String, &'v String)>,
    pointer: &str,
) -> Result<()> {
    let (size, mut faults) = (PrintedSize::of(it.template.as_deref()), Faults::new());
    for (id, value) in values {
        if let Some(placed) = it.items.iter().find(|placed| placed.item.id == *id) {
            size.check_value(&placed.item, value, pointer, &mut faults);
        }
    }
    faults.or(Some(())).map(drop)
}
