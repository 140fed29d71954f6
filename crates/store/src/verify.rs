//! Verification: the chain is walked, and what the database has is held against what the journal tells.

mod compare;
pub(crate) mod recorded;
mod search;
mod story;
mod walk;

use db::Tx;
use domain::OrgId;
use macros::boxed;

pub use walk::{Progress, verify_part};

use crate::error::Result;
use crate::journal::{Expected, Report};
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
    walk::verify(tx, organization, &REGISTRY, expected, progress).await
}
