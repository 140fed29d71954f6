//! Search: an index of words over incidents, risks and documents, the same on both engines.
//!
//! A row of `search_word` says which of 8,192 records with consecutive numbers have a word, and in which text. A word of a
//! query is a few of these rows even among a million incidents, so a search combines words in memory and then knows every
//! match and its weight; only the page that is shown is read from the records. Organization and restriction begin the key: no
//! search reads a row of another organization, or one about restricted incidents without knowing which of them the caller sees.
//!
//! The index follows the journal: [`follow()`] brings it up to date with the next entries, and `search_progress` says how far it
//! is. Each [`step`] is found out in a read, so that other writes wait for its writing alone. What is deleted, purged or redacted
//! leaves the index in the same write: `take_out`.

mod block;
mod find;
mod follow;
mod found;
mod hits;
mod index;
mod page;
mod span;
mod texts;
mod words;

pub(crate) use block::SIZE as BLOCK;
pub(crate) use find::{Search, find, find_documents, find_incidents, still_found};
pub(crate) use follow::is_being_removed;
pub use follow::{Followed, Step, clear, follow, organizations_behind, progress, step};
pub use found::{Found, Ranks};
pub(crate) use found::{FoundOrder, Ranked};
pub use hits::{Hit, HitPosition, count, hits, titled};
pub(crate) use index::{Indexed, stored_after, take_out};
pub(crate) use page::page;
pub(crate) use texts::{numbers_after, texts};
pub(crate) use words::words_after;
