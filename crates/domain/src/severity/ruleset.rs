//! The rule sets.

crate::words! {
    "SeverityRuleset"
    /// The rules that turn answers into a severity, with their version.
    pub enum Ruleset {
        /// Bailiwick's own rules: the highest impact against the urgency, with floors.
        Bailiwick1 = "bailiwick-1",
        /// The National Cyber Incident Scoring System of CISA: a score of eight factors. The scores at which the levels
        /// begin are Bailiwick's.
        CisaNcisss1 = "cisa-ncisss-1",
    }
}

impl Ruleset {
    /// The rule set of answers that name none.
    pub const DEFAULT: Self = Self::Bailiwick1;
}
