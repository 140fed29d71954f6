//! What a request may do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Error, Result};
use crate::scope::{Scope, Scopes};

/// The scopes of a request's token. While the request is processed they also collect the scopes it required: a response
/// stored under an Idempotency-Key is replayed only to callers that have them.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    scopes: Scopes,
    /// Shared by the clones of one request.
    required: Arc<AtomicU32>,
}

impl Permissions {
    /// Those of a token with these scopes.
    pub fn new(scopes: Scopes) -> Self {
        Self { scopes, required: Arc::default() }
    }

    /// What the token allows.
    pub fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// Refuses a token that lacks one of these scopes.
    pub fn require(&self, scopes: Scopes) -> Result<()> {
        self.note_required(scopes);
        self.scopes.require_all(scopes)
    }

    /// Records that these scopes were required.
    pub fn note_required(&self, scopes: Scopes) {
        self.required.fetch_or(scopes.bits(), Ordering::Relaxed);
    }

    /// Every scope that was required so far.
    pub fn required(&self) -> Scopes {
        Scopes::from_bits(self.required.load(Ordering::Relaxed))
    }
}

impl Scopes {
    /// Refuses a set that lacks a scope of `other`; the error names all that are missing.
    pub fn require_all(self, other: Self) -> Result<()> {
        let missing = other.without(self);
        if missing.is_empty() { Ok(()) } else { Err(Error::Forbidden(missing)) }
    }

    /// Refuses a set that has none of these scopes, each of which would be enough.
    pub fn require_any(self, scopes: &'static [Scope]) -> Result<()> {
        let has_one = scopes.iter().any(|scope| self.has(*scope));
        if has_one { Ok(()) } else { Err(Error::ForbiddenWithoutAny(scopes)) }
    }
}

impl PartialEq for Permissions {
    fn eq(&self, other: &Self) -> bool {
        self.scopes == other.scopes
    }
}

impl Eq for Permissions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_knows_which_scopes_it_was_asked_for_whether_it_has_them_or_not() {
        let permissions = Permissions::new([Scope::TagsRead, Scope::TagsWrite].into_iter().collect());
        let clone = permissions.clone();
        assert_eq!(permissions.required(), Scopes::default());
        assert_eq!(clone.require(Scope::TagsWrite.into()), Ok(()));
        assert_eq!(clone.require(Scope::RisksRead.into()), Err(Error::Forbidden(Scope::RisksRead.into())));
        let asked = [Scope::TagsWrite, Scope::RisksRead].into_iter().collect();
        assert_eq!(permissions.required(), asked, "the clones of one request are one");
    }
}
