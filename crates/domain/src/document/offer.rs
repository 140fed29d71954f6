//! Newer texts of the library, which are offers to the documents that were made from it.

mod kept;
mod merge;
mod paragraphs;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::Body;

use super::printed_text::sha256;
use super::sha256::Sha256;
use super::{Document, DocumentWithItems, Item, LibraryText, NewDocument, ProposalPatch, file};
use crate::change::Change;
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::Faults;
use crate::json::Pointer;
use crate::text::Line;

pub use kept::{KeptText, TakenText, kept_after, kept_from_stored, kept_to_stored};
pub use merge::PolicyText;

impl LibraryText {
    /// The text of a policy in this release of it.
    pub fn of(policy: &NewDocument, release: i64) -> Self {
        let (slug, items) = (policy.slug.as_str(), policy.items.clone());
        let template = policy.template.clone();
        let text =
            file::write(&NewDocument { template, ..NewDocument::new(slug, Line::stored(slug), items) });
        Self { policy: slug.to_owned(), sha256: sha256(&text), text, release }
    }
}

impl PolicyText {
    /// What a stored text of the library says.
    fn from_stored(text: &str) -> Result<Self> {
        let mut faults = Faults::new();
        let read = file::read(text, Pointer::ROOT, &mut faults).filter(|_| faults.is_empty());
        let damaged = || Error::Internal(format!("a stored text of the library is not valid: {faults:?}"));
        read.map(|it| Self { template: it.template, items: it.items }).ok_or_else(damaged)
    }
}

/// The offered text that a call is about.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "OfferedText")]
pub struct OfferedText {
    /// The SHA-256 of the offered text that was read, as `GET …/offer` returns it.
    pub sha256: Sha256,
}

/// A newer text of the library, merged into a document as its open proposal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What is offered.
    pub library: LibraryText,
    /// The hash of the library's text that the document was made from, or that was taken last.
    pub base_sha256: String,
    /// The document before.
    pub own: PolicyText,
    /// The document with what is offered.
    pub merged: PolicyText,
    /// Where it keeps its own text.
    pub kept: Vec<KeptText>,
}

impl Offer {
    /// The offer of this text to a document that was made from the stored text `base`, which has this hash.
    pub fn new(
        library: &LibraryText,
        (base_sha256, base): (&str, &str),
        document: &DocumentWithItems,
    ) -> Result<Self> {
        let items = document.items.iter().map(|placed| placed.item.clone()).collect();
        let own = PolicyText { template: document.template.clone(), items };
        let [before, offered] = [base, &library.text].map(PolicyText::from_stored);
        let (merged, kept) = own.merged(&before?, &offered?);
        Ok(Self { library: library.clone(), base_sha256: base_sha256.to_owned(), own, merged, kept })
    }

    /// The ids of the items that are new.
    pub fn added(&self) -> Vec<&str> {
        missing(&self.merged, &self.own)
    }

    /// The ids of the items that are gone.
    pub fn removed(&self) -> Vec<&str> {
        missing(&self.own, &self.merged)
    }

    /// The ids of the items that are there before and afterwards, and differ.
    pub fn changed(&self) -> Vec<&str> {
        let differs = |it: &Item| self.own.items.iter().any(|own| own.id == it.id && own != it);
        let changed = self.merged.items.iter().filter(|it| differs(it));
        changed.map(|it| it.id.as_str()).collect()
    }

    /// What makes the document the merged one; fails if it is that already.
    pub fn patch(&self) -> Result<ProposalPatch> {
        if self.merged == self.own {
            return Err(Error::Conflict(ErrorCode::NothingToPublish));
        }
        let PolicyText { template, items } = self.merged.clone();
        let template = template.map_or(Change::Clear, Change::Set);
        let items = Some(items).filter(|items| *items != self.own.items);
        Ok(ProposalPatch { template, items, ..ProposalPatch::default() })
    }
}

/// The ids of the items of a text that another one does not have.
fn missing<'t>(of: &'t PolicyText, other: &PolicyText) -> Vec<&'t str> {
    let is_there = |id: &str| other.items.iter().any(|it| it.id == id);
    of.items.iter().map(|it| it.id.as_str()).filter(|id| !is_there(id)).collect()
}

impl Document {
    /// The text that the library offers: one that is newer than what the document was made from, published, declined, or has in its
    /// open proposal. An archived document is offered nothing.
    pub fn offered<'l>(&self, library: &'l [NewDocument]) -> Option<&'l LibraryText> {
        let policy = self.library_policy.as_deref().filter(|_| self.archived_date.is_none())?;
        let present = library.iter().filter_map(|it| it.library.as_ref()).find(|it| it.policy == policy)?;
        let known = self.library_release.max(self.taken_release);
        (Some(present.release) > known).then_some(present)
    }

    /// The document after the offer of this text was declined, at `at`.
    #[must_use]
    pub fn decline(&self, offered: &LibraryText, at: Timestamp) -> Self {
        Self { library_release: Some(offered.release), ..self.changed(at) }
    }
}
