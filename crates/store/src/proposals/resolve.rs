//! Settling conflicts: adopting one of the values that authors set for an item.

use db::{Param, Tx};
use domain::document::{Proposal, ProposalField, ProposalStatus, Resolution, in_force};
use domain::{Author, Error, ExpectedVersion, OrgId};
use macros::boxed;

use super::{ProposalRow, approvals, changes_field, draft, read, subject};
use crate::documents::{self, adopted_field};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record;

/// Adopts the value of one of the change sets for an item, if the proposal has an `expected` version. Who does that is no
/// author of it. A submitted proposal whose text it changes is open again.
#[boxed]
pub async fn resolve(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    resolution: &Resolution,
) -> Result<Proposal> {
    adopt(tx, organization, author, (slug, number), expected, resolution).await?;
    Ok(draft(tx, organization, slug, number, None).await?.proposal)
}

pub(super) async fn adopt(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    resolution: &Resolution,
) -> Result<()> {
    let proposal = open(tx, organization, (slug, number), expected).await?;
    let edits = read::edits(tx, organization, number, Some(&resolution.node_id)).await?;
    let Some(chosen) = edits.iter().find(|edit| edit.change_set == resolution.change_set) else {
        return Err(resolution.unknown(!edits.is_empty()).into());
    };
    let adopted = edits.iter().find(|edit| edit.is_adopted);
    if adopted == Some(chosen) {
        return Ok(());
    }
    let sql = "UPDATE change_set_edit SET is_adopted = (change_set = $3)
        WHERE organization = $1 AND item = $2 AND change_set IN (
            SELECT number FROM change_set WHERE organization = $1 AND proposal = $4)";
    let params: [&dyn Param; 4] = [&organization.uuid(), &chosen.node_id, &chosen.change_set, &number];
    tx.execute(sql, &params).await?;
    let payload = adopted.map_or_else(Payload::new, |edit| {
        Payload::new().gone(&adopted_field(edit.change_set, &edit.node_id), true)
    });
    let payload = payload.set(&adopted_field(chosen.change_set, &chosen.node_id), true);
    let changes = in_force(&edits).get(chosen.node_id.as_str()).is_none_or(|edit| edit.value != chosen.value);
    changed(tx, organization, author, &proposal, proposal.clone(), changes, payload).await
}

/// A proposal that takes changes, with this version.
pub(super) async fn open(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
) -> Result<ProposalRow> {
    let proposal = read::find(tx, organization, slug, number).await?;
    expected.check(proposal.version)?;
    match proposal.status {
        ProposalStatus::Open | ProposalStatus::Submitted => Ok(proposal),
        closed => Err(Error::NotNext(closed).into()),
    }
}

/// Stores a proposal as it is after a change, and journals `payload` about its document. If that changes the text of a submitted
/// one, it is open again.
pub(super) async fn changed(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &ProposalRow,
    after: ProposalRow,
    changes_text: bool,
    payload: Payload,
) -> Result<()> {
    let mut after = ProposalRow { updated_date: tx.at(), version: before.version + 1, ..after };
    let reopens = changes_text && before.status == ProposalStatus::Submitted;
    if reopens {
        after = ProposalRow { status: ProposalStatus::Open, sha256: None, ..after };
    }
    let mut of_proposal =
        ProposalField::ALL.iter().fold(record::changes(Some(before), &after), |payload, field| {
            payload.change(&changes_field(*field), before.changes.get(*field), after.changes.get(*field))
        });
    if reopens {
        of_proposal = approvals::make_void(tx, organization, before.number, of_proposal).await?;
    }
    let mut entries = Vec::new();
    if !of_proposal.is_empty() {
        let kind = if reopens { "proposal.returned" } else { "proposal.changed" };
        entries.push(New { kind, subject: subject(before.number), payload: of_proposal });
    }
    if !payload.is_empty() {
        entries.push(New { kind: "document.edited", subject: documents::subject(&before.document), payload });
    }
    journal::append_all(tx, organization, author, entries).await?;
    record::replace(tx, organization, &after).await
}
