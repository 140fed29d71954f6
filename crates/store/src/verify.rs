//! Verification: the chain is walked, and what the database has is held against what the journal tells.

use db::Tx;
use domain::OrgId;
use macros::boxed;

pub use crate::ledger::verify::{Progress, verify_part};

use crate::ledger::error::Result;
use crate::ledger::journal::{Expected, Report};
use crate::registry::REGISTRY;

/// Walks the chain of `organization`, compares it with its head and every record with its entries.
#[boxed]
pub async fn verify(tx: &mut Tx, organization: OrgId, expected: Option<Expected>) -> Result<Report> {
    verify_with(tx, organization, expected, &mut |_| ()).await
}

/// The same, telling how far it has come after each page.
#[boxed]
pub async fn verify_with(
    tx: &mut Tx,
    organization: OrgId,
    expected: Option<Expected>,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Report> {
    crate::ledger::verify::verify(tx, organization, &REGISTRY, expected, progress).await
}
