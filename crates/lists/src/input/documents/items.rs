//! The items of a new document.

use domain::Faults;
use domain::document::{self, DEFAULT_TEXT_LENGTH, Item, ItemKind, NodeType, SelectOption};
use http::json::{Fields, Json, Pointer, array};
use http::word::word;
use utoipa::ToSchema;

/// An item of a document.
#[derive(ToSchema)]
#[schema(as = NewDocumentItem)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the body, which `read_items` reads")]
pub(crate) enum NewItemInput {
    /// An item whose value is one of its options.
    Select(NewSelectInput),
    /// An item whose value is a text.
    Text(NewTextInput),
}

/// An item whose value is one of its options.
#[derive(ToSchema)]
#[schema(as = NewSelectItem)]
#[expect(dead_code, reason = "describes the body, which `read_items` reads")]
pub(crate) struct NewSelectInput {
    /// The item's id, unique in the document.
    #[schema(min_length = 1, max_length = 80, pattern = "^[a-z0-9-]+$", examples("mfa"))]
    id: String,
    /// The question or label shown for the item.
    #[schema(min_length = 1, max_length = 200, examples("Multi-factor authentication"))]
    label: String,
    /// Guidance for filling in the item, as Markdown.
    #[schema(max_length = 65536)]
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted; false by default.
    required: Option<bool>,
    /// The id of the option that is preselected in a form.
    #[schema(max_length = 80)]
    default: Option<String>,
    /// The options, in the order in which a form shows them.
    #[schema(min_items = 1, max_items = 100)]
    options: Vec<NewOptionInput>,
}

/// An item whose value is a text.
#[derive(ToSchema)]
#[schema(as = NewTextItem)]
#[expect(dead_code, reason = "describes the body, which `read_items` reads")]
pub(crate) struct NewTextInput {
    /// The item's id, unique in the document.
    #[schema(min_length = 1, max_length = 80, pattern = "^[a-z0-9-]+$", examples("contact"))]
    id: String,
    /// The question or label shown for the item.
    #[schema(min_length = 1, max_length = 200, examples("Whom to call"))]
    label: String,
    /// Guidance for filling in the item, as Markdown.
    #[schema(max_length = 65536)]
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted; false by default.
    required: Option<bool>,
    /// The text that a form is prefilled with; empty by default.
    #[schema(max_length = 65536)]
    default: Option<String>,
    /// The maximum length of the value in characters.
    #[schema(minimum = 1, maximum = 65536, default = 2000)]
    max_length: Option<i64>,
    /// Whether the value may have several lines; false by default.
    multiline: Option<bool>,
}

/// One option of a select item.
#[derive(ToSchema)]
#[schema(as = NewSelectOption)]
#[expect(dead_code, reason = "describes the body, which `read_items` reads")]
struct NewOptionInput {
    /// The option's id, unique in the item.
    #[schema(min_length = 1, max_length = 80, pattern = "^[A-Za-z0-9._-]+$", examples("all"))]
    id: String,
    /// The label shown for the option.
    #[schema(min_length = 1, max_length = 200, examples("Everyone"))]
    label: String,
    /// The text that the document prints when this option is selected.
    #[schema(max_length = 65536, examples("Everyone signs in with a second factor."))]
    text: String,
    /// Guidance for selecting the option, as Markdown.
    #[schema(max_length = 65536)]
    guidance: Option<String>,
    /// Whether selecting the option makes the policy weaker; false by default.
    weakens: Option<bool>,
}

/// Reads `items`.
pub(super) fn read_items(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Item>> {
    read_list(value, at, faults, document::items_count, read_item)
}

fn read_item(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> (Option<String>, Option<Item>) {
    let Some(mut fields) = Fields::of(value, at, faults) else { return (None, None) };
    let id = fields.required_text("id", document::item_id);
    let node_type = fields.required_with("kind", word);
    let label = fields.required_text("label", document::item_label);
    let guidance = fields.optional_text("guidance", document::option_text);
    let required = fields.optional("required").unwrap_or(false);
    let default = fields.optional::<String>("default");
    let kind = match node_type {
        Some(NodeType::Select) => {
            let options = fields.required_with("options", read_options);
            options.map(|options| ItemKind::Select { options, default })
        }
        Some(NodeType::Text) => {
            let max_length = fields.optional::<i64>("max_length").unwrap_or(DEFAULT_TEXT_LENGTH);
            fields.check_with("max_length", |pointer, faults| {
                document::max_length(max_length, pointer, faults);
            });
            let multiline = fields.optional("multiline").unwrap_or(false);
            Some(ItemKind::Text { default: default.unwrap_or_default(), max_length, multiline })
        }
        // Without a known kind, the members cannot be checked.
        None => {
            fields.read_and_forget(&["options", "max_length", "multiline"]);
            None
        }
    };
    if let Some(kind) = &kind {
        fields.check_with("default", |pointer, faults| document::item_default(kind, pointer, faults));
    }
    fields.finish();
    let item = match (&id, label, kind) {
        (Some(id), Some(label), Some(kind)) => Some(Item { id: id.clone(), label, guidance, required, kind }),
        _ => None,
    };
    (id, item)
}

fn read_options(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<SelectOption>> {
    read_list(value, at, faults, document::options_count, read_option)
}

fn read_option(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> (Option<String>, Option<SelectOption>) {
    let Some(mut fields) = Fields::of(value, at, faults) else { return (None, None) };
    let id = fields.required_text("id", document::option_id);
    let label = fields.required_text("label", document::item_label);
    let text = fields.required_text("text", document::option_text);
    let guidance = fields.optional_text("guidance", document::option_text);
    let weakens = fields.optional("weakens").unwrap_or(false);
    fields.finish();
    let option = match (&id, label, text) {
        (Some(id), Some(label), Some(text)) => {
            Some(SelectOption { id: id.clone(), label, text, guidance, weakens })
        }
        _ => None,
    };
    (id, option)
}

/// Reads one element: its id, even when other members are wrong, and the whole element.
type ReadElement<T> = fn(Json<'_>, &Pointer<'_>, &mut Faults) -> (Option<String>, Option<T>);

/// Reads a list of elements with an `id` each, after checking its length.
fn read_list<T>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    count: fn(usize, &str, &mut Faults),
    read: ReadElement<T>,
) -> Option<Vec<T>> {
    let elements = array(value, at, faults)?;
    let (pointer, expected) = (at.to_string(), elements.len());
    let mut wrong_count = Faults::new();
    count(expected, &pointer, &mut wrong_count);
    let is_long = expected > 0 && !wrong_count.is_empty();
    faults.extend(wrong_count);
    if is_long {
        // The faults of so many elements are not listed.
        return None;
    }
    let (ids, found): (Vec<_>, Vec<_>) = elements
        .into_iter()
        .enumerate()
        .map(|(index, element)| read(element, &at.index(index), faults))
        .unzip();
    document::ids_distinct(ids.iter().map(Option::as_deref), &pointer, "id", faults);
    let found: Vec<T> = found.into_iter().flatten().collect();
    (found.len() == expected).then_some(found)
}
