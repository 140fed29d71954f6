//! Newer texts of the library: what they change in a document, and taking one into its open proposal.

use db::Tx;
use domain::document::{DocumentWithItems, NewDocument, Offer, OfferedText, Proposal, ProposedChanges};
use domain::{Author, Error, ErrorCode, OrgId, ResourceKind};
use macros::boxed;

use super::{ProposalRow, change, draft, edit, read, resolve};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};

/// What this `library` offers to a document, merged into it as its open proposal has it.
#[boxed]
pub async fn offer(tx: &mut Tx, organization: OrgId, slug: &str, library: &[NewDocument]) -> Result<Offer> {
    let document = documents::get(tx, organization, slug).await?;
    let row = open_row(tx, organization, &document).await?;
    of(tx, organization, &document, row.as_ref(), library).await
}

/// Takes the offered text into the open proposal of a document, which is opened if there is none. The caller becomes an author of
/// what it changes; a submitted proposal is open again then.
#[boxed]
pub async fn take_offer(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    library: &[NewDocument],
    offered: &OfferedText,
) -> Result<Proposal> {
    let document = documents::get(tx, organization, slug).await?;
    let row = open_row(tx, organization, &document).await?;
    let offer = of(tx, organization, &document, row.as_ref(), library).await?;
    if offer.library.sha256 != offered.sha256.as_str() {
        return Err(Error::NotFound(ResourceKind::Offer).into());
    }
    let row = match row {
        Some(row) => row,
        None if offer.merged == offer.own => return Err(Error::Conflict(ErrorCode::NothingToPublish).into()),
        None => {
            let (changes, mut entries) = ((ProposedChanges::default(), None), Vec::new());
            let number = edit::open_proposal(tx, organization, slug, 0, changes, false, &mut entries).await?;
            journal::append_all(tx, organization, author, entries).await?;
            read::find(tx, organization, slug, number).await?
        }
    };
    let taken = ProposalRow { library_sha256: Some(offer.library.sha256.clone()), ..row.clone() };
    let patch = offer.patch();
    if !change::apply(tx, organization, author, &document, &row, taken.clone(), &patch).await? {
        resolve::changed(tx, organization, author, &row, taken, false, Payload::new()).await?;
    }
    let kept = documents::keep_library_text(tx, organization, slug, &offer.library, Payload::new()).await?;
    if !kept.is_empty() {
        let entry = New { kind: "document.edited", subject: documents::subject(slug), payload: kept };
        journal::append_all(tx, organization, author, vec![entry]).await?;
    }
    Ok(draft(tx, organization, slug, row.number, None).await?.proposal)
}

/// Notes that the offer of a text of this `library` was declined.
#[boxed]
pub async fn decline_offer(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    library: &[NewDocument],
    offered: &OfferedText,
) -> Result<DocumentWithItems> {
    let before = documents::get(tx, organization, slug).await?;
    let present = before.document.offered(library).filter(|it| it.sha256 == offered.sha256.as_str());
    present.ok_or(Error::NotFound(ResourceKind::Offer))?;
    let after = before.document.decline(&offered.sha256, tx.at());
    let kind = "document.offer_declined";
    let entry = documents::replace(tx, organization, kind, &before.document, &after).await?;
    journal::append_all(tx, organization, author, vec![entry]).await?;
    Ok(DocumentWithItems { document: after, ..before })
}

/// The proposal that is open or submitted.
async fn open_row(
    tx: &mut Tx,
    organization: OrgId,
    document: &DocumentWithItems,
) -> Result<Option<ProposalRow>> {
    let document = &document.document;
    match document.open_proposal {
        Some(number) => Ok(Some(read::find(tx, organization, &document.slug, number).await?)),
        None => Ok(None),
    }
}

async fn of(
    tx: &mut Tx,
    organization: OrgId,
    document: &DocumentWithItems,
    row: Option<&ProposalRow>,
    library: &[NewDocument],
) -> Result<Offer> {
    let it = &document.document;
    let none = Error::NotFound(ResourceKind::Offer);
    let (Some(present), Some(base)) =
        (it.offered(library), it.taken_sha256.as_ref().or(it.library_sha256.as_ref()))
    else {
        return Err(none.into());
    };
    let base = documents::library_text(tx, organization, &it.slug, &present.policy, base).await?;
    let proposed = row.map(|row| row.changes.overlaid(document)).transpose()?;
    Ok(Offer::new(present, &base, proposed.as_ref().unwrap_or(document))?)
}
