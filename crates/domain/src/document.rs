//! Policy documents: a text made of selectable items, changed by proposals.

mod approval_step;
mod approvals;
mod archive;
mod changed_item;
mod comment;
mod day;
mod edit;
pub mod file;
mod former;
mod given_approval;
mod in_force;
mod item;
mod item_json;
mod kind;
mod library;
mod library_text;
mod list;
mod many;
mod new_document;
mod new_item;
mod next;
mod offer;
mod opening;
mod printed_size;
mod printed_text;
mod properties;
mod proposal;
mod proposal_patch;
mod proposal_status;
mod proposed;
mod report;
mod resolution;
mod review;
mod sha256;
mod step;
pub mod template;
#[cfg(test)]
mod tests;
mod values;
mod version;
mod waiver;

use jiff::Timestamp;
use macros::Record;

pub use approval_step::{
    ApprovalStep, ApprovingPeople, MAX_NAMED, MAX_STEPS, NamedReplacement, Replacement, StepWhen,
    default_steps, steps_from_stored, steps_to_stored, with_replacements,
};
pub use approvals::ApprovalFacts;
pub use archive::{Archived, Archiving};
pub use changed_item::{ChangedItem, changed_items};
pub use comment::{NewProposalComment, ProposalComment, Suggestion};
pub use day::Day;
pub use edit::{Edit, MAX_EDITS, check_distinct, check_edits, read_edits};
pub use former::former_owner;
pub use given_approval::{GivenApproval, RecordedDecision, StepState, StepWithApprovals};
pub use in_force::{conflicts, in_force};
pub(crate) use item::ID_CHARACTERS;
pub use item::{Control, Item, ItemKind, MAX_ITEMS, MAX_OPTIONS, NodeType, SelectOption};
pub use kind::DocumentKind;
pub use library::library;
pub use library_text::LibraryText;
pub(crate) use list::{read_distinct, read_distinct_by};
pub use many::{MAX_DOCUMENTS, SLUGS, chosen_slugs, read_slugs};
pub use new_document::NewDocument;
pub use next::{Readiness, next, next_if};
pub use offer::{
    KeptText, Offer, OfferedText, PolicyText, TakenText, kept_after, kept_from_stored, kept_to_stored,
};
pub use opening::{ProposalOpening, check_copied};
pub use printed_size::{MAX_PRINTED, PrintedSize, check_printed};
pub use printed_text::{PrintedText, body_of, first_difference, property_of, rebuilt, sha256};
pub use properties::{Classification, Language, PropertiesPatch};
pub use proposal::{
    ChangeSet, Conflict, ConflictingValue, DEFAULT_PROPOSAL_BYTES, Next, NextAction, Proposal, Recorded,
    RecordedEdit, proposal_bytes,
};
pub use proposal_patch::{ProposalPatch, placed};
pub use proposal_status::ProposalStatus;
pub use proposed::{ProposalField, ProposedChanges, RemovedReason, RemovedValue};
pub use report::{KeptReport, NOT_WRITTEN, ReportSource, check_written};
pub use resolution::Resolution;
pub use review::{DocumentReview, NewDocumentReview, ReviewStatus};
pub use sha256::Sha256;
pub use step::{
    Approval, Materiality, ProposalStep, Seen, StepReason, Submission, check_four_eyes, in_effect,
};
pub use values::{is_material, proposed_values};
pub use version::{DocumentVersion, PublishedText};
pub use waiver::{Deputy, NewDeputy, NewReplacement, Waiver, WaiverKind};

pub use self::template::TemplateFault;
use self::template::{Places, Template};
use crate::fault::{FaultCode, Faults};
use crate::organization;
use crate::person::Person;
use crate::schema::Schema;
use crate::tag::TagLabel;
use crate::text::{self, Line, LineOrEmpty, Prose, ProseOrEmpty, Reason};

/// The most characters of a slug.
pub const SLUG_CHARACTERS: usize = 80;

crate::words! {
    "DocumentStatus"
    /// The lifecycle status of a document.
    pub enum DocumentStatus {
        /// Never published.
        Draft = "draft",
        /// Has a published version.
        Published = "published",
        /// No longer in use; it cannot be edited.
        Archived = "archived",
    }
}

/// A document without its items, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct Document {
    /// Its name in addresses, unique in the organization; it does not change.
    pub slug: String,
    /// What its text is made from; it does not change.
    #[record(label = "Kind", holds = Word)]
    pub kind: DocumentKind,
    /// One line.
    #[record(label = "Title", holds = Line, never_redacted, exported)]
    pub title: Line,
    /// Markdown.
    #[record(label = "Description", holds = Prose, never_redacted, exported)]
    pub description: ProseOrEmpty,
    /// The person responsible for it.
    #[record(label = "Owner", holds = Person, exported)]
    pub owner: Option<Person>,
    /// Its lifecycle status.
    #[record(label = "Status", holds = Word, exported)]
    pub status: DocumentStatus,
    /// Counts its publications from 1; null before the first.
    #[record(label = "Published version", holds = Any, exported)]
    pub published_version: Option<i64>,
    /// The latest version whose day has come (UTC), as lists and answers have it; null before the first.
    #[record(label = "Version in force", holds = Any, exported)]
    pub in_force_version: Option<i64>,
    /// The number of its open proposal.
    #[record(label = "Open proposal", holds = Any, exported)]
    pub open_proposal: Option<i64>,
    /// What became of that proposal so far.
    pub proposal_status: Option<ProposalStatus>,
    /// When it was made.
    #[record(label = "Created at", holds = Date, exported)]
    pub created_date: Timestamp,
    /// When it was last changed; tags do not count as a change.
    #[record(label = "Updated at", holds = Date, exported)]
    pub updated_date: Timestamp,
    /// Its number in the organization's system of documents, such as `ISMS-POL-04`; unique.
    #[record(label = "Reference", holds = Line, never_redacted, exported)]
    pub reference: Option<Line>,
    /// Who may have it.
    #[record(label = "Classification", holds = Word, exported)]
    pub classification: Classification,
    /// For whom it holds.
    #[record(label = "Audience", holds = Line, never_redacted, exported)]
    pub audience: LineOrEmpty,
    /// The language of its text.
    #[record(label = "Language", holds = Any, exported)]
    pub language: Language,
    /// What was in force before it was kept here.
    #[record(label = "Earlier version", holds = Line, never_redacted, exported)]
    pub earlier: Option<Line>,
    /// Days from one review to the next.
    #[record(label = "Review every (days)", holds = Any, exported)]
    pub review_every_days: Option<i64>,
    /// Days after which everybody acknowledges the same version again.
    #[record(label = "Acknowledge every (days)", holds = Any, exported)]
    pub acknowledge_every_days: Option<i64>,
    /// When it was last reviewed or published.
    #[record(label = "Reviewed at", holds = Date, exported)]
    pub reviewed_date: Option<Timestamp>,
    /// When it is to be reviewed next: so many days later. None of a draft.
    #[record(label = "Next review", holds = Date, exported)]
    pub next_review_date: Option<Timestamp>,
    /// When it was archived, if it is.
    #[record(label = "Archived at", holds = Date, exported)]
    pub archived_date: Option<Timestamp>,
    /// Why it was archived.
    #[record(label = "Status reason", holds = Reason, never_redacted, exported)]
    pub status_reason: Option<Reason>,
    /// The slug of the policy of the library that it was made from.
    #[record(label = "Policy of the library", holds = Any)]
    pub library_policy: Option<String>,
    /// The hash of the library's text that it was made from, or that was published in it last.
    #[record(label = "Text of the library", holds = Any)]
    pub library_sha256: Option<String>,
    /// The latest release of the library's text that it was made from, or that was published in it or declined.
    #[record(label = "Release of the library's text", holds = Any)]
    pub library_release: Option<i64>,
    /// The hash of the library's text that its open proposal has taken.
    pub taken_sha256: Option<String>,
    /// The release of that.
    pub taken_release: Option<i64>,
    /// Its tags by name.
    pub tags: Vec<TagLabel>,
    /// Counts its changes from 1.
    pub version: i64,
}

/// An item as it stands in its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedItem {
    /// What it asks for.
    pub item: Item,
    /// The published value; null before the first publication.
    pub value: Option<String>,
}

impl PlacedItem {
    /// The value that it has without an edit.
    pub fn value_or_default(&self) -> Option<&str> {
        self.value.as_deref().or_else(|| self.item.default_value())
    }
}

/// A document with its items, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentWithItems {
    /// The record.
    pub document: Document,
    /// Its text with places for the items; without one they are printed as a list.
    pub template: Option<Prose>,
    /// The steps in which it is approved; without any, one person who may approve does.
    pub approval_steps: Vec<ApprovalStep>,
    /// Its places.
    pub items: Vec<PlacedItem>,
}

/// How the slug of a document is described.
pub const SLUG: Schema = Schema::text(0, SLUG_CHARACTERS, "^[a-z0-9]+(-[a-z0-9]+)*$");

/// What is wrong with a template beside the items of its document.
pub fn template_faults(template: &str, items: &[Item]) -> Vec<TemplateFault> {
    let places: Places<'_> = items.iter().map(|item| (item.id.as_str(), item.kind.option_ids())).collect();
    let found = Template::parse(template).and_then(|template| template.check(&places));
    found.err().unwrap_or_default()
}

/// The slug for the `count`th document whose title suggests the same one, counted from 1: `access-control`, `access-control-2`.
pub fn suggested_slug(title: &str, count: u32) -> String {
    let slug = organization::suggested(title, SLUG_CHARACTERS, "document");
    let first = if TAKEN_SLUGS.contains(&slug.as_str()) { 2 } else { 1 };
    organization::numbered(&slug, count.saturating_add(first - 1), SLUG_CHARACTERS)
}

/// Whether a text is a slug: `[a-z0-9]+(-[a-z0-9]+)*`, at most 80 characters.
pub fn is_slug(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= SLUG_CHARACTERS && text.split('-').all(word)
}

/// What no slug may be, because something else has this address, such as `/v1/documents/export`.
const TAKEN_SLUGS: [&str; 6] = ["bulk", "export", "facets", "import", "new", "waivers"];

/// Checks a document's slug.
pub fn slug(text: &str, pointer: &str, faults: &mut Faults) {
    text::at_most(text, SLUG_CHARACTERS, pointer, faults);
    if text.len() <= SLUG_CHARACTERS && !is_slug(text) {
        faults.add(pointer, FaultCode::Format, "must be words of a-z and 0-9 with single hyphens between");
    }
    if TAKEN_SLUGS.contains(&text) {
        faults.add(
            pointer,
            FaultCode::Format,
            "must not be `bulk`, `export`, `facets`, `import`, `new` or `waivers`, which are other addresses",
        );
    }
}
