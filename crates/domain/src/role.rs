//! Roles of people are sets of scopes.

use serde::Serialize;

use crate::scope::{Scope, Scopes};

/// What a member may do in an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads everything but the journal.
    Viewer,
    /// A viewer who works incidents.
    Responder,
    /// A responder who also deletes incidents and owns risks, tags and documents.
    Owner,
    /// A viewer who approves documents.
    Approver,
    /// May do everything.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::Viewer, Self::Responder, Self::Owner, Self::Approver, Self::Admin];

    /// The wire and stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Responder => "responder",
            Self::Owner => "owner",
            Self::Approver => "approver",
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
            DocumentsApprove, DocumentsRead, DocumentsWrite, IncidentsDelete, IncidentsRead, IncidentsWrite,
            OrganizationsRead, RisksDelete, RisksRead, RisksWrite, TagsRead, TagsWrite, UsersRead,
        };
        let viewer = [IncidentsRead, RisksRead, TagsRead, DocumentsRead, OrganizationsRead, UsersRead];
        let more: &[Scope] = match self {
            Self::Viewer => &[],
            Self::Responder => &[IncidentsWrite],
            Self::Owner => {
                &[IncidentsWrite, IncidentsDelete, RisksWrite, RisksDelete, TagsWrite, DocumentsWrite]
            }
            Self::Approver => &[DocumentsApprove],
            Self::Admin => Scope::ALL,
        };
        viewer.into_iter().chain(more.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_admin_reads_the_journal() {
        for role in Role::ALL {
            assert_eq!(role.scopes().has(Scope::JournalRead), role == Role::Admin, "{role:?}");
            assert_eq!(Role::parse(role.as_str()), Some(role));
        }
        assert_eq!(Role::Admin.scopes(), Scopes::all());
    }
}
