//! What the open proposals of a page of documents wait for.

use std::collections::HashMap;

use db::{FromRow, Row, Tx};
use domain::OrgId;
use domain::document::{self, ChangeSet, Document, GivenApproval, Next, Proposal, ProposalStatus, Readiness};
use macros::boxed;

use super::kept_next::{KeptNext, State};
use super::readiness::readiness;
use super::{ProposalRow, approvals, read};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::record::{AStepList, AWord, Kind as _, Plain, Reader};

/// What the open proposal of each of these documents waits for, and who can do it, by slug. The statements are the same
/// whichever documents these are, and none without a proposal. No text of a proposal is read. What is `kept` is not read again.
#[boxed]
pub async fn next_steps(
    tx: &mut Tx,
    organization: OrgId,
    documents: &[Document],
    kept: &KeptNext,
) -> Result<HashMap<String, Next>> {
    let open = documents.iter().filter_map(|it| it.open_proposal.map(|number| (it.slug.as_str(), number)));
    let mut open: HashMap<&str, i64> = open.collect();
    if open.is_empty() {
        return Ok(HashMap::new());
    }
    let state = State::read(tx, organization).await?;
    let mut found = HashMap::with_capacity(open.len());
    open.retain(|slug, number| match kept.get(organization, *number, &state) {
        Some(next) => found.insert((*slug).to_owned(), next).is_some(),
        None => true,
    });
    let numbers: Vec<i64> = open.values().copied().collect();
    for (slug, next) in steps(tx, organization, &numbers).await? {
        let next = next.shortened();
        if let Some(number) = open.get(slug.as_str()) {
            kept.keep(organization, *number, state.clone(), next.clone());
        }
        found.insert(slug, next);
    }
    Ok(found)
}

/// The same of open proposals, with everybody who can do it.
pub(super) async fn steps(tx: &mut Tx, organization: OrgId, open: &[i64]) -> Result<HashMap<String, Next>> {
    if open.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = rows(tx, organization, open).await?;
    let ready = readiness(tx, organization, open).await?;
    // Who has changed a proposal and who has approved it matters once it is submitted.
    let submitted = rows.iter().filter(|it| it.proposal.status == ProposalStatus::Submitted);
    let submitted: Vec<i64> = submitted.map(|it| it.proposal.number).collect();
    let mut change_sets: HashMap<i64, Vec<ChangeSet>> = HashMap::new();
    for (proposal, set) in read::change_sets_of(tx, organization, &submitted).await? {
        change_sets.entry(proposal).or_default().push(set);
    }
    let mut given: HashMap<i64, Vec<GivenApproval>> = HashMap::new();
    for approval in approvals::given(tx, organization, submitted).await? {
        given.entry(approval.proposal).or_default().push(approval);
    }
    let clients = approvals::clients(change_sets.values().flatten());
    let creators = approvals::creators(tx, organization, &clients).await?;
    let groups = approvals::group_ids(rows.iter().flat_map(|it| &it.proposal.approval_steps));
    let groups = approvals::group_members(tx, organization, groups).await?;
    let mut facts = approvals::common(tx, organization).await?;
    facts.groups = groups;
    let mut found = HashMap::with_capacity(rows.len());
    for ListedProposal { proposal, changes } in rows {
        let sets = change_sets.remove(&proposal.number).unwrap_or_default();
        let its = approvals::clients(&sets);
        facts.creators = its.iter().filter_map(|client| creators.get(client).cloned()).collect();
        let proposal = Proposal { change_sets: sets, ..proposal };
        let given = given.remove(&proposal.number).unwrap_or_default();
        let steps = proposal.steps_with(&given, &facts);
        let proposal = Proposal { steps, ..proposal };
        let ready = ready.get(&proposal.number).copied().unwrap_or_default();
        let ready = Readiness { changes: changes || ready.changes, ..ready };
        let next = document::next_if(&proposal, ready, &facts);
        found.extend(next.map(|next| (proposal.document, next)));
    }
    Ok(found)
}

/// These proposals without their texts.
async fn rows(tx: &mut Tx, organization: OrgId, proposals: &[i64]) -> Result<Vec<ListedProposal>> {
    let sql = format!(
        "SELECT p.number, p.document, p.status, p.approval_steps, p.four_eyes_waived, p.is_material,
                p.created_date, p.confirms OR p.changes IS NOT NULL OR d.published_version IS NULL
         FROM {} CROSS JOIN proposal AS p
         JOIN document AS d ON d.organization = p.organization AND d.slug = p.document
         WHERE p.organization = $1 AND p.number = wanted.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(proposals.iter().copied());
    Ok(tx.query(&sql, &[&organization.uuid(), &numbers]).await?)
}

/// What decides of a proposal what it waits for.
struct ListedProposal {
    proposal: Proposal,
    /// Whether it has something to approve beside the values of its items.
    changes: bool,
}

impl FromRow for ListedProposal {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (number, document): (_, String) = (row.next()?, row.next()?);
        let (status, approval_steps) = (AWord::read(&mut row)?, AStepList::read(&mut row)?);
        let four_eyes_waived = Plain::read(&mut row)?;
        let (is_material, created, changes) = (row.next()?, row.next()?, row.next()?);
        let row = ProposalRow::opened(number, document, created);
        let row = ProposalRow { status, approval_steps, four_eyes_waived, is_material, ..row };
        Ok(Self { proposal: row.proposal(), changes })
    }
}
