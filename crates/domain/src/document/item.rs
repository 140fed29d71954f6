//! Items: the places of a document where a choice or a text goes.

use std::collections::HashSet;

use macros::Body;
use serde::Serialize;

use crate::fault::{FaultCode, Faults};
use crate::ids::RiskNumber;
use crate::json::checked;
use crate::schema::{Schema, TextSchema};
use crate::text::{self, Line, ProseOrEmpty, texts};

/// The most items of a document.
pub const MAX_ITEMS: usize = 500;

/// The most options of an item; the least is 1.
pub const MAX_OPTIONS: usize = 100;

/// The most risks and the most controls of an item.
pub(super) const MAX_CONCERNED: usize = 100;

/// The most characters of the number of a control.
const CONTROL_CHARACTERS: usize = 40;

/// The most characters of an item's or option's id.
pub(crate) const ID_CHARACTERS: usize = 80;

/// The most characters that a text item may allow; the least is 1.
pub(super) const MAX_TEXT_LENGTH: i64 = 65_536;

/// The characters that a text item allows when it does not say.
pub(super) const DEFAULT_TEXT_LENGTH: i64 = 2_000;

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
    /// Whether a change of it asks everybody to acknowledge the document again.
    pub material: bool,
    /// The risks that it concerns.
    pub risks: Vec<RiskNumber>,
    /// The controls that it concerns.
    pub controls: Vec<Control>,
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
        /// The id of the option that is the value unless another one is chosen.
        default: Option<String>,
    },
    /// A text.
    Text {
        /// The text that is the value unless another one is set; none if it is empty.
        default: String,
        /// The most characters.
        max_length: i64,
        /// Whether it may have several lines.
        multiline: bool,
        /// Whether it is printed as Markdown; otherwise as it was typed.
        markdown: bool,
    },
}

/// The number of a control in a standard, such as `A.5.15` of ISO/IEC 27001.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Control(String);

texts! {
    () Control = control, TextSchema::of(1, CONTROL_CHARACTERS, "^[A-Za-z0-9._:/()-]+$").such_as("A.5.15");
}

/// Checks the number of a control.
fn control(text: &str, pointer: &str, faults: &mut Faults) {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/()-".contains(&byte);
    text::at_most(text, CONTROL_CHARACTERS, pointer, faults);
    if text.is_empty() || !text.bytes().all(allowed) {
        faults.add(pointer, FaultCode::Format, "must be the number of a control, such as A.5.15");
    }
}

/// One option of a select item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Body)]
#[body(name = "NewSelectOption")]
pub struct SelectOption {
    /// The option's id, unique in the item.
    #[body(read = checked(option_id), schema = id_of("^[A-Za-z0-9._-]+$"), example = "all")]
    pub id: String,
    /// The label shown for the option.
    #[body(read = checked(text::filled_line), schema = <Line>::SCHEMA, example = "Everyone")]
    pub label: String,
    /// The text that the document prints when this option is selected.
    #[body(
        read = checked(text::prose),
        schema = ProseOrEmpty::SCHEMA,
        example = "Everyone signs in with a second factor."
    )]
    pub text: String,
    /// Guidance for selecting the option, as Markdown.
    #[body(read = checked(text::prose), schema = ProseOrEmpty::SCHEMA, example = "The usual choice.")]
    pub guidance: Option<String>,
    /// Whether selecting the option makes the policy weaker; false by default.
    #[body(default)]
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

impl Item {
    /// An item that nothing else is known of.
    pub fn new(id: &str, label: &str, kind: ItemKind) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            guidance: None,
            required: false,
            material: false,
            risks: Vec::new(),
            controls: Vec::new(),
            kind,
        }
    }

    /// The value that it has unless another one is set.
    pub fn default_value(&self) -> Option<&str> {
        match &self.kind {
            ItemKind::Select { default, .. } => default.as_deref(),
            ItemKind::Text { default, .. } => Some(default.as_str()).filter(|default| !default.is_empty()),
        }
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

    /// The ids of its options; none of a text.
    pub fn option_ids(&self) -> Option<HashSet<&str>> {
        match self {
            Self::Select { options, .. } => Some(options.iter().map(|option| option.id.as_str()).collect()),
            Self::Text { .. } => None,
        }
    }

    /// The option with this id; none of a text.
    pub fn option(&self, id: &str) -> Option<&SelectOption> {
        let Self::Select { options, .. } = self else { return None };
        options.iter().find(|option| option.id == id)
    }

    /// Checks that `value` can go into the item.
    pub fn check_value(&self, value: &str, pointer: &str, faults: &mut Faults) {
        match self {
            Self::Select { options, .. } => check_option(options, value, pointer, faults),
            Self::Text { max_length, multiline, .. } => {
                check_text(*max_length, *multiline, value, pointer, faults);
            }
        }
    }
}

/// Checks that a value is one of the options.
pub(super) fn check_option(options: &[SelectOption], value: &str, pointer: &str, faults: &mut Faults) {
    if !options.iter().any(|option| option.id == value) {
        faults.add(pointer, FaultCode::UnknownOption, "The item has no option with this id.");
    }
}

/// Checks that a text has at most this many characters, and one line unless it may have several.
pub(super) fn check_text(most: i64, multiline: bool, value: &str, pointer: &str, faults: &mut Faults) {
    if !multiline {
        text::one_line(value, pointer, faults);
    }
    text::at_most(value, usize::try_from(most).unwrap_or_default(), pointer, faults);
}

/// The id of an item or option.
pub(super) const fn id_of(pattern: &'static str) -> Schema {
    Schema::text(1, ID_CHARACTERS, pattern)
}

/// Checks an item's id: `[a-z0-9-]`, because templates name items.
pub(super) fn item_id(text: &str, pointer: &str, faults: &mut Faults) {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    id(text, allowed, "must be made of a-z, 0-9 and hyphens", pointer, faults);
}

/// Checks an option's id: `[A-Za-z0-9._-]`.
pub(super) fn option_id(text: &str, pointer: &str, faults: &mut Faults) {
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
