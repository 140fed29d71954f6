//! Submitting, returning, withdrawing, rejecting and approving proposals.

use db::Tx;
use domain::decision::check_decided;
use domain::document::{
    ApprovalFacts, Day, DocumentVersion, GivenApproval, Proposal, ProposalField, ProposalStatus,
    ProposalStep, PublishedText, Sha256, in_effect,
};
use domain::{Author, Error, ExpectedVersion, OrgId, Prose, Reason, Scope};
use jiff::Timestamp;
use macros::boxed;

use super::draft::{Draft, Render, draft};
use super::{ProposalRow, approvals, subject};
use crate::ledger::access;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record;
use crate::{documents, exceptions};

/// Takes a step of a proposal, if it has an `expected` version. `read` is the proposal with its text as it was read before the
/// write, with what the step submits; if it was changed since, it is read again. The hash of the HTML that `render` makes of the
/// text is stored with the version that an approval publishes.
#[boxed]
pub async fn step(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    (read, render): (Option<Draft>, Render),
    step: &ProposalStep,
) -> Result<Proposal> {
    let before = match present(tx, organization, read).await? {
        Some(draft) => draft,
        None => draft(tx, organization, slug, number, step.submission()).await?,
    };
    // An author may withdraw it; anybody else needs what editing it needs.
    if matches!(step, ProposalStep::Withdraw(_)) && !before.proposal.has_author(&author.actor) {
        access::require(tx, organization, author, Scope::DocumentsWrite.into()).await?;
    }
    // No hash covers changed steps: who approves them names the version in which they were read.
    let has_steps = before.proposal.changes.get(ProposalField::ApprovalSteps).is_some();
    let expected = match expected {
        ExpectedVersion::Any if step.approves() && has_steps => &ExpectedVersion::Unsaid,
        expected => expected,
    };
    expected.check(before.row.version)?;
    let after =
        step.apply(&before.proposal, &before.document.document, before.changes(), before.is_material())?;
    let after = Proposal { version: before.row.version + 1, updated_date: tx.at(), ..after };
    if step.approves() {
        let before = if before.html_sha256.is_none() { before.with_html(render) } else { before };
        return approve(tx, organization, author, before, after, step).await;
    }
    let row = before.row.with(&after);
    let mut payload = record::changes(Some(&before.row), &row);
    if let ProposalStep::Return(_) = step {
        payload = approvals::make_void(tx, organization, number, payload).await?;
    }
    journal::append(tx, organization, author, kind(after.status), subject(number), payload).await?;
    record::replace(tx, organization, &row).await?;
    match step {
        // Its text says of it what an open proposal says.
        ProposalStep::Return(_) => Ok(draft(tx, organization, slug, number, None).await?.proposal),
        _ => Ok(before.after(after)),
    }
}

/// Records an approval, and publishes the text if it is the last one that is needed.
async fn approve(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    mut before: Draft,
    after: Proposal,
    step: &ProposalStep,
) -> Result<Proposal> {
    // Who may approve can have changed since the text was read, without a change of the proposal.
    let proposal = &before.proposal;
    let facts = approvals::facts(tx, organization, &proposal.change_sets, &proposal.approval_steps).await?;
    before.facts = ApprovalFacts { replaced: before.facts.replaced, ..facts };
    before.proposal.steps = before.proposal.steps_with(&before.approvals, &before.facts);
    let given = given(author, &before, step, tx.at())?;
    before.approvals.push(given.clone());
    let is_approved = before.proposal.is_approved(&before.approvals, &before.facts);
    let status = if is_approved { after.status } else { ProposalStatus::Submitted };
    let after = Proposal { status, ..after };
    let row = before.row.with(&after);
    let payload = Payload::new().set(&approvals::field(given.number), approvals::journaled(&given));
    let subject = subject(after.number);
    let kind =
        if given.decided_by.is_some() { "proposal.decision_recorded" } else { "proposal.step_approved" };
    let mut entries = vec![New { kind, subject: subject.clone(), payload }];
    if is_approved {
        let payload = record::changes(Some(&before.row), &row);
        entries.push(New { kind: "proposal.approved", subject, payload });
        let (published, note) = (&before.published, given.note.clone());
        entries.push(match before.confirms() {
            true => {
                let number = after.number;
                documents::confirm(tx, organization, author, &published.document, number, note).await?
            }
            false => {
                let version = published_text(&before, &given);
                documents::publish(tx, organization, published, before.approved(), &version).await?
            }
        });
    }
    journal::append_all(tx, organization, author, entries).await?;
    record::insert(tx, organization, &given).await?;
    record::replace(tx, organization, &row).await?;
    if is_approved && !before.confirms() {
        let version = published_text(&before, &given).version.number;
        exceptions::follow(tx, organization, author, &before.approved(), version).await?;
    }
    Ok(before.after(after))
}

/// The approval of the caller, if the pending step waits for it.
fn given(author: &Author, draft: &Draft, step: &ProposalStep, at: Timestamp) -> Result<GivenApproval> {
    let proposal = &draft.proposal;
    let base = |steps, sha256: &Sha256, note: &Option<Prose>| GivenApproval {
        proposal: proposal.number,
        number: i64::try_from(draft.approvals.len()).unwrap_or(i64::MAX) + 1,
        steps,
        by: author.actor.clone(),
        job_title: draft.facts.job_title(&author.actor),
        on_behalf_of: None,
        at,
        sha256: sha256.to_string(),
        note: note.clone(),
        decided_by: None,
        decided_date: None,
        minutes: None,
        is_void: false,
    };
    match step {
        ProposalStep::Record(it) => {
            check_decided(&it.decided_date, at)?;
            let pending = proposal.record_as(&author.actor, &draft.facts)?;
            Ok(GivenApproval {
                decided_by: Some(it.decided_by.clone()),
                decided_date: Some(it.decided_date.clone()),
                minutes: Some(it.minutes.clone()),
                ..base(vec![pending], &it.sha256, &it.note)
            })
        }
        ProposalStep::Approve(it) => {
            let (steps, on_behalf_of) = proposal.approve_as(&author.actor, &draft.facts)?;
            Ok(GivenApproval { on_behalf_of, ..base(steps, &it.sha256, &it.note) })
        }
        _ => Err(Error::Internal("this step approves nothing".to_owned()).into()),
    }
}

/// Withdraws the open proposal of a document that is archived, and returns what is journaled.
pub(crate) async fn withdraw_open(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    reason: Option<Reason>,
) -> Result<New> {
    let before = super::read::find(tx, organization, slug, number).await?;
    let (status, at) = (ProposalStatus::Withdrawn, tx.at());
    let said = before.proposal();
    let reason = reason.unwrap_or_else(|| Reason::stored("The document was archived."));
    let after = ProposalRow {
        status,
        reason: Some(reason),
        is_material: said.is_material,
        material_reason: said.material_reason,
        effective_date: said.effective_date,
        updated_date: at,
        version: before.version + 1,
        ..before.clone()
    };
    record::replace(tx, organization, &after).await?;
    let payload = record::changes(Some(&before), &after);
    Ok(New { kind: kind(status), subject: subject(number), payload })
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

/// The version that the last approval publishes.
fn published_text(draft: &Draft, last: &GivenApproval) -> PublishedText {
    let proposal = &draft.proposal;
    let version = DocumentVersion {
        document: proposal.document.clone(),
        number: draft.document.document.published_version.unwrap_or(0) + 1,
        proposal: proposal.number,
        sha256: last.sha256.clone(),
        html_sha256: draft.html_sha256.clone(),
        summary: proposal.summary.clone(),
        is_material: proposal.is_material.unwrap_or_default(),
        material_reason: proposal.material_reason.clone(),
        effective_date: in_effect(proposal.effective_date.as_ref(), Day::of(last.at)),
        approved_by: last.by.clone(),
        approved_date: last.at,
        note: last.note.clone(),
    };
    PublishedText { version, markdown: draft.markdown.clone() }
}
