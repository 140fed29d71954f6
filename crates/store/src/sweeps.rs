//! Rows that expire: they are no longer visible to any caller, and their removal is not journaled.

use db::{Engine, Tx};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::{Expiry, Taken, delete_due, is_any_due};
use crate::ledger::idempotency;
use crate::ledger::undo::continued;
use crate::{imports, invitations, refusals, reset_links, revocations, sessions, token_families};

/// What is swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Answers by Idempotency-Key.
    IdempotencyKeys,
    /// Families of refresh tokens.
    TokenFamilies,
    /// The deny-list of access tokens.
    Revocations,
    /// What clients were refused.
    Refusals,
    /// Sessions of people.
    Sessions,
    /// Invitations that were not accepted.
    Invitations,
    /// Reset links that were not used.
    ResetLinks,
    /// Which writes are one request, for undoing it.
    ContinuedRequests,
    /// Imports with their files.
    Imports,
}

impl Sweep {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::IdempotencyKeys,
        Self::TokenFamilies,
        Self::Revocations,
        Self::Refusals,
        Self::Sessions,
        Self::Invitations,
        Self::ResetLinks,
        Self::ContinuedRequests,
        Self::Imports,
    ];

    /// The name, as it is measured and logged.
    pub fn name(self) -> &'static str {
        match self {
            Self::IdempotencyKeys => "idempotency_keys",
            Self::TokenFamilies => "token_families",
            Self::Revocations => "revocations",
            Self::Refusals => "refusals",
            Self::Sessions => "sessions",
            Self::Invitations => "invitations",
            Self::ResetLinks => "reset_links",
            Self::ContinuedRequests => "continued_requests",
            Self::Imports => "imports",
        }
    }

    fn expiries(self) -> &'static [Expiry] {
        match self {
            Self::IdempotencyKeys => &[idempotency::EXPIRY],
            Self::TokenFamilies => &[token_families::EXPIRY],
            Self::Revocations => &[revocations::EXPIRY],
            Self::Refusals => &[refusals::EXPIRY],
            Self::Sessions => &[sessions::EXPIRY, sessions::IDLE_EXPIRY],
            Self::Invitations => &[invitations::EXPIRY],
            Self::ResetLinks => &[reset_links::EXPIRY],
            Self::ContinuedRequests => &[continued::EXPIRY],
            Self::Imports => &imports::EXPIRIES,
        }
    }

    /// The statements that look (`$1` is a date) and that delete (at most `$2`), for the test that checks their
    /// indexes.
    #[doc(hidden)]
    pub fn statements(self, engine: Engine) -> Vec<String> {
        self.expiries().iter().flat_map(|expiry| [expiry.look(), expiry.delete(engine)]).collect()
    }
}

/// Whether anything has expired at `now`. Only reads.
#[boxed]
pub async fn is_due(tx: &mut Tx, sweep: Sweep, now: Timestamp) -> Result<bool> {
    is_any_due(tx, sweep.expiries(), now).await
}

/// Deletes at most `most` rows, of every organization, that have expired at `now`, the oldest first.
#[boxed]
pub async fn sweep(tx: &mut Tx, sweep: Sweep, now: Timestamp, most: u32) -> Result<Taken> {
    delete_due(tx, sweep.expiries(), now, most).await
}
