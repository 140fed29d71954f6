//! Roles of people are sets of scopes.

use serde::Serialize;

use crate::scope::{Scope, Scopes};

/// What a member may do in an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads everything but the journal.
    Viewer,
    /// A viewer who handles incidents.
    Responder,
    /// A responder who also deletes incidents and owns risks, tags and documents.
    Owner,
    /// A viewer who approves documents.
    Approver,
    /// A viewer who reads the journal.
    Auditor,
    /// Declares incidents and acknowledges documents.
    Staff,
    /// May do everything.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 7] =
        [Self::Viewer, Self::Responder, Self::Owner, Self::Approver, Self::Auditor, Self::Staff, Self::Admin];

    /// The error message for an unknown role.
    pub const EXPECTED: &'static str = "must be viewer, responder, owner, approver, auditor, staff or admin";

    /// The wire and stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Responder => "responder",
            Self::Owner => "owner",
            Self::Approver => "approver",
            Self::Auditor => "auditor",
            Self::Staff => "staff",
            Self::Admin => "admin",
        }
    }

    /// Reads the wire form.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// What the role allows.
    pub fn scopes(self) -> Scopes {
        use Scope::{
            DocumentsAcknowledge, DocumentsApprove, DocumentsRead, DocumentsWrite, IncidentsDeclare,
            IncidentsDelete, IncidentsRead, IncidentsWrite, JournalRead, OrganizationsRead, RisksDelete,
            RisksRead, RisksWrite, TagsRead, TagsWrite, UsersRead,
        };
        let viewer = [IncidentsRead, RisksRead, TagsRead, DocumentsRead, OrganizationsRead, UsersRead];
        let more: &[Scope] = match self {
            Self::Viewer => &[],
            Self::Responder => &[IncidentsWrite],
            Self::Owner => {
                &[IncidentsWrite, IncidentsDelete, RisksWrite, RisksDelete, TagsWrite, DocumentsWrite]
            }
            Self::Approver => &[DocumentsApprove],
            Self::Auditor => &[JournalRead],
            Self::Staff => return [DocumentsAcknowledge, IncidentsDeclare].into_iter().collect(),
            Self::Admin => return Scopes::all(),
        };
        viewer.into_iter().chain(more.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_read_by_auditors_and_admins() {
        for role in Role::ALL {
            let reads = [Role::Auditor, Role::Admin].contains(&role);
            assert_eq!(role.scopes().has(Scope::JournalRead), reads, "{role:?}");
            assert_eq!(Role::parse(role.as_str()), Some(role));
            assert!(Role::EXPECTED.contains(role.as_str()), "{role:?}");
        }
        assert_eq!(Role::Admin.scopes(), Scopes::all());
        assert_eq!(Role::Staff.scopes().to_string(), "incidents:declare documents:acknowledge");
    }
}
