//! All SQL, one file per kind of record, and the journal.
//!
//! Every function on an organization's data takes the organization first, after the transaction, and
//! every one that changes something appends to the journal in the same transaction.

pub mod access;
pub mod bulk;
pub mod clients;
pub mod condition;
pub mod demo;
mod dialect;
pub mod documents;
pub mod duties;
pub mod error;
pub mod evaluations;
pub mod facets;
pub mod first_run;
pub mod housekeeping;
pub mod idempotency;
pub mod incidents;
pub mod inventory;
pub mod invitations;
pub mod journal;
pub mod links;
pub mod list;
pub mod listed;
mod members;
pub mod migrations;
pub mod notes;
pub mod organizations;
mod page;
mod part;
pub mod people;
pub mod performance;
pub mod proposals;
mod record;
mod records;
pub mod redaction;
pub mod refusals;
pub mod refused_sign_ins;
mod registry;
pub mod reset_links;
pub mod reviews;
pub mod revocations;
pub mod risks;
pub mod saved_views;
pub mod search;
pub mod sessions;
pub mod shown;
pub mod signing_keys;
mod tag_links;
pub mod tags;
pub mod tasks;
pub mod token_families;
mod trash;
pub mod undo;
pub mod verify;
mod view;

pub use error::{Error, Result};
pub use page::Page;
pub use registry::REGISTRY;
pub use view::{Deleted, View};

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
}

impl Counter {
    /// The next number of this kind.
    pub fn next(self, tx: &mut db::Tx, organization: domain::OrgId) -> Result<i64> {
        Ok(tx.next_number(organization, self as usize)?)
    }
}
