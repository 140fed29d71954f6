//! The words for an incident's status, its kind and its outcome.

crate::words! {
    "IncidentStatus"
    /// The status of an incident in its life.
    pub enum Status {
        /// Declared.
        New = "new",
        /// Being worked on.
        Investigating = "investigating",
        /// The harm is contained.
        Contained = "contained",
        /// Eradicated and recovered.
        Resolved = "resolved",
        /// Reviewed.
        Closed = "closed",
        /// Not an incident, a duplicate or a test.
        Dismissed = "dismissed",
    }
}

crate::words! {
    "IncidentCategory"
    /// Whether work on an incident goes on.
    pub enum Category {
        /// It is not closed or dismissed.
        Open = "open",
        /// It is closed or dismissed.
        Closed = "closed",
    }
}

crate::words! {
    "IncidentKind"
    /// What kind of event was recorded. Drills and tests never count in figures.
    pub enum Kind {
        /// It happened.
        Real = "real",
        /// An exercise of the people.
        Drill = "drill",
        /// A test of the tools.
        Test = "test",
        /// Recorded long after it happened.
        Retrospective = "retrospective",
        /// It nearly happened.
        NearMiss = "near_miss",
    }
}

crate::words! {
    "ResolutionReason"
    /// Why an incident was resolved or dismissed.
    pub enum ResolutionReason {
        /// Resolved: the cause was removed.
        Fixed = "fixed",
        /// Resolved: the harm was reduced.
        Mitigated = "mitigated",
        /// Resolved: the remaining risk was accepted.
        Accepted = "accepted",
        /// Dismissed: the alarm was false.
        FalsePositive = "false_positive",
        /// Dismissed: it duplicates the incident in `duplicate_of`.
        Duplicate = "duplicate",
        /// Dismissed: it happened and is no incident.
        NotAnIncident = "not_an_incident",
        /// Dismissed: it was a test.
        Test = "test",
        /// Resolved or dismissed for the reason in `reason`.
        Other = "other",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` declares the type")]
impl Default for Kind {
    fn default() -> Self {
        Self::Real
    }
}

impl Status {
    /// Whether work goes on.
    pub fn category(self) -> Category {
        match self {
            Self::New | Self::Investigating | Self::Contained | Self::Resolved => Category::Open,
            Self::Closed | Self::Dismissed => Category::Closed,
        }
    }

    /// The name as a sentence has it.
    pub fn label(self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Investigating => "Investigating",
            Self::Contained => "Contained",
            Self::Resolved => "Resolved",
            Self::Closed => "Closed",
            Self::Dismissed => "Dismissed",
        }
    }

    /// The reasons with which an incident gets this status; none for a status that takes no reason.
    pub fn resolution_reasons(self) -> &'static [ResolutionReason] {
        use ResolutionReason::{
            Accepted, Duplicate, FalsePositive, Fixed, Mitigated, NotAnIncident, Other, Test,
        };
        match self {
            Self::Resolved => &[Fixed, Mitigated, Accepted, Other],
            Self::Dismissed => &[FalsePositive, Duplicate, NotAnIncident, Test, Other],
            Self::New | Self::Investigating | Self::Contained | Self::Closed => &[],
        }
    }
}
