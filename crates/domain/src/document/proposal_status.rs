//! The statuses of a proposal.

crate::words! {
    "ProposalStatus"
    /// The lifecycle status of a proposal.
    pub enum ProposalStatus {
        /// Takes edits.
        Open = "open",
        /// Waits for approval.
        Submitted = "submitted",
        /// Published.
        Approved = "approved",
        /// Refused, with a reason.
        Rejected = "rejected",
        /// Withdrawn, with a reason.
        Withdrawn = "withdrawn",
    }
}

impl ProposalStatus {
    /// Which steps are possible now, for a person.
    pub fn next_steps(self) -> &'static str {
        match self {
            Self::Open => "The proposal is open: it can be submitted or withdrawn. Nothing was changed.",
            Self::Submitted => {
                "The proposal is submitted: it can be approved, rejected, returned or withdrawn. Nothing was changed."
            }
            Self::Approved => "The proposal is approved, and that is final. Nothing was changed.",
            Self::Rejected => "The proposal is rejected, and that is final. Nothing was changed.",
            Self::Withdrawn => "The proposal is withdrawn, and that is final. Nothing was changed.",
        }
    }
}
