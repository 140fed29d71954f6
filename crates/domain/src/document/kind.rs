//! What the text of a document is made from.

use super::Document;

crate::words! {
    "DocumentKind"
    /// What the text of a document is made from.
    pub enum DocumentKind {
        /// A template and items, which people write.
        Policy = "policy",
        /// The register of risks as of a journal entry. Nobody edits it.
        Report = "report",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` derives no default")]
impl Default for DocumentKind {
    fn default() -> Self {
        Self::Policy
    }
}

impl Document {
    /// Whether its text is made from the register of risks.
    pub fn is_report(&self) -> bool {
        self.kind == DocumentKind::Report
    }
}
