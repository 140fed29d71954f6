//! Keeping a report: its text becomes a proposal of the document that keeps it.

use db::Tx;
use domain::document::{KeptReport, Proposal, ProposalPatch, ProposedChanges, ReportSource};
use domain::{Author, Change, Error, ErrorCode, OrgId, Prose};
use macros::boxed;

use super::{ProposalRow, change, draft, edit, read};
use crate::documents;
use crate::ledger::error::{Result, if_found};
use crate::ledger::journal;

/// Opens a proposal with the text of a report, in a document that is created if there is none. The caller is its author.
#[boxed]
pub async fn keep_report(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kept: &KeptReport,
    (source, text): (ReportSource, Prose),
) -> Result<Proposal> {
    let slug = kept.slug();
    let document = match if_found(documents::get(tx, organization, slug).await)? {
        Some(document) => document,
        None => documents::create(tx, organization, author, &kept.document()).await?,
    };
    KeptReport::check(&document.document)?;
    let (changes, mut entries) = ((ProposedChanges::default(), None), Vec::new());
    let number = edit::open_proposal(tx, organization, slug, 0, changes, false, &mut entries).await?;
    journal::append_all(tx, organization, author, entries).await?;
    let row = read::find(tx, organization, slug, number).await?;
    let after = ProposalRow { report: Some(source), ..row.clone() };
    let template = Change::Set(text);
    let patch = ProposalPatch { template, title: kept.title.clone(), ..ProposalPatch::default() };
    change::apply(tx, organization, author, &document, &row, after, &patch).await?;
    let proposal = draft(tx, organization, slug, number, None).await?.proposal;
    match proposal.report {
        Some(_) => Ok(proposal),
        None => Err(Error::Conflict(ErrorCode::NothingToPublish).into()),
    }
}
