//! A document as responses show it.

use domain::document::{
    Classification, Control, Document, DocumentKind, DocumentStatus, DocumentWithItems, Item, ItemKind,
    Language, Next, PlacedItem, SelectOption, library,
};
use domain::{Line, LineOrEmpty, ProseOrEmpty, Reason, RiskNumber};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::approval_steps::ApprovalStepView;
use super::proposal::{NextView, ProposalStatusView};
use crate::shared::PersonView;
use crate::tags::TagLabelView;

/// A policy document. Lists omit its items.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Document, examples(json!({
    "title": "Access control policy", "description": "Who may sign in to what, and how.", "published_version": 1, "in_force_version": 1, "open_proposal": 3,
    "updated_date": "2026-03-01T09:30:00.000000Z",
})))]
#[view(Document)]
pub(super) struct DocumentView {
    /// The document's name in URLs; it does not change.
    #[schema(examples("access-control"), max_length = 80)]
    slug: String,
    /// What its text is made from; it does not change.
    kind: KindView,
    /// The title, one line.
    title: Line,
    /// The description, as Markdown.
    description: ProseOrEmpty,
    /// The accountable user.
    owner: Option<PersonView>,
    /// The tags, sorted by name.
    #[schema(max_items = 50)]
    tags: Vec<TagLabelView>,
    /// The document's number in the organization's own system; unique.
    #[schema(examples("ISMS-POL-04"))]
    reference: Option<Line>,
    /// Who may have it.
    classification: ClassificationView,
    /// For whom it holds.
    #[schema(examples("Everyone who uses the company's systems"))]
    audience: LineOrEmpty,
    /// The language of its text.
    language: Language,
    /// What was in force before it was kept here.
    #[schema(examples("3.2, approved 2025-06-01 by the board"))]
    earlier: Option<Line>,
    /// Days from one review to the next.
    #[schema(minimum = 1, maximum = 3660, examples(365))]
    review_every_days: Option<i64>,
    /// Days after which everybody acknowledges the same version again.
    #[schema(minimum = 1, maximum = 3660, examples(365))]
    acknowledge_every_days: Option<i64>,
    /// When the document was last reviewed, or published.
    reviewed_date: Option<Timestamp>,
    /// When the next review is due: `review_every_days` after that; null without either.
    next_review_date: Option<Timestamp>,
    /// The document's status.
    status: StatusView,
    /// When the document was archived; null while it is in use.
    archived_date: Option<Timestamp>,
    /// Why the document was archived.
    status_reason: Option<Reason>,
    /// The number of publications so far, which is that of the newest version; null before the first.
    published_version: Option<i64>,
    /// The number of the version in force, the latest whose day has come (UTC): what readers get; null before the first.
    in_force_version: Option<i64>,
    /// The number of the open proposal; null if there is none.
    open_proposal: Option<i64>,
    /// The slug of the policy of the library that the document was made from; null if it was not.
    #[schema(max_length = 80, examples("access-control"))]
    #[view(it.library_policy.clone())]
    library: Option<String>,
    /// Whether the library has a newer text, which `GET …/offer` shows.
    #[view(it.offered(library()).is_some())]
    offer: bool,
    /// In lists: what became of that proposal so far; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ProposalStatusView, required = false)]
    #[view(None)]
    proposal_status: Option<ProposalStatusView>,
    /// In lists: what that proposal waits for, and who can do it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = NextView, required = false)]
    #[view(None)]
    proposal_next: Option<NextView>,
    /// The text with places for the items, as Markdown; empty if the items are printed as a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ProseOrEmpty, required = false, examples("# Signing in\n\n{{mfa}}\n"))]
    #[view(None)]
    template: Option<ProseOrEmpty>,
    /// The steps in which its versions are approved, in this order; if there are none, one person who may approve does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ApprovalStepView>, required = false, max_items = 20)]
    #[view(None)]
    approval_steps: Option<Vec<ApprovalStepView>>,
    /// The items, in the order of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ItemView>, required = false, max_items = 500)]
    #[view(None)]
    items: Option<Vec<ItemView>>,
    /// When the document was created.
    created_date: Timestamp,
    /// When the document was last changed; tags do not count as changes.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

pub(super) type StatusView = OneOf<DocumentStatus>;
type ClassificationView = OneOf<Classification>;
type KindView = OneOf<DocumentKind>;

/// An item of a document, with its published value.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentItem)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemView {
    /// An item whose value is one of its options.
    Select(SelectView),
    /// An item whose value is a text.
    Text(TextView),
}

/// An item whose value is one of its options.
#[derive(Serialize, ToSchema)]
#[schema(as = SelectItem)]
struct SelectView {
    /// The item's id, unique in the document.
    #[schema(max_length = 80, examples("mfa"))]
    id: String,
    /// The question or label shown for the item.
    #[schema(max_length = 200, examples("Multi-factor authentication"))]
    label: String,
    /// Guidance for filling in the item, as Markdown.
    #[schema(max_length = 65_536, examples("Attackers guess passwords."))]
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted.
    required: bool,
    /// Whether a change of it asks everybody to acknowledge the document again.
    material: bool,
    /// The risks that it concerns.
    #[schema(max_items = 100)]
    risks: Vec<RiskNumber>,
    /// The controls that it concerns.
    #[schema(max_items = 100)]
    controls: Vec<Control>,
    /// The id of the option that is the value of a proposal in which no other value is set; null if there is none.
    #[schema(max_length = 80, examples("all"))]
    default: Option<String>,
    /// The options, in the order in which a form shows them.
    #[schema(max_items = 100)]
    options: Vec<OptionView>,
    /// The id of the option in the newest version, also before that is in force; null if none is. A proposal then prints the default.
    #[schema(max_length = 80, examples("all"))]
    value: Option<String>,
}

/// An item whose value is a text.
#[derive(Serialize, ToSchema)]
#[schema(as = TextItem)]
struct TextView {
    /// The item's id, unique in the document.
    #[schema(max_length = 80, examples("contact"))]
    id: String,
    /// The question or label shown for the item.
    #[schema(max_length = 200, examples("Contact"))]
    label: String,
    /// Guidance for filling in the item, as Markdown.
    #[schema(max_length = 65_536)]
    guidance: Option<String>,
    /// Whether it needs a value before a proposal can be submitted.
    required: bool,
    /// Whether a change of it asks everybody to acknowledge the document again.
    material: bool,
    /// The risks that it concerns.
    #[schema(max_items = 100)]
    risks: Vec<RiskNumber>,
    /// The controls that it concerns.
    #[schema(max_items = 100)]
    controls: Vec<Control>,
    /// The text that is the value of a proposal in which no other value is set; none if it is empty.
    #[schema(max_length = 65_536, examples("security@example.org"))]
    default: String,
    /// The maximum length of the value in characters.
    max_length: i64,
    /// Whether the value may have several lines.
    multiline: bool,
    /// Whether the value is Markdown; otherwise it is printed as it was typed.
    markdown: bool,
    /// The text in the newest version, also before that is in force; null if none is. A proposal then prints the default.
    #[schema(max_length = 65_536, examples("security@example.org"))]
    value: Option<String>,
}

/// One option of a select item.
#[derive(Serialize, ToSchema)]
#[schema(as = SelectOption)]
struct OptionView {
    /// The option's id, unique in the item.
    #[schema(max_length = 80, examples("all"))]
    id: String,
    /// The label shown for the option.
    #[schema(max_length = 200, examples("Everyone"))]
    label: String,
    /// The text that the document prints when this option is selected.
    #[schema(max_length = 65_536, examples("Everyone signs in with a second factor."))]
    text: String,
    /// Guidance for selecting the option, as Markdown.
    #[schema(max_length = 65_536, examples("The usual choice."))]
    guidance: Option<String>,
    /// Whether selecting the option makes the policy weaker.
    weakens: bool,
}

impl From<SelectOption> for OptionView {
    fn from(it: SelectOption) -> Self {
        Self { id: it.id, label: it.label, text: it.text, guidance: it.guidance, weakens: it.weakens }
    }
}

impl From<PlacedItem> for ItemView {
    fn from(placed: PlacedItem) -> Self {
        let PlacedItem { item, value } = placed;
        let Item { id, label, guidance, required, material, risks, controls, kind } = item;
        match kind {
            ItemKind::Select { options, default } => {
                let options = options.into_iter().map(OptionView::from).collect();
                Self::Select(SelectView {
                    id,
                    label,
                    guidance,
                    required,
                    material,
                    risks,
                    controls,
                    default,
                    options,
                    value,
                })
            }
            ItemKind::Text { default, max_length, multiline, markdown } => Self::Text(TextView {
                id,
                label,
                guidance,
                required,
                material,
                risks,
                controls,
                default,
                max_length,
                multiline,
                markdown,
                value,
            }),
        }
    }
}

impl DocumentView {
    /// A document as lists show it, with what its open proposal waits for.
    pub(super) fn listed(document: Document, next: Option<Next>) -> Self {
        let proposal_status = document.proposal_status.map(ProposalStatusView::from);
        Self { proposal_status, proposal_next: next.map(NextView::from), ..Self::from(document) }
    }
}

impl From<DocumentWithItems> for DocumentView {
    fn from(it: DocumentWithItems) -> Self {
        let items = it.items.into_iter().map(ItemView::from).collect();
        let template = it.template.map(|text| ProseOrEmpty::stored(String::from(text)));
        let approval_steps = Some(it.approval_steps.into_iter().map(ApprovalStepView::from).collect());
        let template = Some(template.unwrap_or_default());
        Self { template, approval_steps, items: Some(items), ..Self::from(it.document) }
    }
}
