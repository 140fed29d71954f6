//! Published versions of a document: its texts as they were approved.

use jiff::Timestamp;

use super::day::Day;
use super::printed_text::{body_of, property_of};
use crate::actor::Actor;
use crate::text::{Prose, Reason};

/// A published version with its text. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedText {
    /// The version.
    pub version: DocumentVersion,
    /// The text as it was approved, with its front matter.
    pub markdown: String,
}

impl PublishedText {
    /// The text behind the front matter.
    pub fn body(&self) -> &str {
        body_of(&self.markdown)
    }

    /// A text of the front matter, such as `title`; none if it has none.
    pub fn property(&self, name: &str) -> Option<String> {
        property_of(&self.markdown, name)
    }
}

/// A published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentVersion {
    /// The document's slug.
    pub document: String,
    /// Counts the document's publications from 1.
    pub number: i64,
    /// The proposal that it was approved in.
    pub proposal: i64,
    /// The SHA-256 of the text.
    pub sha256: String,
    /// The SHA-256 of the HTML that the text became when it was approved; none if nobody noted it.
    pub html_sha256: Option<String>,
    /// What changed and why.
    pub summary: Option<Prose>,
    /// Whether everybody acknowledges the document again.
    pub is_material: bool,
    /// Why.
    pub material_reason: Option<Reason>,
    /// The day from which it holds.
    pub effective_date: Day,
    /// Who approved it.
    pub approved_by: Actor,
    /// When it was approved, and so published.
    pub approved_date: Timestamp,
    /// What the approver noted.
    pub note: Option<Prose>,
}
