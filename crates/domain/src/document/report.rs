//! Kept reports: documents whose text is made from the register of risks and not written.

use std::collections::BTreeMap;

use macros::Body;
use serde::{Deserialize, Serialize};

use super::{Document, DocumentKind, NewDocument, ProposalPatch, SLUG, slug};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson as _, Json, Pointer, checked};
use crate::risk_change::Span;
use crate::text::Line;

/// What the text of a kept report was made from: with it the text is made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportSource {
    /// The version of the words that the text has beside the register's own: another one has another text.
    pub wording: i64,
    /// The registers that it tells of.
    pub span: Span,
    /// The names of people as the text has them, by what kind of actor they are and by id.
    pub names: BTreeMap<String, String>,
}

impl ReportSource {
    /// The text that keeps it.
    pub fn to_stored(&self) -> String {
        // Texts and numbers only: serializing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What a text keeps; none if it is no such text.
    pub fn from_stored(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// The document in which a report is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
pub struct KeptReport {
    /// The slug of the document, which is created if there is none; `risk-report` without one.
    #[body(read = checked(slug), schema = SLUG, example = "risk-report")]
    pub slug: Option<String>,
    /// The title of the document; without one, that of a new document is `Risk report`, and another keeps its own.
    #[body(example = "Risk report")]
    pub title: Option<Line>,
}

impl KeptReport {
    /// The slug of the document.
    pub fn slug(&self) -> &str {
        self.slug.as_deref().unwrap_or("risk-report")
    }

    /// The document, if there is none with this slug.
    pub fn document(&self) -> NewDocument {
        let title = self.title.clone().unwrap_or_else(|| "Risk report".into());
        NewDocument { kind: DocumentKind::Report, ..NewDocument::new(self.slug(), title, Vec::new()) }
    }

    /// Reads a body that may be absent.
    pub fn read(body: Json<'_>, faults: &mut Faults) -> Option<Self> {
        match body {
            Json::Null => Some(Self::default()),
            body => Self::from_json(body, Pointer::ROOT, faults),
        }
    }

    /// Checks that a document can keep a report now.
    ///
    /// # Errors
    /// If it is no report, is archived or has an open proposal.
    pub fn check(document: &Document) -> Result<()> {
        let conflict = |code| Err(Error::Conflict(code));
        match document {
            it if !it.is_report() => conflict(ErrorCode::SlugTaken),
            it if it.archived_date.is_some() => conflict(ErrorCode::DocumentArchived),
            it if it.open_proposal.is_some() => conflict(ErrorCode::ProposalOpen),
            _ => Ok(()),
        }
    }
}

/// Fails if a patch of a proposal would edit the text of a report.
pub fn check_written(document: &Document, patch: &ProposalPatch) -> Result<()> {
    let mut faults = Faults::new();
    if document.is_report() {
        let sent = [("#/template", patch.template.is_sent()), ("#/items", patch.items.is_some())];
        for (pointer, _) in sent.into_iter().filter(|(_, is_sent)| *is_sent) {
            faults.add(pointer, FaultCode::ReadOnly, NOT_WRITTEN);
        }
    }
    faults.or(Some(())).map(drop)
}

/// Why nobody edits a report.
pub const NOT_WRITTEN: &str =
    "The text of a kept report is made from the register of risks: withdraw it and keep another one.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_stored_without_loss() {
        let text = r#"{"wording":1,"span":{"from":{"day":"2026-01-01","at":"2026-01-01T23:59:59.999999Z","seq":0},
            "to":{"day":"2026-03-01","at":"2026-03-01T09:00:00Z","seq":12},"time_zone":"Europe/Berlin"},
            "names":{"user/1":"Ada"}}"#;
        let source = ReportSource::from_stored(text).unwrap();
        assert_eq!((source.span.entries(), source.names["user/1"].as_str()), ((0, 12), "Ada"));
        assert_eq!(ReportSource::from_stored(&source.to_stored()), Some(source));
        assert_eq!(ReportSource::from_stored("{}"), None);
    }
}
