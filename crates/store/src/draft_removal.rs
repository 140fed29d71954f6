//! Deleting documents that were never published, with all that belongs to them.

use db::Tx;
use domain::{Author, ExpectedVersion, OrgId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::{documents, links, proposals};

/// Deletes a document for good that was never published and on which nobody else has worked, if it has an `expected` version.
/// Its proposals go with it, and the links of incidents that lead to it are removed. Its slug can be used again.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
) -> Result<()> {
    let document = documents::get(tx, organization, slug).await?.document;
    expected.check(document.version)?;
    let is_worked_on = proposals::are_worked_on(tx, organization, slug, &author.actor).await?;
    document.check_deletion(is_worked_on)?;
    let mut entries = proposals::delete_all(tx, organization, slug).await?;
    entries.push(documents::delete(tx, organization, &document).await?);
    journal::append_all(tx, organization, author, entries).await?;
    links::remove_all(tx, organization, author, slug).await
}
