//! Newer texts of the library: what they change in a document, and taking one into its open proposal.

use db::Tx;
use domain::document::{
    Document, DocumentWithItems, NewDocument, Offer, OfferedText, Proposal, ProposedChanges, kept_after,
};
use domain::{Author, Error, OrgId, ResourceKind};
use macros::boxed;

use super::{ProposalRow, change, draft, edit, read};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};

/// An offer, and the records that it was merged from.
#[derive(Debug, Clone)]
pub struct MergedOffer {
    /// The offer.
    pub offer: Offer,
    document: Document,
    /// The version of its open proposal.
    proposal: Option<i64>,
}

/// What this `library` offers to a document, merged into it as its open proposal has it. It is made outside of writes, because texts
/// are long.
#[boxed]
pub async fn offer(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    library: &[NewDocument],
) -> Result<MergedOffer> {
    let document = documents::get(tx, organization, slug).await?;
    let row = open_row(tx, organization, &document).await?;
    of(tx, organization, &document, row.as_ref(), library).await
}

/// Takes the offered text into the open proposal of a document, which is opened if there is none. The caller becomes an author of
/// what it changes; a submitted proposal is open again then. `merged` is the offer as it was read before the write; if the document
/// or its proposal was changed since, it is merged again.
#[boxed]
pub async fn take_offer(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    library: &[NewDocument],
    merged: Option<MergedOffer>,
    offered: &OfferedText,
) -> Result<Proposal> {
    let document = documents::get(tx, organization, slug).await?;
    let row = open_row(tx, organization, &document).await?;
    let version = row.as_ref().map(|row| row.version);
    let is_present = |it: &MergedOffer| it.document == document.document && it.proposal == version;
    let MergedOffer { offer, .. } = match merged.filter(is_present) {
        Some(merged) => merged,
        None => of(tx, organization, &document, row.as_ref(), library).await?,
    };
    if offer.library.sha256 != offered.sha256.as_str() {
        return Err(Error::NotFound(ResourceKind::Offer).into());
    }
    let patch = offer.patch()?;
    let row = match row {
        Some(row) => row,
        None => {
            let (changes, mut entries) = ((ProposedChanges::default(), None), Vec::new());
            let number = edit::open_proposal(tx, organization, slug, 0, changes, false, &mut entries).await?;
            journal::append_all(tx, organization, author, entries).await?;
            read::find(tx, organization, slug, number).await?
        }
    };
    let taken = ProposalRow {
        library_sha256: Some(offer.library.sha256.clone()),
        library_release: Some(offer.library.release),
        library_kept: kept_after(&row.library_kept, &offer.kept),
        ..row.clone()
    };
    change::apply(tx, organization, author, &document, &row, taken, &patch).await?;
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
    let before = documents::read(tx, organization, slug).await?;
    let present = before.document.offered(library).filter(|it| it.sha256 == offered.sha256.as_str());
    let after = before.document.decline(present.ok_or(Error::NotFound(ResourceKind::Offer))?, tx.at());
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
) -> Result<MergedOffer> {
    let it = &document.document;
    let base = it.taken_sha256.as_ref().or(it.library_sha256.as_ref());
    let offered = it.offered(library).zip(base);
    let (present, base) = offered.ok_or(Error::NotFound(ResourceKind::Offer))?;
    let text = documents::library_text(tx, organization, &it.slug, base).await?;
    let proposed = row.map(|row| row.changes.overlaid(document)).transpose()?;
    let offer = Offer::new(present, (base, &text), proposed.as_ref().unwrap_or(document))?;
    Ok(MergedOffer { offer, document: it.clone(), proposal: row.map(|row| row.version) })
}
