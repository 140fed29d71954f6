//! Scopes: one per kind of resource and action.

mod sent;

use std::fmt;

crate::words! {
    "Scope"
    /// The right to one action on one kind of resource (RFC 6749, section 3.3).
    pub enum Scope {
        /// Read incidents.
        IncidentsRead = "incidents:read",
        /// Create and change incidents.
        IncidentsWrite = "incidents:write",
        /// Create incidents, read those that the caller created, and comment on them.
        IncidentsDeclare = "incidents:declare",
        /// Delete and restore incidents, and see deleted ones.
        IncidentsDelete = "incidents:delete",
        /// Close an incident with an override, and import statuses and dates of the past.
        IncidentsOverride = "incidents:override",
        /// See and change incidents that are restricted to others.
        IncidentsRestricted = "incidents:restricted",
        /// Read risks, evaluations and figures.
        RisksRead = "risks:read",
        /// Create, change, evaluate and tag risks.
        RisksWrite = "risks:write",
        /// Decide about acceptances of risks.
        RisksAccept = "risks:accept",
        /// Delete and restore risks, and see deleted ones.
        RisksDelete = "risks:delete",
        /// Read tags.
        TagsRead = "tags:read",
        /// Create, change, merge and delete tags.
        TagsWrite = "tags:write",
        /// Read documents and proposals.
        DocumentsRead = "documents:read",
        /// Create documents and record selections.
        DocumentsWrite = "documents:write",
        /// Approve proposals.
        DocumentsApprove = "documents:approve",
        /// Acknowledge published documents.
        DocumentsAcknowledge = "documents:acknowledge",
        /// Read the organization.
        OrganizationsRead = "organizations:read",
        /// Change the organization.
        OrganizationsWrite = "organizations:write",
        /// Read the organization's members.
        UsersRead = "users:read",
        /// Manage the organization's members.
        UsersAdmin = "users:admin",
        /// Manage the organization's OAuth clients.
        ClientsAdmin = "clients:admin",
        /// Read the journal (the audit log).
        JournalRead = "journal:read",
    }
}

impl Scope {
    fn bit(self) -> u32 {
        1 << (self as u32)
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u32);

impl Scopes {
    /// Every scope.
    pub fn all() -> Self {
        Scope::ALL.iter().copied().collect()
    }

    /// Reads a space-delimited list (RFC 6749, section 3.3); an unknown token is returned as the error.
    pub fn parse(text: &str) -> Result<Self, &str> {
        text.split(' ')
            .filter(|token| !token.is_empty())
            .map(|token| Scope::parse(token).ok_or(token))
            .collect()
    }

    /// Whether `scope` is in the set.
    pub fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether every scope of `other` is in this set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in one of them.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// A number that stands for the set, in this process only.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The set that a number stands for.
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// What is in both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |scope| self.has(*scope))
    }
}

impl From<Scope> for Scopes {
    fn from(scope: Scope) -> Self {
        Self(scope.bit())
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

/// The space-delimited form.
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_scopes_survives_a_round_trip() {
        let text = Scopes::all().to_string();
        assert_eq!(Scopes::parse(&text), Ok(Scopes::all()));
        assert_eq!(text.split(' ').count(), Scope::ALL.len());
        assert_eq!(
            Scopes::parse("risks:read incidents:read").map(|s| s.to_string()).as_deref(),
            Ok("incidents:read risks:read")
        );
        assert_eq!(Scopes::parse("risks:read risks:fly"), Err("risks:fly"));
    }
}
