//! Search: an index of words over incidents, risks and documents, the same on both engines.
//!
//! A row of `search_word` says which of 8,192 records with consecutive numbers have a word, and in which text. A word of a
//! query is a few of these rows even among a million incidents, so a search combines words in memory and then knows every
//! match and its weight; only the page that is shown is read from the records. Organization and restriction begin the key: no
//! search reads a row of another organization, or one about restricted incidents without knowing which of them the caller sees.
//!
//! The index keeps texts by unit (`unit.rs`): a record's own texts, and each of its parts, such as a note or a task
//! (`tables.rs`), or an item or the text in force of a document (`documents.rs`). A row of
//! `search_part_word` counts the parts of a record that have a word. So a write costs what it changes, however much the record has.
//!
//! The index follows the journal: [`follow()`] brings it up to date with the next entries, and `search_progress` says how far it
//! is. Each [`step`] has a bounded size and is found out in a read, so that other writes wait for its writing alone. What a unit
//! loses, and what is purged or redacted, leaves the index in the same write: `refresh`. The words of a deleted record are left to
//! what follows the journal, and until then searches know that it is deleted: `hide`.

mod block;
mod counts;
mod documents;
mod due;
mod find;
mod follow;
mod found;
mod index;
mod indexed;
mod page;
mod parts;
mod progress;
mod sizes;
mod span;
mod stored;
mod tables;
mod texts;
mod unit;
mod with_terms;
mod words;

pub(crate) use block::SIZE as BLOCK;
pub(crate) use documents::DOCUMENT_OF_ENTRY;
pub(crate) use due::{hidden, hide};
pub(crate) use find::{Search, Seen, find, find_documents, still_found};
pub(crate) use follow::is_unsettled;
pub use follow::{Followed, STEP_BYTES, Step, clear, follow, organizations_behind, step};
pub use found::{Found, Ranks};
pub(crate) use found::{FoundOrder, Ranked};
pub(crate) use index::{refresh, refresh_part, remove};
pub(crate) use indexed::Indexed;
pub(crate) use page::page;
pub(crate) use parts::{present_parts, stored_parts};
pub use progress::progress;
pub(crate) use stored::{own_after, parts as stored_texts};
pub(crate) use texts::{numbers_after, own, parts};
pub(crate) use unit::{OWN, Unit};
pub(crate) use with_terms::with_terms;
pub(crate) use words::words_after;
