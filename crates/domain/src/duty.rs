//! Duties: what a member is responsible for, which somebody else has to take over when the member leaves.

use macros::Body;

use crate::ids::UserId;
use crate::scope::{Scope, Scopes};
use crate::word::each_once;

/// To whom duties go, and which.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewHandover")]
pub struct Handover {
    /// The id of the member who takes over.
    pub to: UserId,
    /// The kinds of duties, each once; all that the caller may change unless it is sent.
    #[body(read = each_once, least = 1, most = Duty::ALL.len())]
    pub which: Option<Vec<Duty>>,
}

crate::words! {
    "Duty"
    /// A kind of duty of a member.
    pub enum Duty {
        /// The open incidents that the member leads.
        Incidents = "incidents",
        /// The tasks of incidents that the member owns and that are open or in progress.
        Tasks = "tasks",
        /// The reviews of incidents that the member owns and that are not published.
        Reviews = "reviews",
        /// The open risks that the member owns.
        Risks = "risks",
        /// The tasks of risks that the member owns and that are open or in progress.
        RiskTasks = "risk_tasks",
        /// The documents that the member owns and that are not archived.
        Documents = "documents",
    }
}

impl Duty {
    /// The scope with which a caller knows of such duties.
    pub fn reads(self) -> Scope {
        match self {
            Self::Incidents | Self::Tasks | Self::Reviews => Scope::IncidentsRead,
            Self::Risks | Self::RiskTasks => Scope::RisksRead,
            Self::Documents => Scope::DocumentsRead,
        }
    }

    /// The kinds of duties that a caller with these scopes knows of.
    pub fn known_to(scopes: Scopes) -> Vec<Self> {
        Self::ALL.iter().copied().filter(|duty| scopes.has(duty.reads())).collect()
    }

    /// The kinds of duties that a caller with these scopes hands over.
    pub fn handed_over_by(scopes: Scopes) -> Vec<Self> {
        Self::ALL.iter().copied().filter(|duty| scopes.has(duty.writes())).collect()
    }

    /// The scope with which a caller hands such duties over.
    pub fn writes(self) -> Scope {
        match self {
            Self::Incidents | Self::Tasks | Self::Reviews => Scope::IncidentsWrite,
            Self::Risks | Self::RiskTasks => Scope::RisksWrite,
            Self::Documents => Scope::DocumentsWrite,
        }
    }

    /// So many of these duties, in words.
    pub fn counted(self, count: i64) -> String {
        let (one, several) = match self {
            Self::Incidents => ("open incident", "open incidents"),
            Self::Tasks => ("open task", "open tasks"),
            Self::Reviews => ("unpublished review", "unpublished reviews"),
            Self::Risks => ("open risk", "open risks"),
            Self::RiskTasks => ("open treatment task", "open treatment tasks"),
            Self::Documents => ("document", "documents"),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }
}

/// How many duties of each kind a member has, of the kinds that a caller may know of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DutyCounts(pub Vec<(Duty, i64)>);

impl DutyCounts {
    /// How many duties of this kind; none if the caller may not know of them.
    pub fn of(&self, duty: Duty) -> Option<i64> {
        self.0.iter().find(|(known, _)| *known == duty).map(|(_, count)| *count)
    }

    /// All together.
    pub fn total(&self) -> i64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// What there is, in words: `1 open incident, 2 open tasks`.
    pub fn sentence(&self) -> String {
        let some = self.0.iter().filter(|(_, count)| *count > 0);
        some.map(|(duty, count)| duty.counted(*count)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duties_are_counted_in_words() {
        let counts = DutyCounts(vec![(Duty::Incidents, 1), (Duty::Tasks, 2), (Duty::Risks, 0)]);
        assert_eq!(counts.sentence(), "1 open incident, 2 open tasks");
        assert_eq!((counts.total(), counts.of(Duty::Risks), counts.of(Duty::Documents)), (3, Some(0), None));
        assert_eq!(DutyCounts::default().sentence(), "");
    }
}
