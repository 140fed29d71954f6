//! Archiving documents, which ends what is open about them, and restoring them.

use db::Tx;
use domain::document::{Archived, Archiving, Document, DocumentWithItems};
use domain::{Author, ExpectedVersion, OrgId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::{acknowledgements, documents, proposals};

/// Archives a document, if it has an `expected` version. Its open proposal is withdrawn, and nobody is asked to acknowledge it
/// any more.
#[boxed]
pub async fn archive(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
    archiving: &Archiving,
) -> Result<Archived> {
    let before = documents::read(tx, organization, slug).await?.document;
    expected.check(before.version)?;
    let after = before.archive(archiving, tx.at())?;
    let after = Document {
        open_proposal: None,
        proposal_status: None,
        taken_sha256: None,
        taken_release: None,
        ..after
    };
    let mut entries = Vec::new();
    if let Some(number) = before.open_proposal {
        let reason = archiving.reason.clone();
        entries.push(proposals::withdraw_open(tx, organization, (slug, number), reason).await?);
    }
    entries.push(documents::replace(tx, organization, "document.archived", &before, &after).await?);
    journal::append_all(tx, organization, author, entries).await?;
    let ended_requests = acknowledgements::end_all(tx, organization, author, slug).await?;
    Ok(Archived { document: after, withdrawn_proposal: before.open_proposal, ended_requests })
}

/// Takes an archived document into use again, if it has an `expected` version. One that is in use stays as it is.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
) -> Result<DocumentWithItems> {
    let before = documents::read(tx, organization, slug).await?;
    expected.check(before.document.version)?;
    let Some(after) = before.document.restore(tx.at()) else { return Ok(before) };
    let entry = documents::replace(tx, organization, "document.restored", &before.document, &after).await?;
    journal::append_all(tx, organization, author, vec![entry]).await?;
    Ok(DocumentWithItems { document: after, ..before })
}
