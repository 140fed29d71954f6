//! The items of a new document as they are sent.

use macros::Body;

use super::item::{
    Control, DEFAULT_TEXT_LENGTH, ID_CHARACTERS, Item, ItemKind, MAX_CONCERNED, MAX_ITEMS, MAX_OPTIONS,
    MAX_TEXT_LENGTH, SelectOption, check_option, check_text, id_of, item_id,
};
use super::list::{read_distinct, read_list};
use crate::fault::Faults;
use crate::ids::RiskNumber;
use crate::json::{Fields, Json, Pointer, checked};
use crate::schema::{Described as _, Schema};
use crate::text::{self, Line, ProseOrEmpty};

/// An item of a document.
#[derive(Body)]
#[body(tag = "kind", name = "NewDocumentItem")]
pub(super) enum NewItem {
    /// An item whose value is one of its options.
    #[body(name = "NewSelectItem")]
    Select {
        #[body(flat)]
        question: Question,
        /// The options, in the order in which a form shows them.
        #[body(read = read_list("id", "option", MAX_OPTIONS), least = 1, most = MAX_OPTIONS)]
        options: Vec<SelectOption>,
        /// The id of the option that is the value of a proposal in which no other value is set.
        #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), check = default_option(options, default), example = "all")]
        default: Option<String>,
    },
    /// An item whose value is a text.
    #[body(name = "NewTextItem")]
    Text {
        #[body(flat)]
        question: Question,
        /// The maximum length of the value in characters.
        #[body(default = 2000, range = 1..=MAX_TEXT_LENGTH)]
        max_length: i64,
        /// Whether the value may have several lines; false by default.
        #[body(default)]
        multiline: bool,
        /// Whether the value is Markdown; otherwise it is printed as it was typed. False by default.
        #[body(default)]
        markdown: bool,
        /// The text that is the value of a proposal in which no other value is set; empty by default.
        #[body(default, schema = ProseOrEmpty::SCHEMA, check = default_text(max_length, multiline, default), example = "security@example.org")]
        default: String,
    },
}

/// What items of each kind have.
#[derive(Body)]
pub(super) struct Question {
    /// The item's id, unique in the document.
    #[body(read = checked(item_id), schema = id_of("^[a-z0-9-]+$"), example = "mfa")]
    id: String,
    /// The question or label shown for the item.
    #[body(read = checked(text::filled_line), schema = <Line>::SCHEMA, example = "Multi-factor authentication")]
    label: String,
    /// Guidance for filling in the item, as Markdown.
    #[body(read = checked(text::prose), schema = ProseOrEmpty::SCHEMA, example = "Attackers guess passwords.")]
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted; false by default.
    #[body(default)]
    required: bool,
    /// Whether a change of it asks everybody to acknowledge the document again; false by default.
    #[body(default)]
    material: bool,
    /// The ids of the risks that it concerns.
    #[body(default, read = read_distinct(MAX_CONCERNED), most = MAX_CONCERNED, json = "[]")]
    risks: Vec<RiskNumber>,
    /// The numbers of the controls that it concerns.
    #[body(default, read = read_distinct(MAX_CONCERNED), most = MAX_CONCERNED, json = "[\"A.5.17\", \"A.8.5\"]")]
    controls: Vec<Control>,
}

/// Reads the items of a document. That there are some is checked with the template.
pub(super) fn read_items(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Item>> {
    if value == Json::Array(Vec::new()) {
        return Some(Vec::new());
    }
    let items = read_list::<NewItem>(value, at, faults, "id", "item", MAX_ITEMS)?;
    Some(items.into_iter().map(Item::from).collect())
}

impl From<NewItem> for Item {
    fn from(item: NewItem) -> Self {
        let (question, kind) = match item {
            NewItem::Select { question, options, default } => {
                (question, ItemKind::Select { options, default })
            }
            NewItem::Text { question, max_length, multiline, markdown, default } => {
                (question, ItemKind::Text { default, max_length, multiline, markdown })
            }
        };
        let Question { id, label, guidance, required, material, risks, controls } = question;
        Self { id, label, guidance, required, material, risks, controls, kind }
    }
}

/// The default of a selection is one of its options.
fn default_option(
    fields: &mut Fields<'_, '_>,
    options: Option<&Vec<SelectOption>>,
    default: Option<&String>,
) {
    if let Some((options, default)) = options.zip(default) {
        fields.check_with("default", |pointer, faults| check_option(options, default, pointer, faults));
    }
}

/// The default of a text could be its value.
fn default_text(
    fields: &mut Fields<'_, '_>,
    max_length: Option<&i64>,
    multiline: Option<&bool>,
    default: Option<&String>,
) {
    let most = max_length.copied().or((!fields.was_sent("max_length")).then_some(DEFAULT_TEXT_LENGTH));
    if let Some((most, default)) = most.zip(default) {
        let multiline = multiline.copied().unwrap_or_default();
        fields.check_with("default", |pointer, faults| check_text(most, multiline, default, pointer, faults));
    }
}
