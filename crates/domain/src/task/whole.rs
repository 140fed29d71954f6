//! The record that a task belongs to.

use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, RiskNumber};
use crate::scope::Scope;

/// The record that a task belongs to: an incident, or a risk whose treatment it is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskOf {
    /// An incident.
    Incident(IncidentNumber),
    /// A risk.
    Risk(RiskNumber),
}

impl TaskOf {
    /// The incident, if it is one.
    pub fn incident(self) -> Option<IncidentNumber> {
        match self {
            Self::Incident(number) => Some(number),
            Self::Risk(_) => None,
        }
    }

    /// The risk, if it is one.
    pub fn risk(self) -> Option<RiskNumber> {
        match self {
            Self::Incident(_) => None,
            Self::Risk(number) => Some(number),
        }
    }

    /// The scope with which its tasks are changed.
    pub fn writes(self) -> Scope {
        match self {
            Self::Incident(_) => Scope::IncidentsWrite,
            Self::Risk(_) => Scope::RisksWrite,
        }
    }

    /// The record in an address: `incidents/INC-0001`.
    pub fn path(self) -> String {
        match self {
            Self::Incident(number) => format!("incidents/{number}"),
            Self::Risk(number) => format!("risks/{number}"),
        }
    }

    /// Only a task of an incident can be mandatory: closing a risk waits for no task.
    pub(super) fn check_mandatory(self, mandatory: bool, faults: &mut Faults) {
        if mandatory && self.risk().is_some() {
            faults.add("#/mandatory", FaultCode::NotOfKind, "can only be true for a task of an incident");
        }
    }
}

impl From<IncidentNumber> for TaskOf {
    fn from(number: IncidentNumber) -> Self {
        Self::Incident(number)
    }
}

impl From<RiskNumber> for TaskOf {
    fn from(number: RiskNumber) -> Self {
        Self::Risk(number)
    }
}

impl std::fmt::Display for TaskOf {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Incident(number) => number.fmt(out),
            Self::Risk(number) => number.fmt(out),
        }
    }
}
