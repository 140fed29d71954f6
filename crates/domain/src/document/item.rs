//! Items: the places of a document where a choice or a text goes.

use std::collections::HashSet;

use crate::fault::{FaultCode, Faults};
use crate::text;

/// The most items of a document; the least is 1.
pub const MAX_ITEMS: usize = 500;

/// The most options of an item; the least is 1.
pub const MAX_OPTIONS: usize = 100;

/// The most characters of an item's or option's id.
pub const ID_CHARACTERS: usize = 80;

/// The most characters that a text item may allow; the least is 1.
pub const MAX_TEXT_LENGTH: i64 = 65_536;

/// The characters that a text item allows when it does not say.
pub const DEFAULT_TEXT_LENGTH: i64 = 2_000;

/// A place of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Unique in the document.
    pub id: String,
    /// What it asks for.
    pub label: String,
    /// Markdown that helps to decide.
    pub guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted.
    pub required: bool,
    /// What goes into it.
    pub kind: ItemKind,
}

/// What goes into an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemKind {
    /// One of these options.
    Select {
        /// In the order in which they are offered.
        options: Vec<SelectOption>,
        /// The id of the option that a form offers first. It is not a value until it is chosen.
        default: Option<String>,
    },
    /// A text.
    Text {
        /// The text that a form offers first. It is not a value until it is submitted.
        default: String,
        /// The most characters.
        max_length: i64,
        /// Whether it may have several lines.
        multiline: bool,
    },
}

/// One option of a select item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectOption {
    /// Unique in the item.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// What is printed when it is chosen.
    pub text: String,
    /// Markdown that helps to decide.
    pub guidance: Option<String>,
    /// Whether choosing it makes the policy weaker.
    pub weakens: bool,
}

crate::words! {
    "NodeType"
    /// The kinds of items by name; an edit must name its item's own kind.
    pub enum NodeType {
        /// The value is the id of an option.
        Select = "select",
        /// The value is the text.
        Text = "text",
    }
}

impl ItemKind {
    /// Its name.
    pub fn node_type(&self) -> NodeType {
        match self {
            Self::Select { .. } => NodeType::Select,
            Self::Text { .. } => NodeType::Text,
        }
    }

    /// Checks that `value` can go into the item.
    pub fn check_value(&self, value: &str, pointer: &str, faults: &mut Faults) {
        match self {
            Self::Select { options, .. } => {
                if !options.iter().any(|option| option.id == value) {
                    faults.add(pointer, FaultCode::UnknownOption, "The item has no option with this id.");
                }
            }
            Self::Text { max_length, multiline, .. } => {
                let most = usize::try_from(*max_length).unwrap_or_default();
                if !multiline {
                    text::one_line(value, pointer, faults);
                }
                text::at_most(value, most, pointer, faults);
            }
        }
    }
}

/// Checks an item's id: `[a-z0-9-]`, because templates name items.
pub fn item_id(text: &str, pointer: &str, faults: &mut Faults) {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    id(text, allowed, "must be made of a-z, 0-9 and hyphens", pointer, faults);
}

/// Checks an option's id: `[A-Za-z0-9._-]`.
pub fn option_id(text: &str, pointer: &str, faults: &mut Faults) {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    id(text, allowed, "must be made of letters a-z, digits, dots, underscores and hyphens", pointer, faults);
}

fn id(text: &str, allowed: impl Fn(u8) -> bool, detail: &str, pointer: &str, faults: &mut Faults) {
    text::at_most(text, ID_CHARACTERS, pointer, faults);
    if text.is_empty() {
        faults.add(pointer, FaultCode::Blank, "must not be blank");
    } else if !text.bytes().all(allowed) {
        faults.add(pointer, FaultCode::Format, detail);
    }
}

/// Checks the label of an item or option.
pub fn item_label(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

/// Checks the text or guidance of an item or option, which may be empty.
pub fn option_text(text: &str, pointer: &str, faults: &mut Faults) {
    text::prose(text, pointer, faults);
}

/// Checks how many characters a text item allows.
pub fn max_length(length: i64, pointer: &str, faults: &mut Faults) {
    if !(1..=MAX_TEXT_LENGTH).contains(&length) {
        faults.add(pointer, FaultCode::Range, format_args!("must be from 1 to {MAX_TEXT_LENGTH}"));
    }
}

/// Checks how many items a document has.
pub fn items_count(items: usize, pointer: &str, faults: &mut Faults) {
    count(items, MAX_ITEMS, "item", pointer, faults);
}

/// Checks how many options an item has.
pub fn options_count(options: usize, pointer: &str, faults: &mut Faults) {
    count(options, MAX_OPTIONS, "option", pointer, faults);
}

/// Checks that each element of a list has its own `key`; `ids` are those in the order sent, `None`
/// where there was none to read. The fault is the later one's, at `pointer/index/key`.
pub fn ids_distinct<'a>(
    ids: impl IntoIterator<Item = Option<&'a str>>,
    pointer: &str,
    key: &str,
    faults: &mut Faults,
) {
    let mut seen = HashSet::new();
    for (index, id) in ids.into_iter().enumerate() {
        if id.is_some_and(|id| !seen.insert(id)) {
            let detail = "An element before this one has the same id.";
            faults.add(format_args!("{pointer}/{index}/{key}"), FaultCode::Duplicate, detail);
        }
    }
}

/// Checks that an item's default could be its value.
pub fn item_default(kind: &ItemKind, pointer: &str, faults: &mut Faults) {
    let default = match kind {
        ItemKind::Select { default, .. } => default.as_deref(),
        ItemKind::Text { default, .. } => Some(default.as_str()),
    };
    if let Some(default) = default {
        kind.check_value(default, pointer, faults);
    }
}

fn count(count: usize, most: usize, what: &str, pointer: &str, faults: &mut Faults) {
    if count == 0 {
        faults.add(pointer, FaultCode::TooFew, format_args!("must have at least one {what}"));
    } else if count > most {
        faults.add(pointer, FaultCode::TooMany, format_args!("must have at most {most} {what}s"));
    }
}
