//! Submitting, returning, withdrawing, rejecting and approving proposals.

use db::Tx;
use domain::document::{
    Approval, Day, DocumentVersion, Proposal, ProposalStatus, ProposalStep, PublishedText, check_four_eyes,
    in_effect,
};
use domain::{Author, Error, ErrorCode, ExpectedVersion, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::draft::{Draft, draft};
use super::{ProposalRow, subject};
use crate::documents;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;

/// Opens an empty proposal of a document that has none.
#[boxed]
pub async fn open(tx: &mut Tx, organization: OrgId, author: &Author, slug: &str) -> Result<Proposal> {
    let document = documents::get(tx, organization, slug).await?.document;
    if document.status == domain::document::DocumentStatus::Archived {
        return Err(Error::Conflict(ErrorCode::DocumentArchived).into());
    }
    if document.open_proposal.is_some() {
        return Err(Error::Conflict(ErrorCode::ProposalOpen).into());
    }
    let mut entries = Vec::new();
    let number = super::edit::open_proposal(tx, organization, slug, 0, &mut entries).await?;
    journal::append_all(tx, organization, author, entries).await?;
    Ok(draft(tx, organization, slug, number, None).await?.proposal)
}

/// Takes a step of a proposal, if it has an `expected` version. `read` is the proposal with its text as it was read before the write, with what the step
/// submits; if it was changed since, it is read again.
#[boxed]
pub async fn step(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    read: Option<Draft>,
    step: &ProposalStep,
) -> Result<Proposal> {
    let before = match present(tx, organization, read).await? {
        Some(draft) => draft,
        None => draft(tx, organization, slug, number, step.submission()).await?,
    };
    expected.check(before.row.version)?;
    let after = step.apply(&before.proposal, &before.document.document, before.changes())?;
    let after = Proposal { version: before.row.version + 1, updated_date: tx.at(), ..after };
    let row = ProposalRow { text_bytes: before.row.text_bytes, ..ProposalRow::of(&after) };
    let payload = record::changes(Some(&before.row), &row);
    let mut entries = vec![New { kind: kind(after.status), subject: subject(number), payload }];
    if let ProposalStep::Approve(approval) = step {
        let version = approved(author, &before, approval, tx.at())?;
        let changed: Vec<_> = before.changed().collect();
        entries.push(documents::publish(tx, organization, &before.document, &changed, &version).await?);
    }
    journal::append_all(tx, organization, author, entries).await?;
    record::replace(tx, organization, &row).await?;
    let next = before.next(&after);
    Ok(Proposal { next, ..after })
}

fn kind(after: ProposalStatus) -> &'static str {
    match after {
        ProposalStatus::Open => "proposal.returned",
        ProposalStatus::Submitted => "proposal.submitted",
        ProposalStatus::Approved => "proposal.approved",
        ProposalStatus::Rejected => "proposal.rejected",
        ProposalStatus::Withdrawn => "proposal.withdrawn",
    }
}

/// What was read, if neither the proposal nor the document was changed since.
async fn present(tx: &mut Tx, organization: OrgId, read: Option<Draft>) -> Result<Option<Draft>> {
    let Some(read) = read else { return Ok(None) };
    let sql = "SELECT proposal.version, d.version FROM proposal
        JOIN document AS d ON d.organization = proposal.organization AND d.slug = proposal.document
        WHERE proposal.organization = $1 AND proposal.number = $2";
    let found: Option<(i64, i64)> = tx.query_opt(sql, &[&organization.uuid(), &read.row.number]).await?;
    Ok(Some(read).filter(|read| found == Some((read.row.version, read.document.document.version))))
}

/// The version that an approval publishes, if the caller may approve it.
fn approved(author: &Author, draft: &Draft, approval: &Approval, at: Timestamp) -> Result<PublishedText> {
    check_four_eyes(&author.actor, &draft.proposal, &draft.creators)?;
    let proposal = &draft.proposal;
    let today = Day::of(at);
    let version = DocumentVersion {
        document: proposal.document.clone(),
        number: draft.document.document.published_version.unwrap_or(0) + 1,
        proposal: proposal.number,
        sha256: approval.sha256.to_string(),
        summary: proposal.summary.clone(),
        is_material: proposal.is_material.unwrap_or_default(),
        material_reason: proposal.material_reason.clone(),
        effective_date: in_effect(proposal.effective_date.as_ref(), today),
        approved_by: author.actor.clone(),
        approved_date: at,
        note: approval.note.clone(),
    };
    Ok(PublishedText { version, markdown: draft.markdown.clone() })
}
