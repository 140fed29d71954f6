//! Roles of people are sets of scopes. Everyone declares incidents and acknowledges documents.

mod several;

pub use several::Roles;

use crate::scope::{Scope, Scopes};

crate::words! {
    "Role"
    /// What a member may do in an organization: a role is a set of scopes.
    pub enum Role {
        /// Reads everything except the audit log, and declares incidents.
        Viewer = "viewer",
        /// A viewer who manages incidents.
        Responder = "responder",
        /// A responder who also deletes incidents and manages risks, tags and documents.
        Owner = "owner",
        /// A viewer who approves documents.
        Approver = "approver",
        /// A viewer who reads the audit log.
        Auditor = "auditor",
        /// Declares incidents, and acknowledges documents.
        Staff = "staff",
        /// Has every scope.
        Admin = "admin",
    }
}

impl Role {
    /// What the role allows.
    pub fn scopes(self) -> Scopes {
        use Scope::{
            DocumentsAcknowledge, DocumentsApprove, DocumentsRead, DocumentsWrite, IncidentsDeclare,
            IncidentsDelete, IncidentsRead, IncidentsWrite, JournalRead, OrganizationsRead, RisksAccept,
            RisksDelete, RisksRead, RisksWrite, TagsRead, TagsWrite, UsersRead,
        };
        let everyone = [IncidentsDeclare, DocumentsAcknowledge];
        let viewer = [IncidentsRead, RisksRead, TagsRead, DocumentsRead, OrganizationsRead, UsersRead];
        let more: &[Scope] = match self {
            Self::Viewer => &[],
            Self::Responder => &[IncidentsWrite],
            Self::Owner => &[
                IncidentsWrite,
                IncidentsDelete,
                RisksWrite,
                RisksAccept,
                RisksDelete,
                TagsWrite,
                DocumentsWrite,
            ],
            Self::Approver => &[DocumentsApprove],
            Self::Auditor => &[JournalRead],
            Self::Staff => return everyone.into_iter().collect(),
            Self::Admin => return Scopes::all(),
        };
        everyone.into_iter().chain(viewer).chain(more.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_read_by_auditors_and_admins() {
        for role in Role::ALL {
            let reads = [Role::Auditor, Role::Admin].contains(role);
            assert_eq!(role.scopes().has(Scope::JournalRead), reads, "{role:?}");
        }
        assert_eq!(Role::Admin.scopes(), Scopes::all());
        assert_eq!(Role::Staff.scopes().to_string(), "incidents:declare documents:acknowledge");
    }
}
