//! A document as answers show it.

use domain::document::{
    Document, DocumentStatus, DocumentWithItems, Item, ItemKind, PlacedItem, SelectOption,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::shared::{Moment, PersonView};
use crate::api::word::OneOf;

/// A policy document. Lists omit its items.
#[derive(Serialize, ToSchema)]
#[schema(as = Document)]
pub(super) struct DocumentView {
    /// Its name in addresses; it does not change.
    #[schema(examples("access-control"), max_length = 80)]
    slug: String,
    /// One line.
    title: String,
    /// Markdown.
    description: String,
    /// Who answers for it.
    owner: Option<PersonView>,
    /// Where it is in its life.
    status: StatusView,
    /// Counts its publications from 1; null before the first.
    published_version: Option<i64>,
    /// The number of its open proposal.
    open_proposal: Option<i64>,
    /// The places, in the order of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ItemView>, required = false)]
    items: Option<Vec<ItemView>>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_date: Moment,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_date: Moment,
    /// Counts its changes from 1.
    #[schema(minimum = 1)]
    version: i64,
}

type StatusView = OneOf<DocumentStatus>;

/// A place of a document, with its published value.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentItem)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemView {
    /// One of its options.
    Select(SelectView),
    /// A text.
    Text(TextView),
}

/// An item whose value is one of its options.
#[derive(Serialize, ToSchema)]
#[schema(as = SelectItem)]
struct SelectView {
    /// Unique in the document.
    #[schema(examples("mfa"))]
    id: String,
    /// What it asks for.
    label: String,
    /// Markdown that helps to decide.
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted.
    required: bool,
    /// The option that a form offers first.
    default: Option<String>,
    /// In the order in which they are offered.
    options: Vec<OptionView>,
    /// The id of the published option; null before the first publication.
    value: Option<String>,
}

/// An item whose value is a text.
#[derive(Serialize, ToSchema)]
#[schema(as = TextItem)]
struct TextView {
    /// Unique in the document.
    #[schema(examples("contact"))]
    id: String,
    /// What it asks for.
    label: String,
    /// Markdown that helps to decide.
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted.
    required: bool,
    /// The text that a form offers first.
    default: String,
    /// The most characters.
    max_length: i64,
    /// Whether a form offers several lines.
    multiline: bool,
    /// The published text; null before the first publication.
    value: Option<String>,
}

/// One option of a select item.
#[derive(Serialize, ToSchema)]
#[schema(as = SelectOption)]
struct OptionView {
    /// Unique in the item.
    #[schema(examples("all"))]
    id: String,
    /// What it is called.
    label: String,
    /// What is printed when it is chosen.
    text: String,
    /// Markdown that helps to decide.
    guidance: Option<String>,
    /// Whether choosing it makes the policy weaker.
    weakens: bool,
}

impl From<SelectOption> for OptionView {
    fn from(it: SelectOption) -> Self {
        Self { id: it.id, label: it.label, text: it.text, guidance: it.guidance, weakens: it.weakens }
    }
}

impl From<PlacedItem> for ItemView {
    fn from(placed: PlacedItem) -> Self {
        let PlacedItem { item: Item { id, label, guidance, required, kind }, value } = placed;
        match kind {
            ItemKind::Select { options, default } => {
                let options = options.into_iter().map(OptionView::from).collect();
                Self::Select(SelectView { id, label, guidance, required, default, options, value })
            }
            ItemKind::Text { default, max_length, multiline } => {
                Self::Text(TextView { id, label, guidance, required, default, max_length, multiline, value })
            }
        }
    }
}

impl From<Document> for DocumentView {
    fn from(it: Document) -> Self {
        Self {
            slug: it.slug,
            title: it.title,
            description: it.description,
            owner: it.owner.map(PersonView::from),
            status: it.status.into(),
            published_version: it.published_version,
            open_proposal: it.open_proposal,
            items: None,
            created_date: it.created_date.into(),
            updated_date: it.updated_date.into(),
            version: it.version,
        }
    }
}

impl From<DocumentWithItems> for DocumentView {
    fn from(it: DocumentWithItems) -> Self {
        let items = it.items.into_iter().map(ItemView::from).collect();
        Self { items: Some(items), ..Self::from(it.document) }
    }
}
