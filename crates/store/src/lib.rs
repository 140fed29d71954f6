//! All SQL, one file per kind of record, and the journal.
//!
//! Every function on an organization's data takes the organization first, after the transaction, and
//! every one that changes something appends to the journal in the same transaction.

pub mod acceptances;
pub mod acknowledgements;
pub mod archiving;
pub mod clients;
pub mod demo;
pub mod did_you_mean;
pub mod document_bulk;
pub mod documents;
pub mod draft_removal;
pub mod duties;
pub mod evaluations;
pub mod exceptions;
pub mod first_run;
mod four_eyes;
pub mod groups;
pub mod hits;
pub mod imports;
pub mod incidents;
pub mod invitations;
mod ledger;
pub mod links;
pub mod listed;
pub mod migrations;
pub mod notes;
pub mod organizations;
pub mod people;
pub mod performance;
pub mod proposals;
pub mod redaction;
pub mod refusals;
pub mod refused_sign_ins;
mod registry;
pub mod reset_links;
pub mod reviews;
pub mod revocations;
pub mod risk_changes;
pub mod risks;
pub mod saved_views;
pub mod scale_change;
pub mod scales;
pub mod sessions;
pub mod shown;
pub mod signing_keys;
pub mod sweeps;
pub mod tag_removal;
pub mod tags;
pub mod tasks;
pub mod token_families;
pub mod undo;
pub mod verify;
pub mod version_check;

pub use ledger::error::{Error, Result};
pub use ledger::page::Page;
pub use ledger::view::{Deleted, View};
pub use ledger::{
    access, bulk, condition, error, facets, housekeeping, idempotency, inventory, journal, list, search,
};
pub use registry::REGISTRY;

/// What an organization counts. Each number starts at 1 and is never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// `INC-…`
    Incident = 0,
    /// `RSK-…`
    Risk = 1,
    /// Proposals of all documents.
    Proposal = 2,
    /// Change sets of all proposals.
    ChangeSet = 3,
    /// Exceptions to all documents.
    Exception = 4,
}

impl Counter {
    /// The next number of this kind.
    pub fn next(self, tx: &mut db::Tx, organization: domain::OrgId) -> Result<i64> {
        Ok(tx.next_number(organization, self as usize)?)
    }
}
