//! The words for a severity and for its origin.

crate::words! {
    "Severity"
    /// How severe an incident is.
    pub enum Severity {
        /// Not assessed yet, or nothing is known that decides it.
        Undetermined = "undetermined",
        /// Handled in the course of normal work.
        Low = "low",
        /// Handled on the same day.
        Medium = "medium",
        /// Handled before other work.
        High = "high",
        /// Handled at once, by everyone who is needed.
        Critical = "critical",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` declares the type")]
impl Default for Severity {
    fn default() -> Self {
        Self::Undetermined
    }
}

impl Severity {
    /// Whether it is high or critical.
    pub fn is_high(self) -> bool {
        self >= Self::High
    }
}

crate::words! {
    "SeveritySource"
    /// How the severity came about.
    pub enum SeveritySource {
        /// The rules computed it from answers.
        Computed = "computed",
        /// A person set it and gave the reason.
        Manual = "manual",
    }
}
