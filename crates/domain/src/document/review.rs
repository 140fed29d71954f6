//! Reviews of a document: somebody has read it, and it needs no change.

use jiff::{SignedDuration, Timestamp};
use macros::Body;

use super::{Document, DocumentStatus};
use crate::actor::Actor;
use crate::error::{Error, ResourceKind, Result};
use crate::error_code::ErrorCode;
use crate::text::Prose;

/// A review of a document. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentReview {
    /// The document's slug.
    pub document: String,
    /// Counts the document's reviews from 1.
    pub number: i64,
    /// The latest version at that time.
    pub document_version: i64,
    /// The number of the proposal that confirmed it; none of a review by one person.
    pub proposal: Option<i64>,
    /// What the reviewer noted.
    pub note: Option<Prose>,
    /// Who reviewed it.
    pub reviewed_by: Actor,
    /// When.
    pub reviewed_date: Timestamp,
}

crate::words! {
    "DocumentReviewStatus"
    /// Whether the next review of a document is late.
    pub enum ReviewStatus {
        /// It was due and is not done.
        Overdue = "overdue",
        /// It is due later.
        Scheduled = "scheduled",
        /// There is none: of drafts, of archived documents, and of those without an interval.
        None = "none",
    }
}

/// A review to record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
pub struct NewDocumentReview {
    /// What was reviewed and found, as Markdown.
    #[body(example = "Read with the administrators; still right.")]
    pub note: Option<Prose>,
}

impl Document {
    /// The document once it was reviewed at `at`, and the version that was reviewed.
    ///
    /// # Errors
    /// If it has no version yet, or is archived.
    pub fn review(&self, at: Timestamp) -> Result<(Self, i64)> {
        if self.status == DocumentStatus::Archived {
            return Err(Error::Conflict(ErrorCode::DocumentArchived));
        }
        let version = self.published_version.ok_or(Error::NotFound(ResourceKind::DocumentVersion))?;
        Ok((self.changed(at).reviewed(at), version))
    }

    /// The same document, for which a review or a publication at `at` is the latest.
    #[must_use]
    pub fn reviewed(self, at: Timestamp) -> Self {
        Self { reviewed_date: Some(at), ..self }.with_next_review()
    }

    /// The same document with its next review `review_every_days` after the latest. An archived one has none.
    #[must_use]
    pub(super) fn with_next_review(self) -> Self {
        let days = self.review_every_days.map(|days| SignedDuration::from_hours(24 * days));
        let last = self.reviewed_date.filter(|_| self.status != DocumentStatus::Archived);
        let next = last.zip(days).and_then(|(at, days)| at.checked_add(days).ok());
        Self { next_review_date: next, ..self }
    }

    /// Whether its next review is late at `now`.
    pub fn is_review_overdue(&self, now: Timestamp) -> bool {
        self.next_review_date.is_some_and(|next| next <= now)
    }
}
