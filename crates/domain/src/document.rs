//! Policy documents: a text made of selectable items, changed by proposals.

mod edit;
mod item;
mod list;
mod new_item;
mod printed_text;
mod proposal;
pub mod template;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::{Body, Record};

pub use edit::{Edit, MAX_EDITS, check_distinct, check_edits, read_edits};
pub use item::{Item, ItemKind, MAX_ITEMS, MAX_OPTIONS, NodeType, SelectOption};
pub use printed_text::{PrintedText, sha256};
pub use proposal::{
    ChangeSet, DEFAULT_PROPOSAL_BYTES, Proposal, ProposalStatus, Recorded, RecordedEdit, proposal_bytes,
};

use self::new_item::{NewItem, read_items};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::json::checked;
use crate::person::{self, Person};
use crate::schema::Schema;
use crate::text::{self, Line, ProseOrEmpty};

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
    /// The number of its open proposal.
    #[record(label = "Open proposal", holds = Any, exported)]
    pub open_proposal: Option<i64>,
    /// When it was made.
    #[record(label = "Created at", holds = Date, exported)]
    pub created_date: Timestamp,
    /// When it was last changed.
    #[record(label = "Updated at", holds = Date, exported)]
    pub updated_date: Timestamp,
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

/// A document with its items, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentWithItems {
    /// The record.
    pub document: Document,
    /// Its places.
    pub items: Vec<PlacedItem>,
}

/// A document to create.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = &["status", "published_version", "open_proposal", "created_date", "updated_date", "version"])]
pub struct NewDocument {
    /// The document's name in URLs, unique in the organization.
    #[body(read = checked(slug), schema = SLUG, example = "access-control")]
    pub slug: String,
    /// One line, not blank.
    #[body(example = "Access control policy")]
    pub title: Line,
    /// Markdown, at most 64 KiB.
    #[body(default, example = "Who may sign in to what, and how.")]
    pub description: ProseOrEmpty,
    /// The owner's id: a member of the organization.
    pub owner: Option<UserId>,
    /// The items, in the order of the document.
    #[body(read = read_items, schema = <Vec<NewItem>>::SCHEMA, least = 1, most = MAX_ITEMS)]
    pub items: Vec<Item>,
}

const SLUG: Schema = Schema::text(0, SLUG_CHARACTERS, "^[a-z0-9]+(-[a-z0-9]+)*$");

impl NewDocument {
    /// Checks what needs the register: that `owner` is the member that the field names.
    pub fn check(&self, owner: Option<Person>) -> crate::Result<Option<Person>> {
        let mut faults = Faults::new();
        let owner = person::member(self.owner, owner, "#/owner", &mut faults);
        faults.or(owner)
    }

    /// The record without its items, made at `at`, after [`NewDocument::check`].
    pub fn create(&self, owner: Option<Person>, at: Timestamp) -> Document {
        Document {
            slug: self.slug.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            owner,
            status: DocumentStatus::Draft,
            published_version: None,
            open_proposal: None,
            created_date: at,
            updated_date: at,
            version: 1,
        }
    }
}

/// Whether a text is a slug: `[a-z0-9]+(-[a-z0-9]+)*`, at most 80 characters.
pub fn is_slug(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= SLUG_CHARACTERS && text.split('-').all(word)
}

/// What no slug may be, because something else has this address: `/v1/documents/export`.
const TAKEN_SLUG: &str = "export";

/// Checks a document's slug.
fn slug(text: &str, pointer: &str, faults: &mut Faults) {
    text::at_most(text, SLUG_CHARACTERS, pointer, faults);
    if text.len() <= SLUG_CHARACTERS && !is_slug(text) {
        faults.add(pointer, FaultCode::Format, "must be words of a-z and 0-9 with single hyphens between");
    }
    if text == TAKEN_SLUG {
        faults.add(pointer, FaultCode::Format, "must not be `export`, which is the address of the export");
    }
}
